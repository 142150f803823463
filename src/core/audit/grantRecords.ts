import { grantOf } from './grantAnswer';
import type { AuditReader } from './reader';
import type { Sentence } from '../base/sentence';
import type { AuditRecord } from './record';
import { readSentence } from '../base/readSentence';

/** What the log says of grants when they were made, by their ids. */
export class GrantRecords {
  readonly #made = new Map<string, Sentence>();

  /** Notes what a record says of a grant, if it is about the making of one. */
  add({ event, id, said }: AuditRecord): void {
    if (event !== 'grant.changed' || id === undefined) return;
    const { code, args } = readSentence(said) ?? {};
    const [made] = code === 'note_grant_added' ? (args ?? []) : [];
    if (typeof made === 'object' && 'code' in made) this.#made.set(id, made);
  }

  /** Reads what is not known yet of these answers. */
  async find(reader: Pick<AuditReader, 'all'>, answers: Iterable<string | undefined>): Promise<void> {
    const named = [...answers].map((by) => (by === undefined ? undefined : grantOf(by)));
    if (named.every((id) => id === undefined || this.#made.has(id))) return;
    for await (const { record } of reader.all({ event: ['grant.changed'] })) this.add(record);
  }

  /** What a grant allows, as the record of its making says it. */
  madeOf(id: string): Sentence | undefined {
    return this.#made.get(id);
  }
}
