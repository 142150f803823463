// Invisible and direction-changing code points, C0 and C1 controls but for tab and newline, and the line separators
// that editors show as nothing.
const hidden =
  /[\p{Cs}\p{Default_Ignorable_Code_Point}\p{Cf}\p{Bidi_Control}\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/gu;

// Sequences in which an invisible character is part of a picture: joined emoji, variation selectors after one, flags
// made of tags.
const emoji =
  /\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)*(?:[\u{e0020}-\u{e007e}]+\u{e007f})?|[0-9#*]\ufe0f\u20e3/gu;

/**
 * Writes each invisible, bidi and control character as `⟨U+202E⟩` and counts them.
 * Tab, newline and the invisible parts of emoji stay; a carriage return before a newline stays too.
 */
export function visibleText(text: string): { readonly text: string; readonly count: number } {
  if (!mayHide.test(text)) return { text, count: 0 };
  const kept: [number, number][] = [];
  for (const match of text.matchAll(emoji))
    if (match[0].length > 1) kept.push([match.index, match.index + match[0].length]);
  let count = 0;
  let next = 0;
  const out = text.replace(hidden, (character: string, at: number) => {
    while (next < kept.length && (kept[next]?.[1] ?? 0) <= at) next++;
    const span = kept[next];
    if (span && at >= span[0] && at < span[1]) return character;
    if (character === '\r' && text[at + 1] === '\n') return character;
    count++;
    return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
  return { text: out, count };
}

const mayHide = /[^\t\n\x20-\x7e]/;

/** The same without the count. */
export const visible = (text: string): string => visibleText(text).text;

/** The same on one line: each run of white space is one blank. */
export const visibleLine = (text: string): string => visible(text).replace(/\s+/g, ' ');
