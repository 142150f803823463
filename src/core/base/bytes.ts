/** Two pieces of bytes as one. */
export function joinedBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}

/** Bytes as a text with a character for each, in pieces that the engine's argument limit allows. */
export function binaryText(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x6000) text += String.fromCharCode(...bytes.subarray(at, at + 0x6000));
  return text;
}

/** The bytes of a text that has a character for each. By a loop: `from` walks through a text thirty times slower. */
export function binaryBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}
