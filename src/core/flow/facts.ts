import type { Sentence } from '../base/sentence';
import type { GateCall } from '../call/gateCall';
import { widestWay } from '../policy/rules/wayOut';
import type { Access } from '../vocabulary/access';
import type { FlowFacts, FlowLabel, FlowSource, WayOut } from '../vocabulary/flow';
import type { FlowPlaces } from './places';
import type { FlowSession } from './session';
import { storySaid } from './story';
import { exitsOf } from './waysOut';

/** What is known of the session of one call, beside what the session itself keeps. */
export class CallFacts implements FlowFacts {
  readonly #call: GateCall;
  readonly #session: () => FlowSession;
  readonly #places: FlowPlaces;
  readonly #more: readonly FlowSource[];

  /**
   * @param session as it is when it is asked for: what another call reads meanwhile counts.
   * @param more what the call itself carries, what its tool's words say, what a test takes for granted.
   */
  constructor(call: GateCall, session: () => FlowSession, places: FlowPlaces, more: readonly FlowSource[]) {
    this.#call = call;
    this.#session = session;
    this.#places = places;
    this.#more = more;
  }

  get private(): readonly FlowSource[] {
    return this.#of('private');
  }

  get untrusted(): readonly FlowSource[] {
    return this.#of('untrusted');
  }

  wayOut(accesses: readonly Access[]): WayOut | undefined {
    return widestWay(this.#exits(accesses).map(({ way }) => way));
  }

  story(accesses: readonly Access[]): Sentence {
    // As the model wrote it: secrets that were put back for the call stay out of words.
    const { tool, invocation } = this.#call;
    const { private: known, untrusted } = this;
    return storySaid({ private: known, untrusted }, this.#exits(accesses)[0]?.to ?? tool.modelName, invocation.input);
  }

  #of(label: FlowLabel): readonly FlowSource[] {
    return [...this.#session().sources(label), ...this.#more.filter((one) => one.label === label)];
  }

  #exits(accesses: readonly Access[]): ReturnType<typeof exitsOf> {
    const world = { session: this.#session(), places: this.#places, private: this.private };
    return exitsOf(this.#call, accesses, world);
  }
}
