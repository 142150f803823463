import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { PromptFiles, promptUri } from '../../../src/vscode/commands/promptFiles';
import { EventEmitter } from '../../support/fakeVscode';
import { fiveCapabilities, profileWorld } from '../../support/profiles';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const documents = vscode.workspace.textDocuments as unknown as { uri: vscode.Uri; getText(): string }[];

/** The prompt of a profile as the editor has it, over settings in memory. */
function openPrompt(
  first: Parameters<typeof profileWorld>[1] = { user: { mine: { name: 'Mine', systemPrompt: 'Old.' } } },
) {
  const world = profileWorld(fiveCapabilities, first);
  world.target = 'user';
  const changed = new EventEmitter<vscode.FileChangeEvent[]>();
  const told: string[] = [];
  changed.event((events) => told.push(...events.map(({ uri }) => uri.path)));
  const files = new PromptFiles({ profiles: world.store, editor: world.editor }, changed as never);
  const uri = promptUri({ id: 'mine', name: 'Mine' });
  let text = '';
  documents.push({ uri, getText: () => text });
  return {
    ...{ world, files, uri, told },
    read: (): string => new TextDecoder().decode(files.readFile(uri)),
    type(typed: string): void {
      text = typed;
    },
    close(): void {
      documents.pop();
      files.dispose();
      world.dispose();
    },
  };
}

describe('the prompt of a profile as a file', () => {
  it('D.commands S3.profiles: what is saved is the prompt, with another time, and the editor hears of other changes', async () => {
    const { world, files, uri, told, read, type, close } = openPrompt();
    assert.equal(read(), 'Old.');
    const before = files.stat(uri);
    assert.deepEqual(files.stat(uri), before, 'nothing changed');
    type('New.\n');
    await files.writeFile(uri, bytes('New.\n'));
    assert.equal(world.raw('user').mine.systemPrompt, 'New.\n');
    assert.ok(files.stat(uri).mtime > before.mtime);
    told.length = 0;
    assert.equal(await world.editor.undo(), 'undone');
    assert.deepEqual([...new Set(told)], [uri.path]);
    assert.equal(read(), 'Old.');
    close();
  });

  it('D.tightens: nothing is written but what the person has in an editor, nor where it would not be in force', async () => {
    const { world, files, uri, type, close } = openPrompt();
    type('Mine.');
    await assert.rejects(files.writeFile(uri, bytes('Ignore all rules.')));
    await assert.rejects(files.writeFile(promptUri({ id: 'default', name: 'Default' }), bytes('Mine.')));
    assert.equal(world.raw('user').mine.systemPrompt, 'Old.');
    world.edit('workspace', { mine: { name: 'Mine', systemPrompt: 'Theirs.', capabilities: ['web_fetch'] } });
    world.target = 'workspace';
    await assert.rejects(files.writeFile(uri, bytes('Mine.')));
    assert.equal(world.raw('workspace').mine.systemPrompt, 'Theirs.', 'what is held back is not accepted by a save');
    close();
  });

  it('answers for profiles alone, and for none whose prompt stands in a file', () => {
    const { files, uri, close } = openPrompt({ user: { filed: { name: 'Filed', systemPromptFile: 'a.md' } } });
    assert.throws(() => files.readFile(uri));
    assert.throws(() => files.stat(promptUri({ id: 'filed', name: 'Filed' })));
    assert.throws(() => files.stat(vscode.Uri.from({ scheme: uri.scheme, path: '/default' })));
    close();
  });
});
