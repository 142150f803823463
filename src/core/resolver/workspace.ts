import { type JsonDocument, markedValue, readJsonDocument } from '../base/jsonDocument';
import { isObject } from '../base/json';
import { loadLinearRegex } from '../base/linearRegex';
import type { Capability, ComposedCapability } from '../capability/capability';
import type { Boundary } from '../vocabulary/boundary';
import { CompiledRule, needsRegex } from '../policy/rules/compile';
import { BoundaryFiles, type PolicyFile, unreadableFile } from '../policy/rules/boundaryFile';
import { type Problem, problem } from '../base/problem';
import { say } from '../base/sentence';
import { noTools, type SketchWorld } from '../policy/cases/sketchSubject';
import { type NamedTool, toolNames } from '../policy/rules/subject';
import { composedOf, parseComposed } from '../capability/composed';
import { type Delegation, parseDelegations, parseRequirements, stricterOf } from './requirement';
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
  const rows = new RowReader();
  for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : 1)))
    if (nameOfFile(file.path) === 'boundaries.json') rows.boundaryFile(file, reader.read(file));
    else rows.file(file);
  return rows;
}

/** A place in a file, kept as it was read until somebody asks for its line. */
interface RowPlace {
  readonly text: JsonDocument;
  readonly pointer: string;
}

class RowReader implements WorkspaceRows {
  readonly boundaries: Boundary[] = [];
  readonly requirements: Requirement[] = [];
  readonly delegations: Delegation[] = [];
  readonly capabilities: ComposedCapability[] = [];
  readonly problems: Problem[] = [];
  readonly ruleProblems: Problem[] = [];
  readonly damaged: string[] = [];
  readonly unread = new Set<string>();
  readonly #places = new Map<string, RowPlace>();

  boundaryFile(file: PolicyFile, read: ReturnType<BoundaryFiles['read']>): void {
    const text = this.#sound(file, read.document, this.ruleProblems, read.isDamaged ? undefined : read.problems);
    if (!text) return;
    for (const [index, boundary] of read.boundaries.entries()) {
      this.#place('boundary', boundary.id, text, read.pointers[index] ?? '');
      this.boundaries.push(boundary);
    }
  }

  file(file: PolicyFile): void {
    const text = this.#sound(file, undefined, this.problems);
    if (!text) return;
    switch (nameOfFile(file.path)) {
      case 'requirements.json':
        return this.#readRequirements(text);
      case 'grants.json':
        return this.#readDelegations(text);
      default:
        return this.#readCapability(text, file.path);
    }
  }

  /** A field of its own, so that a copy of these rows keeps it. */
  readonly locate: WorkspaceRows['locate'] = (row) => {
    const found = this.#places.get(
      row.type === 'delegation' ? `delegation:${row.index ?? ''}` : `${row.type}:${row.id}`,
    );
    return found && { file: found.text.file, ...locateField(found, row.field) };
  };

  /** The file's document; undefined, and reported, where the last good version should stay in force. */
  #sound(
    { path, text, fault }: PolicyFile,
    document: JsonDocument | undefined,
    reported: Problem[],
    found?: readonly Problem[],
  ): JsonDocument | undefined {
    const read = fault === undefined ? (document ?? readJsonDocument(text, path)) : undefined;
    reported.push(...(read ? (found ?? read.problems) : [unreadableFile(path, fault ?? say('no_reason'))]));
    if (!read || read.problems.some(({ severity }) => severity === 'error')) {
      this.damaged.push(path);
      this.unread.add(nameOfFile(path));
      return undefined;
    }
    if (!Array.isArray(read.value) && isList(path)) this.unread.add(nameOfFile(path));
    return read;
  }

  #readRequirements(text: JsonDocument): void {
    const value = markedValue(text);
    const rows: readonly unknown[] = Array.isArray(value) ? value : [];
    const places = new Map(rows.map((row, index) => [isObject(row) ? row['id'] : undefined, index] as const).reverse());
    for (const one of this.#parsed(parseRequirements(value), text)) {
      const pointer = `/${places.get(one.id) ?? -1}`;
      const other = this.requirements.findIndex(({ id }) => id === one.id);
      const first = this.requirements[other];
      if (first) {
        const said = say(
          'requirement_in_two_files',
          one.id,
          this.locate({ type: 'requirement', id: one.id })?.file ?? '',
        );
        const twice = { severity: 'error', code: 'duplicate_requirement', said, subject: one.id, pointer } as const;
        this.problems.push(text.place(problem(twice)));
        this.requirements[other] = stricterOf(first, one);
      } else this.requirements.push({ ...one, line: text.range(pointer).line });
      this.#place('requirement', one.id, text, pointer);
    }
  }

  #readDelegations(text: JsonDocument): void {
    for (const one of this.#parsed(parseDelegations(markedValue(text)), text)) {
      this.#place('delegation', String(one.index), text, `/${one.index}`);
      this.delegations.push(one);
    }
  }

  /** A capability with tools of its own is the business of the definitions; here its declaration as a whole counts. */
  #readCapability(text: JsonDocument, file: string): void {
    const capability = this.#parsed(parseComposed(markedValue(text)), text);
    if (!capability) return;
    const { id } = capability;
    const other = this.capabilities.find((one) => one.id === id);
    if (other) {
      const said = say('capability_in_two_files', id, other.file ?? '');
      this.problems.push(
        problem({ severity: 'error', code: 'duplicate_capability', said, subject: id, file, line: 1 }),
      );
    } else this.capabilities.push({ ...capability, file });
    this.#place('capability', id, text, '');
  }

  #parsed<T>({ value, problems }: { readonly value: T; readonly problems: readonly Problem[] }, text: JsonDocument): T {
    this.problems.push(...problems.map((problem) => text.place(problem)));
    return value;
  }

  /** The first row of an id is the one that is shown. */
  #place(type: RowProblem['row']['type'], id: string, text: JsonDocument, pointer: string): void {
    const key = `${type}:${id}`;
    if (!this.#places.has(key)) this.#places.set(key, { text, pointer });
  }
}

/** The line of a field, whichever way its key is spelled. */
function locateField({ text, pointer }: RowPlace, field: string | undefined): { line: number; column: number } {
  const own = text.range(pointer);
  if (field === undefined) return own;
  // `deny_unless_<name>_account` names its account in the decision.
  const keys = field === 'account' ? [field, 'decision'] : [field];
  const places = keys.map((key) => text.range(`${pointer}/${key}`));
  return places.find((at) => at.line !== own.line || at.column !== own.column) ?? own;
}

/** What exists beside the files. */
interface CheckedWorld {
  readonly registered: readonly Capability[];
  readonly others?: readonly Boundary[];
  readonly tools?: readonly NamedTool[];
  /** The tools that examples of rules name. */
  readonly sketches?: SketchWorld;
}

/** What does not fit together in a workspace's policy files, rules without effect, and examples that are wrong. */
export async function crossChecks(
  rows: WorkspaceRows,
  { registered, others = [], tools = [], sketches = noTools }: CheckedWorld,
): Promise<readonly Problem[]> {
  const boundaries = [...others, ...rows.boundaries];
  const regex = boundaries.some(needsRegex) ? await loadLinearRegex() : undefined;
  const rules = boundaries.map((boundary) => new CompiledRule(boundary, regex));
  for (const rule of rules) rule.prepare();
  const found = validate({
    // A definition that is loaded says more than its file: its tools count.
    capabilities: [
      ...rows.capabilities.filter((one) => !registered.some((other) => other.id === one.id)),
      ...registered.map(composedOf),
    ],
    requirements: rows.requirements,
    delegations: rows.delegations,
    rules,
    world: namesOf(rows, registered, tools),
  });
  return [
    ...compileFaults(rows, rules),
    ...withoutFollowUps(rows, found).map(({ row, ...problem }) => ({ ...problem, ...rows.locate(row) })),
    ...(await wrongExamples(rows, rules, sketches)),
  ];
}

/** What only compiling a rule shows, unless its file's problems say so already. */
function compileFaults(rows: WorkspaceRows, rules: readonly CompiledRule[]): readonly Problem[] {
  const told = new Set(rows.ruleProblems.filter(({ severity }) => severity === 'error').map(({ subject }) => subject));
  return rules
    .filter(({ boundary: { scope, id } }) => scope === 'workspace' && !told.has(id))
    .flatMap(({ boundary: { id, faults = [] } }) =>
      faults.map(({ at, said }) =>
        problem({
          severity: 'error',
          code: 'invalid_boundary',
          said: say('boundary_fault', id, at, said),
          subject: id,
          ...rows.locate({ type: 'boundary', id, field: at.slice(1) || 'id' }),
        }),
      ),
    );
}

/** Every name that a row may use. */
function namesOf(rows: WorkspaceRows, registered: readonly Capability[], tools: readonly NamedTool[]) {
  return {
    capabilityIds: [
      ...new Set(rows.capabilities.map((one) => one.id)),
      ...registered.flatMap((one) => [one.id, ...(one.aliases ?? [])]),
    ],
    toolNames: tools.flatMap((one) => toolNames(one, false)),
    looseNames: tools.flatMap((one) => toolNames(one, true)),
  };
}

/** Leaves out what only follows from a file or a probe that could not be read. */
function withoutFollowUps(rows: WorkspaceRows, found: readonly RowProblem[]): readonly RowProblem[] {
  const badProbes = new Set(
    rows.problems
      .filter((one) => one.code === 'invalid_requirement' && one.pointer?.split('/')[2] === 'probe')
      .map((one) => one.subject),
  );
  return found.filter(
    ({ code, subject }) =>
      ![...rows.unread].some((name) => followUps[name]?.includes(code)) &&
      !(code === 'critical_without_probe' && badProbes.has(subject)),
  );
}

async function wrongExamples(
  rows: WorkspaceRows,
  rules: readonly CompiledRule[],
  sketches: SketchWorld,
): Promise<readonly Problem[]> {
  const checked = rules.filter(({ boundary }) => boundary.examples !== undefined);
  if (checked.length === 0) return [];
  // Most rules have none, so what checks them is loaded with the first.
  const { exampleProblems } = await import('../policy/cases/examples');
  return (await exampleProblems(checked, sketches)).map(({ boundary, example, ...found }) => ({
    ...found,
    ...(boundary.scope === 'workspace'
      ? rows.locate({ type: 'boundary', id: boundary.id, field: `examples/${example}` })
      : {}),
  }));
}
