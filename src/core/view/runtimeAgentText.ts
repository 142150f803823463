import type { RuntimeAgent } from '../runtimeAgent';
import { estimateTokens } from '../runtimeAgent';
import { plainWords, type Translate } from './translate';
import { codeSpan, counted, plainMarkdown, riskAndPermission, shortCount } from './words';

/** Writes a runtime agent as markdown for people: what is wrong, the prompt part by part with its origin and cost, the tools in order. */
export function runtimeAgentMarkdown(agent: RuntimeAgent, t: Translate = plainWords): string {
  const promptTokens = agent.parts.reduce((sum, part) => sum + part.tokens, 0);
  const lines = [
    `# ${plainMarkdown(agent.name)}`,
    '',
    `${t('Mode: {0}', agent.mode)} · ${counted(agent.tools.length, 'tool')} · ${t('about {0} tokens', shortCount(promptTokens + agent.toolTokens))}`,
  ];
  if (agent.problems.length > 0) {
    lines.push('', `## ${t('Problems')}`, '');
    for (const problem of agent.problems) lines.push(`- **${problem.severity}** ${plainMarkdown(problem.message)}`);
  }
  lines.push('', `## ${t('Prompt')}`, '');
  if (agent.parts.length === 0) lines.push(t('No capability that is on adds to the prompt, and the profile has no base prompt.'));
  agent.parts.forEach((part, index) => {
    const origin = part.origin.type === 'capability' ? t('from {0}', part.origin.name) : t('base prompt of the profile');
    lines.push(`### ${index + 1}. ${plainMarkdown(origin)} · ${t('{0} tokens', part.tokens)}`, '', quote(part.text), '');
  });
  lines.push(
    '',
    `## ${t('Tools')}`,
    '',
    `| | ${t('Tool')} | ${t('Id')} | ${t('Risk and permission')} | ${t('Tokens')} |`,
    '|---|---|---|---|---|',
  );
  agent.tools.forEach((tool, index) => {
    const { definition } = tool;
    const tokens = estimateTokens(JSON.stringify([definition.modelDescription, definition.inputSchema]));
    lines.push(
      `| ${index + 1} | ${codeSpan(tool.modelName)} | ${codeSpan(tool.id)} | ${plainMarkdown(riskAndPermission(definition.riskLevel, definition.permissions.agent))} | ${tokens} |`,
    );
  });
  return `${lines.join('\n')}\n`;
}

/** A prompt is markdown that somebody wrote; a fence longer than any in it shows it as it is. */
function quote(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((match) => match[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
