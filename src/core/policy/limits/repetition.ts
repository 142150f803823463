import { canonicalJson } from '../../base/json';
import { say } from '../../base/sentence';
import type { GateCall } from '../../call/gateCall';
import type { Reason } from '../../vocabulary/decision';
import { shortHash } from '../../vocabulary/names';
import type { LimitSettings } from './limitSettings';

/** The last answers of so many actors are kept as they are, each up to so many characters. */
const mostKept = 16;
const longestKept = 300_000;

/** The last call of an actor and what came of it: its text while few and short texts are kept, else a digest. */
interface Repeat {
  readonly callKey: string;
  readonly length: number;
  readonly whole?: string;
  readonly digest?: string;
  times: number;
}

/** Asks where an agent makes the same call again and again and always gets the same result. */
export class Repetitions {
  readonly #repeats = new Map<string, Repeat>();
  readonly #digest: (text: string) => string;

  constructor(digest: (text: string) => string) {
    this.#digest = digest;
  }

  reasons(call: GateCall, layers: readonly LimitSettings[]): readonly Reason[] {
    const limit = Math.min(...layers.map((one) => (one.repetition > 0 ? one.repetition : Number.POSITIVE_INFINITY)));
    const last = this.#repeats.get(call.actor.id);
    if (!last || last.times < limit || callKey(call) !== last.callKey) return [];
    return [{ said: say('same_call_again', last.times), rule: 'limit.repetition' }];
  }

  remember(actorId: string, key: string, result: string): void {
    const last = this.#repeats.get(actorId);
    if (last?.callKey === key && this.#isSameResult(last, result)) {
      last.times++;
      return;
    }
    // Few actors exist; the oldest goes where somebody makes up many.
    if (this.#repeats.size > 1000) this.#repeats.delete(this.#repeats.keys().next().value ?? '');
    // Most calls differ from the one before, and for them a digest would be made in vain.
    const isKept = result.length <= longestKept && this.#repeats.size < mostKept;
    const inShort = isKept ? { whole: result } : { digest: this.#digest(result) };
    this.#repeats.set(actorId, { callKey: key, length: result.length, ...inShort, times: 1 });
  }

  #isSameResult(last: Repeat, result: string): boolean {
    if (last.length !== result.length) return false;
    return last.whole === undefined ? last.digest === this.#digest(result) : last.whole === result;
  }
}

/** What makes two calls equal; undefined for people and for tools whose repetition means nothing. */
export function callKey(call: GateCall): string | undefined {
  const { definition } = call.tool;
  const tellsState = definition.kind === 'state' || definition.kind === 'status';
  if (call.actor.type !== 'agent' || definition.repeatable || tellsState) return undefined;
  const text = canonicalJson(call.input);
  return `${call.tool.id} ${text.length <= 500 ? text : `${text.length}:${shortHash(text)}`}`;
}
