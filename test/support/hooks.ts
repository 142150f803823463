import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { answerHook } from '../../src/cli/hook';
import type { Dialect, HookAnswer } from '../../src/core/hooks/hostEvent';
import { answerSeconds } from '../../src/core/protection/entryCommand';
import { runCli, temporaryWorkspace } from './cli';

/** A workspace and a private folder, and hooks that are answered there. */
export interface HookPlace {
  readonly folder: string;
  readonly privateFolder: string;
  /** Answers a payload; its `cwd` is the workspace unless it says another. */
  answer(dialect: Dialect, payload: object | string, event?: string): Promise<HookAnswer>;
  dispose(): void;
}

export function hookPlace(files: Readonly<Record<string, string>> = {}): HookPlace {
  const { folder: root, dispose } = temporaryWorkspace(
    Object.fromEntries(
      Object.entries({ '.git/HEAD': 'x', '.env': 'KEY=1', 'a.txt': 'alpha', ...files }).map(([name, text]) => [
        `work/${name}`,
        text,
      ]),
    ),
  );
  const folder = path.join(root, 'work');
  const privateFolder = path.join(root, 'private');
  return {
    folder,
    privateFolder,
    dispose,
    answer: (dialect, payload, event) =>
      answerHook(
        { dialect, event, privateFolder, limitMs: answerSeconds * 1000 },
        typeof payload === 'string' ? payload : JSON.stringify({ cwd: folder, ...payload }),
        0,
      ),
  };
}

/** A payload before a call, as each agent sends it. */
export function before(dialect: Dialect, tool: string, input: unknown): { payload: object; event?: string } {
  const about = { session_id: 'session', tool_name: tool, tool_input: input };
  switch (dialect) {
    case 'gemini':
      return { payload: { ...about, hook_event_name: 'BeforeTool', timestamp: 'x', transcript_path: 'x' } };
    case 'copilot':
      return { payload: { sessionId: 's', timestamp: 1, toolName: tool, toolArgs: input }, event: 'preToolUse' };
    case 'vscode':
      return {
        payload: { ...about, hook_event_name: 'PreToolUse', timestamp: 'x', transcript_path: 'x', tool_use_id: '1' },
      };
    case 'opencode':
      return { payload: { ...about, hook_event_name: 'tool.execute.before' } };
    case 'cursor':
      return { payload: { ...about, hook_event_name: 'preToolUse' } };
    default:
      return { payload: { ...about, hook_event_name: 'PreToolUse', tool_use_id: '1' } };
  }
}

/** A place whose command keeps its state in a folder of its own, and what it knows of changes. */
export function changesPlace(files: Readonly<Record<string, string>> = {}) {
  const place = hookPlace(files);
  const state = path.join(path.dirname(place.privateFolder), 'state');
  mkdirSync(state, { mode: 0o700 });
  const at = (name: string): string => path.join(place.folder, name);
  const changes = (...words: string[]) =>
    runCli(['changes', ...words, '--workspace', place.folder, '--state-dir', state, '--private', place.privateFolder]);
  return {
    ...place,
    state,
    at,
    read: (name: string): string | undefined => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : undefined),
    changes,
    /** Path, action, state and what cannot be taken back, of every change, with the call's actor left to `actors`. */
    rows: async () =>
      (await changes('list', '--json'))
        .json()
        .bursts.toReversed()
        .flatMap(({ files: listed }: any) => listed)
        .map(({ path: named, action, state: now }: any) => `${action} ${named}: ${now}`),
    waiting: (): readonly string[] => {
      const folder = path.join(place.privateFolder, 'changes');
      return existsSync(folder) ? readdirSync(folder) : [];
    },
  };
}

/** The two events of one call. */
export function hookCall(tool: string, input: object, id: string, dialect: Dialect = 'claude') {
  const { payload, event } = before(dialect, tool, input);
  const about = { ...payload, tool_use_id: id };
  return { pre: about, event, post: { ...about, hook_event_name: 'PostToolUse', tool_response: {} } };
}

export type Outcome = 'allow' | 'ask' | 'deny';

/** What an answer means for the call, in the forms of all agents. */
export function outcome({ stdout, exitCode }: HookAnswer): Outcome {
  if (stdout === '') return exitCode === 0 ? 'allow' : 'deny';
  return stdout.includes('"ask"') ? 'ask' : 'deny';
}
