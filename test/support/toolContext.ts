import { validators } from 'virtual:validators';
import type { Access } from '../../src/core/vocabulary/access';
import type { Json, JsonObject } from '../../src/core/base/json';
import { toDisposable } from '../../src/core/base/lifecycle';
import { violationsOf } from '../../src/core/base/violations';
import type { Capability } from '../../src/core/capability/capability';
import { invalidInput, invalidOutput, isToolError, type ToolErrorData } from '../../src/core/vocabulary/errors';
import type { Clock, KeyValueStore, SecretStore, WorkerPool } from '../../src/core/ports/platform';
import type { BlobStore } from '../../src/core/ports/blobs';
import type { FileSystem } from '../../src/core/ports/files';
import type { DiscoveryPort } from '../../src/core/ports/discovery';
import type { GovernancePort } from '../../src/core/ports/governance';
import type { HttpClient } from '../../src/core/ports/http';
import type { SettingValues } from '../../src/core/settings/settingTable';
import { readSettings } from '../../src/core/settings/readSettings';
import type { TodoStorePort } from '../../src/core/ports/todos';
import { TodoStore } from '../../src/core/todos/store';
import type { Actor } from '../../src/core/vocabulary/toolDefinition';
import type { ToolOutcome } from '../../src/core/vocabulary/toolResult';
import { nodeCrypto } from '../../src/node/system';
import type { AccessVerdict, ToolContext } from '../../src/core/capability/tool';
import type { ToolPorts } from '../../src/core/ports/toolPorts';

/** A clock that stands still until a test moves it. */
export class FakeClock implements Clock {
  #timers: { at: number; callback: () => void }[] = [];
  time = Date.UTC(2026, 10, 21, 12, 0, 0);
  mono = 0;
  zone: string;
  constructor(zone = 'UTC') {
    this.zone = zone;
  }
  now(): number {
    return this.time;
  }
  monotonic(): number {
    return this.mono;
  }
  timeZone(): string {
    return this.zone;
  }
  schedule(callback: () => void, delayMs: number) {
    const timer = {
      at: this.mono + delayMs,
      callback: () => {
        scheduled.dispose();
        callback();
      },
    };
    this.#timers.push(timer);
    const scheduled = toDisposable(() => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    });
    return scheduled;
  }
  advance(ms: number): void {
    this.time += ms;
    this.mono += ms;
    const due = this.#timers.filter((timer) => timer.at <= this.mono).sort((a, b) => a.at - b.at);
    this.#timers = this.#timers.filter((timer) => timer.at > this.mono);
    for (const timer of due) timer.callback();
  }
}

export class MemoryStore implements KeyValueStore {
  readonly values = new Map<string, Json>();
  get(key: string): Json | undefined {
    return this.values.get(key);
  }
  async set(key: string, value: Json | undefined): Promise<void> {
    if (value === undefined) this.values.delete(key);
    else this.values.set(key, JSON.parse(JSON.stringify(value)));
  }
}

export class MemorySecrets implements SecretStore {
  readonly values = new Map<string, string>();
  async get(name: string): Promise<string | undefined> {
    return this.values.get(name);
  }
  async set(name: string, value: string | undefined): Promise<void> {
    if (value === undefined) this.values.delete(name);
    else this.values.set(name, value);
  }
  async names(): Promise<readonly string[]> {
    return [...this.values.keys()];
  }
}

function missing<T extends object>(name: string): T {
  return new Proxy({} as T, {
    get(_target, key) {
      throw new Error(`the test gave no ${name} port, but \`${String(key)}\` was used`);
    },
  });
}

export interface FakePortOptions {
  clock?: Clock;
  files?: FileSystem;
  http?: HttpClient;
  blobs?: BlobStore;
  worker?: WorkerPool;
  secrets?: SecretStore;
  storage?: KeyValueStore;
  governance?: GovernancePort;
  discovery?: DiscoveryPort;
  todos?: TodoStorePort;
  settings?: Partial<SettingValues>;
}

let usual: ToolPorts['settings'] | undefined;

/** Read once: an eighth of a call's time would be the reading of settings that nobody gave. */
const usualSettings = (): ToolPorts['settings'] => (usual ??= readSettings({ managed: {}, user: {}, workspace: {} }));

/** The ports that a handler sees, each one a fake that throws where the test gave none. */
export function fakePorts(options: FakePortOptions = {}): ToolPorts {
  const clock = options.clock ?? new FakeClock();
  const storage = options.storage ?? new MemoryStore();
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  return {
    clock,
    log,
    crypto: nodeCrypto,
    files: options.files ?? missing<FileSystem>('files'),
    http: options.http ?? missing<HttpClient>('http'),
    ...(options.blobs ? { blobs: options.blobs } : {}),
    worker: options.worker ?? missing<WorkerPool>('worker'),
    secrets: options.secrets ?? new MemorySecrets(),
    storage,
    todos: options.todos ?? new TodoStore({ storage, clock, log }),
    discovery: options.discovery ?? missing<DiscoveryPort>('discovery'),
    governance: options.governance ?? missing<GovernancePort>('governance'),
    settings: options.settings ? readSettings({ managed: {}, user: options.settings, workspace: {} }) : usualSettings(),
  };
}

export interface CallOptions extends FakePortOptions {
  ports?: ToolPorts;
  config?: JsonObject;
  actor?: Actor;
  scopes?: readonly string[];
  signal?: AbortSignal;
  profileId?: string;
  access?: (access: Access) => Promise<AccessVerdict>;
  invokeTool?: ToolContext['invokeTool'];
  review?: ToolContext['review'];
  report?: ToolContext['report'];
}

export type CallResult =
  { ok: true; outcome: ToolOutcome; accesses: readonly Access[] } | { ok: false; error: ToolErrorData };

/**
 * Calls one tool as the gate does, without policy: validates the input (defaults filled in), computes the accesses,
 * runs, validates the output. For unit tests of handlers; everything that concerns policy is tested through the real
 * gate.
 */
export async function callTool(
  capability: Capability,
  name: string,
  input: unknown,
  options: CallOptions = {},
): Promise<CallResult> {
  const tool = capability.tools.find((one) => one.definition.name === name);
  if (!tool) throw new Error(`the capability ${capability.id} has no tool ${name}`);
  const value: unknown = structuredClone(input);
  try {
    const key = `cap:${capability.id}:${name}`;
    const validate = validators[`input:${key}`];
    if (!validate) throw new Error(`no validator for ${key}; is the capability in capabilities/index.ts?`);
    const violations = validate(value) ? [] : violationsOf(validate);
    if (violations.length > 0) throw invalidInput(violations);
    const allow = options.access ?? (async (): Promise<AccessVerdict> => ({ allowed: true }));
    const ports = options.ports ?? fakePorts(options);
    const context: ToolContext = {
      ports,
      send: (request) => ports.http.send(request),
      config: options.config ?? {},
      actor: options.actor ?? { type: 'agent', id: 'test' },
      profileId: options.profileId ?? 'default',
      signal: options.signal ?? new AbortController().signal,
      stopped: options.signal ?? { aborted: false, reason: undefined },
      pause: (wait) => wait,
      invocationId: 'test',
      scopes: options.scopes ?? tool.definition.scopes,
      access: allow,
      accessAll: (accesses) => Promise.all(accesses.map(allow)),
      report: options.report ?? (() => undefined),
      ...(options.review ? { review: options.review } : {}),
      invokeTool:
        options.invokeTool ??
        (async () => {
          throw new Error('the test gave no invokeTool');
        }),
    };
    const handler = await tool.load();
    const accesses = await handler.accesses(value, context);
    const outcome = await handler.run(value, context);
    const check = validators[`output:${key}`];
    if (check) {
      const wrong = check(structuredClone(outcome.payload)) ? [] : violationsOf(check);
      if (wrong.length > 0) throw invalidOutput(name, wrong);
    }
    return { ok: true, outcome, accesses };
  } catch (error) {
    if (isToolError(error)) return { ok: false, error: error.data };
    throw error;
  }
}
