import { isObject, parsedJson, sanitizeJson, stringsIn } from '../base/json';
import { type Dialect, type HostAgent, type HostEvent, PayloadFault } from './hostEvent';

const before =
  /^(?:pre_?tool_?use|beforetool|beforeshellexecution|beforemcpexecution|beforereadfile|beforetabfileread|tool\.execute\.before)$/i;
const after =
  /^(?:post_?tool_?use(?:failure)?|aftertool|aftershellexecution|aftermcpexecution|after(?:tab)?fileedit|tool\.execute\.after)$/i;
const prompt = /^(?:userprompt(?:submit|submitted)|beforeagent|beforesubmitprompt|chat\.message)$/i;
const longestName = 200;
const mostFolders = 50;

/** True for an event before a call, which is answered. */
export const isBefore = (event: string): boolean => before.test(event);

/**
 * Reads what an agent's hook gets on its standard input. `named` is the event that the hook was registered for: some
 * agents do not say it in the payload. Of two that differ the one that is answered counts. Throws a PayloadFault.
 */
export function readPayload(text: string, dialect: Dialect, named: string | undefined): HostEvent {
  // Cursor puts a byte order mark first.
  const payload = parsedJson(text.replace(/^\ufeff/, ''));
  if (payload === undefined) throw new PayloadFault('the payload of the hook is no JSON');
  if (!isObject(payload)) throw new PayloadFault('the payload of the hook is no object');
  const field = (...names: readonly string[]): unknown => {
    for (const name of names) if (Object.hasOwn(payload, name)) return payload[name];
    return undefined;
  };
  const text1 = (...names: readonly string[]): string | undefined => {
    const value = field(...names);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const said = text1('hook_event_name', 'hookEventName', 'hookName');
  const own = ownTool(said ?? named ?? '', payload);
  const tool = own?.tool ?? text1('tool_name', 'toolName') ?? '';
  const output = field('tool_response', 'tool_result', 'toolResult', 'tool_output', 'output', 'result_json');
  const error = text1('error', 'error_message');
  const events = [said, named].filter((one) => one !== undefined);
  const kind = kindOf(events, tool, output !== undefined || error !== undefined);
  if (kind === 'before' && tool === '') throw new PayloadFault('the payload of the hook names no tool');
  if (tool.length > longestName) throw new PayloadFault('the name of the tool is too long');
  const agent = agentOf(dialect, payload);
  const session = text1('session_id', 'sessionId', 'conversation_id', 'sessionID');
  const folders = stringsIn(field('workspace_roots')).slice(0, mostFolders);
  const cwd = text1('cwd') ?? folders[0];
  const callId = text1('tool_use_id', 'tool_call_id', 'toolCallId', 'callID');
  const words = text1('prompt');
  const duration = field('duration_ms', 'durationMs', 'duration');
  return {
    agent,
    kind,
    event: (said ?? named ?? '').slice(0, longestName),
    tool,
    input: inputOf(own ? own.input : field('tool_input', 'toolArgs', 'toolInput', 'args')),
    ...(session === undefined ? {} : { session }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(folders.length === 0 ? {} : { folders }),
    ...(callId === undefined ? {} : { callId }),
    ...(kind === 'prompt' && words !== undefined ? { prompt: words } : {}),
    ...(error === undefined ? {} : { error }),
    ...(output === undefined ? {} : { output }),
    ...(typeof duration === 'number' && duration >= 0 ? { durationMs: duration } : {}),
  };
}

function kindOf(events: readonly string[], tool: string, hasEnded: boolean): HostEvent['kind'] {
  if (events.some((one) => before.test(one))) return 'before';
  if (events.some((one) => after.test(one))) return 'after';
  if (events.some((one) => prompt.test(one))) return 'prompt';
  if (events.length > 0) return 'note';
  // Nobody says what it is about: a tool without a result is about to be called.
  if (tool === '') throw new PayloadFault('the hook was told no event; give it with `--event`');
  return hasEnded ? 'after' : 'before';
}

/** Copilot's folder of hooks is read by its command line and by VS Code, whose payloads differ. */
function agentOf(dialect: Dialect, payload: Readonly<Record<string, unknown>>): HostAgent {
  if (dialect !== 'copilot' && dialect !== 'vscode') return dialect;
  // Only VS Code names a transcript, or the id of a call, beside the event; Copilot's camel case names no event at all.
  const isEditor =
    typeof payload['hook_event_name'] === 'string' &&
    typeof payload['timestamp'] === 'string' &&
    !('tool_result' in payload) &&
    typeof payload['transcript_path'] === 'string' &&
    !('stop_reason' in payload);
  if (isEditor) return 'vscode';
  return 'toolName' in payload || 'sessionId' in payload || 'session_id' in payload ? 'copilot' : dialect;
}

/** Cursor's events of one kind of tool each, which do not name it. */
function ownTool(
  event: string,
  payload: Readonly<Record<string, unknown>>,
): { readonly tool: string; readonly input: unknown } | undefined {
  if (/^(?:before|after)ShellExecution$/.test(event))
    return { tool: 'Shell', input: pick(payload, ['command', 'cwd']) };
  if (event === 'beforeReadFile' || event === 'beforeTabFileRead')
    return { tool: 'Read', input: pick(payload, ['file_path']) };
  if (/^after(?:Tab)?FileEdit$/.test(event)) return { tool: 'Write', input: pick(payload, ['file_path']) };
  if (/^(?:before|after)MCPExecution$/.test(event)) {
    const name = payload['tool_name'];
    if (typeof name === 'string' && name !== '') return { tool: `mcp__${name}`, input: payload['tool_input'] };
  }
  return undefined;
}

function pick(payload: Readonly<Record<string, unknown>>, names: readonly string[]): unknown {
  return Object.fromEntries(names.filter((name) => Object.hasOwn(payload, name)).map((name) => [name, payload[name]]));
}

/** Arguments as an object: some come as the text of one, a patch as a text of its own. */
function inputOf(value: unknown): unknown {
  let read = value;
  for (let times = 0; times < 2 && typeof read === 'string'; times++) {
    const inner = parsedJson(read);
    if (inner === undefined) break;
    read = inner;
  }
  if (read === undefined || read === null) return {};
  if (isObject(read)) return sanitized(read);
  return { command: typeof read === 'string' ? read : JSON.stringify(read) };
}

function sanitized(value: unknown): unknown {
  try {
    return sanitizeJson(value);
  } catch {
    throw new PayloadFault('the arguments of the tool are nested too deep');
  }
}
