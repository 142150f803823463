/** One argument as a program gets it. */
export interface Field {
  readonly text: string;
  /** True where the text is a pattern for the names on the disk. */
  readonly isPattern: boolean;
  /** False where a part of it stands as it was written, because only a run can tell what it becomes. */
  readonly isKnown: boolean;
  /** True where what it becomes may be several arguments, as no quotes stand around it. */
  readonly maySplit?: true;
  /** True where a part of it may be text that others wrote, of a file or a page: no number, nor of the environment. */
  readonly isTainted?: true;
  /** Where a part is not known: the text with `$` in the place of each such part. */
  readonly told?: string;
}

/**
 * A piece of a word: `space` parts two arguments, `end` does so even where there is no text before it; `quoted` is text
 * that is never split and keeps an argument alive.
 */
export interface Piece {
  readonly text: string;
  readonly kind: 'quoted' | 'pattern' | 'unknown' | 'space' | 'end';
  /** True where it may be several words, or none: it came out of an expansion that no quotes hold together. */
  readonly maySplit?: true;
  /** Of what is not known: true where it may be text that others wrote. */
  readonly isTainted?: true;
}

export const plainField = (text: string): Field => ({ text, isPattern: false, isKnown: true });

/** True where only a run tells what it becomes: a part that is not known, or a pattern for names on the disk. */
export const isOpenField = ({ isKnown, isPattern }: Field): boolean => !isKnown || isPattern;

/** True where a run may make an option of it, or more words than one; of a name on the disk the first sign tells. */
export const mayBeOption = ({ text, told, isKnown, isPattern, maySplit }: Field): boolean =>
  isKnown ? isPattern && /^[-*?[]/.test(text) : maySplit === true || /^(?!--\w[\w-]*=)[-$*?[]/.test(told ?? '$');

/** True where it may become text that others wrote, as names on the disk are. */
export const isTaintedField = ({ isTainted, isPattern }: Field): boolean => isTainted === true || isPattern;

/** The same with a text before it. */
export const behindText = (before: string, field: Field): Field => ({
  ...field,
  text: before + field.text,
  ...(field.told === undefined ? {} : { told: before + field.told }),
});

/** What a variable holds of which these are the values. */
export const opennessOf = (fields: readonly Field[]) => ({
  isOpen: fields.some(isOpenField),
  isTainted: fields.some(isTaintedField),
});

/** What is said of the parts of a word that are not known. */
export function untoldOf(pieces: readonly Piece[]): Partial<Field> {
  if (pieces.every(({ kind }) => kind !== 'unknown')) return {};
  return {
    isKnown: false,
    told: pieces.map(({ kind, text }) => (kind === 'unknown' ? '$' : text)).join(''),
    ...(pieces.some(({ isTainted }) => isTainted) ? { isTainted: true } : {}),
  };
}

/** Puts the pieces of a word together to the arguments that it becomes. */
export function fieldsOf(pieces: readonly Piece[]): readonly Field[] {
  const fields: Field[] = [];
  let current: Piece[] = [];
  const flush = (): void => {
    if (current.length === 0) return;
    const isPattern = current.some(({ kind }) => kind === 'pattern');
    const text = current
      .map((one) => (isPattern && one.kind === 'quoted' ? one.text.replace(/[*?[\]\\]/g, '\\$&') : one.text))
      .join('');
    fields.push({
      text,
      isPattern,
      isKnown: true,
      ...(current.some(({ maySplit }) => maySplit) ? { maySplit: true } : {}),
      ...untoldOf(current),
    });
    current = [];
  };
  for (const piece of pieces)
    if (piece.kind === 'space') flush();
    else if (piece.kind !== 'end') current.push(piece);
    else if (current.length > 0) flush();
    else fields.push(plainField(''));
  flush();
  return fields;
}

/** True for a sign that parts words as often as it stands there. */
export const isSpaceAt = (at: number, text: string, separators: string): boolean =>
  /[ \t\n]/.test(text[at] ?? '') && separators.includes(text[at] ?? '');

/** The pieces of text that came out of an expansion without quotes: split at `separators`, its wildcards alive. */
export function splitText(text: string, separators: string): readonly Piece[] {
  const out: Piece[] = [];
  let from = 0;
  const flush = (to: number): void => {
    if (to <= from) return;
    const part = text.slice(from, to);
    out.push({ text: part, kind: /[*?[]/.test(part) ? 'pattern' : 'quoted' });
  };
  const isSpace = (at: number): boolean => isSpaceAt(at, text, separators);
  for (let at = 0; at < text.length; at++) {
    if (!separators.includes(text[at] ?? '')) continue;
    flush(at);
    // Spaces count once, with one other sign among them.
    while (isSpace(at)) at++;
    const isSign = at < text.length && separators.includes(text[at] ?? '');
    if (isSign) while (isSpace(at + 1)) at++;
    else at--;
    out.push({ text: '', kind: isSign ? 'end' : 'space' });
    from = at + 1;
  }
  flush(text.length);
  return out;
}
