import { structuredPatch } from 'diff';
import { isObject } from '../base/json';
import {
  type ApprovedTool,
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

function approvedTool({ definition, handler, accesses }: ToolSpec): ApprovedTool {
  return {
    name: definition.name,
    does: describeHandler(handler),
    riskLevel: definition.riskLevel,
    agent: definition.permissions.agent,
    scopes: definition.scopes,
    accesses: [...definition.sideEffects, ...accesses.map((one) => `${one.effect} ${one.resource}`)],
    secrets: secretsOf(handler),
  };
}

/** Every secret that a handler reads, with where it goes. */
export function secretsOf(handler: HandlerSpec): ApprovedTool['secrets'] {
  const within = (value: unknown, goesTo: string): ApprovedTool['secrets'] =>
    templatesIn(value).flatMap(({ template }) =>
      references(template).flatMap(({ root, path: [name] }) =>
        root === 'secret' && name !== undefined ? [{ name, goesTo }] : [],
      ),
    );
  switch (handler.type) {
    case 'http': {
      const to = ` to ${/^https?:\/\/([^/?#]*)/i.exec(handler.url.text)?.[1] ?? handler.url.text}`;
      return [
        ...within(handler.url.text, `the address${to}`),
        ...Object.entries(handler.query).flatMap(([key, value]) => within(value, `the query parameter ${key}${to}`)),
        ...Object.entries(handler.headers).flatMap(([key, value]) => within(value.text, `the header ${key}${to}`)),
        ...within(handler.body, `the body${to}`),
      ];
    }
    case 'process':
      return [
        ...within(handler.args, `the arguments of ${handler.command}`),
        ...Object.entries(handler.env).flatMap(([key, value]) =>
          within(value, `the variable ${key} of ${handler.command}`),
        ),
        ...within(handler.stdin, `the input of ${handler.command}`),
      ];
    case 'module':
      return (handler.ports.secrets ?? []).map((name) => ({ name, goesTo: `the code of ${handler.file}` }));
    default:
      return [];
  }
}

function allLines({ origin, file, document, spec, files }: DefinitionSubject): readonly string[] {
  return [
    `file: ${JSON.stringify(file)}`,
    `from: ${JSON.stringify(origin.by === 'user' ? 'your settings' : 'this workspace')}`,
    ...(origin.url === undefined ? [] : [`address: ${JSON.stringify(origin.url)}`]),
    ...spec.tools.map(asRead),
    'definition:',
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
  const url = handler.type === 'channel' ? [`at ${handler.url}`] : [];
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

function fileLines(path: string, { sha256, size, text }: BoundFile): readonly string[] {
  const head = `runs ${JSON.stringify(path)}: ${size} bytes, sha256 ${sha256}`;
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

/** Lines of a change, each with what stands around it. */
function changesBetween(before: readonly string[], after: readonly string[]): readonly string[] {
  const patch = structuredPatch('', '', `${before.join('\n')}\n`, `${after.join('\n')}\n`, undefined, undefined, {
    context: 1,
    timeout: 300,
  });
  const lines = patch?.hunks.flatMap((hunk, at) => [...(at > 0 ? ['…'] : []), ...hunk.lines]);
  // Too much to compare in time: then all of it counts as another.
  return lines ?? [...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)];
}
