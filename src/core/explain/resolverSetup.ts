import { type Event, Emitter } from '../base/event';
import { type Disposable, DisposableStore } from '../base/lifecycle';
import { toolError } from '../vocabulary/errors';
import { Governance, type GovernanceParts } from './governance';
import type { Problem } from '../base/problem';
import type { BoundaryFiles, PolicyFile } from '../policy/rules/boundaryFile';
import type { PolicyFileSource } from '../policy/rules/policySources';
import type { Prober } from '../ports/prober';
import { ResolverService, type ResolverOptions } from '../resolver/service';
import { hostAgents } from '../hooks/hostEvent';
import { hostToolId } from '../hooks/hostTools';
import { knownHostTools } from '../hooks/hostToolTable';
import { type NamedTool, namesOfTool } from '../policy/rules/subject';
import type { SketchWorld } from '../policy/cases/sketchSubject';
import { crossChecks, isResolverFile, nameOfFile, readWorkspaceRows, type WorkspaceRows } from '../resolver/workspace';

/** Stands in where nothing can be probed: every probe is `not-run`. */
export const noProber: Prober = {
  async probe() {
    throw toolError('unsupported', 'nothing can be probed here');
  },
};

/** The resolver over the files of a workspace, and the questions that people and agents ask it. */
export interface ResolverSetup extends Disposable {
  readonly resolver: ResolverService;
  readonly governance: Governance;
  rows(): WorkspaceRows;
  /** What does not fit together in the policy files, beside what is wrong with each of them. */
  crossChecks(): Promise<readonly Problem[]>;
  /** Everything that would be wrong with the policy files if these stood there. */
  validate(files: readonly PolicyFile[]): Promise<readonly Problem[]>;
  readonly onDidChange: Event<void>;
}

/**
 * Reads the files now and whenever they change. A damaged file keeps its last good rows in force (invariant: nothing
 * lost).
 */
export function setUpResolver(
  options: Omit<ResolverOptions, 'prober'> & { readonly prober?: Prober } & Omit<
      GovernanceParts,
      'resolver' | 'composed'
    >,
  files: PolicyFileSource | undefined,
  reader: BoundaryFiles,
  describe: SketchWorld['describe'],
): ResolverSetup {
  const store = new DisposableStore();
  const changed = store.add(new Emitter<void>());
  const resolver = store.add(new ResolverService({ ...options, prober: options.prober ?? noProber }));
  const good = new Map<string, PolicyFile>();
  let rows = readWorkspaceRows([]);
  const read = (): void => {
    const present = (files?.read() ?? []).filter((file) => isResolverFile(file.path));
    const now = readWorkspaceRows(present, reader);
    const paths = new Set(present.map((file) => file.path));
    for (const path of good.keys()) if (!paths.has(path)) good.delete(path);
    for (const file of present) if (!now.damaged.includes(file.path)) good.set(file.path, file);
    const kept = now.damaged.length === 0 ? now : readWorkspaceRows([...good.values()], reader);
    const keptNames = new Set([...good.keys()].map(nameOfFile));
    const unread = new Set(
      [...now.unread].filter((name) => !now.damaged.some((path) => nameOfFile(path) === name) || !keptNames.has(name)),
    );
    rows = { ...kept, problems: now.problems, ruleProblems: now.ruleProblems, damaged: now.damaged, unread };
    resolver.setRequirements(rows.requirements, rows.delegations);
  };
  read();
  if (files)
    store.add(
      files.onDidChange(() => {
        read();
        changed.fire();
      }),
    );
  store.add(resolver.onDidChange(() => changed.fire()));
  const checked = (of: WorkspaceRows): Promise<readonly Problem[]> =>
    crossChecks(of, {
      registered: options.registry.capabilities(),
      others: options.policy.boundaries.filter((one) => one.scope !== 'workspace' && one.scope !== 'builtin'),
      tools: [...options.registry.tools().map(namesOfTool), ...ofOtherAgents()],
      sketches: {
        tool: (reference) => options.registry.tool(reference) ?? options.registry.toolsNamed(reference)[0],
        describe,
      },
    });
  const governance = new Governance({ ...options, resolver, composed: () => rows.capabilities });
  return {
    resolver,
    governance,
    rows: () => rows,
    crossChecks: () => checked(rows),
    validate: async (instead) => {
      const read = readWorkspaceRows(instead);
      return [...read.ruleProblems, ...read.problems, ...(await checked(read))];
    },
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  };
}

/** The tools of other agents that rules may name. */
const ofOtherAgents = (): readonly NamedTool[] =>
  hostAgents.flatMap((agent) =>
    knownHostTools(agent).map((name) => ({ tool: { id: hostToolId(agent, name), names: [name], modelName: name } })),
  );
