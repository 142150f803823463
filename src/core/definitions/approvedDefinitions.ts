import { plainWords } from '../base/translate';
import { isObject, isStrings, type Json } from '../base/json';
import { changeStored, type KeyValueStore } from '../ports/platform';
import { boundText, type DefinitionApproval } from './approval';

const key = 'definitions.approvedWhole';
/** The hashes that are remembered of one place, so that going back to what was approved does not ask again. */
const mostHashes = 50;
/** All kept texts together; the oldest go first. In characters. */
const mostCharacters = 1_000_000;

interface Entry {
  readonly hashes: readonly string[];
  /** What was shown with the last yes, to show what is another now. */
  readonly lines?: readonly string[];
}

/** What the user approved in this workspace: by place, the hashes, and the text of the last one. */
export class ApprovedDefinitions {
  readonly #storage: KeyValueStore;

  constructor(storage: KeyValueStore) {
    this.#storage = storage;
  }

  /** What was approved for this place; undefined where nothing was. */
  get(identity: string): Entry | undefined {
    return entriesIn(this.#storage.get(key)).get(identity);
  }

  add(approval: Pick<DefinitionApproval, 'identity' | 'hash' | 'lines'>): Promise<void> {
    return changeStored(this.#storage, key, (now) => withApproval(entriesIn(now), approval));
  }
}

function withApproval(
  all: Map<string, Entry>,
  { identity, hash, lines }: Pick<DefinitionApproval, 'identity' | 'hash' | 'lines'>,
): Json {
  const hashes = [...(all.get(identity)?.hashes ?? []).filter((one) => one !== hash), hash].slice(-mostHashes);
  all.delete(identity);
  all.set(identity, { hashes, lines: lines.map((line) => boundText(line, plainWords)) });
  let size = 0;
  const kept = [...all].reverse().map(([place, entry]): [string, Entry] => {
    size += (entry.lines ?? []).reduce((sum, line) => sum + line.length + 1, 0);
    return [place, size > mostCharacters ? { hashes: entry.hashes } : entry];
  });
  return Object.fromEntries(
    kept.reverse().map(([place, entry]): [string, Json] => [place, { ...entry, hashes: [...entry.hashes] }]),
  );
}

function entriesIn(value: Json | undefined): Map<string, Entry> {
  return new Map(
    Object.entries(isObject(value) ? value : {}).flatMap(([place, entry]): readonly [string, Entry][] => {
      if (!isObject(entry) || !isStrings(entry['hashes'])) return [];
      const { hashes, lines } = entry;
      return [[place, { hashes, ...(isStrings(lines) ? { lines } : {}) }]];
    }),
  );
}
