import type { Json } from '../base/json';
import { foreignWord } from '../base/foreignWords';
import { nearestNames } from '../base/nearest';
import { type Sentence, sentenceKey, worded } from '../base/sentence';
import type { Translate } from '../base/translate';
import { explainCall } from './explain';
import type { GatePreview, Invocation } from '../call/gateCall';
import { callerSteps, findTool } from '../gate/steps';
import type { Effect, Reason } from '../vocabulary/decision';
import type { CompiledRule } from '../policy/rules/compile';
import { fires } from '../policy/rules/decide';
import type { PolicyEngine } from '../policy/rules/engine';
import { composedSubject, type PolicySubject, subjectOf } from '../policy/rules/subject';
import type { CallExplanation, CapabilityAnswer, GovernancePort } from '../ports/governance';
import type { ResolvedProfile } from '../profiles/profile';
import type { CapabilityRegistry, RegisteredTool } from '../registry/registry';
import { accountNotes } from '../resolver/accounts';
import { resolutionLines } from '../resolver/resolutionLines';
import { composedOf } from '../capability/composed';
import type { ToolPorts } from '../ports/toolPorts';
import type { KnownDefinitions, Lacks } from './lacks';
import type { ResolverService } from '../resolver/service';
import type { Resolution } from '../vocabulary/resolution';
import type { Actor } from '../vocabulary/toolDefinition';
import type { ComposedCapability } from '../capability/capability';

export interface GovernanceParts {
  readonly registry: CapabilityRegistry;
  readonly policy: PolicyEngine;
  readonly resolver: ResolverService;
  readonly profile: () => ResolvedProfile;
  readonly preview: (invocation: Invocation) => Promise<GatePreview>;
  /** Capabilities that no tool stands behind, from the workspace's files. */
  readonly composed: () => readonly ComposedCapability[];
  /** The definitions of the workspace; one that was not loaded for a mistake cannot work. */
  readonly definitions?: () => KnownDefinitions | undefined;
  /** What tools may use here, for looking what they lack; made after this. */
  readonly ports: () => ToolPorts;
}

interface UnknownCapability {
  readonly unknown: true;
  readonly near: readonly string[];
}

interface ToolStanding {
  readonly name: string;
  readonly effect: Effect;
  /** The first says why it does not pass. */
  readonly reasons: readonly Reason[];
}

/** The resolver's answer about a capability as it was found, with what is told of each of its tools. */
export interface FoundCapability extends Pick<CapabilityAnswer, 'id' | 'name'> {
  readonly resolution: Resolution;
  /** What `CapabilityAnswer.accounts` says, each once. */
  readonly accounts: readonly Sentence[];
  readonly tools: readonly ToolStanding[];
}

/**
 * The answer in the form of its JSON.
 * @param word how an id is told; as it is written where nobody says otherwise.
 */
export function capabilityAnswer(found: FoundCapability, word?: (id: string) => string): CapabilityAnswer {
  const { id, name, resolution, accounts, tools } = found;
  const { verdict, blocking, required_actions: requiredActions, warnings } = resolutionLines(resolution, word);
  return {
    ...{ id, name, verdict, blocking, requiredActions, warnings },
    accounts: accounts.map((said) => worded(said)),
    tools: tools.map(({ reasons: [first], ...tool }) => ({ ...tool, ...(first ? { why: worded(first.said) } : {}) })),
  };
}

/** On whose behalf the questions are asked: the rules are for agents. */
const asker: Actor = { type: 'agent', id: 'governance' };

/** Answers what may be done and why, without doing, probing, counting or recording anything. */
export class Governance implements GovernancePort {
  readonly #parts: GovernanceParts;

  constructor(parts: GovernanceParts) {
    this.#parts = parts;
  }

  /** Finds a capability by id or alias: a registered one, else one that only the workspace's files declare. */
  capability(id: string): ComposedCapability | undefined {
    const registered = this.#parts.registry.capability(id);
    return registered ? composedOf(registered) : this.#parts.composed().find((one) => one.id === id);
  }

  get definitions(): KnownDefinitions | undefined {
    return this.#parts.definitions?.();
  }

  /** What nobody set up yet that a capability needs, and what keeps its definition from being loaded. */
  async lacks(capability: ComposedCapability): Promise<Lacks> {
    const { registry, profile, ports } = this.#parts;
    const { faultyDefinition, lacksOf } = await import('./lacks');
    const registered = registry.capability(capability.id);
    return registered ? lacksOf(registered, profile(), ports()) : faultyDefinition(capability, this.definitions);
  }

  /** In lines that models read, so ids that a repository chose are one word each. */
  async resolve(id: string): Promise<CapabilityAnswer | UnknownCapability> {
    const found = await this.find(id);
    return 'unknown' in found ? found : capabilityAnswer(found, foreignWord);
  }

  /** What is known of a capability, for whoever acts on it. */
  async find(id: string): Promise<FoundCapability | UnknownCapability> {
    const { registry, resolver, profile } = this.#parts;
    const capability = this.capability(id);
    if (!capability) {
      const names = [...registry.capabilityIds(), ...this.#parts.composed().map((one) => one.id)];
      return { unknown: true, near: nearestNames(id, names) };
    }
    const lacks = await this.lacks(capability);
    const { withLacks } = await import('./lacks');
    const resolution = withLacks(resolver.resolve(capability), lacks);
    const subject = composedSubject(capability);
    const accounts = this.#parts.policy
      .rules()
      .filter((rule) => fires(rule, subject))
      .flatMap((rule) => this.accountNotes(rule, subject));
    const active = profile();
    const tools = registry.toolsOf(capability.id);
    return {
      id: capability.id,
      name: capability.name,
      resolution,
      accounts: [...new Map(accounts.map((said) => [sentenceKey(said), said])).values()],
      tools: tools.map((tool) => ({ name: tool.modelName, ...standingOf(tool, registry, active, lacks) })),
    };
  }

  async why(tool: string, input: Json, t?: Translate): Promise<CallExplanation> {
    const invocation = { tool, input, actor: asker, surface: 'tool', ofLastSession: true } as const;
    const preview = await this.#parts.preview(invocation);
    const { call } = preview;
    const subject = call ? subjectOf(call, call.accesses) : undefined;
    const rules = this.#parts.policy.rules(this.#parts.profile());
    return explainCall(tool, preview, rules, subject, (rule, of) => this.accountNotes(rule, of), t);
  }

  /** For a rule about an account: what stands behind its answer. */
  accountNotes({ boundary }: CompiledRule, subject: PolicySubject): readonly Sentence[] {
    if (boundary.decision !== 'deny_unless_account' || boundary.account === undefined) return [];
    return accountNotes(subject.capabilityId, subject.requires, boundary.account, this.#parts.resolver.delegations);
  }
}

/**
 * What a call of a tool meets whatever its input is: by the gate's own steps, then by what is not set up. Boundaries
 * need the call's accesses; `why` judges those.
 */
function standingOf(
  tool: RegisteredTool,
  registry: CapabilityRegistry,
  profile: ResolvedProfile,
  { byTool }: Lacks,
): Omit<ToolStanding, 'name'> {
  const found = findTool(registry, tool.id, profile);
  const steps = 'tool' in found ? callerSteps(found.tool, profile, asker) : [found];
  const denied = steps.find(({ effect }) => effect === 'deny');
  if (denied) return { effect: 'deny', reasons: denied.reasons };
  const lacks = byTool.get(tool.definition.name) ?? [];
  if (lacks.length > 0) return { effect: 'deny', reasons: lacks.map(({ why }) => ({ said: why })) };
  const asked = steps.find(({ effect }) => effect === 'ask');
  return asked ? { effect: 'ask', reasons: asked.reasons } : { effect: 'pass', reasons: [] };
}
