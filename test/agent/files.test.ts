// @window own
// @workspace several
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { driver } from '../support/editor/driver/api';
import type { ToolCall, ToolResult } from '../support/editor/driver/model';
import { MemoryProvider } from '../support/editor/memoryProvider';

const root = (name: string): string => {
  const found = vscode.workspace.workspaceFolders?.find((folder) => folder.name === name);
  assert.ok(
    found,
    `${name} is not open: ${JSON.stringify(vscode.workspace.workspaceFolders?.map((folder) => folder.name))}`,
  );
  return found.uri.fsPath;
};

/** Lets the model call tools one after the other, and answers what came back to it. */
async function called(...calls: ToolCall[]): Promise<ToolResult[]> {
  const { model, runAgentTurn } = driver();
  model.script([...calls, { text: 'seen' }]);
  const { toolResults } = await runAgentTurn({ query: 'work on the files', confirm: 'accept' });
  assert.equal(toolResults.length, calls.length, JSON.stringify(toolResults));
  return toolResults;
}

const texts = async (...calls: ToolCall[]): Promise<string[]> => (await called(...calls)).map((result) => result.text);

/** Calls tools without a turn of the agent: before a turn begins, the editor saves every file itself. */
async function invoked(...calls: ToolCall[]): Promise<string[]> {
  const texts: string[] = [];
  for (const { tool, input } of calls) {
    const said = vscode.lm.invokeTool(tool, { input: input ?? {}, toolInvocationToken: undefined }).then(
      ({ content }) =>
        content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('\n'),
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    texts.push(await said);
  }
  return texts;
}

/** Opens a file and types at its start, without saving. */
async function typed(uri: vscode.Uri, text: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(uri);
  const editor = await vscode.window.showTextDocument(document);
  await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), text));
  assert.ok(document.isDirty);
  return document;
}

describe('the file tools in a workspace of several folders', () => {
  const memory = new MemoryProvider();
  let registered: vscode.Disposable;
  const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('agentCapabilities');

  before(async () => {
    memory.put({ '//other/remote/same.txt': 'on other', '/remote/same.txt': 'here' });
    memory.put({
      '/remote/src/a.ts': 'one\nneedle\n',
      '/remote/both.txt': 'both, in remote',
      '/remote/open.txt': 'saved\n',
    });
    registered = vscode.workspace.registerFileSystemProvider('memory', memory, { isCaseSensitive: true });
    await vscode.extensions.getExtension('agent-capabilities.agent-capabilities')?.activate();
    const allow = {
      id: 'test.allow',
      match: { accessAny: ['fs.*'], path: '**' },
      decision: 'allow',
      reason: 'a test works here',
    };
    await settings().update('policy.boundaries', [allow], vscode.ConfigurationTarget.Global);
    // In a browser the editor saves by itself after a second.
    await vscode.workspace.getConfiguration('files').update('autoSave', 'off', vscode.ConfigurationTarget.Global);
  });

  after(async () => {
    await settings().update('policy.boundaries', undefined, vscode.ConfigurationTarget.Global);
    await vscode.workspace.getConfiguration('files').update('autoSave', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    registered.dispose();
  });

  it('S3.file-system: a relative path that several folders have is an error that names them all; a folder’s name decides', async () => {
    const [both = '', named = '', one = '', made = '', roots = ''] = await texts(
      { tool: 'cap_read_file', input: { path: 'both.txt' } },
      { tool: 'cap_read_file', input: { path: '/lib/both.txt' } },
      { tool: 'cap_read_file', input: { path: 'one.txt' } },
      { tool: 'cap_write_file', input: { path: 'new.txt', content: 'x' } },
      { tool: 'cap_list_directory', input: {} },
    );
    assert.match(both, /could be `\/app\/both\.txt` or `\/lib\/both\.txt` or `\/remote\/both\.txt`/);
    assert.match(named, /both, in lib/);
    assert.match(one, /only in lib/);
    assert.match(made, /could be .*`\/app\/new\.txt`/);
    for (const folder of ['/app', '/lib', '/remote']) assert.ok(roots.includes(folder), roots);
    assert.ok(!existsSync(join(root('app'), 'new.txt')));
  });

  it('S3.file-system: a folder of a virtual file system is read, searched and changed by every tool', async () => {
    const [read = '', listed = '', found = '', searched = '', facts = ''] = await texts(
      { tool: 'cap_read_file', input: { path: '/remote/src/a.ts' } },
      { tool: 'cap_list_directory', input: { path: '/remote', depth: 2 } },
      { tool: 'cap_find_files', input: { pattern: '*.ts' } },
      { tool: 'cap_grep_files', input: { pattern: 'needle' } },
      { tool: 'cap_stat_file', input: { path: '/remote/src/a.ts' } },
    );
    assert.match(read, /needle/);
    assert.match(listed, /^src\/\n {2}a\.ts$/m);
    assert.match(found, /\/remote\/src\/a\.ts/);
    assert.match(searched, /\/remote\/src\/a\.ts/);
    assert.match(searched, /\/lib\/src\/note\.txt/);
    assert.match(facts, /"size_bytes":11/);
    const changed = await texts(
      { tool: 'cap_write_file', input: { path: '/remote/new/deep/x.txt', content: 'made\n' } },
      { tool: 'cap_edit_file', input: { path: '/remote/src/a.ts', edits: [{ old_text: 'one', new_text: 'two' }] } },
      { tool: 'cap_move_file', input: { source: '/remote/src/a.ts', destination: '/remote/src/b.ts' } },
      { tool: 'cap_delete_file', input: { path: '/remote/new', recursive: true, to_trash: false } },
      { tool: 'cap_move_file', input: { source: '/remote/src/b.ts', destination: '/app/b.ts' } },
    );
    assert.deepEqual(
      [memory.text('/remote/src/b.ts'), memory.text('/remote/src/a.ts'), memory.text('/remote/new/deep/x.txt')],
      ['two\nneedle\n', undefined, undefined],
      changed.join('\n'),
    );
    assert.match(changed[4] ?? '', /different file systems/);
  });

  it('S3.file-system: two hosts of a virtual file system are two places, though the path is the same', async () => {
    await texts({
      tool: 'cap_edit_file',
      input: { path: '/other/same.txt', edits: [{ old_text: 'on other', new_text: 'changed' }] },
    });
    assert.deepEqual([memory.text('//other/remote/same.txt'), memory.text('/remote/same.txt')], ['changed', 'here']);
  });

  for (const [kind, path, uri, stored] of [
    [
      'on the machine',
      '/app/src/note.txt',
      () => vscode.Uri.file(join(root('app'), 'src/note.txt')),
      () => readFileSync(join(root('app'), 'src/note.txt'), 'utf8'),
    ],
    [
      'of a virtual file system',
      '/remote/open.txt',
      () => vscode.Uri.parse('memory:/remote/open.txt'),
      () => memory.text('/remote/open.txt'),
    ],
  ] as const) {
    it(`S3.file-system: a file ${kind} with unsaved changes is read and edited in its editor, never written under it`, async () => {
      const before = stored();
      const document = await typed(uri(), 'typed by a person\n');
      const [read = '', edited = '', appended = '', removed = '', moved = '', folder = ''] = await invoked(
        { tool: 'cap_read_file', input: { path } },
        {
          tool: 'cap_edit_file',
          input: { path, edits: [{ old_text: 'typed by a person', new_text: 'edited by the agent' }] },
        },
        { tool: 'cap_write_file', input: { path, content: 'added by the agent\n', mode: 'append' } },
        { tool: 'cap_delete_file', input: { path } },
        { tool: 'cap_move_file', input: { source: path, destination: `${path}.moved` } },
        { tool: 'cap_delete_file', input: { path: path.slice(0, path.lastIndexOf('/')), recursive: true } },
      );
      assert.match(read, /typed by a person/);
      assert.match(edited, /^replaced 1; hash [0-9a-f]{8}$/);
      assert.match(appended, /^written; hash [0-9a-f]{8}$/);
      for (const refused of [removed, moved])
        assert.match(refused, /has unsaved changes in an editor.*ask the user to save or revert it/);
      assert.match(folder, /unsaved changes|is a workspace folder itself/);
      assert.deepEqual(
        [document.getText(), document.isDirty],
        [`edited by the agent\n${before}added by the agent\n`, true],
      );
      assert.equal(stored(), before, 'the stored file was written under its editor');
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('undo');
      assert.equal(document.getText(), `edited by the agent\n${before}`, 'one undo takes back one change of the agent');
      assert.ok(await document.save());
      assert.equal(stored(), `edited by the agent\n${before}`);
      const [after = ''] = await invoked({
        tool: 'cap_edit_file',
        input: { path, edits: [{ old_text: 'edited by the agent\n', new_text: '' }] },
      });
      assert.match(after, /^replaced 1; hash /);
      assert.equal(stored(), before, 'a saved file is written where it is stored');
    });
  }

  it('S3.file-system: a search finds what is typed and not saved, and not what it replaces', async () => {
    const folder = join(root('app'), 'typed');
    mkdirSync(folder);
    writeFileSync(join(folder, 'page.txt'), 'as it was stored\n');
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(join(folder, 'page.txt')));
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => edit.replace(new vscode.Range(0, 0, 1, 0), 'as it was typed\n'));
    const search = { tool: 'cap_grep_files', input: { pattern: 'as it was', path: '/app/typed' } };
    const [typedText = ''] = await invoked(search);
    assert.match(typedText, /as it was typed/);
    assert.doesNotMatch(typedText, /as it was stored/);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    const [stored = ''] = await invoked(search);
    assert.match(stored, /as it was stored/);
  });

  it('S3.file-system: a folder of many files is searched, again too', async () => {
    const folder = join(root('app'), 'many');
    mkdirSync(folder);
    for (let index = 0; index < 400; index++)
      writeFileSync(join(folder, `${index}.txt`), index % 100 === 7 ? 'a needle\n' : 'hay\n');
    const search = { tool: 'cap_grep_files', input: { pattern: 'a needle', path: '/app/many' } };
    const wanted = ['many/107.txt', 'many/207.txt', 'many/307.txt', 'many/7.txt'];
    for (let round = 0; round < 2; round++) {
      const [found = ''] = await invoked(search);
      assert.deepEqual([...new Set(found.match(/many\/\d+\.txt/g))].sort(), wanted);
    }
  });

  it('S3.file-system: a picture reaches the model as a picture', async () => {
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    writeFileSync(join(root('app'), 'dot.png'), Buffer.from(png, 'base64'));
    const [picture] = await called({ tool: 'cap_read_file', input: { path: '/app/dot.png' } });
    assert.match(picture?.text ?? '', /\[image: image\/png, 70 bytes\]/);
    assert.deepEqual(picture?.media, ['image/png']);
  });
});
