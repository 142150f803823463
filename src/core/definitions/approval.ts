import { canonicalJson, isObject } from '../base/json';
import type { Crypto } from '../ports/platform';
import { hashesOf } from './boundFiles';
import type { BoundFiles, HandlerSpec } from './handlers/handlerSpec';
import type { DefinitionOrigin, DefinitionSpec } from './spec';

/** Everything of a definition that a decision, a model or a process uses. It is hashed, shown and kept as one. */
export interface DefinitionSubject {
  readonly origin: DefinitionOrigin;
  readonly file: string;
  /** The whole document as it was read: whatever a later reader may use of it is in here. */
  readonly document: unknown;
  /** What was made of it, defaults included. */
  readonly spec: DefinitionSpec;
  readonly files: BoundFiles;
}

export interface ApprovedTool {
  readonly name: string;
  /** What it does, in one line: `GET https://api.example.com/…`. */
  readonly does: string;
  readonly riskLevel: string;
  readonly agent: string;
  readonly scopes: readonly string[];
  readonly accesses: readonly string[];
  /** Which secret goes where: `TOKEN` → `the header Authorization to api.example.com`. */
  readonly secrets: readonly { readonly name: string; readonly goesTo: string }[];
}

/** What a person is asked once before a definition acts in a workspace, and again when anything of it changes. */
export interface DefinitionApproval {
  readonly hash: string;
  /** The place that it speaks for: an approval of one place says nothing about another. */
  readonly identity: string;
  /** True for a channel of the user's own settings. */
  readonly isOwn: boolean;
  readonly capabilityId: string;
  readonly name: string;
  readonly file: string;
  readonly tools: readonly ApprovedTool[];
  /** Files that would run outside the sandbox. They need the person's explicit trust. */
  readonly outsideSandbox: readonly string[];
  /** All that is bound, line by line. A yes counts only where all of them could be read. */
  readonly lines: readonly string[];
  /**
   * What was approved here before and is another now, as lines that begin with `-`, `+` or a space; empty for what is
   * new.
   */
  readonly changes: readonly string[];
}

/**
 * Asks a person. False where nobody answered, too: then it stays pending and is not asked again until it changes or the
 * window reloads.
 */
export interface DefinitionApprover {
  /** @param isWaiting whether exactly this still waits: it may have been approved, changed or removed meanwhile. */
  ask(request: DefinitionApproval, isWaiting: () => boolean): Promise<boolean>;
}

/** The place of a definition: a file of this workspace, or one channel at one address. */
export function identityOf(origin: DefinitionOrigin, file: string): string {
  return canonicalJson([origin.by, file, origin.url ?? null]);
}

/** One hash over the whole, so that nothing can change unseen, known to this version or not. */
export function hashOf({ origin, file, document, spec, files }: DefinitionSubject, crypto: Crypto): string {
  return crypto.sha256(
    canonicalJson(
      exact({
        format: 2,
        origin,
        file,
        document,
        capability: spec.capability,
        tools: spec.tools,
        files: hashesOf(files),
      }),
    ),
  );
}

/** Numbers that JSON writes alike although they are not the same. */
function exact(value: unknown): unknown {
  if (typeof value === 'number')
    return Number.isFinite(value) && !Object.is(value, -0)
      ? value
      : { number: Object.is(value, -0) ? '-0' : String(value) };
  if (Array.isArray(value)) return value.map(exact);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, exact(item)])) : value;
}

/** Says in one line what a handler does. */
export function describeHandler(handler: HandlerSpec): string {
  switch (handler.type) {
    case 'http':
      return `${handler.method} ${handler.url.text}`;
    case 'channel':
      return `${handler.kind} at ${handler.url}`;
    case 'process':
      return `runs ${[handler.command, ...handler.args].join(' ')}${handler.cwd === '' ? '' : ` in ${handler.cwd}`}`;
    case 'command':
      return `runs the editor's command ${handler.command}`;
    case 'module':
      return handler.mode === 'node'
        ? `runs ${handler.file} as a Node module, NOT sandboxed`
        : `runs ${handler.file} in the sandbox${portsOf(handler.ports)}`;
    case 'tool':
    case 'mcp':
      return `calls ${handler.tool}`;
    case 'compose':
      return `calls ${handler.steps.map((step) => step.tool).join(', then ')}`;
  }
}

function portsOf(ports: Extract<HandlerSpec, { type: 'module' }>['ports']): string {
  const parts = [
    ...(ports.fetch ? [`fetch from ${ports.fetch.join(', ')}`] : []),
    ...(ports.files ? [`${ports.files} files`] : []),
    ...(ports.secrets ? [`the secrets ${ports.secrets.join(', ')}`] : []),
    ...(ports.tools ? [`the tools ${ports.tools.join(', ')}`] : []),
  ];
  return parts.length === 0 ? '' : ` with ${parts.join('; ')}`;
}
