import { canonicalJson, isObject } from '../base/json';
import { linked, say, type Sentence, worded } from '../base/sentence';
import type { Translate } from '../base/translate';
import type { Crypto } from '../ports/platform';
import type { RiskLevel } from '../vocabulary/toolDefinition';
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
  /** What it does, in one line: `sends GET https://api.example.com/…`. */
  readonly does: Sentence;
  readonly riskLevel: RiskLevel;
  /** Which secret goes where: `TOKEN` → `the header Authorization to api.example.com`. */
  readonly secrets: readonly { readonly name: string; readonly goesTo: Sentence }[];
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
  readonly lines: readonly BoundLine[];
  /**
   * What was approved here before and is another now, with what stands around it; empty for what is new. What is gone
   * is told in the words that were kept of it.
   */
  readonly changes: readonly BoundChange[];
}

/** A line of what is bound: as it stands in the definition, or ours. */
export type BoundLine = string | Sentence;

export interface BoundChange {
  readonly sign: '-' | '+' | ' ' | '…';
  readonly line: BoundLine;
}

/** A line as it is shown; in English it is what is kept of it. */
export const boundText = (line: BoundLine, t: Translate): string => (typeof line === 'string' ? line : worded(line, t));

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

/** Says in one line what a handler does: `runs convert --to png`. */
export function describeHandler(handler: HandlerSpec): Sentence {
  switch (handler.type) {
    case 'http':
      return say('does_http', handler.method, handler.url.text);
    case 'channel':
      return say('does_channel', handler.kind, handler.url);
    case 'process': {
      const run = [handler.command, ...handler.args].join(' ');
      return handler.cwd === '' ? say('does_process', run) : say('does_process_in', run, handler.cwd);
    }
    case 'command':
      return say('does_command', handler.command);
    case 'module': {
      if (handler.mode === 'node') return say('does_module_node', handler.file);
      const ports = portsOf(handler.ports);
      return ports.length === 0 ? say('does_module', handler.file) : say('does_module_with', handler.file, ports);
    }
    case 'tool':
    case 'mcp':
      return say('does_call', handler.tool);
    case 'compose': {
      const tools = handler.steps.map(({ tool }) => tool);
      return say('does_call', linked('does_then', tools));
    }
  }
}

const portsOf = ({
  fetch,
  files,
  secrets,
  tools,
}: Extract<HandlerSpec, { type: 'module' }>['ports']): readonly Sentence[] => [
  ...(fetch ? [say('port_fetch', fetch.join(', '))] : []),
  ...(files ? [say(`port_files_${files}`)] : []),
  ...(secrets ? [say('port_secrets', secrets.join(', '))] : []),
  ...(tools ? [say('port_tools', tools.join(', '))] : []),
];
