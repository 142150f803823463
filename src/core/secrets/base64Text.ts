/** What base64 of either alphabet holds, a byte a character, with its padding or without; empty for what is none. */
export function base64Text(text: string): string {
  const plain = text
    .replace(/={1,2}$/, '')
    .replace(/-/g, '+')
    .replace(/_/g, '/');
  try {
    // A last character alone holds no byte.
    return atob(plain.length % 4 === 1 ? plain.slice(0, -1) : plain);
  } catch {
    return '';
  }
}
