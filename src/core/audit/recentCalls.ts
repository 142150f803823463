import { Emitter, type Event } from '../base/event';
import { defined } from '../base/json';
import { readSentence } from '../base/readSentence';
import type { Sentence } from '../base/sentence';
import type { Access } from '../vocabulary/access';
import type { AuditEvent, AuditSink } from './event';
import type { AuditRecord } from './record';

/** A call that is over, as a list shows it and as a rule is made from it. */
export interface PastCall {
  readonly invocationId: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly tool: string;
  readonly toolName: string;
  readonly isAgents: boolean;
  readonly accesses: readonly Access[];
  /** `failed` where it was let through and ended with an error. */
  readonly outcome: 'denied' | 'failed' | 'ran';
  readonly code?: string;
  readonly message?: string;
  /** What `message` says, where it is a sentence of ours. */
  readonly said?: Sentence;
}

/** So many calls are kept. */
const kept = 50;

/** The last calls of this window and how often each rule decided in it; in memory, gone with the window. */
export class RecentCalls implements AuditSink {
  readonly #changed = new Emitter<void>();
  readonly #hit = new Emitter<void>();
  readonly #hits = new Map<string, number>();
  #calls: readonly PastCall[] = [];
  readonly onDidChange: Event<void> = this.#changed.event;
  /** Fires where a rule decided about the call, and not for each call. */
  readonly onDidHit: Event<void> = this.#hit.event;

  record(event: AuditEvent): void {
    if (event.type !== 'invocation.finished' && event.type !== 'policy.violation') return;
    const rules = new Set(event.steps.flatMap(({ reasons }) => reasons.map(({ rule }) => rule)));
    for (const rule of rules) if (rule !== undefined) this.#hits.set(rule, this.hitsOf(rule) + 1);
    this.#calls = [callOfEvent(event), ...this.#calls].slice(0, kept);
    this.#changed.fire();
    if (rules.size > 0) this.#hit.fire();
  }

  /** The newest first. */
  list(): readonly PastCall[] {
    return this.#calls;
  }

  find(invocationId: string): PastCall | undefined {
    return this.#calls.find((one) => one.invocationId === invocationId);
  }

  /** How often a rule decided. */
  hitsOf(rule: string): number {
    return this.#hits.get(rule) ?? 0;
  }
}

function callOfEvent(event: Extract<AuditEvent, { type: 'invocation.finished' | 'policy.violation' }>): PastCall {
  const denied = event.type === 'policy.violation';
  return {
    invocationId: event.invocationId,
    time: event.time,
    tool: event.toolId,
    toolName: event.toolName,
    isAgents: event.actor.type === 'agent',
    accesses: event.accesses,
    outcome: denied ? 'denied' : event.outcome === 'success' ? 'ran' : 'failed',
    ...defined({ code: event.errorCode, message: event.errorMessage, said: event.said }),
  };
}

/** A call as the log holds it; undefined for a record of anything else. */
export function callOfRecord(record: AuditRecord): PastCall | undefined {
  if (record.tool === undefined) return undefined;
  const denied = record.outcome === 'denied' || record.event === 'policy.violation';
  const failed = record.outcome === 'tool_error' || record.outcome === 'internal_error';
  const message = record['error.message'];
  const said = message === undefined ? undefined : readSentence(record.said);
  return {
    invocationId: record['gen_ai.tool.call.id'] ?? String(record.seq),
    time: Date.parse(record.time),
    tool: record.tool,
    toolName: record['gen_ai.tool.name'] ?? record.tool,
    isAgents: record.actor !== 'user',
    accesses: record.accesses ?? [],
    outcome: denied ? 'denied' : failed ? 'failed' : 'ran',
    ...defined({ code: record['error.type'], message, said }),
  };
}
