import type { Access } from '../../src/core/vocabulary/access';
import type { Capability } from '../../src/core/capability/capability';
import type { GateCall, Invocation } from '../../src/core/call/gateCall';
import { parseProfile, resolveProfile } from '../../src/core/profiles/profile';
import { CapabilityRegistry } from '../../src/core/registry/registry';
import type { Actor, ToolDefinition } from '../../src/core/vocabulary/toolDefinition';
import { noAccesses } from '../../src/core/capability/tool';
import type { Mode } from '../../src/core/vocabulary/decision';
import type { ToolSource } from '../../src/core/vocabulary/toolSource';

export interface FakeCall {
  tool?: string;
  capability?: string;
  source?: ToolSource;
  definition?: Partial<ToolDefinition>;
  more?: Partial<Capability>;
  input?: unknown;
  accesses?: readonly Access[];
  actor?: Actor;
  mode?: Mode;
  isPreview?: boolean;
  invocation?: Partial<Invocation>;
  id?: string;
  signal?: AbortSignal;
}

let next = 0;

export function toolDefinition(name: string, more: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    name,
    title: name,
    kind: 'action',
    modelDescription: 'Do something.',
    userDescription: 'does something',
    inputSchema: { type: 'object' },
    permissions: { user: 'allowed', agent: 'allowed' },
    scopes: [],
    riskLevel: 'low',
    sideEffects: [],
    costClass: 'free',
    idempotency: 'idempotent',
    reversible: true,
    timeoutMs: 1000,
    ...more,
  };
}

/** A call as the gate hands it to its judges, of a tool that exists only here. */
export function fakeCall(options: FakeCall = {}): GateCall {
  const capability: Capability = {
    id: options.capability ?? 'file_system',
    version: '1.0.0',
    name: 'Fake',
    description: 'fake',
    status: 'available',
    source: options.source ?? { type: 'builtin' },
    tools: [
      {
        definition: toolDefinition(options.tool ?? 'write_file', options.definition),
        load: async () => ({ accesses: noAccesses, run: async () => ({ payload: null }) }),
      },
    ],
    ...options.more,
  };
  const registry = new CapabilityRegistry();
  const registration = registry.register(capability);
  const profile = resolveProfile(
    parseProfile('test', { name: 'Test', capabilities: [capability.id] }, 'shipped').value,
    registry,
  );
  const tool = registry.tools()[0];
  if (!tool) throw new Error('no tool');
  registration.dispose();
  registry.dispose();
  const actor = options.actor ?? { type: 'agent', id: 'test' };
  const input = options.input ?? {};
  return {
    invocationId: options.id ?? `call-${++next}`,
    invocation: { tool: tool.id, input, actor, surface: 'chat', ...options.invocation },
    tool,
    capability,
    profile,
    mode: options.mode ?? 'execute',
    actor,
    input,
    config: {},
    accesses: options.accesses ?? [],
    isPreview: options.isPreview ?? false,
    signal: options.signal ?? new AbortController().signal,
    resolved: new Map(),
  };
}
