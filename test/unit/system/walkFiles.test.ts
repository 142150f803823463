import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import type * as vscode from 'vscode';
import { GovernedTool } from '../../../src/vscode/tools/languageModelTools';
import { groupedFiles, hopsOf, sectionOf } from '../../support/architecturePage';
import { openSystem } from '../../support/system';
import { filesRun } from '../../support/walk';

type Write = (content: string) => Promise<unknown>;
const token: vscode.CancellationToken = {
  isCancellationRequested: false,
  onCancellationRequested: () => ({ dispose: () => undefined }),
};

/** The files that each of several writes crosses, by a way into a system whose person says yes. */
async function crossed(way: (system: Awaited<ReturnType<typeof openSystem>>) => Write): Promise<readonly string[]> {
  const system = await openSystem({ files: { 'a.txt': 'one\n' }, approve: true });
  try {
    const write = way(system);
    // What is loaded at the first call is not what a call does.
    for (const content of ['two\n', 'three\n']) await write(content);
    // What runs beside one of them, such as the late syncing of the one before, is no part of its way.
    const each: (readonly string[])[] = [];
    for (const content of ['four\n', 'five\n', 'six\n']) each.push(await filesRun(() => write(content)));
    return (each[0] ?? []).filter((file) => each.every((one) => one.includes(file)));
  } finally {
    system.dispose();
  }
}

describe('the files that one call that writes a file crosses', () => {
  it('are fifteen of the gate, and few others', async () => {
    const ran = await crossed((system) => (content) => system.call('write_file', { path: 'a.txt', content }));
    const ofGate = ran.flatMap((file) => /^src\/core\/gate\/(\w+)\.ts$/.exec(file)?.[1] ?? []);
    const way = [
      'router',
      'judge',
      'steps',
      'foresee',
      'approve',
      'answeredAbove',
      'meanwhile',
      'execute',
      'context',
      'run',
      'output',
      'redaction',
      'learnFiles',
      'hiddenOutcome',
      'records',
    ];
    assert.deepEqual([...ofGate].sort(), [...way].sort());
    // The finder of secrets looks at every answer, in a file for each way to write one; what was read is followed.
    const within = (folder: string): readonly string[] => ran.filter((file) => file.startsWith(folder));
    const [finder, flow] = [within('src/core/secrets/'), within('src/core/flow/')];
    const others = ran.filter((file) => !finder.includes(file) && !flow.includes(file));
    assert.ok(others.length <= 77, `${others.length} files: ${others.join(', ')}`);
    assert.ok(finder.length <= 16, `${finder.length} files of the finder`);
    assert.ok(flow.length <= 8, `${flow.length} files of the labels`);
  });

  it('stand on the page of the ways, each as a step or in a group, where the call comes from the chat', async () => {
    const ran = await crossed(({ core }) => {
      const tool = new GovernedTool('write_file', async () => ({
        router: core.gate.router,
        tool: (reference) => core.tools.registry.tool(reference),
        surface: () => 'modal',
      }));
      return async (content) => {
        const input = { path: 'a.txt', content };
        await tool.prepareInvocation({ input } as never, token);
        await tool.invoke({ input } as never, token);
      };
    });
    const page = sectionOf(readFileSync('docs/architecture.md', 'utf8'), 'A call');
    const [way = ''] = page.split('The person is asked');
    const measured = ran.filter((file) => !file.startsWith('src/core/base/'));
    const steps = new Set(hopsOf(page).map(({ file }) => file));
    assert.deepEqual(
      [...groupedFiles(page)].sort(),
      measured.filter((file) => !steps.has(file)),
      'the groups of docs/architecture.md are what runs and is no step of the page',
    );
    // One file is loaded once and for all, the other holds types.
    const silent = hopsOf(way).flatMap(({ file }) => (ran.includes(file) ? [] : [file]));
    assert.deepEqual(silent, ['src/core/capability/tool.ts', 'src/core/call/gateCall.ts']);
    const [, told = ''] = /crosses (\d+) files/.exec(page) ?? [];
    assert.equal(Number(told), measured.length, 'the number that docs/architecture.md tells');
  });
});
