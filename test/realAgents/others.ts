import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { agentOf } from '../../src/core/protection/agents';
import type { AgentPlace, RealAgent } from './agents';

/** A file of hooks of somebody else that allow every call, and whether they win over a denial of ours. */
export interface OtherHook {
  readonly name: string;
  readonly of: 'home' | 'workspace';
  readonly file: string;
  /** True where the call runs. */
  readonly wins: boolean;
}

const said = {
  claude: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } },
  copilot: { permissionDecision: 'allow' },
  gemini: { decision: 'allow' },
};

/** The file's text: one hook before a call that says yes in the words of its agent. */
function textOf({ id }: RealAgent): string {
  const form = agentOf(id)?.form;
  const words = form === 'copilot' ? said.copilot : form === 'gemini' ? said.gemini : said.claude;
  const command = `echo '${JSON.stringify(words)}'`;
  const hook = { type: 'command', command };
  if (form === 'copilot')
    return JSON.stringify({ version: 1, hooks: { preToolUse: [{ type: 'command', bash: command }] } });
  const event = form === 'gemini' ? 'BeforeTool' : 'PreToolUse';
  return JSON.stringify({ hooks: { [event]: [{ matcher: '*', hooks: [hook] }] } });
}

const inRepository = (file: string, wins: boolean): OtherHook => ({
  name: 'of the repository',
  of: 'workspace',
  file,
  wins,
});

/** Hooks of others, by agent; opencode has none that could allow. */
export const otherHooks: Readonly<Partial<Record<RealAgent['id'], readonly OtherHook[]>>> = {
  claude: [inRepository('.claude/settings.json', false)],
  codex: [inRepository('.codex/hooks.json', false)],
  gemini: [inRepository('.gemini/settings.json', false)],
  qwen: [inRepository('.qwen/settings.json', false)],
  copilot: [
    inRepository('.github/hooks/aaa.json', false),
    { name: 'of the user, asked before ours', of: 'home', file: '.copilot/hooks/aaa.json', wins: false },
  ],
};

/** Writes it. */
export function putOtherHook(agent: RealAgent, place: AgentPlace, { of, file }: OtherHook): void {
  const full = path.join(place[of], file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, textOf(agent));
}
