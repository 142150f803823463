import { canonicalJson, defined, isObject, type Json } from '../base/json';
import type { GateCall, Invocation } from '../call/gateCall';
import type { HostEvent } from '../hooks/hostEvent';
import { hostToolId } from '../hooks/hostTools';
import type { Crypto } from '../ports/platform';
import { say, type Sentence } from '../base/sentence';
import type { Reason } from '../vocabulary/decision';
import type { ToolResult } from '../vocabulary/toolResult';
import type { RanElsewhere } from './elsewhere';

const longestText = 2000;

/** What the gate answers to a hook. `ask`: a person has to be asked, and nobody can be here. */
export interface HookVerdict {
  readonly effect: 'allow' | 'deny' | 'ask';
  /** For the model; empty where the call may run. */
  readonly reason: string;
  readonly code?: string;
  /** The boundary that denied. */
  readonly rule?: string;
  /** The places of the machine that the call touches outside of the folders of who answers. */
  readonly elsewhere?: readonly string[];
}

/**
 * The places of the machine that a call touches, or plainly may touch, each once: those in no folder of who judges,
 * which are named so, and those in `folder`, where that is given.
 */
export function placesTouched(
  { accesses, suspects = [] }: Pick<GateCall, 'accesses' | 'suspects'>,
  folder?: string,
): readonly string[] {
  const found = new Set<string>();
  for (const { effect, resource, suspected, mentioned, below } of [...accesses, ...suspects])
    if (!effect.startsWith('fs.') || suspected === 'guessed' || mentioned || below) continue;
    else if (/^(?:[/\\~]|[a-z]:)/i.test(resource)) found.add(resource);
    else if (folder !== undefined) found.add(`${folder}/${resource}`);
  return [...found];
}

/**
 * The call that a hook tells of. Its id is made of what the agent says of it both times, so that the record of its end
 * finds that of its start, in whatever process.
 */
export function hookInvocation(event: HostEvent, crypto: Pick<Crypto, 'sha256'>, signal?: AbortSignal): Invocation {
  const { agent, tool, input, session, callId, cwd, folders, stayed } = event;
  const named = callId ?? canonicalJson(input);
  const digest = crypto.sha256([agent, session ?? '', tool, named].join('\0'));
  return {
    invocationId: `hook-${digest.slice(0, 32)}`,
    tool: hostToolId(agent, tool),
    input,
    actor: { type: 'agent', id: session === undefined ? agent : `${agent}:${session.slice(0, 100)}` },
    surface: 'host',
    ...defined({ cwd, folders, stayed, signal }),
  };
}

/** What an answer of the gate means for a hook. */
export function hookVerdict(result: ToolResult): HookVerdict {
  if (result.success) return { effect: 'allow', reason: '' };
  const { code, message, details } = result.error;
  const rule = details?.['boundary'];
  return {
    effect: code === 'approval_unavailable' ? 'ask' : 'deny',
    reason: message,
    code,
    ...(typeof rule === 'string' ? { rule } : {}),
  };
}

/** Why nobody is asked at a hook: for what alone the admin may allow, for broken rules, or because nobody is there. */
export function whyUnasked(reasons: readonly Reason[]): Sentence {
  if (reasons.some(({ admin }) => admin === true)) return say('admin_token_elsewhere');
  return reasons.find(({ said }) => said.code === 'rules_broken')?.said ?? say('nobody_at_hook');
}

/** How a call ended, as far as the agent tells it. */
export function ranElsewhere({ error, output, durationMs = 0 }: HostEvent): RanElsewhere {
  const failed = error ?? failureIn(output);
  // What a hook is told came as JSON.
  const told = output === undefined ? {} : { output: output as Json };
  return failed === undefined
    ? { outcome: 'success', durationMs, ...told }
    : { outcome: 'tool_error', durationMs, errorMessage: failed.slice(0, longestText), ...told };
}

/** Some agents tell a failure within the result. */
function failureIn(output: unknown): string | undefined {
  if (!isObject(output)) return undefined;
  const type = output['resultType'] ?? output['result_type'];
  if (typeof type === 'string' && /^(?:failure|error|rejected|denied)$/.test(type))
    return String(output['textResultForLlm'] ?? output['text_result_for_llm'] ?? type);
  const error = output['error'];
  return typeof error === 'string' && error !== '' ? error : undefined;
}
