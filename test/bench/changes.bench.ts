import { fileSystem } from '../../src/capabilities/fileSystem/fileSystem';
import { makeChanges } from '../support/changes';
import { makeGate } from '../support/gate';
import { FakeClock, fakePorts } from '../support/toolContext';
import { makeWorkspace } from '../support/workspace';
import { compared, median, type Row } from './rows';

const rounds = 400;
const size = 20_000;
const line = 'const value = 1; // a line of some length\n';
const text = line.repeat(Math.floor(size / line.length));

/** What a call costs, in milliseconds. */
interface Cost {
  readonly waited: number;
  /** Processor time of the process, which says more than waiting where the machine has other work. */
  readonly worked: number;
}

/** What keeping the content from before costs an edit: the same call through the gate with it and without, in turns. */
export async function bench(): Promise<Row[]> {
  const kept = makeChanges();
  const plain = makeWorkspace();
  const gate = makeGate({
    capabilities: [fileSystem],
    ports: fakePorts({ clock: new FakeClock(), files: plain.files }),
    answer: () => ({ outcome: 'allowed', by: 'user', waitedMs: 0 }),
  });
  for (const workspace of [kept.workspace, plain]) workspace.put({ 'a.ts': `first 0\n${text}` });
  const edit = (at: number) => ({
    tool: 'edit_file',
    input: { path: 'a.ts', edits: [{ old_text: `first ${at}\n`, new_text: `first ${at + 1}\n` }] },
    actor: { type: 'agent', id: 'copilot' } as const,
    surface: 'chat' as const,
  });
  const timed = async (router: typeof gate.router, at: number): Promise<Cost> => {
    const [start, begun] = [performance.now(), process.cpuUsage()];
    const result = await router.invoke(edit(at));
    if (!result.success) throw new Error(result.error.message);
    const { user, system } = process.cpuUsage(begun);
    return { waited: performance.now() - start, worked: (user + system) / 1000 };
  };
  const [ours, peer]: [Cost[], Cost[]] = [[], []];
  for (let at = 0; at < rounds; at++) {
    const [with_, without] = [await timed(kept.gate.router, at), await timed(gate.router, at)];
    // The compiler's own work is a large part of the first calls.
    if (at < rounds / 4) continue;
    ours.push(with_);
    peer.push(without);
  }
  kept.dispose();
  gate.dispose();
  plain.dispose();
  const row = (name: string, of: keyof Cost): Row =>
    compared(name, median(ours.map((one) => one[of])), median(peer.map((one) => one[of])), 'ms', '<= 1.15');
  return [
    row('edit_file of 20 KB that can be taken back, against one that cannot', 'waited'),
    row('the same, processor time', 'worked'),
    compared(
      'one of 1,200 edits of a file taken back together, against one of 150, processor time',
      await workOfUndo(1200),
      await workOfUndo(150),
      'ms',
      '<= 2',
    ),
  ];
}

/** What each change costs, where all of so many edits of one file are taken back by one call. */
async function workOfUndo(count: number): Promise<number> {
  const { workspace, ok, undo, dispose } = makeChanges();
  workspace.put({ 'a.ts': 'edit 0\n' });
  for (let at = 0; at < count; at++)
    await ok('edit_file', { path: 'a.ts', edits: [{ old_text: `edit ${at}\n`, new_text: `edit ${at + 1}\n` }] });
  const begun = process.cpuUsage();
  await undo({ all: true });
  const { user, system } = process.cpuUsage(begun);
  dispose();
  return (user + system) / 1000 / count;
}
