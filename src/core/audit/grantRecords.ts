import type { AuditReader } from './reader';
import type { AuditRecord } from './record';

/** What the log says of grants when they were made, by their ids. */
export class GrantRecords {
  readonly #details = new Map<string, string>();

  /** Notes what a record says of a grant, if it is about the making of one. */
  add({ event, id, detail }: AuditRecord): void {
    if (event === 'grant.changed' && id !== undefined && detail?.startsWith('added ')) this.#details.set(id, detail);
  }

  /** Reads what is not known yet of these answers: `grant 01h…`. */
  async find(reader: Pick<AuditReader, 'all'>, answers: Iterable<string | undefined>): Promise<void> {
    const isUnknown = [...answers].some((by) => by?.startsWith(prefix) && !this.#details.has(by.slice(prefix.length)));
    if (!isUnknown) return;
    for await (const { record } of reader.all({ event: ['grant.changed'] })) this.add(record);
  }

  detailOf(id: string): string | undefined {
    return this.#details.get(id);
  }
}

const prefix = 'grant ';
