import { strict as assert } from 'node:assert';
import { rmSync } from 'node:fs';
import path from 'node:path';
import type { makeChanges } from './changes';
import { begin, doPersons, empty, nextStep, random, type Step, treeOf as wholeTree } from './histories';

export type System = ReturnType<typeof makeChanges>;
type Told = Readonly<Record<string, readonly { readonly change: string }[] | undefined>>;

interface Done {
  readonly step: Step;
  readonly isDone: boolean;
  /** What an agent's step did to which places. */
  readonly effect: string;
  /** The places that it changed. */
  readonly paths: readonly string[];
  /** Places where it made something, or moved it to. */
  readonly named: readonly string[];
  /** Places from where it took something away. */
  readonly emptied: readonly string[];
  /** Its invocation, where it changed something. */
  readonly call?: string;
}

/** Each part is a test of its own. */
export const parts = [0, 1, 2, 3, 4, 5, 6, 7];

function clear({ workspace }: System): void {
  rmSync(path.join(workspace.base, 'storage'), { recursive: true, force: true });
  empty(workspace.root);
}

async function make(system: System, step: Step): Promise<Done> {
  if (step.by === 'person')
    return {
      step,
      isDone: doPersons(system.workspace.root, step.does),
      effect: '',
      paths: [step.does.path],
      named: [],
      emptied: ['delete', 'move'].includes(step.does.kind) ? [step.does.path] : [],
    };
  const result = await system.call(step.tool, step.input);
  const made = (await system.history()).changes.filter(({ call }) => call === result.invocationId);
  const effect = made.map(({ action, path: at, to, before, after }) => [action, at, to?.path, before.kind, after.kind]);
  return {
    step,
    isDone: result.success,
    effect: JSON.stringify(effect),
    paths: made.map(({ path: at }) => at),
    named: made.flatMap(({ action, path: at, to, before }) =>
      action === 'move' ? (to?.path ?? []) : before.kind === 'nothing' ? at : [],
    ),
    emptied: made.flatMap(({ action, path: at }) => (action === 'move' || action === 'delete' ? at : [])),
    ...(made.length === 0 ? {} : { call: result.invocationId }),
  };
}

/** What a person wrote is a line of its own. */
const personsLines = (tree: Readonly<Record<string, string>>): readonly string[] =>
  [...new Set(Object.values(tree).flatMap((one) => one.replaceAll('\0', '').match(/mine-\d+-\d+/g) ?? []))].sort();

/** Both sides of what was told to be in the way are there for a person to put together. */
async function hasBothSides({ history, store }: System, conflicts: Told[string]): Promise<void> {
  const { changes } = await history();
  for (const { change: id } of conflicts ?? []) {
    const change = changes.find((one) => one.id === id);
    for (const state of [change?.before, change?.after])
      if (state?.kind === 'file' && change?.action !== 'move')
        assert.ok(await store.image(state.hash ?? ''), `${id} of ${change?.path} is not kept`);
  }
}

/** Takes some calls of a history back one by one, in any order, and makes them again in the order that leads back. */
export async function oneHistory(
  seed: number,
  system: System,
  other: System,
  { stepOf = nextStep, treeOf = wholeTree }: { stepOf?: typeof nextStep; treeOf?: typeof wholeTree } = {},
): Promise<'equal' | 'told' | 'undefined'> {
  const next = random(seed);
  clear(system);
  begin(system.workspace.root, random(seed + 1_000_000));
  const steps: Done[] = [];
  for (let at = 0, wanted = 2 + next(9); at < wanted; at++)
    steps.push(await make(system, stepOf(system.workspace.root, next, `${seed}-${at}`)));
  const words = (): string => `seed ${seed}: ${JSON.stringify(steps)}, taken back: ${JSON.stringify(undone)}`;
  const left = treeOf(system.workspace.root);
  const undone = steps
    .flatMap(({ call }) => (call === undefined ? [] : [{ call, by: next(1000) }]))
    .filter(({ by }) => by % 3 > 0)
    .sort((a, b) => a.by - b.by)
    .map(({ call }) => call);

  const taken: string[] = [];
  let isTold = false;
  for (const call of undone) {
    const result = await system.call('undo_change', { call }, 'user');
    assert.ok(result.success, `${words()}: ${JSON.stringify(result)}`);
    const told = result.payload as unknown as Told;
    isTold ||= ['conflicts', 'impossible', 'kept'].some((key) => (told[key] ?? []).length > 0);
    await hasBothSides(system, told['conflicts']);
    if (Number(told['taken_back']) > 0) taken.push(call);
  }
  const now = treeOf(system.workspace.root);
  const there = new Set(personsLines(now));
  const gone = personsLines(left).filter((line) => !there.has(line));
  assert.deepEqual(gone, [], `${words()}: something of a person is gone`);
  const kind = isTold ? 'told' : await comparedWithout(now);

  for (const call of taken.toReversed()) await system.call('undo_change', { call, redo: true }, 'user');
  assert.deepEqual(treeOf(system.workspace.root), left, `${words()}: taken back and made again is not nothing`);
  return kind;

  /**
   * Undefined where a step that stays would have done something else without those that were taken back, or would have
   * done it to what else had the name. So too where a person takes away what has a name, or had one before moves, from
   * which a call that was taken back took something: that the person's own stood there nobody tells.
   */
  async function comparedWithout(tree: Readonly<Record<string, string>>): Promise<'equal' | 'undefined'> {
    clear(other);
    begin(other.workspace.root, random(seed + 1_000_000));
    const names = new Set<string>();
    const emptied = new Set<string>();
    const isMoved = steps.some(
      ({ step, named, emptied: from }) => step.by === 'agent' && named.length * from.length > 0,
    );
    for (const one of steps) {
      if (one.call !== undefined && undone.includes(one.call)) {
        for (const at of one.named) names.add(at);
        for (const at of one.emptied) emptied.add(at);
        continue;
      }
      if (one.step.by === 'person')
        for (const taken of one.emptied)
          if ([...emptied].some((at) => isMoved || `${at}/`.startsWith(`${taken}/`))) return 'undefined';
      if (one.paths.some((at) => names.has(at))) return 'undefined';
      const again = await make(other, one.step);
      if (again.isDone !== one.isDone || again.effect !== one.effect) return 'undefined';
    }
    assert.deepEqual(tree, treeOf(other.workspace.root), `${words()}: not as if they had never happened`);
    return 'equal';
  }
}
