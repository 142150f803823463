import { nowhere } from '../../src/core/policy/rules/placedPatterns';
import type { ApprovalRequest } from '../../src/core/call/gateCall';
import type { Capability } from '../../src/core/capability/capability';
import type { Json } from '../../src/core/base/json';
import { FlowTracker, type TrackerOptions } from '../../src/core/flow/tracker';
import type { FlowSettings } from '../../src/core/flow/places';
import { foreignDefinition } from '../../src/core/foreign/foreignTool';
import { hostTools } from '../../src/core/hooks/hostTools';
import { hostToolId } from '../../src/core/hooks/hostTools';
import { parseBoundaries } from '../../src/core/policy/rules/parse';
import { PolicyEngine } from '../../src/core/policy/rules/engine';
import { presetBoundaries, type PresetName } from '../../src/core/policy/rules/presets';
import type { KeyValueStore } from '../../src/core/ports/platform';
import { CapabilityRegistry } from '../../src/core/registry/registry';
import type { Access } from '../../src/core/vocabulary/access';
import { toolError } from '../../src/core/vocabulary/errors';
import type { ToolDefinition } from '../../src/core/vocabulary/toolDefinition';
import { nodeCrypto } from '../../src/node/system';
import { capabilityOf, definition, makeGate } from './gate';
import { FakeClock, fakePorts, MemoryStore } from './toolContext';

interface FlowGateOptions {
  preset?: PresetName;
  rules?: unknown;
  /** What the web answers, by address. */
  pages?: Readonly<Record<string, string>>;
  /** The files of the workspace, and others by their absolute paths. */
  files?: Readonly<Record<string, string>>;
  settings?: Partial<FlowSettings>;
  /** MCP servers: their tools and what they answer. */
  servers?: Readonly<Record<string, Readonly<Record<string, ServerTool>>>>;
  isTrusted?: boolean;
  /** False judges without labels, as before. */
  hasLabels?: boolean;
  storage?: KeyValueStore;
  onCleared?: TrackerOptions['onCleared'];
  /** Whether the person allows what is asked; yes where it is left out. */
  allows?: () => boolean;
  /** Rules that serve many gates; whoever made them disposes of them. */
  engine?: PolicyEngine;
}

export interface ServerTool {
  readonly answer?: Json;
  readonly description?: string;
  /** True where the user confirmed that it only reads. */
  readonly confirmed?: boolean;
  readonly accesses?: readonly Access[];
}

/** A page that nobody here wrote. */
export const stranger = 'https://stranger.example/page';

/** A request that sends something out. */
export const post = { method: 'POST', url: 'https://api.example/x', body: 'hello' };

type Input = Readonly<Record<string, unknown>>;

const text = (input: unknown, name: string): string => String((input as Input)[name] ?? '');

/**
 * A gate with stand-ins of our tools, servers and tools of other agents, which touch what the real ones touch and
 * answer what the test says. Everything that would leave is in `left`.
 */
export function flowGate(options: FlowGateOptions = {}) {
  const files = new Map(Object.entries(options.files ?? {}));
  const notes: string[] = [];
  const left: { readonly tool: string; readonly input: Json }[] = [];
  let todos: Json = [];
  const anything = { type: 'object' } as const;
  const tool = (
    name: string,
    accesses: (input: unknown) => readonly Access[],
    run: (input: unknown) => Json,
    more: Partial<ToolDefinition> = {},
  ): Capability =>
    capabilityOf(
      definition({ name, inputSchema: anything, ...more }),
      { accesses: (input) => accesses(input), run: async (input) => ({ payload: run(input) }) },
      { id: `c_${name}` },
    );
  const hash = (content: string): string => nodeCrypto.sha256(content).slice(0, 16);
  const read = (input: unknown): Json => {
    const content = files.get(text(input, 'path')) ?? '';
    return { content, content_hash: hash(content) };
  };
  const write = (input: unknown): Json => {
    const { fails, mode } = input as Input;
    if (fails === true) throw toolError('conflict', 'the file changed since');
    const content = (mode === 'append' ? (files.get(text(input, 'path')) ?? '') : '') + text(input, 'content');
    files.set(text(input, 'path'), content);
    return { content_hash: hash(content) };
  };
  const of = (name: string) => (input: unknown) => text(input, name);
  const fs = (effect: string) => (input: unknown) => [{ effect, resource: text(input, 'path') }];
  const asks = { permissions: { user: 'allowed', agent: 'confirmation_required' } } as const;
  const http = (input: unknown): readonly Access[] => [
    { effect: 'network.http', resource: text(input, 'url'), method: text(input, 'method') || 'GET' },
  ];
  const answerOf = (input: unknown): Json => ({ content: options.pages?.[text(input, 'url')] ?? 'nothing here' });
  const sent = (name: string, answer: (input: unknown) => Json) => (input: unknown) => {
    left.push({ tool: name, input: input as Json });
    return answer(input);
  };
  const capabilities: Capability[] = [
    tool('read_file', fs('fs.read'), read, { kind: 'data' }),
    tool('write_file', fs('fs.write'), write),
    tool(
      'move_file',
      (input) => [
        { effect: 'fs.delete', resource: text(input, 'from') },
        { effect: 'fs.write', resource: text(input, 'to') },
      ],
      (input) => {
        const [from, to] = [of('from')(input), of('to')(input)];
        for (const [path, content] of [...files])
          if (path === from || path.startsWith(`${from}/`)) {
            files.delete(path);
            files.set(`${to}${path.slice(from.length)}`, content);
          }
        return {};
      },
    ),
    tool(
      'grep_files',
      (input) => [{ effect: 'fs.read', resource: text(input, 'path') || '.', recursive: true }],
      () => ({ matches: [...files.values()].join('\n') }),
      { kind: 'data' },
    ),
    tool('web_fetch', http, sent('web_fetch', answerOf), { kind: 'data', untrustedOutput: true }),
    tool('http_request', http, sent('http_request', answerOf), { untrustedOutput: true }),
    tool(
      'web_search',
      (input) => [
        {
          effect: 'network.http',
          resource: `https://search.example/?q=${encodeURIComponent(text(input, 'query'))}`,
          method: 'GET',
        },
      ],
      sent('web_search', (input) => options.pages?.[text(input, 'query')] ?? 'no results'),
      { untrustedOutput: true },
    ),
    tool(
      'db_query',
      (input) => [
        { effect: 'database.read', resource: text(input, 'connection') || 'default' },
        { effect: 'network.socket', resource: 'db.example:5432', onlyReads: true },
      ],
      () => ({ rows: [{ name: 'Ada', mail: 'ada@example.com' }] }),
      { kind: 'data' },
    ),
    tool(
      'send_email',
      (input) => [
        { effect: 'network.socket', resource: 'smtp.example:587' },
        { effect: 'writes-external', resource: `mailto:${text(input, 'to')}` },
      ],
      sent('send_email', () => ({ sent: true })),
      { riskLevel: 'high', ...asks },
    ),
    tool(
      'write_note',
      () => [],
      (input) => ({ kept: notes.push(text(input, 'text')) }),
    ),
    tool(
      'read_notes',
      () => [],
      () => ({ notes: [...notes] }),
    ),
    tool(
      'write_todos',
      () => [],
      (input) => (todos = input as Json),
    ),
    tool(
      'read_todos',
      () => [],
      () => todos,
    ),
    ...Object.entries(options.servers ?? {}).map(([server, tools]) => serverOf(server, tools, left)),
  ];
  // Tools of other agents are judged by their paths alone; nothing of the disk is asked.
  const memory = {
    list: () => Promise.resolve(),
    folders: () => [{ name: 'work', path: '/work', scheme: 'file' }],
    style: 'posix',
    caseInsensitive: false,
    canonical: async (path: unknown) => path,
  } as never;
  const registry = new CapabilityRegistry(
    hostTools(
      () => memory,
      async () => false,
      async () => undefined,
    ),
  );
  const engine =
    options.engine ??
    new PolicyEngine([
      ...presetBoundaries(options.preset ?? 'balanced'),
      ...parseBoundaries(options.rules ?? [], 'user').value,
    ]);
  const tracker = new FlowTracker({
    whereabouts: () => nowhere,
    clock: new FakeClock(),
    crypto: nodeCrypto,
    storage: options.storage ?? new MemoryStore(),
    settings: () => ({ privatePaths: [], publicPaths: [], trustedHosts: [], ...options.settings }),
    isTrusted: () => options.isTrusted !== false,
    hashOf: async (path) => {
      const content = files.get(path);
      return content === undefined ? undefined : nodeCrypto.sha256(content);
    },
    onError: (error) => {
      throw error;
    },
    ...(options.onCleared ? { onCleared: options.onCleared } : {}),
  });
  const gate = makeGate({
    capabilities,
    registry,
    boundaries: engine,
    ports: { ...fakePorts(), files: memory },
    ...(options.hasLabels === false ? {} : { flow: tracker }),
    answer: () =>
      options.allows?.() === false
        ? { outcome: 'denied', by: 'user', waitedMs: 0 }
        : { outcome: 'allowed', by: 'user', waitedMs: 0 },
  });
  const call = (tool: string, input: unknown, session: string) => {
    const host = /^(claude|codex|copilot|cursor|gemini|vscode):(.+)$/s.exec(tool);
    return gate.router.invoke({
      tool: host ? hostToolId(host[1] as 'claude', host[2] ?? '') : tool,
      input,
      actor: { type: 'agent', id: session },
      surface: host ? 'host' : 'chat',
    });
  };
  return {
    ...gate,
    engine,
    tracker,
    files,
    left,
    /** Calls a tool as the person, by hand. */
    runByHand: (tool: string, input: unknown) =>
      gate.router.invoke({ tool, input, actor: { type: 'user', id: 'me' }, surface: 'palette' }),
    /** Calls a tool as an agent; `claude:Bash` is the tool of another agent. */
    run: (tool: string, input: unknown = {}, session = 'chat') => call(tool, input, session),
    flowQuestions: (): readonly ApprovalRequest[] =>
      gate.asked.filter(({ reasons }) => reasons.some(({ story }) => story === true)),
    close: () => {
      gate.dispose();
      if (!options.engine) engine.dispose();
      tracker.dispose();
    },
  };
}

function serverOf(
  server: string,
  tools: Readonly<Record<string, ServerTool>>,
  left: { readonly tool: string; readonly input: Json }[],
): Capability {
  const source = { type: 'mcp', server } as const;
  return {
    id: `mcp_${server}`,
    version: '1.0.0',
    name: server,
    description: server,
    status: 'available',
    source,
    provenance: { by: 'user', from: server },
    tools: Object.entries(tools).map(([name, { answer = {}, description = '', confirmed = false, accesses = [] }]) => {
      const made = foreignDefinition(
        {
          name,
          description,
          inputSchema: { type: 'object' },
          ...(confirmed ? { annotations: { readOnlyHint: true } } : {}),
        },
        { from: server, hintsConfirmed: confirmed, override: undefined, timeoutMs: 10_000 },
      );
      return {
        definition: made.definition,
        load: async () => ({
          accesses: () => accesses,
          run: async (input: unknown) => {
            left.push({ tool: `mcp:${server}:${name}`, input: input as Json });
            return { payload: answer };
          },
        }),
      };
    }),
  } as Capability;
}
