import { cut } from '../base/figures';
import { canonicalJson, type Json } from '../base/json';
import { type Sentence, withTexts, worded } from '../base/sentence';
import type { ReaderNote } from '../call/gateCall';
import type { Access } from '../vocabulary/access';
import type { Stake } from '../vocabulary/stake';
import type { Reason, StepAnswer } from '../vocabulary/decision';
import type { Actor } from '../vocabulary/toolDefinition';
import type { AuditEvent, AuditNote, CallFacts } from './event';
import { type AuditBody, chainBroken, type RecordedReason, type RecordedStep } from './record';
import { detailText, sentenceOf } from './recordedSentence';
import { createRedactor, type Hidden, type Redactor } from './redact';
import { inputShape } from './shape';
import { keyedKind } from '../vocabulary/toolSource';

/** The version of the record's form; a reader refuses what it does not know. */
const recordVersion = 1;

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
  const time = new Date(event.time).toISOString();
  const text = cleaner(options.redactor);
  switch (event.type) {
    case 'changed':
      return noteRecord({ ...event, event: `${event.what}.changed`, time, id: text(event.id) }, text);
    case 'probe': {
      const { requirementId: id, state: detail } = event;
      return noteRecord({ ...event, event: 'probe', time, id: text(id), detail }, text);
    }
    case 'server':
      return noteRecord({ ...event, event: `server.${event.state}`, time, id: text(event.server) }, text);
    // What the log says of itself names segments as they are.
    case 'audit':
      return noteRecord({ ...event, event: `audit.${event.what}`, time }, text);
    default:
      return callRecord(event, time, level === 'full', options);
  }
}

/** A record with its keys in sorted order; `JSON.stringify` leaves out what is undefined. */
type SpelledRecord = { [K in keyof AuditBody]: AuditBody[K] | undefined };

interface Note extends Omit<AuditNote, 'type' | 'time' | 'what' | 'detail'> {
  readonly detail: string | Sentence;
  readonly event: string;
  readonly time: string;
  readonly durationMs?: number;
}

/** One literal for all that is no call. */
function noteRecord(note: Note, text: Clean): AuditBody {
  const record: SpelledRecord = {
    actor: note.actor?.type,
    count: note.count,
    detail: text(detailText(note.detail)),
    duration_ms: rounded(note.durationMs),
    'error.type': note.isBreak ? chainBroken : undefined,
    event: note.event,
    'gen_ai.agent.id': idOf(note.actor, 'agent', text),
    'head.hash': note.head?.hash,
    'head.seq': note.head?.seq,
    id: note.id,
    prev: '',
    said: typeof note.detail === 'string' ? undefined : withTexts(note.detail, text),
    segments: note.segments,
    seq: 0,
    time: note.time,
    'user.id': idOf(note.actor, 'user', text),
    v: recordVersion,
  };
  return withoutAbsent(record);
}

type CallEvent = Extract<AuditEvent, CallFacts>;

/** One literal for all calls. */
function callRecord(event: CallEvent, time: string, full: boolean, options: RecordOptions): AuditBody {
  const { redactor } = options;
  const text = cleaner(redactor);
  const optional = (value: string | undefined): string | undefined => (value === undefined ? undefined : text(value));
  const finished = event.type === 'invocation.finished' ? event : undefined;
  const violation = event.type === 'policy.violation' ? event : undefined;
  const answered = event.type === 'approval.answered' ? event : undefined;
  const asked = event.type === 'approval.asked' ? event : undefined;
  const input = 'input' in event ? event.input : undefined;
  const steps = 'steps' in event && full ? event.steps : undefined;
  const accesses = 'accesses' in event && full ? event.accesses : undefined;
  const message = optional(finished?.errorMessage ?? violation?.errorMessage);
  const hidden: Hidden[] = [];
  const content =
    options.content === 'redacted' && full && 'input' in event ? contents(event, redactor, hidden) : undefined;
  const record: Required<SpelledRecord> = {
    accesses: accesses && accesses.length > 0 ? accesses.map((access) => recordedAccess(access, text)) : undefined,
    actor: event.actor.type,
    'approval.by': optional(finished?.approvedBy ?? answered?.by ?? violation?.deniedBy),
    'approval.grant': optional(answered?.grantId),
    'approval.waited_ms': rounded(finished?.approvalWaitMs ?? answered?.waitedMs ?? violation?.approvalWaitMs),
    'arguments.shape': 'input' in event && full ? text(inputShape(input)) : undefined,
    capability: text(event.capabilityId),
    count: undefined,
    detail: asked ? text(asked.reasons.join('; ')) : optional(violation?.step ?? readerDetail(answered?.reader)),
    duration_ms: rounded(finished?.durationMs),
    effects: finished && finished.declaredSideEffects.length > 0 ? finished.declaredSideEffects.map(text) : undefined,
    'error.message': message,
    'error.type': finished?.errorCode ?? violation?.errorCode,
    event: event.type,
    'gen_ai.agent.id': idOf(event.actor, 'agent', text),
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.call.arguments': content?.input,
    'gen_ai.tool.call.id': text(event.invocationId),
    'gen_ai.tool.call.result': content?.result,
    'gen_ai.tool.name': text(event.toolName),
    'gen_ai.tool.type': keyedKind(event.source)?.recordedAs?.tool ?? 'function',
    'head.hash': undefined,
    'head.seq': undefined,
    hidden: hidden.length > 0 ? hidden : undefined,
    id: undefined,
    'mcp.method.name': keyedKind(event.source)?.recordedAs?.method,
    mode: event.mode,
    outcome: finished?.outcome ?? answered?.outcome ?? (violation ? 'denied' : undefined),
    parent: optional(event.parentId),
    passed: steps && passed(steps),
    policy: event.policy?.hash,
    'policy.bundles': event.policy && event.policy.bundles.length > 0 ? event.policy.bundles : undefined,
    prev: '',
    profile: text(event.profileId),
    reference: optional(finished?.reference),
    'result.shape': finished?.payload === undefined ? undefined : text(inputShape(finished.payload)),
    retries: finished?.retries?.map(({ cause, waitedMs }) => text(`${cause}, again after ${waitedMs} ms`)),
    risk: event.riskLevel,
    rules: rulesOf(event)?.map(text),
    said: message === undefined ? undefined : sentenceOf(finished?.said ?? violation?.said, message, text),
    segments: undefined,
    seq: 0,
    source: text(event.source),
    stake: asked?.stake && recordedStake(asked.stake, text),
    steps: steps && recordedSteps(steps, text),
    surface: event.surface,
    time,
    tool: text(event.toolId),
    'user.id': idOf(event.actor, 'user', text),
    v: recordVersion,
    withheld: finished && finished.withheld > 0 ? finished.withheld : undefined,
  };
  return withoutAbsent(record);
}

/** What the second reader said, by which model and under which rules. */
const readerDetail = (note: ReaderNote | undefined): string | undefined =>
  note && `${note.model}: ${note.words} (policy ${note.policyRevision})`;

/** Safe: the two types differ only in that one spells absent keys as undefined, which JSON leaves out. */
function withoutAbsent(record: SpelledRecord): AuditBody {
  return record as AuditBody;
}

type Clean = (value: string) => string;

/** No text of a record is longer than 1,000 characters. */
function cleaner(redactor: Redactor): Clean {
  return (value) => cut(redactor.text(value), 1000);
}

function idOf(actor: Actor | undefined, type: Actor['type'], text: Clean): string | undefined {
  return actor?.type === type ? text(actor.id) : undefined;
}

function rounded(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.round(ms * 10) / 10;
}

function recordedAccess(access: Access, text: Clean): Access {
  return {
    effect: text(access.effect),
    ...(access.method === undefined ? {} : { method: text(access.method) }),
    ...(access.permanent === undefined ? {} : { permanent: access.permanent }),
    ...(access.recursive === undefined ? {} : { recursive: access.recursive }),
    resource: text(access.resource),
  };
}

/** With its keys in sorted order and its texts cleaned. */
function recordedStake(stake: Stake, text: Clean): Stake {
  return JSON.parse(canonicalJson(stake), (_key, value: unknown) => (typeof value === 'string' ? text(value) : value));
}

/** Steps that passed without a word are kept by name alone. */
function isPlainPass(step: StepAnswer): boolean {
  return step.effect === 'pass' && step.reasons.length === 0 && !step.waivedBy?.length;
}

function passed(steps: readonly StepAnswer[]): readonly string[] | undefined {
  const names = steps.filter(isPlainPass).map((step) => step.step);
  return names.length > 0 ? names : undefined;
}

function recordedSteps(steps: readonly StepAnswer[], text: Clean): readonly RecordedStep[] | undefined {
  const kept = steps.filter((step) => !isPlainPass(step));
  if (kept.length === 0) return undefined;
  return kept.map((step) => ({
    effect: step.effect,
    ...(step.error ? { error: step.error.code } : {}),
    ...(step.reasons.length > 0
      ? {
          reasons: step.reasons.map((reason) => recordedReason(reason, text)),
        }
      : {}),
    step: step.step,
    ...(step.waivedBy?.length ? { waived: step.waivedBy.map(text) } : {}),
  }));
}

function recordedReason({ advice, advisory, rule, said }: Reason, text: Clean): RecordedReason {
  const words = text(worded(said));
  const args = sentenceOf(said, words, text)?.args;
  return {
    ...(advice ? { advice: true } : {}),
    ...(advisory ? { advisory: true } : {}),
    ...(args ? { args } : {}),
    code: said.code,
    ...(rule === undefined ? {} : { rule: text(rule) }),
    text: words,
  };
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
  const kept = (root: string, value: unknown, options?: Parameters<Redactor['value']>[2]): Json => {
    const found: Hidden[] = [];
    const copy = redactor.value(value, found, options);
    hidden.push(...found.map(({ path, rule }) => ({ path: `/${root}${path}`, rule })));
    return copy;
  };
  const input = kept('arguments', event.input, { withhold });
  if (event.type !== 'invocation.finished' || event.payload === undefined) return { input };
  if (!touchesFiles) return { input, result: kept('result', event.payload) };
  hidden.push({ path: '/result', rule: 'file content' });
  return { input };
}
