import { toolError } from '../../core/errors';

/** Writes the place where the next page starts, bound to the question that it belongs to. */
export function writeCursor(offset: number, question: string): string {
  return `${offset}.${fingerprint(question)}`;
}

/** Reads a cursor; throws `invalid_input` where it is none, or belongs to another question. */
export function readCursor(cursor: string | undefined, question: string): number {
  if (cursor === undefined) return 0;
  const match = /^(\d{1,9})\.([0-9a-z]+)$/.exec(cursor);
  if (!match || match[2] !== fingerprint(question)) {
    throw toolError(
      'invalid_input',
      'input is not valid: /cursor must be the next_cursor of the same call (got another text); leave it out to start again',
    );
  }
  return Number(match[1]);
}

/** A short checksum (FNV-1a); it guards against mistakes, not against anybody. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** Counts what was left out of a result, by reason. */
export class LeftOut {
  readonly #counts = new Map<string, number>();

  add(reason: string, count = 1): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + count);
  }

  addAll(counts: Readonly<Record<string, number>>): void {
    for (const [reason, count] of Object.entries(counts)) this.add(reason, count);
  }

  /** As a field of a payload; nothing where nothing was left out. */
  get field(): { left_out?: readonly { readonly reason: string; readonly count: number }[] } {
    return this.#counts.size === 0 ? {} : { left_out: [...this.#counts].map(([reason, count]) => ({ reason, count })) };
  }
}
