import { once } from 'node:events';
import fs from 'node:fs';
import { exportLines } from '../../core/audit/export';
import type { ChainSeal, HeadKeeper } from '../../core/audit/head';
import type { AuditFilter } from '../../core/audit/query';
import type { AuditPage, AuditReader, FoundRecord, Verification } from '../../core/audit/reader';
import type { AuditReport, ReportedAgent, ReportPeriod } from '../../core/audit/report';
import type { AuditRecord, ExportFormat } from '../../core/audit/record';
import { chainSeal } from './hash';
import { AuditQuery } from './queryFolder';
import { type VerifiedFolder, verifyFolder } from './verifyFolder';
import { errorOf } from '../../core/base/errorText';

interface FolderReaderOptions {
  readonly key?: Uint8Array;
  readonly before?: () => void;
  readonly keeper?: HeadKeeper;
}

/** Reads a folder of segments. `before` is called first, so that what this window has queued is in the answer. */
export class FolderReader implements AuditReader {
  readonly #dir: string;
  readonly #options: FolderReaderOptions;
  readonly #seal: ChainSeal;
  #made: AuditQuery | undefined;

  constructor(dir: string, options: FolderReaderOptions = {}) {
    this.#dir = dir;
    this.#options = options;
    this.#seal = chainSeal(options.key);
  }

  /** Made with the first question. */
  get #query(): AuditQuery {
    return (this.#made ??= new AuditQuery(this.#dir, this.#seal));
  }

  async page(filter: AuditFilter, options: { readonly limit: number; readonly next?: string }): Promise<AuditPage> {
    this.#options.before?.();
    return this.#query.page(filter, options);
  }

  async find(segment: string, seq: number): Promise<AuditRecord | undefined> {
    return this.#query.find(segment, seq);
  }

  all(filter: AuditFilter): AsyncIterable<FoundRecord> {
    this.#options.before?.();
    return this.#query.all(filter);
  }

  /** The same for what is counted or handed on: an index that somebody edited cannot leave a record out. */
  whole(filter: AuditFilter): AsyncIterable<FoundRecord> {
    this.#options.before?.();
    return this.#query.all(filter, { afresh: true });
  }

  async verify(): Promise<Verification> {
    const { ends: _ends, ...verification } = await this.#verified();
    return verification;
  }

  async report(period: ReportPeriod, agents?: readonly ReportedAgent[]): Promise<AuditReport> {
    const { makeReport } = await import('./makeReport');
    const { alg, key } = this.#seal;
    const verified = { alg, ...(key === undefined ? {} : { key }), ...(await this.#verified()) };
    return makeReport((filter) => this.#query.all(filter, { afresh: true }), verified, period, agents);
  }

  #verified(): Promise<VerifiedFolder> {
    this.#options.before?.();
    return verifyFolder(this.#dir, { ...this.#seal, heads: this.#options.keeper?.heads() ?? [] });
  }

  async exportTo(file: string, filter: AuditFilter, format: ExportFormat): Promise<number> {
    return writeLines(file, exportLines(this.whole(filter), format));
  }
}

/** Writes lines to a file that only the user may read, waiting where the disk is slower; throws what the disk says. */
async function writeLines(file: string, lines: AsyncIterable<string>): Promise<number> {
  const stream = fs.createWriteStream(file, { mode: 0o600 });
  const failed = once(stream, 'error').then(([error]) => Promise.reject(errorOf(error)));
  failed.catch(() => undefined);
  let count = 0;
  for await (const line of lines) {
    count++;
    if (!stream.write(`${line}\n`)) await Promise.race([once(stream, 'drain'), failed]);
  }
  stream.end();
  await Promise.race([once(stream, 'close'), failed]);
  return count;
}
