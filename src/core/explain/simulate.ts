import { type AuditRecord, endsOfCalls } from '../audit/record';
import type { AuditReader } from '../audit/reader';
import type { RecentInputs } from '../audit/recentInputs';
import { compareRules, fires, type PolicyDecision } from '../policy/rules/decide';
import type { PolicyEngine } from '../policy/rules/engine';
import { accessFacts, namesOfTool, type PolicySubject } from '../policy/rules/subject';
import type { CapabilityRegistry, RegisteredTool } from '../registry/registry';
import type { Access } from '../vocabulary/access';
import type { Boundary } from '../vocabulary/boundary';
import { decidingRules, type Effect, rulesBetween } from '../vocabulary/decision';
import { bareNames } from '../vocabulary/names';
import { type ActorType, type RiskLevel, riskLevels } from '../vocabulary/toolDefinition';

/** One past call: what it touched, as the audit keeps it, and what it carried, where this window still remembers it. */
export interface PastCall {
  readonly invocationId: string;
  readonly time: number;
  readonly toolId: string;
  readonly toolName: string;
  readonly capabilityId: string;
  readonly riskLevel: RiskLevel;
  readonly actor: { readonly type: ActorType };
  readonly accesses: readonly Access[];
  /** Left out where the arguments are not known any more. */
  readonly arguments?: { readonly input: unknown };
  /** The tool where it still exists; its side effects, cost and source count then. */
  readonly tool?: RegisteredTool;
}

/** How many of the last records are judged anew. */
const mostRecords = 2000;

/**
 * The last calls of a record, the newest first, as `simulate` judges them.
 * @param inputs the arguments of this window's last calls; the audit keeps none.
 */
export async function lastCalls(
  audit: Pick<AuditReader, 'page'>,
  registry: CapabilityRegistry,
  inputs?: Pick<RecentInputs, 'of'>,
): Promise<readonly PastCall[]> {
  const { found } = await audit.page({ event: endsOfCalls }, { limit: mostRecords });
  return pastCalls(
    found.map(({ record }) => record),
    registry,
    inputs,
  );
}

/**
 * Turns finished and denied calls of the audit into what `simulate` judges; records of anything else are left out. The
 * audit keeps no arguments: those of this window's last calls come from `inputs`.
 */
export function pastCalls(
  records: readonly AuditRecord[],
  registry: CapabilityRegistry,
  inputs?: Pick<RecentInputs, 'of'>,
): readonly PastCall[] {
  return records.flatMap((record): PastCall[] => {
    const { capability, risk, actor } = record;
    if (record.event !== 'invocation.finished' && record.event !== 'policy.violation') return [];
    if (record.tool === undefined || capability === undefined || risk === undefined || !riskLevels.includes(risk))
      return [];
    const tool = registry.tool(record.tool);
    const invocationId = record['gen_ai.tool.call.id'] ?? String(record.seq);
    const known = inputs?.of(invocationId);
    return [
      {
        invocationId,
        ...(known ? { arguments: known } : {}),
        time: Date.parse(record.time),
        toolId: record.tool,
        toolName: record['gen_ai.tool.name'] ?? record.tool,
        capabilityId: capability,
        riskLevel: risk,
        actor: { type: actor === 'user' ? 'user' : 'agent' },
        accesses: record.accesses ?? [],
        ...(tool ? { tool } : {}),
      },
    ];
  });
}

/** A past call that a changed policy might judge otherwise, depending on arguments that nobody knows any more. */
interface UndecidedCall {
  readonly invocationId: string;
  readonly time: number;
  readonly tool: string;
  /** The rules that ask about arguments. */
  readonly because: readonly string[];
}

/** How a changed policy would have judged a past call. */
export interface SimulatedChange extends Omit<UndecidedCall, 'because'> {
  readonly before: Effect;
  readonly after: Effect;
  /** The rules that make the difference; `without …` for those that are gone. */
  readonly because: readonly string[];
}

export interface Simulation {
  readonly changes: readonly SimulatedChange[];
  readonly undecided: readonly UndecidedCall[];
}

/**
 * What a past call looks like to rules; `unknown` says how clauses about arguments are taken where these are not known.
 */
export function pastSubject(call: PastCall, unknown: 'strict' | 'loose'): PolicySubject {
  const { tool, toolId, toolName } = call;
  const definition = tool?.definition;
  const known = tool && namesOfTool(tool);
  return {
    capabilityId: call.capabilityId,
    capabilityAliases: call.tool?.capability.aliases ?? [],
    ...known,
    tool: {
      ...(known?.tool ?? { modelName: toolName }),
      id: toolId,
      names: [toolName, ...(known?.tool.names ?? bareNames(toolId))],
    },
    sideEffects: definition?.sideEffects ?? [...new Set(call.accesses.map((one) => one.effect))],
    costClass: definition?.costClass ?? 'free',
    riskLevel: call.riskLevel,
    ...(call.tool ? { source: call.tool.source.type } : {}),
    actor: call.actor.type,
    ...(call.arguments ? { input: call.arguments.input } : { unknownArguments: unknown }),
    accesses: call.accesses.map((access) => accessFacts(access)),
    requires: call.tool?.capability.composed?.requires ?? call.tool?.capability.requires ?? [],
  };
}

/**
 * Judges past calls by the boundaries in force and by changed ones, and answers those whose verdict differs. Pure:
 * nothing is recorded. A call whose arguments are not known is judged twice, as if every clause about arguments matched
 * and as if none did; where that leaves the answer open, the call is `undecided` and never counted as unchanged.
 */
export function simulate(calls: readonly PastCall[], before: PolicyEngine, after: PolicyEngine): Simulation {
  const changes: SimulatedChange[] = [];
  const undecided: UndecidedCall[] = [];
  for (const call of calls) {
    const row = { invocationId: call.invocationId, time: call.time, tool: call.toolName };
    const judged = (unknown: 'strict' | 'loose'): { readonly old: PolicyDecision; readonly now: PolicyDecision } => {
      const subject = pastSubject(call, unknown);
      return { old: before.decide(subject), now: after.decide(subject) };
    };
    const strict = judged('strict');
    const loose = call.arguments ? strict : judged('loose');
    const isCertain = strict.old.effect === loose.old.effect && strict.now.effect === loose.now.effect;
    if (isCertain) {
      const [old, now] = [strict.old.effect, strict.now.effect];
      if (old !== now) changes.push({ ...row, before: old, after: now, because: difference(strict.old, strict.now) });
      continue;
    }
    const [asks, wouldAsk] = [argumentRules(before, call), argumentRules(after, call)];
    // Where both policies ask the same about arguments, whatever these were counts for both alike.
    const isSame = JSON.stringify(asks) === JSON.stringify(wouldAsk);
    if (isSame && strict.old.effect === strict.now.effect && loose.old.effect === loose.now.effect) continue;
    undecided.push({ ...row, because: [...new Set([...asks, ...wouldAsk].map((rule) => rule.id))].sort() });
  }
  return { changes, undecided };
}

const difference = (old: PolicyDecision, now: PolicyDecision): readonly string[] =>
  rulesBetween(decidingRules(old.reasons), decidingRules(now.reasons));

/** The rules that would decide by arguments about a call, and only by them: all their other clauses match. */
function argumentRules(policy: PolicyEngine, call: PastCall): readonly Boundary[] {
  return policy
    .rules()
    .filter(
      (rule) =>
        rule.match.argument !== undefined && fires(rule, pastSubject(call, rule.isLoosening ? 'loose' : 'strict')),
    )
    .sort(compareRules)
    .map((rule) => rule.boundary);
}
