import type { Capability } from '../capability/capability';
import { modelNames } from '../vocabulary/names';
import type { Problem } from '../base/problem';
import { sentenceKey, worded } from '../base/sentence';
import type { Translate } from '../base/translate';
import { describeHandler } from '../definitions/approval';
import { codeSpan, plainMarkdown, proseMarkdown } from '../base/markdown';
import { parseDefinition } from '../definitions/parse';
import { describeProblem } from '../definitions/words';
import type { ToolSpec } from '../definitions/spec';
import { permissionWord, riskWords, statusWord } from './words';

// The files are those of whoever wrote the workspace: nothing in them may become a link, a picture or markup.

/** Explains a definition file for people, as markdown: what each tool does, what it needs, and what is wrong. */
export function explainDefinition(text: string, file: string, problems: readonly Problem[], t: Translate): string {
  const parsed = parseDefinition(text, file);
  const lines: string[] = [];
  for (const { capability, tools } of parsed.specs) {
    lines.push(`# ${plainMarkdown(capability.name)}`, '', ...headOf(capability, t));
    for (const tool of tools)
      lines.push(
        ...['', `## ${plainMarkdown(tool.definition.title)}`, '', proseMarkdown(tool.definition.userDescription), ''],
        ...toolLines(tool, capability, t),
      );
    if (tools.length === 0) lines.push('', t('It has no tools; the resolver judges it as a whole.'));
  }
  const known = new Set(parsed.problems.map(keyOf));
  const all = [...parsed.problems, ...problems.filter((one) => one.file === file && !known.has(keyOf(one)))];
  if (all.length > 0)
    lines.push('', `# ${t('Problems')}`, '', ...all.map((one) => `- ${proseMarkdown(describeProblem(one, t))}`));
  return `${lines.join('\n').trim()}\n`;
}

/** The same text for problems that say the same of the same place. */
const keyOf = ({ said, pointer = '' }: Problem): string => `${pointer} ${sentenceKey(said)}`;

function toolLines(
  { definition, handler, accesses }: ToolSpec,
  capability: Capability,
  t: Translate,
): readonly string[] {
  const { kind, idempotency, permissions, rateLimit, riskLevel, scopes, sideEffects, timeoutMs } = definition;
  const risk = riskWords(riskLevel, t);
  const [agents, people] = [permissions.agent, permissions.user].map((one) => permissionWord(one, t));
  const facts = [
    t('Models call it {0}.', codeSpan(modelNames(capability, definition.name).plain)),
    t('It {0}.', proseMarkdown(worded(describeHandler(handler), t))),
    t('Kind {0}, {1}, {2}, at most {3} ms.', codeSpan(kind), risk, codeSpan(idempotency), timeoutMs),
    t('Agents: {0}. People: {1}.', agents ?? '', people ?? ''),
    ...(scopes.length > 0 ? [t('Needs the scopes {0}.', scopes.map(codeSpan).join(', '))] : []),
    ...(sideEffects.length > 0 ? [t('Touches {0}.', sideEffects.map(codeSpan).join(', '))] : []),
    ...accesses.map((one) => t('Declares the access {0} {1}.', codeSpan(one.effect), codeSpan(one.resource))),
    ...(rateLimit ? [t('Calls: at most {0} in {1} s.', rateLimit.requests, rateLimit.windowMs / 1000)] : []),
  ];
  return facts.map((one) => `- ${one}`);
}

function headOf(capability: Capability, t: Translate): readonly string[] {
  const dependencies = (capability.dependencies ?? []).map(
    (one) => `${codeSpan(one.id)}${one.range ? ` ${plainMarkdown(one.range)}` : ''}`,
  );
  const { description, id, version, status, replacement, requires = [] } = capability;
  const about = t('Id {0}, version {1}, {2}.', codeSpan(id), plainMarkdown(version), statusWord(status, t));
  return [
    ...(description === '' ? [] : [proseMarkdown(description), '']),
    replacement ? `${about} ${t('Use {0} instead.', codeSpan(replacement))}` : about,
    ...(dependencies.length > 0 ? [t('Depends on {0}.', dependencies.join(', '))] : []),
    ...(requires.length > 0 ? [t('Requires {0}.', requires.map(codeSpan).join(', '))] : []),
  ];
}
