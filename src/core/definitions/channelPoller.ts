import { Emitter, type Event } from '../base/event';
import { type Disposable, DisposableStore } from '../base/lifecycle';
import { say, type Sentence } from '../base/sentence';
import type { Invocation } from '../call/gateCall';
import type { Clock } from '../ports/platform';
import type { ToolResult } from '../vocabulary/toolResult';
import type { ChannelPolling } from './parseChannel';

/** How a refresh ended; `said` tells why the gate did not let it run, for its words in any language. */
export type RefreshResult = ToolResult & { readonly said?: Sentence };

/** Why a refresh failed, for a person; what a tool says stays in its words. */
export const failureSaid = ({ said, error }: RefreshResult & { readonly success: false }): Sentence =>
  said ?? say('as_it_is', error.message);

/** The last answer of a channel's tool that is refreshed by itself. */
export interface PolledValue {
  readonly channel: string;
  readonly tool: string;
  readonly result: RefreshResult;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A tool of a channel that is refreshed by itself. */
export interface PolledTool extends ChannelPolling {
  readonly channel: string;
}

interface ChannelPollerParts {
  readonly clock: Clock;
  readonly invoke: (invocation: Invocation) => Promise<RefreshResult>;
  readonly polling: () => readonly PolledTool[];
}

/**
 * Refreshes what channels recommend (`refresh_interval_seconds`) while somebody watches, each call through the gate as
 * the user's own. A call that has not been answered is not sent again; after a failure the next one waits four
 * intervals.
 */
export class ChannelPoller implements Disposable {
  readonly #parts: ChannelPollerParts;
  readonly #changed = new Emitter<PolledValue>();
  readonly #values = new Map<string, PolledValue>();
  readonly #watchers = new Set<object>();
  readonly #timers = new DisposableStore();
  /** Grows with each restart, so that a call still on its way does not go on for the polling before. */
  #generation = 0;
  /** What is refreshed now, as text. */
  #followed = '[]';

  constructor(parts: ChannelPollerParts) {
    this.#parts = parts;
  }

  get onDidChange(): Event<PolledValue> {
    return this.#changed.event;
  }

  values(): readonly PolledValue[] {
    return [...this.#values.values()];
  }

  /** Keeps refreshing until the answer is disposed of. */
  watch(): Disposable {
    const watcher = {};
    this.#watchers.add(watcher);
    if (this.#watchers.size === 1) this.restart();
    return {
      dispose: () => {
        if (this.#watchers.delete(watcher) && this.#watchers.size === 0) this.#timers.clear();
      },
    };
  }

  /** To be called when the channels may have changed; what did not change keeps its rhythm. */
  refresh(): void {
    if (JSON.stringify(this.#parts.polling()) === this.#followed) return;
    const current = new Set(this.#parts.polling().map((one) => `${one.channel}:${one.tool}`));
    for (const key of this.#values.keys()) if (!current.has(key)) this.#values.delete(key);
    this.restart();
  }

  /** Starts anew for what channels recommend now. */
  restart(): void {
    this.#timers.clear();
    this.#generation++;
    const polling = this.#parts.polling();
    this.#followed = JSON.stringify(polling);
    if (this.#watchers.size === 0) return;
    for (const one of polling) this.#poll(one);
  }

  #poll(one: PolledTool): void {
    const timers = this.#timers;
    const generation = this.#generation;
    const again = (seconds: number): void => {
      if (timers.isDisposed || this.#watchers.size === 0 || generation !== this.#generation) return;
      const timer = this.#parts.clock.schedule(() => {
        timers.delete(timer);
        void run();
      }, seconds * 1000);
      timers.add(timer);
    };
    const run = async (): Promise<void> => {
      const result = await this.#parts.invoke({
        tool: `chan:${one.channel}:${one.tool}`,
        input: {},
        actor: { type: 'user', id: 'poller' },
        surface: 'tree',
      });
      const value: PolledValue = { channel: one.channel, tool: one.tool, result, at: this.#parts.clock.now() };
      this.#values.set(`${one.channel}:${one.tool}`, value);
      this.#changed.fire(value);
      again(one.intervalSeconds * (result.success ? 1 : 4));
    };
    again(one.intervalSeconds);
  }

  dispose(): void {
    this.#watchers.clear();
    this.#timers.dispose();
    this.#changed.dispose();
  }
}
