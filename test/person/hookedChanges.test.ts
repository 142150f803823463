// @window quiet
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { readLastAnswers } from '../../src/node/hooks/lastAnswers';
import { useChangesView } from '../support/editor/changesView';
import { useEditor } from '../support/editor/person';
import { until } from '../support/editor/until';
import { recordedPairs } from '../support/recordedHooks';
import { itWithShared } from '../support/shared';

const view = 'Changes by Agents';

describe('what hooked agents changed, in the view Changes by Agents', () => {
  const editor = useEditor({ viewport: { width: 1400, height: 1000 }, withoutChat: true });
  const { keys, text, put, hear, focusView } = useChangesView(editor);
  let hook = '';
  let privateFolder = '';

  before(async () => {
    [hook = '', privateFolder = ''] = await editor.host.evaluate(async (vscode) => {
      const extension = vscode.extensions.getExtension('agent-capabilities.agent-capabilities');
      await extension?.activate();
      return [`${extension?.extensionPath}/dist/hook.js`, `${process.env['HOME']}/.agent-capabilities`];
    });
    await until(
      async () => assert.ok(readdirSync(join(privateFolder, 'gates')).some((name) => name.endsWith('.json'))),
      60_000,
    );
  });

  /** Has the program of the extension answer an event, as an agent starts it; answers what it printed. */
  const answer = (dialect: string, event: string, payload: object): Promise<string> =>
    new Promise((resolve, reject) => {
      const args = ['--dialect', dialect, '--event', event, '--limit', '50000', '--private', privateFolder];
      const options = { cwd: editor.folder, env: { PATH: '/usr/bin:/bin' } };
      const child = execFile(process.execPath, [hook, ...args, '--allowed', 'allowed'], options, (error, out, told) =>
        error ? reject(new Error(`${told}\n${error.message}`)) : resolve(out),
      );
      child.stdin?.end(JSON.stringify(payload));
    });

  /** One recorded call of an agent's file tool, with what that tool does to the file in between. */
  const change = async (dialect: 'claude' | 'codex', file: string, name: string): Promise<void> => {
    const [pair] = recordedPairs(file, editor.folder);
    const named = /\w+\.txt/.exec(JSON.stringify(pair?.pre))?.[0] ?? '';
    assert.ok(pair && named !== '');
    const about = (payload: object): object => JSON.parse(JSON.stringify(payload).replaceAll(named, name));
    assert.equal(await answer(dialect, pair.preEvent, about(pair.pre)), 'allowed');
    await put(name, `by ${dialect}\n`);
    await answer(dialect, pair.postEvent, about(pair.post));
  };
  const answeredBy = (dialect: string): string | undefined =>
    readLastAnswers(privateFolder).find(({ agent }) => agent === dialect)?.by;

  /** Goes to the row of a file by keyboard. */
  const goTo = async (name: string): Promise<void> => {
    await editor.workbench.treeRow(view, name).waitFor();
    await until(async () => {
      await focusView();
      await keys().press('Home');
      const row = await editor.workbench.treeRow(view, name).getAttribute('data-index');
      for (let at = 0; at < Number(row); at++) await keys().press('ArrowDown');
      await hear(new RegExp(`^${name}, `));
    }, 30_000);
  };

  for (const dialect of ['claude', 'codex'] as const)
    itWithShared(
      `vectors/hooks/${dialect}.jsonl`,
      `D.hooks D.undo: by ${dialect}'s own tools, with the editor and without: is seen, and taken back by keyboard`,
      async (file) => {
        const [beside, alone] = [`${dialect}-beside.txt`, `${dialect}-alone.txt`];
        for (const name of [beside, alone]) await put(name, 'by a person\n');
        await change(dialect, file, beside);
        assert.equal(answeredBy(dialect), 'editor');
        // Without its socket nobody answers, as where no editor runs.
        const gates = join(privateFolder, 'gates');
        renameSync(gates, `${gates}-away`);
        try {
          await change(dialect, file, alone);
          assert.equal(answeredBy(dialect), 'alone');
        } finally {
          renameSync(`${gates}-away`, gates);
        }
        await focusView();
        const who = dialect === 'claude' ? 'Claude Code' : 'Codex';
        await editor.workbench.treeRow(view, `${who} · `).waitFor();
        for (const name of [beside, alone]) {
          await goTo(name);
          await hear(/ as the agent left it/);
          await editor.workbench.picture(`hooked-changes-${name}`);
          await keys().press('Control+z');
          await until(async () => assert.equal(await text(name), 'by a person\n'));
          await hear(/ taken back/);
        }
        await editor.workbench.picture(`hooked-changes-${dialect}-taken-back`);
      },
    );
});
