import { statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { performance } from 'node:perf_hooks';
import { messageOf } from '../core/base/errorText';
import { defined } from '../core/base/json';
import { asked, denied, mayAsk, silent } from '../core/hooks/answers';
import {
  type Dialect,
  type HookAnswer,
  type HostEvent,
  hookUsage,
  isDialect,
  hostAgents,
} from '../core/hooks/hostEvent';
import { isBefore, readPayload } from '../core/hooks/readPayload';
import { hostToolId } from '../core/hooks/hostTools';
import type { HookVerdict } from '../core/gate/hookCall';
import { type Answered, foldersOfSession, keepAnswer, stayedOfSession } from '../node/hooks/lastAnswers';
import { AskedEditors } from '../node/hooks/askGate';
import { readHookSettings } from '../node/hooks/hookSettings';
import { countsBy, isBeside, workspacesHolding } from '../node/hooks/hookWorkspace';
import { openPrivateFolder } from '../node/hooks/privateFolder';

/**
 * How a hook is called; all of it stands in the entry that installed it, because its environment is not to be trusted.
 */
export interface HookOptions {
  readonly dialect: Dialect;
  /** The event of the entry, for agents that do not name it. */
  readonly event: string | undefined;
  /** The folder to meet editors in; the user's own where it is left out. */
  readonly privateFolder: string | undefined;
  /** How long an answer may take, in milliseconds. */
  readonly limitMs: number;
  /** Printed instead of nothing, for who starts this and takes nothing for a failure. */
  readonly allowedWord?: string;
  /** Where the agent started it, absolute. */
  readonly startedIn?: string;
}

/** An answer that takes longer would come too late for some agents, which then let the call pass. */
const defaultLimitMs = 2500;

/** Reads the arguments of a hook; throws an Error for what it does not know. */
export function readHookOptions(args: readonly string[]): HookOptions {
  const values = new Map<string, string>();
  for (let at = 0; at < args.length; at += 2) {
    const [name = '', value] = [args[at], args[at + 1]];
    if (!/^--(?:dialect|event|limit|private|allowed)$/.test(name) || value === undefined)
      throw new Error(`\`${name}\` is no option of a hook; usage: ${hookUsage}`);
    values.set(name.slice(2), value);
  }
  const dialect = values.get('dialect') ?? '';
  if (!isDialect(dialect))
    throw new Error(`\`--dialect\` must be one of ${hostAgents.join(', ')} (got \`${dialect}\`)`);
  const limitMs = values.has('limit') ? Number(values.get('limit')) : defaultLimitMs;
  if (!Number.isInteger(limitMs) || limitMs < 100 || limitMs > 3_600_000)
    throw new Error('`--limit` must be whole milliseconds, from 100 to 3600000');
  const [event, privateFolder] = [values.get('event'), values.get('private')];
  return { dialect, event, privateFolder, limitMs, ...defined({ allowedWord: values.get('allowed') }) };
}

/**
 * Answers one hook. Whatever goes wrong is a denial in the agent's own words; it never throws. What is no question gets
 * no answer: some agents take one for an order to go on for ever.
 */
export async function answerHook(options: HookOptions, payload: string, workedMs: number): Promise<HookAnswer> {
  const started = performance.now();
  let event: HostEvent | undefined;
  try {
    const told = readPayload(payload, options.dialect, options.event);
    // An agent that does not say where it works starts its hooks there.
    const read = told.cwd === undefined ? { ...told, cwd: process.cwd() } : told;
    event = read;
    const folder = openPrivateFolder(options.privateFolder);
    const msLeft = (): number => options.limitMs - workedMs - (performance.now() - started);
    const { startedIn = [] } = options;
    const folders = new Set([read.folders ?? [], foldersOfSession(folder, read), startedIn].flat());
    const stayed = stayedOfSession(folder, read);
    const question = { ...read, folders: [...folders], ...defined({ stayed }) };
    const editors = new AskedEditors(folder, msLeft);
    const { verdict, by, mayHand } = await judged(folder, question, msLeft, editors);
    const durationMs = Math.round(performance.now() - started + workedMs);
    const answer = answerOf(read, verdict, mayHand);
    const left = await leftIn(question, verdict);
    keep(folder, {
      ...factsOf(options, read),
      durationMs,
      by,
      ...toldOf(verdict, read, answer),
      ...defined({ stayed: left }),
    });
    return answer;
  } catch (error) {
    return faultAnswer(options, event, messageOf(error), performance.now() - started + workedMs);
  }
}

/** Where an open shell may be when the line has run, and where it was, while a person has still to be asked. */
async function leftIn(event: HostEvent, { effect }: HookVerdict): Promise<readonly string[] | undefined> {
  const { kind, session, cwd = '', stayed = [cwd] } = event;
  if (kind !== 'before' || effect === 'deny' || session === undefined) return undefined;
  const { foldersAfter } = await import('../core/hooks/foldersAfter');
  const isFolder = (path: string): boolean => {
    const at = path.startsWith('~/') || path === '~' ? `${userInfo().homedir}${path.slice(1)}` : path;
    return statSync(at, { throwIfNoEntry: false })?.isDirectory() === true;
  };
  const after = await foldersAfter(event, stayed, isFolder);
  return after && [...new Set([...(effect === 'ask' ? stayed : []), ...after])];
}

/**
 * What the editor says in which the agent works, unless one refuses in which its session was before; and where none of
 * them holds all that the call has to do with, what is decided alone.
 */
async function judged(folder: string, event: HostEvent, msLeft: () => number, editors: AskedEditors): Promise<Judged> {
  const { kind, cwd = process.cwd(), folders = [] } = event;
  const refused = kind === 'before' ? await editors.refusal(event, cwd, folders) : undefined;
  if (refused) return { verdict: refused, by: 'editor', mayHand: false };
  const told = await editors.ask(event, [cwd]);
  if (kind !== 'before' && kind !== 'after') return { verdict: allowed, by: told ? 'editor' : 'alone', mayHand: false };
  if (told && (told.effect !== 'allow' || !leavesOthers(folder, told, editors, [cwd, ...folders])))
    return { verdict: told, by: 'editor', mayHand: false };
  const { judgeAlone } = await import('./hookAlone');
  const verdict = await judgeAlone({ folder, event, limitMs: msLeft(), editors, told });
  return { verdict, by: editors.haveAnswered ? 'editor' : 'alone', mayHand: true };
}

const allowed: HookVerdict = { effect: 'allow', reason: '' };

/** True where the call has to do with a workspace that no editor holds which answered. */
function leavesOthers(
  folder: string,
  { elsewhere = [] }: HookVerdict,
  editors: AskedEditors,
  [cwd, ...folders]: readonly [string, ...string[]],
): boolean {
  if (!editors.covers(cwd)) return true;
  const counts = countsBy(readHookSettings(folder).modes);
  const workspaces = workspacesHolding([cwd, ...folders, ...elsewhere], counts);
  return workspaces.some((one) => !editors.covers(one) && isBeside(one, cwd, counts));
}

interface Judged {
  readonly verdict: HookVerdict;
  readonly by: 'editor' | 'alone';
  /** True where what is asked was asked by no editor. */
  readonly mayHand: boolean;
}

function answerOf(event: HostEvent, verdict: HookVerdict, mayHand: boolean): HookAnswer {
  if (event.kind !== 'before' || verdict.effect === 'allow') return silent;
  // An agent's own question is never put beside ours.
  if (verdict.effect === 'ask' && mayHand && mayAsk(event.agent)) return asked(event.agent, event, verdict.reason);
  return denied(event.agent, event, verdict.reason);
}

/** The denial for a fault of ours. Never for what is no question. */
export function faultAnswer(
  options: HookOptions,
  event: HostEvent | undefined,
  fault: string,
  tookMs: number,
): HookAnswer {
  const isQuestion = event ? event.kind === 'before' : options.event === undefined || isBefore(options.event);
  try {
    const folder = openPrivateFolder(options.privateFolder);
    const nothing = { agent: options.dialect, event: options.event ?? '', tool: '', kind: 'note' } as const;
    keep(folder, {
      ...factsOf(options, event ?? nothing),
      effect: isQuestion ? 'deny' : 'noted',
      by: 'fault',
      durationMs: Math.round(tookMs),
      code: 'fault',
    });
  } catch {
    // The folder itself may be the fault.
  }
  if (!isQuestion) return silent;
  const agent = event?.agent ?? (options.dialect === 'copilot' ? 'vscode' : options.dialect);
  const reason = `Agent Capabilities could not judge the call, so it is denied: ${fault}`;
  const answer = denied(agent, { event: event?.event ?? options.event ?? '' }, reason);
  // Who sent what nobody can read is not known for sure; every one of them takes this as a denial.
  return event ? answer : { ...answer, exitCode: 2 };
}

/** What is kept of a question, whatever was answered. */
function factsOf(
  { dialect }: HookOptions,
  {
    agent,
    event,
    tool,
    kind,
    cwd,
    session,
    prompt,
  }: Pick<HostEvent, 'agent' | 'event' | 'tool' | 'kind'> & Partial<HostEvent>,
) {
  const toolId = tool === '' ? '' : hostToolId(agent, tool);
  return { agent, dialect, event, tool, toolId, kind, at: Date.now(), ...defined({ cwd, session, prompt }) };
}

const canaryRule = 'preset.hook-canary';

function toldOf({ rule, code, effect }: HookVerdict, { kind }: HostEvent, answer: HookAnswer) {
  const isAsked = effect === 'ask' && answer.stderr === '';
  const told = effect === 'ask' && !isAsked ? 'deny' : effect;
  const isCanary = rule === canaryRule || undefined;
  return defined({ effect: kind === 'before' ? told : 'noted', rule, code, isCanary });
}

/** What was answered counts, whether or not it can be kept. */
function keep(folder: string, answered: Answered): void {
  try {
    keepAnswer(folder, answered);
  } catch {
    // The disk may be full.
  }
}
