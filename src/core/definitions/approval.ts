import { canonicalJson, isObject } from '../base/json';
import type { Crypto, KeyValueStore } from '../ports';
import type { HandlerSpec } from './handlerSpec';
import type { ApprovedModule } from './handlers/module';
import type { DefinitionSpec, ToolSpec } from './spec';

/** What a person is asked once before a definition acts in a workspace, and again when any of this changes. */
export interface DefinitionApproval {
  readonly hash: string;
  readonly capabilityId: string;
  readonly name: string;
  readonly file: string;
  readonly tools: readonly {
    readonly name: string;
    /** What it does, in one line: `GET https://api.example.com/…`. */
    readonly does: string;
    readonly riskLevel: string;
    readonly scopes: readonly string[];
    readonly accesses: readonly string[];
  }[];
  /** Files that would run outside the sandbox. They need the person's explicit trust. */
  readonly outsideSandbox: readonly string[];
}

/** Asks a person. False where nobody answered, too: then it stays pending and is not asked again until it changes or the window reloads. */
export interface DefinitionApprover {
  ask(request: DefinitionApproval): Promise<boolean>;
}

/** Says in one line what a handler does. */
export function describeHandler(handler: HandlerSpec): string {
  switch (handler.type) {
    case 'http':
      return `${handler.method} ${handler.url.text}`;
    case 'channel':
      return `${handler.kind} at ${handler.url}`;
    case 'process':
      return `runs ${[handler.command, ...handler.args].join(' ')}`;
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

/** The files whose content is part of what a definition does. */
export function moduleFiles(spec: DefinitionSpec): readonly string[] {
  return [...new Set(spec.tools.flatMap(({ handler }) => (handler.type === 'module' ? [handler.file] : [])))];
}

const words: ReadonlySet<string> = new Set(['title', 'description', 'examples', '$comment']);

/** A schema without what only explains it. A property that happens to be called `title` is kept: it stands under `properties`. */
function withoutWords(schema: unknown, isNames = false): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withoutWords(item));
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => isNames || !words.has(key))
      .map(([key, item]) => [
        key,
        key === 'default' || key === 'const' || key === 'enum'
          ? item
          : withoutWords(item, !isNames && (key === 'properties' || key === '$defs')),
      ]),
  );
}

/** What approval is bound to: each tool's handler, accesses and scopes, the content of module files, and the values that schemas bring in. Descriptions may change freely. */
export function approvalOf(spec: DefinitionSpec, modules: ReadonlyMap<string, ApprovedModule>, crypto: Crypto): DefinitionApproval {
  const bound = (tool: ToolSpec) => ({
    name: tool.definition.name,
    handler: tool.handler,
    accesses: tool.accesses,
    scopes: tool.definition.scopes,
    sideEffects: tool.definition.sideEffects,
    permissions: tool.definition.permissions,
    // Defaults of the input and of the configuration end up in what the handler does.
    input: withoutWords(tool.definition.inputSchema),
    ...(tool.handler.type === 'module' ? { content: modules.get(tool.handler.file)?.sha256 ?? 'missing' } : {}),
  });
  const { capability } = spec;
  return {
    hash: crypto.sha256(
      canonicalJson({
        capability: capability.id,
        source: capability.source.type,
        config: withoutWords(capability.configSchema),
        tools: spec.tools.map(bound),
      }),
    ),
    capabilityId: capability.id,
    name: capability.name,
    file: spec.file,
    tools: spec.tools.map((tool) => ({
      name: tool.definition.name,
      does: describeHandler(tool.handler),
      riskLevel: tool.definition.riskLevel,
      scopes: tool.definition.scopes,
      accesses: [...tool.definition.sideEffects, ...tool.accesses.map((one) => `${one.effect} ${one.resource}`)],
    })),
    outsideSandbox: [
      ...new Set(spec.tools.flatMap(({ handler }) => (handler.type === 'module' && handler.mode === 'node' ? [handler.file] : []))),
    ],
  };
}

const approvedKey = 'definitions.approved';

/** The hashes that the user approved in this workspace. */
export class ApprovedDefinitions {
  readonly #storage: KeyValueStore;

  constructor(storage: KeyValueStore) {
    this.#storage = storage;
  }

  has(hash: string): boolean {
    return this.#all().includes(hash);
  }

  async add(hash: string): Promise<void> {
    if (!this.has(hash)) await this.#storage.set(approvedKey, [...this.#all(), hash].slice(-2000));
  }

  async remove(hash: string): Promise<void> {
    await this.#storage.set(
      approvedKey,
      this.#all().filter((one) => one !== hash),
    );
  }

  #all(): readonly string[] {
    const value = this.#storage.get(approvedKey);
    return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
  }
}
