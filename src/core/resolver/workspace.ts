import { type JsonDocument, readJsonDocument } from '../base/jsonDocument';
import { isObject } from '../base/json';
import { loadLinearRegex } from '../base/linearRegex';
import type { Capability, ComposedCapability } from '../capability/capability';
import type { Boundary } from '../vocabulary/boundary';
import { CompiledRule, needsRegex } from '../policy/rules/compile';
import { BoundaryFiles, type PolicyFile, unreadableFile } from '../policy/rules/boundaryFile';
import { type Problem, problem } from '../base/problem';
import { say } from '../base/sentence';
import { noTools, type SketchWorld } from '../policy/cases/sketchWorld';
import { composedOf, parseComposed } from '../capability/composed';
import { type Delegation, parseDelegations, parseRequirements } from './requirement';
import { type RowProblem, validate } from './validate';
import type { Requirement } from '../vocabulary/requirement';

/** What the files of a workspace say, as far as the resolver is concerned. */
export interface WorkspaceRows {
  readonly boundaries: readonly Boundary[];
  readonly requirements: readonly Requirement[];
  readonly delegations: readonly Delegation[];
  readonly capabilities: readonly ComposedCapability[];
  /** What is wrong with the files, but for those of rules. */
  readonly problems: readonly Problem[];
  /** What is wrong with the files of rules. */
  readonly ruleProblems: readonly Problem[];
  /** True where a file could not be read at all, so that its last good version should stay in force. */
  readonly damaged: readonly string[];
  /** The names of files of which no row could be read, so that nobody can say what they would have held. */
  readonly unread: ReadonlySet<string>;
  /** Finds the file and line of a row. */
  locate(row: RowProblem['row']): { readonly file: string; readonly line: number; readonly column: number } | undefined;
}

/** The last part of a path, whichever slash it is written with. */
export const nameOfFile = (path: string): string => path.replaceAll('\\', '/').split('/').at(-1) ?? path;

const isList = (path: string): boolean =>
  ['boundaries.json', 'requirements.json', 'grants.json'].includes(nameOfFile(path));

/** Tells whether a file of `.vscode/capabilities` belongs to the resolver. */
export const isResolverFile = (path: string): boolean => isList(path) || path.endsWith('.capability.json');

/** Problems that only follow from a file that could not be read, by that file's name. */
const followUps: Readonly<Record<string, readonly string[]>> = {
  'boundaries.json': ['money_without_boundary'],
  'requirements.json': ['unknown_requirement', 'unknown_delegation', 'unknown_account'],
};

/** Reads the resolver's files, in any order. Every fault is a problem with its file and line; nothing is thrown. */
export function readWorkspaceRows(files: readonly PolicyFile[], reader = new BoundaryFiles()): WorkspaceRows {
  const problems: Problem[] = [];
  const ruleProblems: Problem[] = [];
  const damaged: string[] = [];
  const unread: string[] = [];
  const boundaries: Boundary[] = [];
  const requirements: Requirement[] = [];
  const delegations: Delegation[] = [];
  const capabilities: ComposedCapability[] = [];
  const placesOf = new Map<string, { text: JsonDocument; pointer: string }>();
  const place = (type: RowProblem['row']['type'], id: string, text: JsonDocument, pointer: string): void => {
    const key = `${type}:${id}`;
    if (!placesOf.has(key)) placesOf.set(key, { text, pointer });
  };
  for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const { path } = file;
    const boundaryFile = nameOfFile(path) === 'boundaries.json' ? reader.read(file) : undefined;
    const reported = boundaryFile ? ruleProblems : problems;
    if (file.fault !== undefined) {
      reported.push(unreadableFile(path, file.fault));
      damaged.push(path);
      continue;
    }
    const text = boundaryFile?.document ?? readJsonDocument(file.text, path);
    reported.push(...(boundaryFile?.isDamaged === false ? boundaryFile.problems : text.problems));
    if (text.problems.some((problem) => problem.severity === 'error')) {
      damaged.push(path);
      continue;
    }
    if (!Array.isArray(text.value) && isList(path)) unread.push(nameOfFile(path));
    const rows: readonly unknown[] = Array.isArray(text.value) ? text.value : [];
    const places = new Map(rows.map((row, index) => [isObject(row) ? row['id'] : undefined, index] as const).reverse());
    const indexOf = (id: string): number => places.get(id) ?? -1;
    switch (nameOfFile(path)) {
      case 'boundaries.json': {
        for (const [index, boundary] of (boundaryFile?.boundaries ?? []).entries()) {
          place('boundary', boundary.id, text, boundaryFile?.pointers[index] ?? '');
          boundaries.push(boundary);
        }
        break;
      }
      case 'requirements.json': {
        const parsed = parseRequirements(text.value);
        problems.push(...parsed.problems.map((problem) => text.place(problem)));
        for (const one of parsed.value) {
          const pointer = `/${indexOf(one.id)}`;
          place('requirement', one.id, text, pointer);
          requirements.push({ ...one, line: text.range(pointer).line });
        }
        break;
      }
      case 'grants.json': {
        const parsed = parseDelegations(text.value);
        problems.push(...parsed.problems.map((problem) => text.place(problem)));
        for (const one of parsed.value) place('delegation', String(one.index), text, `/${one.index}`);
        delegations.push(...parsed.value);
        break;
      }
      default: {
        // A capability with tools of its own is the business of the definitions; here its declaration as a whole
        // counts.
        const parsed = parseComposed(text.value);
        problems.push(...parsed.problems.map((problem) => text.place(problem)));
        const capability = parsed.value;
        if (!capability) break;
        const other = capabilities.find((one) => one.id === capability.id);
        if (other)
          problems.push(
            problem({
              severity: 'error',
              code: 'duplicate_capability',
              said: say('capability_in_two_files', capability.id, other.file ?? ''),
              subject: capability.id,
              file: path,
              line: 1,
            }),
          );
        else capabilities.push({ ...capability, file: path });
        place('capability', capability.id, text, '');
      }
    }
  }
  return {
    boundaries,
    requirements,
    delegations,
    capabilities,
    problems,
    ruleProblems,
    damaged,
    unread: new Set([...damaged.map(nameOfFile), ...unread]),
    locate: (row) => {
      const found = placesOf.get(row.type === 'delegation' ? `delegation:${row.index ?? ''}` : `${row.type}:${row.id}`);
      if (!found) return undefined;
      return { file: found.text.file, ...locateField(found, row.field) };
    },
  };
}

/** The line of a field, whichever way its key is spelled. */
function locateField(
  found: { text: JsonDocument; pointer: string },
  field: string | undefined,
): { line: number; column: number } {
  if (field === undefined) return found.text.range(found.pointer);
  const own = found.text.range(found.pointer);
  // `deny_unless_<name>_account` names its account in the decision.
  for (const key of field === 'account' ? [field, 'decision'] : [field]) {
    const at = found.text.range(`${found.pointer}/${key}`);
    if (at.line !== own.line || at.column !== own.column) return at;
  }
  return own;
}

/** What exists beside the files. */
interface CheckedWorld {
  readonly registered: readonly Capability[];
  readonly others?: readonly Boundary[];
  readonly toolNames?: readonly string[];
  /** The tools that examples of rules name. */
  readonly sketches?: SketchWorld;
}

/** What does not fit together in a workspace's policy files, rules without effect, and examples that are wrong. */
export async function crossChecks(
  rows: WorkspaceRows,
  { registered, others = [], toolNames = [], sketches = noTools }: CheckedWorld,
): Promise<readonly Problem[]> {
  const boundaries = [...others, ...rows.boundaries];
  const regex = boundaries.some(needsRegex) ? await loadLinearRegex() : undefined;
  const rules = boundaries.map((boundary) => new CompiledRule(boundary, regex));
  for (const rule of rules) rule.prepare();
  const own = new Set(rows.capabilities.map((one) => one.id));
  const faults = rules
    .filter(
      (rule) =>
        rule.boundary.scope === 'workspace' &&
        rule.boundary.faults !== undefined &&
        !rows.ruleProblems.some((one) => one.subject === rule.boundary.id && one.severity === 'error'),
    )
    .flatMap(({ boundary }) =>
      (boundary.faults ?? []).map(({ at, said }) =>
        problem({
          severity: 'error',
          code: 'invalid_boundary',
          said: say('boundary_fault', boundary.id, at, said),
          subject: boundary.id,
          ...rows.locate({ type: 'boundary', id: boundary.id, field: at.slice(1) || 'id' }),
        }),
      ),
    );
  const found = validate({
    // A definition that is loaded says more than its file: its tools count.
    capabilities: [
      ...rows.capabilities.filter((one) => !registered.some((other) => other.id === one.id)),
      ...registered.map(composedOf),
    ],
    requirements: rows.requirements,
    delegations: rows.delegations,
    rules,
    world: {
      capabilityIds: [...own, ...registered.flatMap((one) => [one.id, ...(one.aliases ?? [])])],
      toolNames: [
        ...toolNames,
        ...registered.flatMap((one) =>
          one.tools.flatMap((tool) => [
            `cap:${one.id}:${tool.definition.name}`,
            tool.definition.name,
            ...(tool.definition.aliases ?? []),
          ]),
        ),
      ],
    },
  });
  const badProbes = new Set(
    rows.problems
      .filter((one) => one.code === 'invalid_requirement' && one.pointer?.split('/')[2] === 'probe')
      .map((one) => one.subject),
  );
  const known = found.filter(
    ({ code, subject }) =>
      ![...rows.unread].some((name) => followUps[name]?.includes(code)) &&
      !(code === 'critical_without_probe' && badProbes.has(subject)),
  );
  const checked = rules.filter(({ boundary }) => boundary.examples !== undefined);
  // Most rules have none, so what checks them is loaded with the first.
  const wrong =
    checked.length === 0 ? [] : await (await import('../policy/cases/examples')).exampleProblems(checked, sketches);
  const examples = wrong.map(({ boundary, example, ...found }) => ({
    ...found,
    ...(boundary.scope === 'workspace'
      ? rows.locate({ type: 'boundary', id: boundary.id, field: `examples/${example}` })
      : {}),
  }));
  return [...faults, ...known.map(({ row, ...problem }) => ({ ...problem, ...rows.locate(row) })), ...examples];
}
