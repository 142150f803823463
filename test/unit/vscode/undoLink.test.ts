import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import type * as vscode from 'vscode';
import { GovernedTool } from '../../../src/vscode/tools/languageModelTools';
import { KeptCalls } from '../../../src/vscode/tools/keptCalls';
import { nodeCrypto } from '../../../src/node/system';
import { makeChanges } from '../../support/changes';

const token = {
  isCancellationRequested: false,
  onCancellationRequested: () => ({ dispose: () => undefined }),
} as unknown as vscode.CancellationToken;

/** A chat whose calls a grant covers. */
const chat = () =>
  chatOf(makeChanges({ approver: { covering: () => ({ id: 'g', by: 'grant', use: () => true }), ask: never } }));
const never = (): never => {
  throw new Error('nobody is asked');
};

/** A chat whose calls are asked about. */
const asking = () => chatOf(makeChanges());

function chatOf(changes: ReturnType<typeof makeChanges>) {
  const { gate } = changes;
  const kept = new KeptCalls(() => nodeCrypto.randomId());
  /** Every call that was said to be on its way to a question. */
  const announced: string[] = [];
  const coming = { add: (id: string) => void announced.push(id), delete: () => undefined };
  const tool = (name: string) =>
    new GovernedTool(name, async () => ({
      router: gate.router,
      tool: (reference) => gate.registry.tool(reference),
      why: (called, input) => kept.link(called, input),
      next: () => kept.next(),
      coming,
      surface: () => 'modal',
    }));
  /** What the chat says of the call, and the call that its link takes back. */
  const line = async (name: string, input: object) => {
    const prepared = await tool(name).prepareInvocation({ input } as never, token);
    const message = prepared.invocationMessage as vscode.MarkdownString;
    const link = /\[Undo\]\(command:([\w.]+)\?([^)]*)\)/.exec(message.value);
    const [argument] = link ? (JSON.parse(decodeURIComponent(link[2] ?? '')) as string[]) : [];
    const trusted = (message.isTrusted as { enabledCommands: string[] } | undefined)?.enabledCommands;
    return { text: message.value, argument, call: argument && kept.undoneBy(argument), command: link?.[1], trusted };
  };
  return { ...changes, tool, line, kept, announced };
}

describe('the line of a call in the chat', () => {
  it('D.undo: leads back: its link names the very call that follows, by a word that nobody can guess', async () => {
    const { dispose, workspace, tool, kept, undo, history } = chat();
    workspace.put({ 'a.txt': 'old' });
    const input = { path: 'a.txt', content: 'new' };
    const write = tool('write_file');
    const prepared = await write.prepareInvocation({ input } as never, token);
    const { value } = prepared.invocationMessage as vscode.MarkdownString;
    const [, argument = ''] = /\[Undo\]\(command:agentCapabilities\.changes\.undoCall\?([^)]*)\)/.exec(value) ?? [];
    const [word] = JSON.parse(decodeURIComponent(argument)) as [string];
    assert.equal(kept.undoneBy('1'), undefined);
    assert.match(word, /^[0-9a-f-]{36}$/);
    await write.invoke({ input } as never, token);
    assert.equal(readFileSync(workspace.at('a.txt'), 'utf8'), 'new');
    const call = kept.undoneBy(word);
    assert.notEqual(call, word);
    assert.deepEqual(
      (await history()).changes.map((one) => one.call),
      [call],
    );
    await undo({ call });
    assert.equal(readFileSync(workspace.at('a.txt'), 'utf8'), 'old');
    // The same input once more is another call.
    await write.invoke({ input } as never, token);
    assert.notEqual((await history()).changes.at(-1)?.call, call);
    dispose();
  });

  it('D.undo: has no way back where nothing is changed, or where it cannot be taken back', async () => {
    const { dispose, workspace, line } = chat();
    workspace.put({ 'a.txt': 'old', '.env': 'TOKEN=1' });
    const lines = [
      await line('read_file', { path: 'a.txt' }),
      await line('write_file', { path: '.env', content: 'TOKEN=2' }),
      await line('edit_file', { path: 'a.txt', edits: [{ old_text: 'none', new_text: 'x' }] }),
      await line('delete_file', { path: 'a.txt' }),
    ];
    assert.deepEqual(
      lines.map(({ command }) => command),
      [undefined, undefined, undefined, 'agentCapabilities.changes.undoCall'],
    );
    assert.deepEqual(lines.at(-1)?.trusted, ['agentCapabilities.changes.undoCall']);
    dispose();
  });

  it('D.undo: a call that asks first has no way back in its line before it is answered, but one to its outcome', async () => {
    const { dispose, workspace, tool, kept, line, announced } = asking();
    workspace.put({ 'a.txt': 'old' });
    const write = tool('write_file');
    const input = { path: 'a.txt', content: 'new' };
    const prepared = await write.prepareInvocation({ input } as never, token);
    const { value } = prepared.invocationMessage as vscode.MarkdownString;
    assert.match(value, /^Write file `a\.txt` · asks you first · \[Outcome\]\(command:[\w.]+changes\.undoCall\?/);
    assert.doesNotMatch(value, /\[Undo\]/);
    const [, argument = ''] = /\?([^)]*)\)$/.exec(value) ?? [];
    const [word, ask] = JSON.parse(decodeURIComponent(argument)) as string[];
    assert.equal(ask, 'ask');
    assert.ok(kept.undoneBy(String(word)));
    // Others that ask at the same moment wait for it, by the id that the gate gets.
    assert.deepEqual(announced, [kept.undoneBy(String(word))]);
    await line('read_file', { path: 'a.txt' });
    assert.equal(announced.length, 1, 'what asks nobody is waited for by nobody');
    dispose();
  });
});
