import type { Json } from '../../src/core/base/json';
import type { Capability } from '../../src/core/capability/capability';
import type { DefinitionApproval } from '../../src/core/definitions/approval';
import { ChannelFetcher, type ChannelSetting } from '../../src/core/definitions/channels';
import { DefinitionLoader } from '../../src/core/definitions/loader';
import type { ApprovalAnswer, ApprovalRequest, LimitJudge } from '../../src/core/call/gateCall';
import type { HttpClient } from '../../src/core/ports/http';
import { parseProfile, resolveProfile } from '../../src/core/profiles/profile';
import { CapabilityRegistry } from '../../src/core/registry/registry';
import { createHttpClient } from '../../src/node/http/client';
import { createProgramRunner } from '../../src/node/programs/programRunner';
import { makeGate } from './gate';
import { fakePorts, MemorySecrets, MemoryStore } from './toolContext';
import { realClock } from './web';
import { makeWorkspace, type TestWorkspace } from './workspace';
import type { ToolPorts } from '../../src/core/ports/toolPorts';

export interface DefinitionWorld {
  readonly workspace: TestWorkspace;
  readonly loader: DefinitionLoader;
  readonly channels: ChannelFetcher;
  readonly gate: ReturnType<typeof makeGate>;
  readonly asked: DefinitionApproval[];
  readonly storage: MemoryStore;
  readonly secrets: MemorySecrets;
  trusted: boolean;
  enabled: boolean;
  /** Writes definition files (objects become JSON) and reads them. */
  define(files: Readonly<Record<string, unknown>>): Promise<void>;
  problems(): string[];
  /** The names of the tools that definitions gave. */
  tools(): string[];
  call(tool: string, input?: unknown): Promise<Json>;
  fireChange(): void;
  dispose(): void;
}

export interface WorldOptions {
  capabilities?: readonly Capability[];
  approve?: (approval: DefinitionApproval, isWaiting: () => boolean) => boolean;
  ports?: Partial<ToolPorts>;
  storage?: MemoryStore;
  channels?: () => readonly ChannelSetting[];
  /** Reads manifests in place of the network. */
  channelHttp?: HttpClient;
  profile?: () => unknown;
  pinned?: (file: string) => readonly string[];
  limits?: LimitJudge;
  answer?: (request: ApprovalRequest) => ApprovalAnswer;
}

/** The loader over a real folder, with the real gate above it; every capability is on. */
export function makeWorld(options: WorldOptions = {}): DefinitionWorld {
  const workspace = makeWorkspace();
  const storage = options.storage ?? new MemoryStore();
  const secrets = new MemorySecrets();
  const asked: DefinitionApproval[] = [];
  const http = createHttpClient({ allowedPrivateHosts: () => ['127.0.0.1'] });
  const ports: ToolPorts = {
    ...fakePorts({ clock: realClock, files: workspace.files, http, secrets, storage }),
    programs: createProgramRunner(),
    ...options.ports,
  };
  const registry = new CapabilityRegistry();
  const gate = makeGate({
    capabilities: options.capabilities ?? [],
    ports,
    registry,
    resolve: () =>
      resolveProfile(
        parseProfile('test', options.profile?.() ?? { capabilities: registry.capabilityIds() }, 'user').value,
        registry,
      ),
    ...(options.limits ? { limits: options.limits } : {}),
    answer: options.answer ?? (() => ({ outcome: 'allowed', by: 'user', waitedMs: 0 })),
  });
  let onChange: () => void = () => undefined;
  const world = { trusted: true, enabled: true };
  const channels = new ChannelFetcher({
    http: options.channelHttp ?? http,
    settings: () => options.channels?.() ?? [],
  });
  const loader = new DefinitionLoader({
    registry: gate.registry,
    files: workspace.files,
    watcher: {
      watch(callback) {
        onChange = callback;
        return { dispose: () => undefined };
      },
    },
    storage,
    userStorage: storage,
    crypto: ports.crypto,
    clock: realClock,
    log: ports.log,
    approver: {
      async ask(approval, isWaiting) {
        asked.push(approval);
        return options.approve ? options.approve(approval, isWaiting) : true;
      },
    },
    trusted: () => world.trusted,
    enabled: () => world.enabled,
    pinned: (file) => options.pinned?.(file) ?? [],
    channels,
  });
  const settled = async (): Promise<void> => {
    await loader.reload();
    // An approval reads everything again.
    for (let turn = 0; turn < 3; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      await loader.reload();
    }
  };
  return Object.assign(world, {
    workspace,
    loader,
    channels,
    gate,
    asked,
    storage,
    secrets,
    async define(files: Readonly<Record<string, unknown>>) {
      workspace.put(
        Object.fromEntries(
          Object.entries(files).map(([name, content]) => [
            `.vscode/capabilities/${name}`,
            typeof content === 'string' ? content : JSON.stringify(content, null, 2),
          ]),
        ),
      );
      await settled();
    },
    problems: () =>
      loader
        .problems()
        .map((one) => `${one.code}${one.file ? ` ${one.file.split('/').at(-1)}:${one.line}` : ''} ${one.message}`),
    tools: () =>
      gate.registry
        .tools()
        .filter((tool) => tool.source.type !== 'builtin')
        .map((tool) => tool.id),
    async call(tool: string, input: unknown = {}): Promise<Json> {
      const result = await gate.call(tool, input);
      return result.success ? result.payload : { code: result.error.code, message: result.error.message };
    },
    fireChange: () => onChange(),
    dispose() {
      loader.dispose();
      gate.dispose();
      workspace.dispose();
    },
  });
}
