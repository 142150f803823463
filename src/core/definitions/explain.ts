import type { Capability } from '../capability/capability';
import { modelNames } from '../vocabulary/names';
import type { Problem } from '../base/problem';
import { describeHandler } from './approval';
import { codeSpan, plainMarkdown, proseMarkdown } from '../base/markdown';
import { visibleText } from '../base/visible';
import { parseDefinition } from './parse';
import { describeProblem } from './words';

// The files are those of whoever wrote the workspace: nothing in them may become a link, a picture or markup.
const name = (text: string): string => plainMarkdown(visibleText(text).text);
const prose = (text: string): string => proseMarkdown(visibleText(text).text);
const code = (text: string): string => codeSpan(visibleText(text).text);

/** Explains a definition file for people, as markdown: what each tool does, what it needs, and what is wrong. */
export function explainDefinition(text: string, file: string, problems: readonly Problem[] = []): string {
  const parsed = parseDefinition(text, file);
  const lines: string[] = [];
  for (const spec of parsed.specs) {
    const { capability } = spec;
    lines.push(`# ${name(capability.name)}`, '', ...headOf(capability));
    for (const { definition, handler, accesses } of spec.tools) {
      lines.push(
        '',
        `## ${name(definition.title)}`,
        '',
        prose(definition.userDescription),
        '',
        `- Models call it ${code(modelNames(capability, definition.name).plain)}.`,
        `- It ${prose(describeHandler(handler).replace(/^(?=(?:GET|HEAD|POST|PUT|PATCH|DELETE) )/, 'sends '))}.`,
        `- Kind ${definition.kind}, risk ${definition.riskLevel}, ${definition.idempotency}, at most ${definition.timeoutMs} ms.`,
        `- Agents: ${definition.permissions.agent.replaceAll('_', ' ')}. People: ${definition.permissions.user.replaceAll('_', ' ')}.`,
        ...(definition.scopes.length > 0 ? [`- Needs the scopes ${definition.scopes.map(code).join(', ')}.`] : []),
        ...(definition.sideEffects.length > 0 ? [`- Touches ${definition.sideEffects.map(code).join(', ')}.`] : []),
        ...accesses.map((one) => `- Declares the access ${one.effect} ${code(one.resource)}.`),
        ...(definition.rateLimit
          ? [`- At most ${definition.rateLimit.requests} calls in ${definition.rateLimit.windowMs / 1000} s.`]
          : []),
      );
    }
    if (spec.tools.length === 0) lines.push('', 'It has no tools; the resolver judges it as a whole.');
  }
  const all = [
    ...parsed.problems,
    ...problems.filter((one) => one.file === file && !parsed.problems.some((own) => own.message === one.message)),
  ];
  if (all.length > 0) lines.push('', '# Problems', '', ...all.map((one) => `- ${prose(describeProblem(one))}`));
  return `${lines.join('\n').trim()}\n`;
}

function headOf(capability: Capability): readonly string[] {
  const dependencies = (capability.dependencies ?? []).map(
    (one) => `${code(one.id)}${one.range ? ` ${name(one.range)}` : ''}`,
  );
  return [
    ...(capability.description === '' ? [] : [prose(capability.description), '']),
    `Id ${code(capability.id)}, version ${name(capability.version)}, ${capability.status.replace('_', ' ')}${capability.replacement ? `; use ${code(capability.replacement)} instead` : ''}.`,
    ...(dependencies.length > 0 ? [`Depends on ${dependencies.join(', ')}.`] : []),
    ...(capability.requires && capability.requires.length > 0
      ? [`Requires ${capability.requires.map(code).join(', ')}.`]
      : []),
  ];
}
