import { isObject, type Json, plainJson } from '../base/json';
import { readSentence } from '../base/readSentence';
import { say, type Sentence, withTexts } from '../base/sentence';
import { changeStored, type Clock, type KeyValueStore } from '../ports/platform';
import { defaultFreshnessHours } from './requirement';
import type { Requirement, RequirementState } from '../vocabulary/requirement';

/** What the last probe of a requirement found. */
interface ProbeRecord {
  readonly isGood: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly detail: Sentence;
}

const storeKey = 'probes';
const hour = 3_600_000;
/** A red requirement is probed again after this time, so that what a person mended counts without a command. */
const redForMs = 5 * 60_000;

/**
 * How long a good probe counts for a capability: the requirement's budget, or the capability's where that is smaller.
 */
export function freshnessBudgetMs(requirement: Requirement | undefined, capabilityHours: number | undefined): number {
  const own = requirement?.freshnessBudgetHours;
  return Math.min(own ?? capabilityHours ?? defaultFreshnessHours, capabilityHours ?? Number.POSITIVE_INFINITY) * hour;
}

/** Remembers the results of probes over reloads; names and times only. */
export class ProbeCache {
  readonly #clock: Clock;
  readonly #storage: KeyValueStore;
  readonly #records = new Map<string, ProbeRecord>();

  constructor(clock: Clock, storage: KeyValueStore) {
    this.#clock = clock;
    this.#storage = storage;
    this.#take(storage.get(storeKey));
  }

  /** Of what another process found too, the newest counts. */
  #take(stored: Json | undefined): void {
    for (const [id, one] of Object.entries(isObject(stored) ? stored : {})) {
      if (!isObject(one)) continue;
      const { isGood, at } = one;
      if (typeof isGood !== 'boolean' || typeof at !== 'number' || at < (this.#records.get(id)?.at ?? at)) continue;
      this.#records.set(id, { isGood, at, detail: readSentence(one['detail']) ?? say('no_reason') });
    }
  }

  record(key: string): ProbeRecord | undefined {
    return this.#records.get(key);
  }

  async set(key: string, isGood: boolean, detail: Sentence): Promise<void> {
    const kept = withTexts(detail, (text) => text.slice(0, 300));
    this.#records.set(key, { isGood, at: this.#clock.now(), detail: kept });
    await changeStored(this.#storage, storeKey, (now) => {
      this.#take(now);
      return plainJson(Object.fromEntries(this.#records));
    });
  }

  /**
   * The state now. A record from the future (the clock was set back) is stale; it proves nothing.
   * @param row what is known of it: a red that no probe can find mended stays red as long as a good one would count.
   */
  state(key: string, budgetMs: number, row?: Pick<Requirement, 'lastProbe' | 'probe'>): RequirementState {
    const noted = row?.lastProbe;
    const own = this.#records.get(key);
    const record = own && noted && noted.at > own.at ? noted : (own ?? noted);
    if (!record) return 'unknown';
    const age = this.#clock.now() - record.at;
    if (age < -60_000) return 'stale';
    if (!record.isGood) return age <= (row?.probe ? Math.min(budgetMs, redForMs) : budgetMs) ? 'red' : 'stale';
    return age <= budgetMs ? 'fresh' : 'stale';
  }
}
