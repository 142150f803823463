import type { AuditEvent } from '../../src/core/audit/event';
import { createValidator } from '../../src/core/base/validator';
import type { Capability } from '../../src/core/capability/capability';
import type {
  ApprovalAnswer,
  CallApprover,
  CallChanges,
  CallFlow,
  ApprovalRequest,
  BoundaryJudge,
  LimitJudge,
  PlanJudge,
  RequirementJudge,
} from '../../src/core/call/gateCall';
import type { Redaction } from '../../src/core/gate/redaction';
import { ToolRouter } from '../../src/core/gate/router';
import { parseProfile, type ResolvedProfile, resolveProfile } from '../../src/core/profiles/profile';
import { CapabilityRegistry } from '../../src/core/registry/registry';
import type { ToolDefinition } from '../../src/core/vocabulary/toolDefinition';
import { FakeClock, fakePorts } from './toolContext';
import { defineTool, type ToolHandler } from '../../src/core/capability/tool';
import type { ToolPorts } from '../../src/core/ports/toolPorts';
import { pass } from '../../src/core/call/stepAnswer';

/** A tool definition with everything at its mildest; a test names what it is about. */
export function definition(more: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    name: 'do_thing',
    title: 'Do a thing',
    kind: 'action',
    modelDescription: 'Do a thing.',
    userDescription: 'Does a thing',
    inputSchema: { type: 'object', properties: { value: { type: 'string' } }, additionalProperties: false },
    permissions: { user: 'allowed', agent: 'allowed' },
    scopes: [],
    riskLevel: 'low',
    sideEffects: [],
    costClass: 'free',
    idempotency: 'idempotent',
    reversible: true,
    timeoutMs: 10_000,
    ...more,
  };
}

/** A capability of one tool whose handler the test gives; by default it answers its input. */
export function capabilityOf(
  tool: ToolDefinition,
  handler: Partial<ToolHandler> = {},
  more: Partial<Capability> = {},
): Capability {
  return {
    id: 'thing',
    version: '1.0.0',
    name: 'Thing',
    description: 'Things',
    status: 'available',
    source: { type: 'builtin' },
    tools: [
      defineTool(tool, async () => ({
        accesses: () => [],
        run: async (input) => ({ payload: input as never }),
        ...handler,
      })),
    ],
    ...more,
  };
}

export interface GateOptions {
  capabilities: readonly Capability[];
  /** A registry of the test's own, with more in it than `capabilities`. */
  registry?: CapabilityRegistry;
  /** Where the profile changes while the test runs. */
  resolve?: () => ResolvedProfile;
  profile?: unknown;
  answer?: (request: ApprovalRequest) => Promise<ApprovalAnswer> | ApprovalAnswer;
  approver?: CallApprover;
  boundaries?: BoundaryJudge;
  /** What looks at the files of rules before a call is judged. */
  refreshPolicy?: () => Promise<void>;
  plans?: PlanJudge;
  requirements?: RequirementJudge;
  limits?: LimitJudge;
  ports?: ToolPorts;
  changes?: CallChanges;
  flow?: CallFlow;
  redaction?: Redaction | (() => Promise<Redaction>);
}

/** The real gate with recorded audit and questions; whatever a test does not name passes. */
export function makeGate(options: GateOptions) {
  const registry = options.registry ?? new CapabilityRegistry();
  const registrations = options.capabilities.map((capability) => registry.register(capability));
  const raw = options.profile ?? { capabilities: options.capabilities.map((capability) => capability.id) };
  const profile = parseProfile('test', raw, 'user').value;
  const events: AuditEvent[] = [];
  const asked: ApprovalRequest[] = [];
  const logged: string[] = [];
  const clock = new FakeClock();
  const base = options.ports ?? fakePorts({ clock });
  const ports: ToolPorts = { ...base, log: { ...base.log, error: (message) => logged.push(message) } };
  const approver: CallApprover = options.approver ?? {
    covering: () => undefined,
    ask: async (request) => {
      asked.push(request);
      return options.answer ? options.answer(request) : { outcome: 'denied', by: 'user', waitedMs: 0 };
    },
  };
  const { redaction } = options;
  const router = new ToolRouter({
    registry,
    ports,
    validator: createValidator(
      async () => ({}),
      async () => (await import('../../src/core/base/runtimeAjv')).createCompiler(),
    ),
    profile: options.resolve ?? (() => resolveProfile(profile, registry)),
    boundaries: options.boundaries ?? { judge: () => pass('boundaries') },
    plans: options.plans ?? { judge: () => pass('plan'), consume: () => pass('plan') },
    requirements: options.requirements ?? { judge: async () => pass('requirements') },
    limits: options.limits ?? { judge: () => pass('limits'), finished: () => undefined },
    approvals: approver,
    ...(options.changes ? { changes: options.changes } : {}),
    ...(options.flow ? { flow: options.flow } : {}),
    ...(redaction ? { redaction: typeof redaction === 'function' ? redaction : async () => redaction } : {}),
    ...(options.refreshPolicy ? { refreshPolicy: options.refreshPolicy } : {}),
    audit: { record: (event) => events.push(event) },
    confirmationTimeoutSeconds: () => 300,
  });
  return {
    router,
    registry,
    events,
    asked,
    logged,
    clock,
    call: (tool: string, input: unknown = {}, actor: 'user' | 'agent' = 'agent') =>
      router.invoke({ tool, input, actor: { type: actor, id: 'somebody' }, surface: 'chat' }),
    preview: (tool: string, input: unknown = {}, actor: 'user' | 'agent' = 'agent') =>
      router.preview({ tool, input, actor: { type: actor, id: 'somebody' }, surface: 'chat' }),
    dispose: () => {
      for (const one of registrations) one.dispose();
      registry.dispose();
    },
  };
}
