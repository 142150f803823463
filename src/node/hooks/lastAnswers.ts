import path from 'node:path';
import { defined, isObject, ownValue } from '../../core/base/json';
import { isDialect, type Dialect, type HostAgent, type HostEvent } from '../../core/hooks/hostEvent';
import { replaceFileSync } from '../files/replaceFile';
import { jsonIn, namesIn } from '../folders/quietly';
import { privateSubfolder } from './privateFolder';

const mostTools = 200;
const mostSessions = 20;
const mostPrompts = 20;
const longestPrompt = 300;
const mostFolders = 10;

/** What an agent was told last, and when each of its tools was answered about. Times are milliseconds since 1970. */
interface LastAnswer {
  readonly version: 1;
  readonly agent: HostAgent;
  readonly dialect: Dialect;
  readonly event: string;
  readonly tool: string;
  readonly toolId: string;
  readonly cwd?: string;
  readonly session?: string;
  readonly at: number;
  /** `noted`: an event that is not answered, such as a prompt. */
  readonly effect: 'allow' | 'deny' | 'ask' | 'noted';
  /** `fault`: nothing could be judged, so it was denied. */
  readonly by: 'editor' | 'alone' | 'fault';
  readonly durationMs: number;
  readonly rule?: string;
  readonly code?: string;
  readonly isCanary?: true;
  /** The last answer before a call, by tool. */
  readonly tools: Readonly<Record<string, number>>;
  readonly sessions: Readonly<Record<string, HookSession>>;
}

/** A session of an agent, as far as its hooks told. */
interface HookSession {
  readonly startedAt: number;
  readonly lastAt: number;
  readonly calls: number;
  /** Where it worked, the first one first. */
  readonly folders?: readonly string[];
  /** Where its open shells may be; an empty text for a folder that nobody can tell. */
  readonly stayed?: readonly string[];
  /** The beginnings of what its user wrote, newest last. */
  readonly prompts: readonly { readonly at: number; readonly text: string }[];
}

/** What is kept of one answer. */
export type Answered = Omit<LastAnswer, 'version' | 'tools' | 'sessions'> &
  Pick<HostEvent, 'kind' | 'prompt' | 'stayed'>;

/** Keeps an answer as the last one of its agent. The file is replaced as a whole. */
export function keepAnswer(folder: string, answered: Answered): void {
  const agents = privateSubfolder(folder, 'agents');
  const file = path.join(agents, `${answered.agent}.json`);
  const before = readAnswer(file);
  const { kind, prompt, stayed: _stayed, ...facts } = answered;
  const tools =
    kind === 'before' && answered.by !== 'fault'
      ? { ...before?.tools, [answered.tool]: answered.at }
      : { ...before?.tools };
  const last: LastAnswer = {
    ...facts,
    version: 1,
    tools: newest(tools, (at) => at, mostTools),
    sessions: sessionsAfter(before?.sessions ?? {}, answered, kind, prompt),
  };
  replaceFileSync(file, JSON.stringify(last));
}

function sessionsAfter(
  sessions: LastAnswer['sessions'],
  { session, at, cwd, stayed }: Answered,
  kind: HostEvent['kind'],
  prompt: string | undefined,
): LastAnswer['sessions'] {
  if (session === undefined || session.length > 200) return sessions;
  const known: HookSession = ownValue(sessions, session) ?? { startedAt: at, lastAt: at, calls: 0, prompts: [] };
  const said = prompt === undefined ? [] : [{ at, text: prompt.slice(0, longestPrompt) }];
  const now: HookSession = {
    startedAt: known.startedAt,
    lastAt: at,
    calls: known.calls + (kind === 'before' ? 1 : 0),
    folders: [...new Set([...(known.folders ?? []), ...(cwd === undefined ? [] : [cwd])])].slice(0, mostFolders),
    prompts: [...known.prompts, ...said].slice(-mostPrompts),
    // Of too many, some are known no more: then nobody can tell where the shell may be.
    ...defined({
      stayed:
        stayed && stayed.length > mostFolders ? ['', ...stayed.slice(0, mostFolders - 1)] : (stayed ?? known.stayed),
    }),
  };
  return newest({ ...sessions, [session]: now }, ({ lastAt }) => lastAt, mostSessions);
}

function newest<T>(values: Readonly<Record<string, T>>, time: (value: T) => number, most: number): Record<string, T> {
  const entries = Object.entries(values);
  if (entries.length <= most) return { ...values };
  return Object.fromEntries(entries.sort((a, b) => time(b[1]) - time(a[1])).slice(0, most));
}

/** Where a session of an agent worked before, the first folder first. */
export const foldersOfSession = (folder: string, event: HostEvent): readonly string[] =>
  sessionOf(folder, event)?.folders ?? [];

/** Where the open shells of a session may be; undefined where none was left in another folder. */
export const stayedOfSession = (folder: string, event: HostEvent): readonly string[] | undefined =>
  sessionOf(folder, event)?.stayed;

function sessionOf(folder: string, { agent, session }: HostEvent): HookSession | undefined {
  if (session === undefined) return undefined;
  return ownValue(readAnswer(path.join(folder, 'agents', `${agent}.json`))?.sessions ?? {}, session);
}

/** The last answer of every agent that ever asked; what cannot be read is left out. */
export function readLastAnswers(folder: string): readonly LastAnswer[] {
  return namesIn(path.join(folder, 'agents'))
    .filter((name) => name.endsWith('.json') && isDialect(name.slice(0, -5)))
    .flatMap((name) => readAnswer(path.join(folder, 'agents', name)) ?? []);
}

function readAnswer(file: string): LastAnswer | undefined {
  const value = jsonIn(file);
  if (!isObject(value) || value['version'] !== 1 || typeof value['at'] !== 'number') return undefined;
  if (!isObject(value['tools']) || !isObject(value['sessions'])) return undefined;
  // Only this program writes the file, in a folder that is this user's alone.
  return value as LastAnswer & typeof value;
}
