import { readJsonDocument } from '../base/jsonDocument';
import { type Problem, problem } from '../base/problem';
import { say, type Sentence } from '../base/sentence';
import type { FileSystem } from '../ports/files';
import type { KeyValueStore } from '../ports/platform';
import { errorSaid } from '../vocabulary/errors';
import { identityOf } from './approval';
import type { PolledTool } from './channelPoller';
import type { ChannelFetcher, ChannelSetting } from './channels';
import { readDefinitionFiles } from './files';
import { LastGood } from './lastGood';
import type { ParsedFile } from './parse';
import type { DefinitionOrigin, HeldDefinition } from './spec';

/** One file, or one manifest that was fetched, as it stands. */
interface FileState {
  readonly origin: DefinitionOrigin;
  /** What the file says now, mistakes and all. */
  readonly parsed: ParsedFile;
  /** The last version without a mistake, else the tools of this one that have none; it is what holds. */
  readonly good: ParsedFile | undefined;
}

/**
 * What definition files and manifests say: of each the last version without a mistake holds. Where there never was one,
 * each tool without a mistake does.
 */
export class DefinitionFiles {
  readonly #files: FileSystem;
  readonly #channels: ChannelFetcher;
  readonly #lastGood: LastGood;
  readonly #states = new Map<string, FileState>();

  constructor(files: FileSystem, channels: ChannelFetcher, storage: KeyValueStore) {
    this.#files = files;
    this.#channels = channels;
    this.#lastGood = new LastGood(storage);
  }

  /**
   * Reads what changed; what could not be read keeps what it had, and keeps no other file from being read.
   * @param mayFetch whether the manifest of a channel may be asked for.
   */
  async read(mayFetch: (setting: ChannelSetting) => boolean): Promise<Problem[]> {
    const problems: Problem[] = [];
    const found = await readDefinitionFiles(this.#files);
    const fetched = await this.#channels.read(problems, mayFetch);
    const present = new Set([...found, ...fetched].map((one) => one.file));
    for (const [file, { origin }] of this.#states)
      if (!present.has(file) && !found.some((one) => one.fault !== undefined && file.startsWith(`${one.file}/`))) {
        this.#states.delete(file);
        await this.#lastGood.forget(identityOf(origin, file));
      }
    const unreadable = (file: string, why: Sentence): void => {
      const said = say('unreadable_definition', file, why);
      problems.push(problem({ severity: 'error', said, ...startOf(file) }));
    };
    const take = async (file: string, text: string, origin: DefinitionOrigin): Promise<void> => {
      try {
        await this.#take(file, text, origin);
      } catch (error) {
        unreadable(file, errorSaid(error));
      }
    };
    for (const { file, text, fault } of found)
      if (text === undefined) unreadable(file, fault ?? say('no_reason'));
      else await take(file, text, { by: 'workspace' });
    for (const { file, text, by, url } of fetched) await take(file, text, { by, url });
    for (const [file, { parsed, good }] of this.#states) {
      problems.push(...parsed.problems);
      if (!parsed.usable && good && good !== parsed)
        problems.push(problem({ severity: 'information', said: say('last_good_in_force', file), ...startOf(file) }));
    }
    return problems;
  }

  async #take(file: string, text: string, origin: DefinitionOrigin): Promise<void> {
    const identity = identityOf(origin, file);
    const known = this.#states.get(file);
    const before = known && identityOf(known.origin, file) === identity ? known : undefined;
    if (before?.parsed.text === text) return;
    // Most workspaces have no definition: what reads them is loaded with the first.
    const { parseDefinition } = await import('./parse');
    const parsed = parseDefinition(text, file, origin.url);
    let good = parsed.usable ? parsed : before?.good?.isPartial === true ? undefined : before?.good;
    if (parsed.usable) await this.#lastGood.keep(identity, text);
    else if (good === undefined) {
      const kept = this.#lastGood.get(identity);
      const again = kept === undefined ? undefined : parseDefinition(kept, file, origin.url);
      if (again?.usable) good = again;
      else if (parsed.isPartial) good = parsed;
    }
    this.#states.set(file, { origin, parsed, good });
  }

  /** What holds, in the order of the files. */
  specs(): readonly HeldDefinition[] {
    return [...this.#states.values()].flatMap(({ origin, good }) =>
      good ? good.specs.map((spec) => ({ ...spec, origin, text: good.text, document: good.document })) : [],
    );
  }

  /** What channels recommend for refreshing, each with the id of its capability. */
  polling(): readonly PolledTool[] {
    return [...this.#states.values()].flatMap(({ good }) => {
      const channel = good?.specs[0]?.capability.id;
      return channel === undefined || !good ? [] : good.polling.map((one) => ({ ...one, channel }));
    });
  }

  /** Fills in where problems with a pointer stand. */
  placed(problems: readonly Problem[]): readonly Problem[] {
    return problems.map((one) => {
      const state = one.file === undefined ? undefined : this.#states.get(one.file);
      return state && one.file !== undefined ? readJsonDocument(state.parsed.text, one.file).place(one) : one;
    });
  }

  forget(): void {
    this.#states.clear();
  }
}

/** The place of what is about a file as a whole. */
export function startOf(file: string): Pick<Problem, 'file' | 'line' | 'column'> {
  return { file, line: 1, column: 1 };
}
