// @window rules
import assert from 'node:assert/strict';
import { mkdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useEditor } from '../support/editor/person';
import { until } from '../support/editor/until';
import { skipBecause } from '../support/skip';

describe('the policy files in the editor', () => {
  const editor = useEditor({ viewport: { width: 1280, height: 900 } });
  const folder = (): string => join(editor.folder, '.vscode', 'capabilities');
  const write = async (name: string, text: string): Promise<string> => {
    await mkdir(folder(), { recursive: true });
    const file = join(folder(), name);
    await writeFile(file, text);
    return file;
  };
  /** What the Problems panel holds for a file: line (from 1), severity, message. */
  const problemsOf = (file: string): Promise<readonly string[]> =>
    editor.host.evaluate(
      (vscode, path) =>
        vscode.languages
          .getDiagnostics(vscode.Uri.file(path))
          .filter((one) => one.source === 'Agent Capabilities')
          .map((one) => `${one.range.start.line + 1}: ${one.message}`),
      file,
    );
  const closed = (path: string) => [{ id: 'closed', match: { path }, decision: 'deny', reason: 'x' }];
  const effectOn = async (path: string): Promise<string> =>
    ((await editor.host.execute('agentCapabilities.explainCall', 'read_file', { path })) as { effect: string }).effect;
  const show = (file: string) =>
    editor.host.evaluate(async (vscode, path) => {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(vscode.Uri.file(path)));
    }, file);

  it('S4.validate: mistakes are underlined on their line in each file, as they are typed and before they are saved', async () => {
    const requirements = await write(
      'requirements.json',
      '[\n  { "id": "file.readme", "kind": "file",\n    "critical": true,\n    "probe": { "type": "file", "paht": "README.md" } }\n]\n',
    );
    const grants = await write(
      'grants.json',
      '[\n  { "fromParty": "ghost",\n    "toParty": "readme", "scopeAccount": "file.readme" }\n]\n',
    );
    await until(async () => {
      assert.ok(
        (await problemsOf(requirements)).some((one) => /^4: .*\/probe\/paht is not a known property/.test(one)),
      );
      assert.deepEqual(await problemsOf(grants), [
        '2: the delegation 1: /fromParty `ghost` is not a known party: no requirement names it',
      ]);
    }, 30_000);
    await show(grants);
    await editor.host.execute('workbench.actions.view.problems');
    await editor.page.locator('.monaco-editor .squiggly-error').first().waitFor();
    await editor.workbench.picture('policy-files');
    // Typed and not saved: the mistake goes, another comes.
    await editor.host.evaluate(async (vscode) => {
      const { document } = vscode.window.activeTextEditor ?? {};
      if (!document) throw new Error('no editor is open');
      const edit = new vscode.WorkspaceEdit();
      const at = document.getText().indexOf('ghost');
      edit.replace(document.uri, new vscode.Range(document.positionAt(at), document.positionAt(at + 5)), 'file');
      const key = document.getText().indexOf('scopeAccount');
      edit.replace(
        document.uri,
        new vscode.Range(document.positionAt(key), document.positionAt(key + 12)),
        'scopeAcount',
      );
      await vscode.workspace.applyEdit(edit);
    });
    await until(async () => {
      const found = await problemsOf(grants);
      assert.ok(
        found.some((one) => /^3: .*\/scopeAcount is not a known property here; did you mean `scopeAccount`/.test(one)),
        found.join('\n'),
      );
      assert.ok(!found.some((one) => one.includes('ghost')), found.join('\n'));
    }, 30_000);
    // Once, at a load of 40, the text that was typed came back when the file went and came again: no editor has it.
    await until(async () => {
      await editor.host.execute('workbench.action.files.revert');
      const unsaved = await editor.host.evaluate(async (vscode) =>
        vscode.workspace.textDocuments.filter((one) => one.isDirty).map((one) => one.uri.path),
      );
      assert.deepEqual(unsaved, []);
    });
    await editor.host.execute('workbench.action.closeAllEditors');
  });

  it('S4.validate: a folder of rules that comes whole, as from git, is judged at once, however often', async () => {
    for (let time = 0; time < 3; time++) {
      await rm(join(editor.folder, '.vscode'), { recursive: true, force: true });
      const grants = join(folder(), 'grants.json');
      await until(async () => assert.deepEqual(await problemsOf(grants), [], `time ${time}: they went`), 30_000);
      await write('grants.json', '[{ "fromParty": "ghost", "toParty": "ghost", "scopeAccount": "ghost" }]\n');
      await until(
        async () => assert.match((await problemsOf(grants)).join(), /`ghost` is not/, `time ${time}`),
        30_000,
      );
    }
    await rm(join(editor.folder, '.vscode'), { recursive: true, force: true });
  });

  it('S4.boundaries: keys and decisions are completed and explained where they are written', async () => {
    const file = await write(
      'boundaries.json',
      '[\n  { "id": "a", "match": {  }, "decision": "deny", "reason": "x" }\n]\n',
    );
    await show(file);
    const offered = (line: number, column: number): Promise<readonly string[]> =>
      editor.host.evaluate(
        async (vscode, path, at, character) => {
          const list = (await vscode.commands.executeCommand(
            'vscode.executeCompletionItemProvider',
            vscode.Uri.file(path),
            new vscode.Position(at, character),
          )) as { items: { label: string | { label: string } }[] };
          return list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
        },
        file,
        line,
        column,
      );
    const text = '  { "id": "a", "match": {  }, "decision": "deny", "reason": "x" }';
    await until(async () => {
      const clauses = await offered(1, text.indexOf('{  }') + 2);
      for (const clause of ['path', 'host', 'tool', 'accessAny', 'argument'])
        assert.ok(clauses.includes(clause), clauses.join());
      const decisions = await offered(1, text.indexOf('"deny"') + 1);
      assert.ok(
        decisions.some((one) => one.includes('require_approval')),
        decisions.join(),
      );
    }, 30_000);
    const hover = await editor.host.evaluate(
      async (vscode, path, character) => {
        const found = (await vscode.commands.executeCommand(
          'vscode.executeHoverProvider',
          vscode.Uri.file(path),
          new vscode.Position(1, character),
        )) as { contents: ({ value: string } | string)[] }[];
        return found
          .flatMap((one) => one.contents.map((part) => (typeof part === 'string' ? part : part.value)))
          .join('\n');
      },
      file,
      text.indexOf('"decision"') + 2,
    );
    assert.match(hover, /deny/);
  });

  it('S1.policy: a simulation judges arguments that this window remembers, and says of older calls that it cannot', async () => {
    const { workbench, page } = editor;
    await write('boundaries.json', '[]\n');
    const since = Date.now();
    await editor.host.script([{ tool: 'cap_calculate', input: { expression: '6 * 7' } }, { text: 'Done.' }]);
    await editor.host.runAgentTurn({ query: 'calculate' });
    const rule = {
      id: 'no-products',
      match: { argument: { '/expression': { glob: '*\\**' } } },
      decision: 'deny',
      reason: 'x',
    };
    await write('boundaries.json', `${JSON.stringify([rule])}\n`);
    interface Simulated {
      changes: { tool: string; time: number; before: string; after: string }[];
      undecided: { tool: string; time: number; because: string[] }[];
    }
    // The log is the user's: it holds calls of other tests' windows too.
    const simulate = async (): Promise<Simulated> => {
      const all = (await editor.host.execute('agentCapabilities.simulatePolicy', 'without-workspace')) as Simulated;
      const own = <T extends { tool: string; time: number }>(calls: T[]): T[] =>
        calls.filter((one) => one.tool === 'calculate' && one.time >= since);
      return { changes: own(all.changes), undecided: own(all.undecided) };
    };
    // Each simulation opens its report, so it is asked once, after the rule holds.
    const holds = (): Promise<void> =>
      until(async () => {
        const explained = (await editor.host.execute('agentCapabilities.explainCall', 'calculate', {
          expression: '6 * 7',
        })) as {
          effect: string;
        };
        assert.equal(explained.effect, 'deny');
      }, 30_000);
    await holds();
    const known = await simulate();
    assert.deepEqual(
      [known.changes.map((one) => [one.tool, one.before, one.after]), known.undecided],
      [[['calculate', 'deny', 'pass']], []],
    );
    await editor.reload();
    await holds();
    const forgotten = await simulate();
    assert.deepEqual(
      [forgotten.changes, forgotten.undecided.map((one) => [one.tool, one.because])],
      [[], [['calculate', ['no-products']]]],
    );
    const frame = await until(async () => {
      for (const one of page.frames())
        if (
          /Could not be judged/.test(
            await one
              .locator('body')
              .innerText()
              .catch(() => ''),
          )
        )
          return one;
      throw new Error('the report is not shown yet');
    }, 20_000);
    assert.match(await frame.locator('body').innerText(), /depend on their arguments, which were not kept/);
    await workbench.picture('simulation');
  });

  it('S4.boundaries: a rule holds for the next call, also where its file has the size and the time that it had before', async () => {
    const file = await write('boundaries.json', JSON.stringify(closed('docs/a.md')));
    assert.deepEqual([await effectOn('docs/a.md'), await effectOn('docs/b.md')], ['deny', 'pass']);
    const { atime, mtime } = await stat(file);
    await write('boundaries.json', JSON.stringify(closed('docs/b.md')));
    await utimes(file, atime, mtime);
    assert.deepEqual([await effectOn('docs/b.md'), await effectOn('docs/a.md')], ['deny', 'pass']);
    await write('boundaries.json', '[]\n');
  });

  it('S1.policy: an organization’s file that is named while the window stands counts at once, and goes with its name', async function () {
    if (process.getuid?.() !== 0) return skipBecause(this, 'needs root, who alone can write a managed file');
    const file = join(editor.folder, '..', 'managed.json');
    const named = (value: string | undefined): Promise<unknown> =>
      editor.host.evaluate(
        async (vscode, path) =>
          vscode.workspace.getConfiguration('agentCapabilities').update('policy.managedFile', path, true),
        value,
      );
    await writeFile(file, JSON.stringify({ 'agentCapabilities.policy.boundaries': closed('docs/a.md') }));
    assert.equal(await effectOn('docs/a.md'), 'pass');
    await named(file);
    assert.equal(await effectOn('docs/a.md'), 'deny');
    await named(undefined);
    assert.equal(await effectOn('docs/a.md'), 'pass');
  });

  it('S0.rate-limit: an agent that makes the same call with the same result again and again is asked about', async () => {
    const { workbench, host } = editor;
    await write('boundaries.json', '[]\n');
    const read = { tool: 'cap_read_file', input: { path: 'README.md' } };
    await host.script([read, read, read, read, { text: 'Done.' }]);
    const running = host.runAgentTurn({ query: 'read it' });
    const modal = await workbench.modalText(60_000);
    assert.match(modal, /the same call gave the same result 3 times in a row/);
    await workbench.picture('repetition');
    await workbench.pressModalButton('Cancel');
    const { toolResults } = await running;
    const texts = toolResults.map((one) => one.text);
    assert.equal(texts.length, 4);
    assert.ok(
      texts.slice(0, 3).every((one) => /Default fixture/.test(one)),
      texts.join('\n---\n'),
    );
    assert.match(texts[3] ?? '', /the user declined to let read_file read README\.md\. do not retry/);
  });
});
