import { worded } from '../base/sentence';
import type { Access } from '../vocabulary/access';
import { accessHost } from '../vocabulary/access';
import { isObject, type Json } from '../base/json';
import type { RiskLevel } from '../vocabulary/toolDefinition';
import type { AuditEvent, CallFacts } from './event';
import { createRedactor, type Hidden, type Redactor } from './redact';
import { inputShape } from './shape';
import { cut } from '../base/figures';
import { gateSteps, type StepAnswer } from '../vocabulary/decision';

/** The version of the record's form; a reader refuses what it does not know. */
const recordVersion = 1;

/** `error.type` of a record that says where a chain was found broken. */
export const chainBroken = 'chain_broken';

type AuditOutcome = 'success' | 'tool_error' | 'internal_error' | 'denied' | 'allowed';

interface RecordedStep {
  readonly effect: string;
  readonly error?: string;
  readonly reasons?: readonly { readonly advisory?: boolean; readonly rule?: string; readonly text: string }[];
  readonly step: string;
  readonly waived?: readonly string[];
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
  /** Empty until the chain puts the record in its place. */
  prev: string;
  readonly profile?: string;
  readonly reference?: string;
  readonly 'result.shape'?: string;
  readonly risk?: RiskLevel;
  readonly rules?: readonly string[];
  /** Segments that were removed. */
  readonly segments?: readonly string[];
  /** 0 until the chain puts the record in its place. */
  seq: number;
  readonly source?: string;
  readonly steps?: readonly RecordedStep[];
  readonly surface?: string;
  readonly time: string;
  readonly tool?: string;
  readonly 'user.id'?: string;
  readonly v: number;
  readonly withheld?: number;
}

export interface RecordOptions {
  /** `shape` keeps no content; `redacted` keeps arguments and results without secrets and without contents of files. */
  readonly content: 'shape' | 'redacted';
  readonly redactor: Redactor;
}

/** Options that keep no content and use the built-in rules. */
export const shapeOnly = (): RecordOptions => ({ content: 'shape', redactor: createRedactor() });

/** What the risk of a tool makes of an event: nothing, the bare facts, or all. */
export function verbosity(event: AuditEvent): 'none' | 'brief' | 'full' {
  if (event.type !== 'invocation.started' && event.type !== 'approval.asked') return 'full';
  if (event.riskLevel === 'low') return event.type === 'approval.asked' ? 'brief' : 'none';
  return event.riskLevel === 'medium' ? 'brief' : 'full';
}

/**
 * Makes the record of an event, or undefined where the tool's risk asks for none. Its keys stand in sorted order on
 * every level, so that `JSON.stringify` of it is canonical JSON and needs no second pass.
 */
export function toRecord(event: AuditEvent, options: RecordOptions): AuditBody | undefined {
  const level = verbosity(event);
  if (level === 'none') return undefined;
  const { redactor } = options;
  const time = new Date(event.time).toISOString();
  switch (event.type) {
    case 'changed':
      return {
        actor: event.actor.type,
        detail: words(redactor, event.detail),
        event: `${event.what}.changed`,
        ...actorIds(event.actor, redactor),
        id: words(redactor, event.id),
        prev: '',
        seq: 0,
        time,
        ...userId(event.actor, redactor),
        v: recordVersion,
      };
    case 'probe':
      return {
        detail: words(redactor, event.state),
        duration_ms: rounded(event.durationMs),
        event: 'probe',
        id: words(redactor, event.requirementId),
        prev: '',
        seq: 0,
        time,
        v: recordVersion,
      };
    case 'server':
      return {
        detail: words(redactor, event.detail),
        event: `server.${event.state}`,
        id: words(redactor, event.server),
        prev: '',
        seq: 0,
        time,
        v: recordVersion,
      };
    case 'audit':
      return {
        ...(event.actor ? { actor: event.actor.type } : {}),
        ...(event.count === undefined ? {} : { count: event.count }),
        detail: words(redactor, event.detail),
        ...(event.isBreak ? { 'error.type': chainBroken } : {}),
        event: `audit.${event.what}`,
        ...(event.actor ? actorIds(event.actor, redactor) : {}),
        ...(event.head ? { 'head.hash': event.head.hash, 'head.seq': event.head.seq } : {}),
        ...(event.id === undefined ? {} : { id: event.id }),
        prev: '',
        ...(event.segments ? { segments: event.segments } : {}),
        seq: 0,
        time,
        ...(event.actor ? userId(event.actor, redactor) : {}),
        v: recordVersion,
      };
    default:
      return callRecord(event, time, level === 'full', options);
  }
}

type CallEvent = Extract<AuditEvent, CallFacts>;

/** One literal for all calls: its keys are sorted, and `JSON.stringify` leaves out what is undefined. */
function callRecord(event: CallEvent, time: string, full: boolean, options: RecordOptions): AuditBody {
  const { redactor } = options;
  const text = (value: string): string => words(redactor, value);
  const optional = (value: string | undefined): string | undefined => (value === undefined ? undefined : text(value));
  const finished = event.type === 'invocation.finished' ? event : undefined;
  const violation = event.type === 'policy.violation' ? event : undefined;
  const answered = event.type === 'approval.answered' ? event : undefined;
  const asked = event.type === 'approval.asked' ? event : undefined;
  const input = 'input' in event ? event.input : undefined;
  const steps = 'steps' in event && full ? event.steps : undefined;
  const accesses = 'accesses' in event && full ? event.accesses : undefined;
  const hidden: Hidden[] = [];
  const content =
    options.content === 'redacted' && full && 'input' in event ? contents(event, redactor, hidden) : undefined;
  const record: { [K in keyof AuditBody]-?: AuditBody[K] | undefined } = {
    accesses: accesses && accesses.length > 0 ? accesses.map((access) => recordedAccess(access, text)) : undefined,
    actor: event.actor.type,
    'approval.by': optional(finished?.approvedBy ?? answered?.by ?? violation?.deniedBy),
    'approval.grant': optional(answered?.grantId),
    'approval.waited_ms': rounded(finished?.approvalWaitMs ?? answered?.waitedMs ?? violation?.approvalWaitMs),
    'arguments.shape': 'input' in event && full ? text(inputShape(input)) : undefined,
    capability: text(event.capabilityId),
    count: undefined,
    detail: asked ? text(asked.reasons.join('; ')) : optional(violation?.step),
    duration_ms: rounded(finished?.durationMs),
    effects: finished && finished.declaredSideEffects.length > 0 ? finished.declaredSideEffects.map(text) : undefined,
    'error.message': optional(finished?.errorMessage ?? violation?.errorMessage),
    'error.type': finished?.errorCode ?? violation?.errorCode,
    event: event.type,
    'gen_ai.agent.id': event.actor.type === 'agent' ? text(event.actor.id) : undefined,
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.call.arguments': content?.input,
    'gen_ai.tool.call.id': text(event.invocationId),
    'gen_ai.tool.call.result': content?.result,
    'gen_ai.tool.name': text(event.toolName),
    'gen_ai.tool.type': event.source.startsWith('mcp:') || event.source.startsWith('ext:') ? 'extension' : 'function',
    'head.hash': undefined,
    'head.seq': undefined,
    hidden: hidden.length > 0 ? hidden : undefined,
    id: undefined,
    'mcp.method.name': event.source.startsWith('mcp:') ? 'tools/call' : undefined,
    mode: event.mode,
    outcome: finished?.outcome ?? answered?.outcome ?? (violation ? 'denied' : undefined),
    parent: optional(event.parentId),
    passed: steps && passed(steps),
    prev: '',
    profile: text(event.profileId),
    reference: optional(finished?.reference),
    'result.shape': finished?.payload === undefined ? undefined : text(inputShape(finished.payload)),
    risk: event.riskLevel,
    rules: rulesOf(event)?.map(text),
    segments: undefined,
    seq: 0,
    source: text(event.source),
    steps: steps && recordedSteps(steps, text),
    surface: event.surface,
    time,
    tool: text(event.toolId),
    'user.id': event.actor.type === 'user' ? text(event.actor.id) : undefined,
    v: recordVersion,
    withheld: finished && finished.withheld > 0 ? finished.withheld : undefined,
  };
  // Safe: the two types differ only in that this one spells absent keys as undefined, which JSON leaves out.
  return record as AuditBody;
}

function words(redactor: Redactor, value: string): string {
  return cut(redactor.text(value), 1000);
}

function actorIds(
  actor: { readonly type: string; readonly id: string },
  redactor: Redactor,
): { 'gen_ai.agent.id'?: string } {
  return actor.type === 'agent' ? { 'gen_ai.agent.id': words(redactor, actor.id) } : {};
}

function userId(actor: { readonly type: string; readonly id: string }, redactor: Redactor): { 'user.id'?: string } {
  return actor.type === 'user' ? { 'user.id': words(redactor, actor.id) } : {};
}

function rounded(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.round(ms * 10) / 10;
}

function recordedAccess(access: Access, text: (value: string) => string): Access {
  return {
    effect: text(access.effect),
    ...(access.method === undefined ? {} : { method: text(access.method) }),
    ...(access.permanent === undefined ? {} : { permanent: access.permanent }),
    ...(access.recursive === undefined ? {} : { recursive: access.recursive }),
    resource: text(access.resource),
  };
}

/** Steps that passed without a word are kept by name alone. */
function isPlainPass(step: StepAnswer): boolean {
  return step.effect === 'pass' && step.reasons.length === 0 && !step.waivedBy?.length;
}

function passed(steps: readonly StepAnswer[]): readonly string[] | undefined {
  const names = steps.filter(isPlainPass).map((step) => step.step);
  return names.length > 0 ? names : undefined;
}

function recordedSteps(
  steps: readonly StepAnswer[],
  text: (value: string) => string,
): readonly RecordedStep[] | undefined {
  const kept = steps.filter((step) => !isPlainPass(step));
  if (kept.length === 0) return undefined;
  return kept.map((step) => ({
    effect: step.effect,
    ...(step.error ? { error: step.error.code } : {}),
    ...(step.reasons.length > 0
      ? {
          reasons: step.reasons.map((reason) => ({
            ...(reason.advisory ? { advisory: true } : {}),
            ...(reason.rule === undefined ? {} : { rule: text(reason.rule) }),
            text: text(worded(reason.said)),
          })),
        }
      : {}),
    step: step.step,
    ...(step.waivedBy?.length ? { waived: step.waivedBy.map(text) } : {}),
  }));
}

/** The gate's steps of a record in the gate's order, whether they were kept in full or by name. */
export function stepsOf(record: Pick<AuditBody, 'steps' | 'passed'>): readonly RecordedStep[] {
  const plain = (record.passed ?? []).map((step): RecordedStep => ({ effect: 'pass', step }));
  const order: readonly string[] = gateSteps;
  return [...(record.steps ?? []), ...plain].sort((a, b) => order.indexOf(a.step) - order.indexOf(b.step));
}

function rulesOf(event: CallEvent): readonly string[] | undefined {
  const rules = new Set<string>('rules' in event ? event.rules : []);
  if ('steps' in event) {
    for (const step of event.steps) {
      for (const reason of step.reasons) if (reason.rule !== undefined) rules.add(reason.rule);
      for (const rule of step.waivedBy ?? []) rules.add(rule);
    }
  }
  if (event.type === 'approval.answered' && event.grantId !== undefined) rules.add(event.grantId);
  return rules.size > 0 ? [...rules] : undefined;
}

/** Keys under which tools carry what stands in a file. */
const fileContentKey =
  /^(?:contents?|text|data|body|lines?|diff|patch|snippet|excerpt|before|after|old(?:_?(?:str|string|text))?|new(?:_?(?:str|string|text))?|insert(?:_?text)?|replace(?:ment)?|edits?|value|match(?:es)?)$/i;
const maxFileWord = 200;

/**
 * Arguments and result without secrets, and without any content of files: what a call on files reads or writes is kept
 * by its shape.
 */
function contents(
  event: Extract<CallEvent, { input: unknown }>,
  redactor: Redactor,
  hidden: Hidden[],
): { input: Json; result?: Json } {
  const touchesFiles = event.accesses.some((access) => access.effect.startsWith('fs.'));
  const withhold = (value: string, path: readonly string[]): string | undefined => {
    if (!touchesFiles) return undefined;
    const isContent =
      path.some((part) => fileContentKey.test(part)) || value.length > maxFileWord || /[\r\n]/.test(value);
    return isContent ? 'file content' : undefined;
  };
  const inputHidden: Hidden[] = [];
  const input = redactor.value(event.input, inputHidden, { withhold });
  hidden.push(...inputHidden.map((one) => ({ path: `/arguments${one.path}`, rule: one.rule })));
  if (event.type !== 'invocation.finished' || event.payload === undefined) return { input };
  if (touchesFiles) {
    hidden.push({ path: '/result', rule: 'file content' });
    return { input };
  }
  const resultHidden: Hidden[] = [];
  const result = redactor.value(event.payload, resultHidden, {});
  hidden.push(...resultHidden.map((one) => ({ path: `/result${one.path}`, rule: one.rule })));
  return { input, result };
}

/** A record that was read back, with its place in the chain. */
export interface AuditRecord extends AuditBody {
  readonly hash: string;
}

/** Reads one line of a segment; undefined where it is not a record. */
export function parseRecord(line: string): AuditRecord | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (
      !isObject(value) ||
      typeof value['event'] !== 'string' ||
      typeof value['time'] !== 'string' ||
      typeof value['hash'] !== 'string'
    )
      return undefined;
    return value as unknown as AuditRecord; // reason: readers show the other fields as data, and the chain vouches for the writer
  } catch {
    return undefined;
  }
}

/** The hosts that a record's accesses name. */
export function hostsOf(record: Pick<AuditBody, 'accesses'>): readonly string[] {
  return [...new Set((record.accesses ?? []).map(accessHost).filter((host): host is string => host !== undefined))];
}

export type ExportFormat = (typeof exportFormats)[number];

export const exportFormats = ['jsonl', 'csv', 'otlp'] as const;
