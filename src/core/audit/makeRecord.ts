import { cut } from '../base/figures';
import { canonicalJson, type Json } from '../base/json';
import { say, type Sentence, withTexts, worded } from '../base/sentence';
import { type Access, familyOf } from '../vocabulary/access';
import type { Stake } from '../vocabulary/stake';
import type { Reason, StepAnswer } from '../vocabulary/decision';
import type { Actor } from '../vocabulary/toolDefinition';
import type { AuditEvent, AuditNote, CallFacts } from './event';
import { type AuditBody, chainBroken, type RecordedReason, type RecordedRetry, type RecordedStep } from './record';
import { detailText, sentenceOf } from './recordedSentence';
import { createRedactor, type Hidden, type Redactor } from './redact';
import { inputShape } from './shape';
import { keyedKind } from '../vocabulary/toolSource';
import { withoutContent } from './withoutContent';

/** The version of the record's form; a reader refuses what it does not know. */
const recordVersion = 1;

export interface RecordOptions {
  /**
   * `shape` keeps no content; `redacted` keeps arguments, results and what tools say of a failure, without secrets and
   * without contents of files.
   */
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

/** One literal for all calls: the parts below say what each kind of event has of it. */
function callRecord(told: CallEvent, time: string, full: boolean, options: RecordOptions): AuditBody {
  const event = options.content === 'redacted' && !touchesFiles(told) ? told : withoutContent(told);
  const text = cleaner(options.redactor);
  const optional = (value: string | undefined): string | undefined => (value === undefined ? undefined : text(value));
  const approval = approvalOf(event);
  const error = errorOf(event, text);
  const noted = detailOf(event);
  const detail = noted && text(detailText(noted));
  const end = endOf(event, text);
  const judged = full ? judgedOf(event, text) : {};
  const content = options.content === 'redacted' && full ? contentOf(event, options.redactor) : undefined;
  const record: Required<SpelledRecord> = {
    accesses: judged.accesses,
    actor: event.actor.type,
    'approval.by': optional(approval.by),
    'approval.grant': optional(approval.grant),
    'approval.waited_ms': rounded(approval.waitedMs),
    'arguments.shape': judged.shape,
    capability: text(event.capabilityId),
    count: undefined,
    detail,
    duration_ms: end?.durationMs,
    effects: end?.effects,
    'error.message': error.message,
    'error.type': error.code,
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
    hidden: content && listed(content.hidden),
    id: undefined,
    'mcp.method.name': keyedKind(event.source)?.recordedAs?.method,
    mode: event.mode,
    outcome: outcomeOf(event),
    parent: optional(event.parentId),
    passed: judged.passed,
    policy: event.policy?.hash,
    'policy.bundles': event.policy && listed(event.policy.bundles),
    prev: '',
    profile: text(event.profileId),
    reference: end?.reference,
    'result.shape': end?.resultShape,
    retries: end?.retries,
    risk: event.riskLevel,
    rules: rulesOf(event)?.map(text),
    said:
      error.said ?? (detail !== undefined && typeof noted === 'object' ? sentenceOf(noted, detail, text) : undefined),
    segments: undefined,
    seq: 0,
    source: text(event.source),
    stake: event.type === 'approval.asked' && event.stake ? recordedStake(event.stake, text) : undefined,
    steps: judged.steps,
    surface: event.surface,
    time,
    tool: text(event.toolId),
    'user.id': idOf(event.actor, 'user', text),
    v: recordVersion,
    withheld: end?.withheld,
  };
  return withoutAbsent(record);
}

/** A list that holds something; an empty one is left out. */
const listed = <T>(list: readonly T[]): readonly T[] | undefined => (list.length > 0 ? list : undefined);

function outcomeOf(event: CallEvent): AuditBody['outcome'] | undefined {
  if (event.type === 'policy.violation') return 'denied';
  return 'outcome' in event ? event.outcome : undefined;
}

/** Who or what let the call through or denied it, and how long that took. */
function approvalOf(event: CallEvent): {
  readonly by?: string | undefined;
  readonly grant?: string | undefined;
  readonly waitedMs?: number | undefined;
} {
  switch (event.type) {
    case 'invocation.finished':
      return { by: event.approvedBy, waitedMs: event.approvalWaitMs };
    case 'policy.violation':
      return { by: event.deniedBy, waitedMs: event.approvalWaitMs };
    case 'approval.answered':
      return { by: event.by, grant: event.grantId, waitedMs: event.waitedMs };
    default:
      return {};
  }
}

/** What whoever called was told instead of a result. */
function errorOf(
  event: CallEvent,
  text: Clean,
): { readonly code?: string | undefined; readonly message?: string; readonly said?: Sentence | undefined } {
  if (event.type !== 'invocation.finished' && event.type !== 'policy.violation') return {};
  const { errorCode: code, errorMessage, said } = event;
  if (errorMessage === undefined) return { code };
  const message = text(errorMessage);
  return { code, message, said: sentenceOf(said, message, text) };
}

/** What was asked, the step that denied, or what the second reader said, by which model and under which rules. */
function detailOf(event: CallEvent): string | Sentence | undefined {
  if (event.type === 'approval.asked') return say('as_it_is', event.reasons);
  if (event.type === 'policy.violation') return event.step;
  const reader = event.type === 'approval.answered' ? event.reader : undefined;
  return reader && say('note_reader', reader.model, reader.words, reader.policyRevision);
}

/** How a call ran that is over; undefined for every other event. */
function endOf(event: CallEvent, text: Clean) {
  if (event.type !== 'invocation.finished') return undefined;
  const { declaredSideEffects, durationMs, payload, reference, retries, withheld } = event;
  return {
    durationMs: rounded(durationMs),
    effects: listed(declaredSideEffects)?.map(text),
    reference: reference === undefined ? undefined : text(reference),
    resultShape: payload === undefined ? undefined : text(inputShape(payload)),
    retries: retries?.map(({ cause, waitedMs }): RecordedRetry => ({ cause: text(cause), waited_ms: waitedMs })),
    withheld: withheld > 0 ? withheld : undefined,
  };
}

/** What the call touches, the shape of its arguments, and what the steps of the gate said of it. */
function judgedOf(
  event: CallEvent,
  text: Clean,
): Pick<SpelledRecord, 'accesses' | 'passed' | 'steps'> & { readonly shape?: string | undefined } {
  const steps = 'steps' in event ? event.steps : undefined;
  return {
    accesses: 'accesses' in event ? listed(event.accesses)?.map((access) => recordedAccess(access, text)) : undefined,
    passed: steps && passed(steps),
    shape: 'input' in event ? text(inputShape(event.input)) : undefined,
    steps: steps && recordedSteps(steps, text),
  };
}

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
 * True for a call that may hold what stands in a file: one that touches files, itself or by calls that it made, and one
 * that was denied before anybody knew what it would touch.
 */
function touchesFiles(event: CallEvent): boolean {
  if (!('accesses' in event)) return false;
  if (event.type === 'policy.violation' && event.accesses.length === 0) return true;
  const isAround = event.type === 'invocation.finished' && event.touchedFilesWithin === true;
  return isAround || event.accesses.some(({ effect }) => familyOf(effect) === 'fs');
}

/**
 * Arguments and result without secrets, and without any content of files: what a call on files reads or writes is kept
 * by its shape.
 */
function contentOf(
  event: CallEvent,
  redactor: Redactor,
): { readonly input: Json; readonly result?: Json; readonly hidden: readonly Hidden[] } | undefined {
  if (!('input' in event)) return undefined;
  const hidden: Hidden[] = [];
  const isOnFiles = touchesFiles(event);
  const withhold = (value: string, path: readonly string[]): string | undefined => {
    if (!isOnFiles) return undefined;
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
  if (event.type !== 'invocation.finished' || event.payload === undefined) return { input, hidden };
  if (!isOnFiles) return { input, result: kept('result', event.payload), hidden };
  hidden.push({ path: '/result', rule: 'file content' });
  return { input, hidden };
}
