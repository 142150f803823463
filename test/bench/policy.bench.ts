import { plainWords } from '../../src/core/base/translate';
import { say } from '../../src/core/base/sentence';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { describeApproval } from '../../src/core/present/approvalText';
import os from 'node:os';
import path from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Server } from '@modelcontextprotocol/server';
import type { Access } from '../../src/core/vocabulary/access';
import { createValidator } from '../../src/core/base/validator';
import { ToolRouter } from '../../src/core/gate/router';
import { AdminToken } from '../../src/core/policy/approvals/adminToken';
import { ApprovalQueue } from '../../src/core/policy/approvals/approvals';
import type { Boundary } from '../../src/core/vocabulary/boundary';
import { PolicyEngine } from '../../src/core/policy/rules/engine';
import { placesOf } from '../../src/core/policy/rules/placedPatterns';
import { GrantStore } from '../../src/core/policy/grants/grants';
import { CallLimits } from '../../src/core/policy/limits/limits';
import { defaultLimits } from '../../src/core/policy/limits/limitSettings';
import { parseBoundaries } from '../../src/core/policy/rules/parse';
import { FrozenPlans } from '../../src/core/policy/plans/plans';
import { presetBoundaries } from '../../src/core/policy/rules/presets';
import { parseProfile, resolveProfile } from '../../src/core/profiles/profile';
import { CapabilityRegistry } from '../../src/core/registry/registry';
import { ResolverService } from '../../src/core/resolver/service';
import { noProber } from '../../src/core/explain/resolverSetup';
import { AuditStore } from '../../src/node/audit/auditStore';
import { memoryStore } from '../../src/node/memory';
import { scryptHasher } from '../../src/node/scrypt';
import { nodeCrypto, systemClock } from '../../src/node/system';
import { capabilityOf, definition } from '../support/gate';
import { fakeCall } from '../support/gateCall';
import { fakePorts, MemorySecrets } from '../support/toolContext';
import { compared, median, type Row } from './rows';

/**
 * Rules as a large team writes them: each about its own folder, host, tool or command, with a few that match every
 * call.
 */
export function manyBoundaries(count: number): readonly Boundary[] {
  const raw = Array.from({ length: count }, (_, at) => {
    const common = {
      id: `rule-${at}`,
      reason: 'because',
      decision: ['deny', 'require_approval', 'advise', 'allow'][at % 4],
    };
    switch (at % 5) {
      case 0:
        return { ...common, match: { accessAny: ['fs.write', 'fs.delete'], path: `packages/module${at}/**` } };
      case 1:
        return { ...common, match: { path: [`**/generated${at}/*.ts`, `docs/area${at}/**`], actor: 'agent' } };
      case 2:
        return { ...common, match: { host: `*.service${at}.example.com` } };
      case 3:
        return { ...common, match: { tool: `mcp:server${at}:write_thing`, riskAtLeast: 'medium' } };
      default:
        return { ...common, match: { capability: `capability_${at}`, sideEffectsAny: ['fs.write'] } };
    }
  });
  return [...presetBoundaries('balanced'), ...parseBoundaries(raw, 'user').value];
}

/**
 * The whole gate with everything real but the person: validation, policy, grants, limits, plans, requirements, and with
 * a folder the audit to disk.
 */
export function makeGate(rules: readonly Boundary[], grantCount: number, folder: string | undefined) {
  const schema = {
    type: 'object',
    properties: { path: { type: 'string', maxLength: 4096 }, content: { type: 'string' } },
    required: ['path', 'content'],
    additionalProperties: false,
  } as const;
  const tool = definition({
    name: 'write_thing',
    inputSchema: schema,
    riskLevel: 'medium',
    sideEffects: ['fs.write'],
    permissions: { user: 'allowed', agent: 'confirmation_required' },
  });
  const capability = capabilityOf(tool, {
    accesses: (input): readonly Access[] => [{ effect: 'fs.write', resource: (input as { path: string }).path }],
    run: async () => ({ payload: { ok: true } }),
  });
  const registry = new CapabilityRegistry();
  const registration = registry.register(capability);
  const profile = resolveProfile(parseProfile('bench', { capabilities: ['thing'] }, 'user').value, registry);
  const storage = memoryStore();
  const ports = { ...fakePorts({ clock: systemClock }), crypto: nodeCrypto };
  const places = placesOf({
    folders: () => [{ name: 'project', path: '/home/user/project', scheme: 'file' }],
    machinePaths: (of) => [of === 'home' ? '/home/user' : of.path],
  });
  const policy = new PolicyEngine(rules, undefined, places);
  const grants = new GrantStore({
    clock: systemClock,
    crypto: nodeCrypto,
    workspace: memoryStore(),
    user: memoryStore(),
  });
  const reasons = [{ said: say('confirmation_for_agents'), waivable: true }];
  for (let at = 0; at < grantCount; at++) {
    const call = fakeCall({
      tool: 'write_thing',
      capability: at % 10 === 0 ? `other_${at}` : 'thing',
      accesses: [{ effect: 'fs.write', resource: `src/file${at}.ts` }],
    });
    grants.add({ scope: 'session', cover: 'resources' }, call, call.accesses, reasons);
  }
  const limits = new CallLimits({
    clock: systemClock,
    limits: [
      { ...defaultLimits, perTool: { requests: 1e6, windowMs: 60_000 }, all: { requests: 1e6, windowMs: 60_000 } },
    ],
  });
  const plans = new FrozenPlans({
    clock: systemClock,
    crypto: nodeCrypto,
    find: (name) => registry.tool(name),
    requireFrozenSpec: () => 'critical',
  });
  const admin = new AdminToken({ secrets: new MemorySecrets(), hasher: scryptHasher, clock: systemClock });
  const queue = new ApprovalQueue({
    isShownWhole: (request) => !describeApproval(request, plainWords).truncated,
    confirmer: { confirm: async () => ({ outcome: 'deny' }) },
    grants,
    plans,
    clock: systemClock,
    admin,
    timeoutSeconds: () => 300,
  });
  const resolver = new ResolverService({ clock: systemClock, crypto: nodeCrypto, storage, policy, prober: noProber });
  const store = folder === undefined ? undefined : new AuditStore({ dir: folder });
  const router = new ToolRouter({
    registry,
    ports,
    validator: createValidator(
      async () => ({}),
      async () => (await import('../../src/core/base/runtimeAjv')).createCompiler(),
    ),
    profile: () => profile,
    boundaries: policy,
    plans,
    requirements: resolver,
    limits,
    approvals: queue,
    audit: store ?? { record() {} },
    confirmationTimeoutSeconds: () => 300,
  });
  const call = async (at: number): Promise<void> => {
    const result = await router.invoke({
      tool: 'write_thing',
      input: { path: `src/file${(at % 900) * 10 + 1}.ts`, content: 'const port = 8080;\n' },
      actor: { type: 'agent', id: 'bench' },
      surface: 'chat',
    });
    if (grantCount > 0 && !result.success) throw new Error(result.error.message);
  };
  const dispose = (): void => {
    for (const one of [queue, resolver, plans, grants, policy, limits, store, registration, registry]) one?.dispose();
  };
  return { call, dispose };
}

const toolResult = { content: [{ type: 'text' as const, text: '{"ok":true}' }] };

async function connectInMemory(): Promise<Client> {
  const server = new Server({ name: 'peer', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/call', async () => toolResult);
  const [near, far] = InMemoryTransport.createLinkedPair();
  // The two packages carry the same interface in files of their own.
  await server.connect(far as never);
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(near);
  return client;
}

async function connectStdio(folder: string): Promise<Client> {
  const script = path.join(folder, 'server.cjs');
  writeFileSync(
    script,
    `const { Server } = require(${JSON.stringify(path.resolve('node_modules/@modelcontextprotocol/server/dist/index.cjs'))});
     const { StdioServerTransport } = require(${JSON.stringify(path.resolve('node_modules/@modelcontextprotocol/server/dist/stdio.cjs'))});
     const server = new Server({ name: 'peer', version: '1.0.0' }, { capabilities: { tools: {} } });
     server.setRequestHandler('tools/call', async () => (${JSON.stringify(toolResult)}));
     server.connect(new StdioServerTransport());`,
  );
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [script] }));
  return client;
}

/**
 * Rounds before the measured ones: with fewer, the compiler's own work is what is measured, ours and the peer's alike.
 */
const warmUp = 40;

/** Microseconds per call of each, run by turns in short rounds, so that a neighbour's load meets all alike. */
async function byTurns(
  runs: readonly ((at: number) => Promise<unknown>)[],
  rounds = 25,
  perRound = 40,
): Promise<readonly number[]> {
  const times: number[][] = runs.map(() => []);
  for (let round = -warmUp; round < rounds; round++) {
    for (const [index, run] of runs.entries()) {
      const from = performance.now();
      for (let at = 0; at < perRound; at++) await run((round + warmUp) * perRound + at);
      if (round >= 0) times[index]?.push(((performance.now() - from) / perRound) * 1000);
    }
  }
  return times.map(median);
}

/** The gate's own cost beside one call over the MCP SDK, and how it grows with rules that cannot match. */
export async function bench(): Promise<Row[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'agent-capabilities-bench-'));
  const whole = makeGate(manyBoundaries(1000), 10_000, path.join(folder, 'audit'));
  const [big, small] = [
    makeGate(manyBoundaries(1000), 10_000, undefined),
    makeGate(manyBoundaries(10), 10_000, undefined),
  ];
  const [memory, stdio] = [await connectInMemory(), await connectStdio(folder)];
  const ask = (client: Client) => (at: number) =>
    client.callTool({ name: 'write_thing', arguments: { path: `src/file${at}.ts`, content: 'const port = 8080;\n' } });
  try {
    const [audited = 0, judged = 0, few = 0, inMemory = 0, overStdio = 0] = await byTurns([
      whole.call,
      big.call,
      small.call,
      ask(memory),
      ask(stdio),
    ]);
    const row = (name: string, ours: number, peer: number, target: string): Row =>
      compared(name, ours, peer, 'µs/call', target);
    return [
      row('the whole gate, audit on disk included, against tools/call over stdio', audited, overStdio, '<= 0.5'),
      row('the whole gate, audit on disk included, against tools/call in memory', audited, inMemory, 'aim: below 1'),
      row('the gate without the writing of the audit against tools/call over stdio', judged, overStdio, '<= 0.5'),
      row('the gate without the writing of the audit against tools/call in memory', judged, inMemory, '<= 1'),
      row('1,000 boundaries against 10, of which the same match', judged, few, '<= 1.5'),
    ];
  } finally {
    await memory.close();
    await stdio.close();
    whole.dispose();
    big.dispose();
    small.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}
