import { type Access, familyOf, type SideEffect } from '../../vocabulary/access';
import type { Json } from '../../base/json';
import type { Sentence } from '../../base/sentence';
import type { GateCall } from '../../call/gateCall';
import { type NetworkPlace, networkPlace } from '../../hosts/networkPlace';
import {
  type ActorType,
  type CostClass,
  costClasses,
  type RiskLevel,
  riskLevels,
} from '../../vocabulary/toolDefinition';
import type { FlowFacts, WayOut } from '../../vocabulary/flow';
import { type PathKeys, pathKeys } from './pathKey';
import type { ComposedCapability } from '../../capability/capability';
import { highest } from '../../base/order';
import { sourceKind, type ToolSource } from '../../vocabulary/toolSource';
import type { RegisteredTool } from '../../registry/registry';

/** One access with what rules compare, computed once per call. */
export interface AccessFacts {
  readonly access: Access;
  readonly path?: PathKeys;
  readonly network?: NetworkPlace;
  readonly command?: string;
}

/** What a rule may ask of the session of a call. What leaves is worked out for who asks. */
export interface SubjectFlow {
  readonly private: boolean;
  readonly untrusted: boolean;
  wayOut(): WayOut | undefined;
  /** The story of a question; undefined where no session is behind it. */
  story?(): Sentence;
}

/** A tool by its id and every other name; `modelName` is one that no tool of ours has, where there is such a one. */
interface ToolNames {
  readonly id: string;
  readonly names: readonly string[];
  readonly modelName?: string;
}

/** What of a subject names its tool. */
export type NamedTool = Pick<PolicySubject, 'tool' | 'isOurs'>;

/** What a rule judges: a call of a tool, or (without `tool`) a capability as the resolver sees it. */
export interface PolicySubject {
  readonly capabilityId: string;
  readonly capabilityAliases: readonly string[];
  readonly tool?: ToolNames;
  /** True for what we wrote: nobody else can give a tool or capability its id, so all of its names loosen. */
  readonly isOurs?: boolean;
  readonly sideEffects: readonly SideEffect[];
  readonly costClass: CostClass;
  readonly riskLevel: RiskLevel;
  readonly source?: ToolSource['type'];
  readonly actor?: ActorType;
  readonly input?: unknown;
  /**
   * Set where nobody knows the arguments any more (a past call): whether clauses about arguments are taken as `strict`,
   * so that rules which restrict fire and rules which loosen do not, or as `loose`, the other way round. What both
   * answers share holds whatever they were.
   */
  readonly unknownArguments?: 'strict' | 'loose';
  readonly accesses: readonly AccessFacts[];
  /** Undefined where no session of an agent is known; nothing was read then, and nothing leaves. */
  readonly flow?: SubjectFlow;
  /** What the capability requires, in which `deny_unless_account` looks for the account. */
  readonly requires: Json;
}

/** A call of nothing that touches nothing, for who asks about a rule's clauses. */
export const noCall: PolicySubject = {
  capabilityId: '',
  capabilityAliases: [],
  sideEffects: [],
  costClass: 'free',
  riskLevel: 'low',
  accesses: [],
  requires: [],
};

/** Works out what rules compare of an access. One whose resource has no such part has no such fact. */
export function accessFacts(access: Access, keysOf: (path: string) => PathKeys = pathKeys): AccessFacts {
  const { effect, resource } = access;
  if (familyOf(effect) === 'fs') return { access, path: keysOf(resource) };
  if (familyOf(effect) === 'network') {
    const network = networkPlace(resource);
    return network.hosts.length === 0 ? { access } : { access, network };
  }
  if (effect === 'system.exec') return { access, command: resource };
  return { access };
}

/**
 * The names by which a rule finds the tool. Anybody may give a tool a bare name, so that loosens for ours alone; of
 * others' tools what loosens must say the id, or the name that we gave it for models.
 */
export function toolNames({ tool, isOurs }: NamedTool, loosens: boolean): string[] {
  if (tool === undefined) return [];
  if (!loosens || isOurs) return [tool.id, ...tool.names];
  return tool.modelName === undefined ? [tool.id] : [tool.id, tool.modelName];
}

/** The same of the capability: a file of anybody's may give one any alias. */
export const capabilityNames = (subject: PolicySubject, loosens: boolean): readonly string[] =>
  loosens && !subject.isOurs ? [subject.capabilityId] : [subject.capabilityId, ...subject.capabilityAliases];

/** How rules know a tool. */
export function namesOfTool({
  id,
  modelName,
  knownAs = [],
  isNamedByOthers,
  definition: { name, aliases = [] },
  source,
}: RegisteredTool): Required<NamedTool> {
  const names = [modelName, name, ...aliases, ...knownAs];
  return { tool: { id, names, ...(isNamedByOthers ? {} : { modelName }) }, isOurs: sourceKind(source).isOurs === true };
}

function subjectFlow(flow: FlowFacts, accesses: readonly Access[]): SubjectFlow {
  return {
    private: flow.private.length > 0,
    untrusted: flow.untrusted.length > 0,
    wayOut: () => flow.wayOut(accesses),
    story: () => flow.story(accesses),
  };
}

export function subjectOf(
  call: Pick<GateCall, 'tool' | 'capability' | 'actor' | 'input' | 'flow'>,
  accesses: readonly Access[],
  keysOf?: (path: string) => PathKeys,
): PolicySubject {
  const { tool, capability } = call;
  const { composed } = capability;
  const { definition } = tool;
  return {
    capabilityId: capability.id,
    capabilityAliases: capability.aliases ?? [],
    ...namesOfTool(tool),
    // What is declared for the capability as a whole holds for each of its calls.
    sideEffects: composed ? [...new Set([...definition.sideEffects, ...composed.sideEffects])] : definition.sideEffects,
    costClass: highest(costClasses, definition.costClass, composed?.costClass ?? definition.costClass),
    riskLevel: highest(riskLevels, definition.riskLevel, composed?.riskLevel ?? definition.riskLevel),
    source: tool.source.type,
    actor: call.actor.type,
    input: call.input,
    accesses: accesses.map((access) => accessFacts(access, keysOf)),
    requires: composed?.requires ?? capability.requires ?? [],
    ...(call.flow ? { flow: subjectFlow(call.flow, accesses) } : {}),
  };
}

/** What boundaries judge when the resolver asks: no call, so clauses about calls and accesses do not match. */
export function composedSubject(capability: ComposedCapability): PolicySubject {
  return {
    capabilityId: capability.id,
    capabilityAliases: capability.aliases,
    isOurs: capability.isOurs === true,
    sideEffects: capability.sideEffects,
    costClass: capability.costClass,
    riskLevel: capability.riskLevel,
    accesses: [],
    requires: capability.requires,
  };
}
