import { say, type Sentence } from '../base/sentence';
import type { Problem } from '../base/problem';
import type { Capability, ComposedCapability } from '../capability/capability';
import type { SetupContext, Tool } from '../capability/tool';
import type { ToolPorts } from '../ports/toolPorts';
import { knownViolations, unfitConfiguration } from '../profiles/configurationFit';
import type { ResolvedProfile } from '../profiles/profile';
import { errorSaid } from '../vocabulary/errors';
import type { Missing } from '../vocabulary/missing';
import type { Resolution } from '../vocabulary/resolution';

/** What has to be set up before a capability can work here. */
export interface Lacks {
  /** What keeps all of it from working. */
  readonly whole: readonly Missing[];
  /** What keeps single tools of it from working, by their names; a tool that lacks nothing is not there. */
  readonly byTool: ReadonlyMap<string, readonly Missing[]>;
}

const nothing: Lacks = { whole: [], byTool: new Map() };

/** Looks what a capability lacks, by asking each of its tools; nothing is run, sent or changed. */
export async function lacksOf(capability: Capability, profile: ResolvedProfile, ports: ToolPorts): Promise<Lacks> {
  const whole = wholeOf(capability, profile);
  const context: SetupContext = { ports, scopes: [...profile.scopes] };
  const found = await Promise.all(
    capability.tools.map(async (tool) => [tool.definition.name, await missingOf(tool, context)] as const),
  );
  const lacking = found.filter(([, missing]) => missing.length > 0);
  const isWhole = lacking.length > 0 && lacking.length === capability.tools.length;
  return {
    whole: isWhole ? [...whole, ...distinct(lacking.flatMap(([, missing]) => missing))] : whole,
    byTool: new Map(lacking),
  };
}

/** What became of the workspace's definitions. */
export interface KnownDefinitions {
  definitions(): readonly { readonly capabilityId: string; readonly state: string }[];
  problems(): readonly Problem[];
}

/** Whether a capability's definition waits for the person's approval. */
export const isWaiting = ({ id }: Pick<ComposedCapability, 'id'>, known: KnownDefinitions | undefined): boolean =>
  known?.definitions().some((one) => one.capabilityId === id && one.state === 'pending') ?? false;

/** What keeps a definition from being loaded; one that only waits for its approval lacks nothing. */
export function faultyDefinition(capability: ComposedCapability, known: KnownDefinitions | undefined): Lacks {
  const { id, file } = capability;
  if (!known || isWaiting(capability, known)) return nothing;
  const faults = known
    .problems()
    .filter((one) => one.severity === 'error' && (one.subject === id || (file !== undefined && one.file === file)));
  if (faults.length === 0) return nothing;
  return {
    ...nothing,
    whole: [
      {
        kind: 'definition',
        name: id,
        why: say(
          'as_it_is',
          faults.map(({ said }) => said),
        ),
      },
    ],
  };
}

/**
 * What stands of a capability itself: it does not exist yet, cannot work on this machine, or its configuration is
 * wrong.
 */
function wholeOf(capability: Capability, profile: ResolvedProfile): readonly Missing[] {
  const { id, name, status } = capability;
  const machine = capability.missing?.();
  const found = profile.entries.find((one) => one.capability.id === id);
  const violations = found ? knownViolations(capability, found.entry.config) : [];
  const lack = (kind: Missing['kind'], why: Sentence): Missing => ({ kind, name: id, why });
  return [
    ...(status === 'coming_soon' ? [lack('capability', say('coming_soon', name))] : []),
    ...(machine ? [lack('capability', machine)] : []),
    ...(violations.length > 0 ? [lack('configuration', unfitConfiguration(profile.id, capability, violations))] : []),
  ];
}

async function missingOf(tool: Tool, context: SetupContext): Promise<readonly Missing[]> {
  try {
    return (await (await tool.load()).missing?.(context)) ?? [];
  } catch (error) {
    return [{ kind: 'tool', name: tool.definition.name, why: errorSaid(error) }];
  }
}

const distinct = (all: readonly Missing[]): readonly Missing[] => [
  ...new Map(all.map((one) => [`${one.kind}:${one.name}`, one])).values(),
];

/** A resolution with what is lacking: it blocks where nothing of the capability works, else it warns. */
export function withLacks(resolution: Resolution, { whole, byTool }: Lacks): Resolution {
  const { verdict, blocking, actions, warnings } = resolution;
  if (whole.length > 0)
    return {
      verdict: verdict === 'blocked-by-policy' ? verdict : 'no',
      blocking: [...blocking, ...whole.map((missing) => ({ kind: 'lack', missing }) as const)],
      actions: [...actions, ...whole.map((missing) => ({ kind: 'set-up', missing }) as const)],
      warnings,
    };
  const lacking = [...byTool].flatMap(([tool, all]) =>
    all.map((missing) => ({ kind: 'lack', missing, tool }) as const),
  );
  return { ...resolution, warnings: [...warnings, ...lacking] };
}
