export interface VisibleText {
  readonly text: string;
  /** How many characters were made visible. */
  readonly count: number;
}

/**
 * Characters that change or hide what a person or a model reads: controls except tab, line feed and carriage return, marks of direction,
 * joiners and spaces without width, variation selectors, tags, fillers, interlinear marks, lone surrogates.
 */
const hidden =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB]|\p{Cs}|[\u{E0000}-\u{E0FFF}]|[\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}]/gu;

/** Emoji as Unicode writes them: with joiners, variation selector 16, skin tones, keycaps; flags of regions as tag sequences. */
const emoji =
  /(?:\p{Extended_Pictographic}|\p{Emoji_Presentation})(?:\uFE0F|\p{Emoji_Modifier})?\u20E3?(?:\u200D\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})?)*|[0-9#*]\uFE0F\u20E3/gu;
const subdivisionFlag = /\u{1F3F4}[\u{E0020}-\u{E007E}]{1,6}\u{E007F}/gu;

const show = (char: string): string => `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;

/**
 * Makes invisible, bidi and control characters visible as `⟨U+202E⟩` and counts them. Tabs, line breaks, emoji sequences and flags stay as they are,
 * as do the joiners that Indic and Arabic scripts need between their own letters. Text without such characters is answered as it came.
 */
export function visibleText(text: string): VisibleText {
  hidden.lastIndex = 0;
  if (!hidden.test(text)) return { text, count: 0 };
  const kept = keptRanges(text);
  let count = 0;
  const out = text.replace(hidden, (char: string, at: number) => {
    if (kept.has(at) || isNeededJoiner(text, at, char)) return char;
    count++;
    return show(char);
  });
  return { text: out, count };
}

/** The positions of characters that belong to an emoji. */
function keptRanges(text: string): ReadonlySet<number> {
  const kept = new Set<number>();
  for (const pattern of [emoji, subdivisionFlag]) {
    for (const match of text.matchAll(pattern)) {
      if (match[0].length < 2) continue;
      for (let at = match.index; at < match.index + match[0].length; at++) kept.add(at);
    }
  }
  return kept;
}

const joiningScript =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Mongolian}\p{Script=Khmer}]/u;

/** A single joiner or non-joiner between two letters of a script that needs it. */
function isNeededJoiner(text: string, at: number, char: string): boolean {
  if (char !== '\u200C' && char !== '\u200D') return false;
  const before = text[at - 1] ?? '';
  const after = text[at + 1] ?? '';
  return joiningScript.test(before) && joiningScript.test(after);
}
