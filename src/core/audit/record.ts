import { isObject, type Json, parsedJson } from '../base/json';
import type { Sentence } from '../base/sentence';
import { type Access, accessHost } from '../vocabulary/access';
import { gateSteps } from '../vocabulary/decision';
import type { Stake } from '../vocabulary/stake';
import type { RiskLevel } from '../vocabulary/toolDefinition';
import type { Hidden } from './redact';

/** `error.type` of a record that says where a chain was found broken. */
export const chainBroken = 'chain_broken';

type AuditOutcome = 'success' | 'tool_error' | 'internal_error' | 'denied' | 'allowed';

export interface RecordedReason {
  readonly advisory?: boolean;
  readonly advice?: boolean;
  /** With `code` what `text` says; left out where `sentenceOf` keeps nothing. */
  readonly args?: Sentence['args'];
  /** The code of the sentence that `text` is. */
  readonly code?: string;
  readonly rule?: string;
  readonly text: string;
}

export interface RecordedStep {
  readonly effect: string;
  readonly error?: string;
  readonly reasons?: readonly RecordedReason[];
  readonly step: string;
  readonly waived?: readonly string[];
}

/** What failed, an error code or `HTTP 503`, and the wait before the next try. */
export interface RecordedRetry {
  readonly cause: string;
  readonly waited_ms: number;
}

/**
 * One record as it stands in the file, all of it plain data. Names with `gen_ai.`, `mcp.` and `error.type` are
 * OpenTelemetry's (semantic conventions for generative AI, execute_tool); where it has none, the name is ours.
 */
export interface AuditBody {
  readonly accesses?: readonly Access[];
  readonly actor?: string;
  readonly 'approval.by'?: string;
  readonly 'approval.grant'?: string;
  readonly 'approval.waited_ms'?: number;
  readonly 'arguments.shape'?: string;
  readonly capability?: string;
  readonly count?: number;
  readonly detail?: string;
  readonly duration_ms?: number | undefined;
  readonly effects?: readonly string[];
  readonly 'error.message'?: string;
  readonly 'error.type'?: string;
  readonly event: string;
  readonly 'gen_ai.agent.id'?: string;
  readonly 'gen_ai.operation.name'?: string;
  readonly 'gen_ai.tool.call.arguments'?: Json;
  readonly 'gen_ai.tool.call.id'?: string;
  readonly 'gen_ai.tool.call.result'?: Json;
  readonly 'gen_ai.tool.name'?: string;
  readonly 'gen_ai.tool.type'?: string;
  /** The place that a segment of another window had reached. */
  readonly 'head.hash'?: string;
  readonly 'head.seq'?: number;
  readonly hidden?: readonly Hidden[];
  readonly id?: string;
  readonly 'mcp.method.name'?: string;
  readonly mode?: string;
  readonly outcome?: AuditOutcome;
  readonly parent?: string;
  readonly passed?: readonly string[];
  /** The SHA-256 of the rules and limits in force. */
  readonly policy?: string;
  /** The signed bundles in force: name, revision, SHA-256 of the payload. */
  readonly 'policy.bundles'?: readonly string[];
  /** Empty until the chain puts the record in its place. */
  prev: string;
  readonly profile?: string;
  readonly reference?: string;
  readonly 'result.shape'?: string;
  /** The tries after the first. */
  readonly retries?: readonly RecordedRetry[];
  readonly risk?: RiskLevel;
  readonly rules?: readonly string[];
  /** What `detail` or `error.message` says, as a code with its arguments. */
  readonly said?: Sentence;
  /** Segments that were removed. */
  readonly segments?: readonly string[];
  /** 0 until the chain puts the record in its place. */
  seq: number;
  readonly source?: string;
  /** What the person who was asked was told to be at stake. */
  readonly stake?: Stake;
  readonly steps?: readonly RecordedStep[];
  readonly surface?: string;
  readonly time: string;
  readonly tool?: string;
  readonly 'user.id'?: string;
  readonly v: number;
  readonly withheld?: number;
}

/** A record that was read back, with its place in the chain. */
export interface AuditRecord extends AuditBody {
  readonly hash: string;
}

/** Reads one line of a segment; undefined where it is not a record. */
export function parseRecord(line: string): AuditRecord | undefined {
  const value = parsedJson(line);
  if (!isObject(value) || ['event', 'time', 'hash'].some((name) => typeof value[name] !== 'string')) return undefined;
  return value as unknown as AuditRecord; // reason: readers show the other fields as data, and the chain vouches for the writer
}

/** Calls of this tool take changes back. */
export const undoTool = 'cap:changes:undo_change';

/** The events that end a call; each call has one of them. */
export const endsOfCalls: readonly string[] = ['invocation.finished', 'policy.violation'];

/** The hosts that a record's accesses name. */
export function hostsOf(record: Pick<AuditBody, 'accesses'>): readonly string[] {
  return [...new Set((record.accesses ?? []).map(accessHost).filter((host): host is string => host !== undefined))];
}

export type ExportFormat = (typeof exportFormats)[number];

export const exportFormats = ['jsonl', 'csv', 'otlp'] as const;

/** The gate's steps of a record in the gate's order, whether they were kept in full or by name. */
export function stepsOf(record: Pick<AuditBody, 'steps' | 'passed'>): readonly RecordedStep[] {
  const plain = (record.passed ?? []).map((step): RecordedStep => ({ effect: 'pass', step }));
  const order: readonly string[] = gateSteps;
  return [...(record.steps ?? []), ...plain].sort((a, b) => order.indexOf(a.step) - order.indexOf(b.step));
}
