import { cutEnd, onOneLine } from '../base/text';
import type { HookAnswer, HostAgent, HostEvent } from './hostEvent';

/** Longer reasons are cut: some agents show them on one line. */
const longestReason = 4000;

/** What is printed where the call may run, and for everything that is only told: nothing, so that the agent goes on. */
export const silent: HookAnswer = { stdout: '', stderr: '', exitCode: 0 };

/** Agents whose own question to their user is safe: without a user it denies. */
const asksSafely: ReadonlySet<HostAgent> = new Set(['claude', 'qwen', 'copilot']);

/** True where the agent may be told to ask its own user. */
export const mayAsk = (agent: HostAgent): boolean => asksSafely.has(agent);

/**
 * Denies a call in the agent's own words: its JSON alone, the same reason for who reads only errors, and the status
 * that denies in all of them. No key may stand there that an agent does not know, and the reason is never empty: some
 * then let the call pass.
 */
export function denied(agent: HostAgent, event: Pick<HostEvent, 'event'>, reason: string): HookAnswer {
  const said = oneText(reason);
  const json = denial(agent, event.event, said);
  return {
    stdout: JSON.stringify(json),
    stderr: `${agent === 'qwen' ? JSON.stringify({ ...json, ...againstOthers(said) }) : said}\n`,
    // VS Code takes the reason from the JSON only where the hook ends well.
    exitCode: agent === 'vscode' ? 0 : 2,
  };
}

/**
 * What makes a denial hold in Qwen Code where a hook of somebody else says yes: there the last decision counts, and
 * this is no decision. Where the status denies it reads its JSON from the errors, and a text there as a mere decision.
 */
export const againstOthers = (reason: string): object => ({ continue: false, stopReason: reason });

/** Hands the question to the agent's own user. Only for agents of `mayAsk`. */
export function asked(agent: HostAgent, event: Pick<HostEvent, 'event'>, reason: string): HookAnswer {
  const said = oneText(reason);
  return { stdout: JSON.stringify(withDecision(agent, event.event, 'ask', said)), stderr: '', exitCode: 0 };
}

function denial(agent: HostAgent, event: string, reason: string): object {
  switch (agent) {
    case 'gemini':
    case 'opencode':
      return { decision: 'deny', reason };
    case 'vscode':
      // Copilot's folder is read by both; each reads its own part, and both get the reason.
      return { permissionDecision: 'deny', permissionDecisionReason: reason, ...inHook(event, 'deny', reason) };
    case 'cursor':
      return { permission: 'deny', user_message: reason, agent_message: reason };
    default:
      return withDecision(agent, event, 'deny', reason);
  }
}

function withDecision(agent: HostAgent, event: string, decision: 'deny' | 'ask', reason: string): object {
  // Copilot's events in capitals speak as Claude's do.
  if (agent === 'copilot' && event !== 'PreToolUse')
    return { permissionDecision: decision, permissionDecisionReason: reason };
  return inHook(event, decision, reason);
}

const inHook = (event: string, decision: 'deny' | 'ask', reason: string): object => ({
  hookSpecificOutput: {
    hookEventName: event === '' ? 'PreToolUse' : event,
    permissionDecision: decision,
    permissionDecisionReason: reason,
  },
});

function oneText(reason: string): string {
  const text = onOneLine(reason);
  if (text === '') return 'denied by Agent Capabilities';
  return cutEnd(text, longestReason);
}
