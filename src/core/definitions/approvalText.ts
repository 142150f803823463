import { plainWords } from '../base/translate';
import { structuredPatch } from 'diff';
import { isObject } from '../base/json';
import { say, type Sentence } from '../base/sentence';
import {
  type ApprovedTool,
  type BoundChange,
  type BoundLine,
  boundText,
  type DefinitionApproval,
  type DefinitionSubject,
  describeHandler,
  hashOf,
  identityOf,
} from './approval';
import type { BoundFile, HandlerSpec } from './handlers/handlerSpec';
import type { ToolSpec } from './spec';
import { references, templatesIn } from '../vocabulary/template';
import type { Crypto } from '../ports/platform';

/**
 * The question about a definition. Its lines are written from the very value that is hashed, so that there is nothing
 * bound that is not shown.
 * @param before the lines of what was approved in this place last.
 */
export function approvalOf(subject: DefinitionSubject, crypto: Crypto, before?: readonly string[]): DefinitionApproval {
  const { spec, origin, file } = subject;
  const lines = allLines(subject);
  return {
    hash: hashOf(subject, crypto),
    identity: identityOf(origin, file),
    isOwn: origin.by === 'user',
    capabilityId: spec.capability.id,
    name: spec.capability.name,
    file,
    tools: spec.tools.map(approvedTool),
    outsideSandbox: [...new Set(spec.tools.flatMap(fileOutsideSandbox))],
    lines,
    changes: before === undefined ? [] : changesBetween(before, lines),
  };
}

const fileOutsideSandbox = ({ handler }: ToolSpec): readonly string[] =>
  handler.type === 'module' && handler.mode === 'node' ? [handler.file] : [];

function approvedTool({ definition: { name, riskLevel }, handler }: ToolSpec): ApprovedTool {
  return { name, does: describeHandler(handler), riskLevel, secrets: secretsOf(handler) };
}

/** Every secret that a handler reads, with where it goes. */
export function secretsOf(handler: HandlerSpec): ApprovedTool['secrets'] {
  const within = (value: unknown, goesTo: Sentence): ApprovedTool['secrets'] =>
    templatesIn(value).flatMap(({ template }) =>
      references(template).flatMap(({ root, path: [name] }) =>
        root === 'secret' && name !== undefined ? [{ name, goesTo }] : [],
      ),
    );
  switch (handler.type) {
    case 'http': {
      const to = /^https?:\/\/([^/?#]*)/i.exec(handler.url.text)?.[1] ?? handler.url.text;
      return [
        ...within(handler.url.text, say('secret_to_address', to)),
        ...Object.entries(handler.query).flatMap(([key, value]) => within(value, say('secret_to_query', key, to))),
        ...Object.entries(handler.headers).flatMap(([key, { text }]) => within(text, say('secret_to_header', key, to))),
        ...within(handler.body, say('secret_to_body', to)),
      ];
    }
    case 'process':
      return [
        ...within(handler.args, say('secret_to_arguments', handler.command)),
        ...Object.entries(handler.env).flatMap(([key, value]) =>
          within(value, say('secret_to_variable', key, handler.command)),
        ),
        ...within(handler.stdin, say('secret_to_input', handler.command)),
      ];
    case 'module':
      return (handler.ports.secrets ?? []).map((name) => ({ name, goesTo: say('secret_to_code', handler.file) }));
    default:
      return [];
  }
}

function allLines({ origin, file, document, spec, files }: DefinitionSubject): readonly BoundLine[] {
  return [
    say('bound_file', JSON.stringify(file)),
    say(origin.by === 'user' ? 'bound_from_user' : 'bound_from_workspace'),
    ...(origin.url === undefined ? [] : [say('bound_address', JSON.stringify(origin.url))]),
    ...spec.tools.map(asRead),
    say('bound_definition'),
    // One blank a level, because long runs of blanks are shown as their count.
    ...written(document, ' '),
    ...[...files].flatMap(([path, one]) => fileLines(path, one)),
  ];
}

const words = 'name title modelDescription userDescription inputSchema outputSchema'.split(' ');

/** What decides about a tool, with what the definition leaves to the defaults. */
function asRead({ definition, handler }: ToolSpec): string {
  const facts = Object.entries(definition).flatMap(([key, value]) =>
    words.includes(key) || isEmpty(value) ? [] : [`${key} ${plain(value)}`],
  );
  const url = handler.type === 'channel' ? [`url ${handler.url}`] : [];
  return `${definition.name}: ${[...facts, ...url].join(', ')}`;
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return `[${value.map(plain).join(' ')}]`;
  if (isObject(value))
    return `(${Object.entries(value)
      .map(([key, item]) => `${key} ${plain(item)}`)
      .join(' ')})`;
  return String(value);
}

function fileLines(path: string, { sha256, size, text }: BoundFile): readonly BoundLine[] {
  const head = say('bound_code', JSON.stringify(path), size, sha256);
  return text === undefined ? [head] : [head, ...text.split('\n').map((line) => ` | ${line}`)];
}

/** Writes JSON with one value a line, in its own order, so that two values that differ never look the same. */
function written(value: unknown, indent: string): readonly string[] {
  const entries: readonly (readonly [string, unknown])[] = Array.isArray(value)
    ? value.map((item: unknown) => ['-', item] as const)
    : isObject(value)
      ? Object.entries(value).map(
          ([key, item]) => [`${/^[A-Za-z0-9_$-]+$/.test(key) ? key : JSON.stringify(key)}:`, item] as const,
        )
      : [];
  return entries.flatMap(([key, item]): readonly string[] => {
    if (typeof item === 'string' && item.includes('\n'))
      return [`${indent}${key} |`, ...item.split('\n').map((line) => `${indent} | ${line}`)];
    if (item === null || typeof item !== 'object')
      return [
        `${indent}${key} ${typeof item === 'number' ? (Object.is(item, -0) ? '-0' : String(item)) : JSON.stringify(item)}`,
      ];
    const inner = written(item, `${indent} `);
    return inner.length === 0
      ? [`${indent}${key} ${Array.isArray(item) ? '[]' : '{}'}`]
      : [`${indent}${key}`, ...inner];
  });
}

/** Of so many lines that came or went together the shortest change is looked for. */
const mostChangedLines = 2000;

/** Lines of a change, each with what stands around it. */
function changesBetween(before: readonly string[], after: readonly BoundLine[]): readonly BoundChange[] {
  const texts = after.map((line) => boundText(line, plainWords));
  const patch = structuredPatch('', '', `${before.join('\n')}\n`, `${texts.join('\n')}\n`, undefined, undefined, {
    context: 1,
    maxEditLength: mostChangedLines,
  });
  const gone = (line: string): BoundChange => ({ sign: '-', line });
  // Too much to compare: then all of it counts as another.
  if (!patch) return [...before.map(gone), ...after.map((line): BoundChange => ({ sign: '+', line }))];
  return patch.hunks.flatMap(({ newStart, lines }, hunk) => {
    let at = newStart - 1;
    const changes = lines.map((line): BoundChange => {
      if (line.startsWith('-')) return gone(line.slice(1));
      return { sign: line.startsWith('+') ? '+' : ' ', line: after[at++] ?? line.slice(1) };
    });
    return hunk > 0 ? [{ sign: '…', line: '' }, ...changes] : changes;
  });
}
