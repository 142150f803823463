import { strict as assert } from 'node:assert';
import type * as vscode from 'vscode';
import { nodeCrypto } from '../../../src/node/system';
import type { AgentFileOptions } from '../../../src/vscode/agent/agentFileKeeper';
import { AgentFileWriter } from '../../../src/vscode/agent/agentFileWriter';
import type { ReadOnlyText } from '../../../src/vscode/files/readOnlyText';
import { EventEmitter } from '../../support/fakeTree';
import { shownWindow, Uri, window, workspace } from '../../support/fakeVscode';
import { openSystem } from '../../support/system';
import { MemoryStore } from '../../support/toolContext';
import { until } from '../../support/editor/until';

const file = '/agents/agent-capabilities.agent.md';
const pauses = { burstMs: 5, onceMoreMs: 50, apartMs: 10 };
/** Longer than the writer waits before it writes once more, and long enough to do it. */
const rest = (): Promise<void> => new Promise((done) => setTimeout(done, 300));

/** The writer over a whole system, and what it wrote. */
async function open({ apartMs } = pauses) {
  const { core, folder, dispose } = await openSystem({ user: { 'customAgent.notice': false } });
  workspace.workspaceFolders = core.gate.ports.files
    .folders()
    .map(({ name }, index) => ({ uri: Uri.file(folder), name, index }));
  const changed = new EventEmitter<void>();
  const written: string[] = [];
  const writtenAt: number[] = [];
  const warned: string[] = [];
  let isFull = false;
  const options: AgentFileOptions = {
    profiles: core.tools.profiles,
    settings: core.settings,
    runtimeAgent: core.agents.runtimeAgent,
    ownAgent: core.agents.ownAgent,
    isTrusted: core.isTrusted,
    report: core.report,
    onDidChange: changed.event,
    files: core.gate.ports.files,
    crypto: nodeCrypto,
    storage: new MemoryStore(),
    userStorage: new MemoryStore(),
    log: { debug() {}, info() {}, warn: (message) => warned.push(message), error() {} },
    // reason: nothing is disputed here, so nothing is shown
    texts: {} as ReadOnlyText,
    userFolder: Uri.file('/agents') as unknown as vscode.Uri,
    writeText: async (uri, text) => {
      if (isFull) throw new Error('no space is left');
      written.push(/description: '(.*?)[.']/.exec(text)?.[1] ?? '');
      writtenAt.push(performance.now());
      shownWindow.files.set(uri.path, text);
    },
    extensionId: 'ours',
  };
  const writer = new AgentFileWriter(options, { ...pauses, apartMs });
  return {
    written,
    writtenAt,
    warned,
    fill: () => void (isFull = true),
    current: () => writer.current(),
    told: () => core.problems().flatMap(({ code, message }) => (code === 'agent_file' ? [message] : [])),
    switchTo: async (profile: string) => {
      core.tools.profiles.activate(profile);
      changed.fire();
    },
    close: () => {
      writer.dispose();
      dispose();
      window.state.focused = true;
      workspace.workspaceFolders = [];
      shownWindow.files.clear();
      shownWindow.changedAt = () => 0;
    },
  };
}

describe('the file of the custom agent', () => {
  let opened: Awaited<ReturnType<typeof open>>;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close());

  it('S3.runtime-agent: is written once more a moment after a change, for the editor misses one now and then, and then rests', async () => {
    const { written } = opened;
    await until(() => assert.equal(written.length, 2));
    await rest();
    assert.equal(written.length, 2);
    assert.equal(written[0], written[1]);
    await opened.switchTo('readOnly');
    await until(() => assert.equal(written.length, 4));
    await rest();
    assert.deepEqual(written.slice(2), [written[3], written[3]]);
    assert.notEqual(written[3], written[0]);
    assert.ok(shownWindow.files.has(file));
    assert.deepEqual(opened.warned, []);
  });

  it('D.follow: changes of it come apart, for the editor empties its list where two meet', async () => {
    opened.close();
    opened = await open({ ...pauses, apartMs: 150 });
    for (const profile of ['readOnly', 'default', 'readOnly']) {
      await opened.switchTo(profile);
      await opened.current();
    }
    await rest();
    const { written, writtenAt } = opened;
    assert.equal(new Set(written).size, 2);
    assert.ok(written.length >= 3, String(written));
    // A timer may be early by a part of a millisecond.
    for (const [at, time] of writtenAt.entries())
      if (at > 0) assert.ok(time - (writtenAt[at - 1] ?? 0) >= 148, String(writtenAt));
  });

  it('D.follow: a change of it comes apart from one by another window too, and writes over nothing that came meanwhile', async () => {
    await opened.current();
    await rest();
    const { written } = opened;
    const before = written.length;
    // Another window writes it all the time.
    shownWindow.changedAt = () => Date.now();
    await opened.switchTo('readOnly');
    const writing = opened.current();
    await rest();
    assert.equal(written.length, before);
    shownWindow.files.set(file, 'a person wrote this');
    shownWindow.changedAt = () => 0;
    await writing;
    await rest();
    assert.deepEqual([written.length, shownWindow.files.get(file)], [before, 'a person wrote this']);
  });

  it('S3.runtime-agent: what another window wrote stays until this one comes to the front, and then the editor is told twice', async () => {
    const { written } = opened;
    await until(() => assert.equal(written.length, 2));
    window.state.focused = false;
    const theirs = shownWindow.files.get(file) ?? '';
    await opened.switchTo('readOnly');
    // Alone, a window without the keyboard follows its own changes.
    await until(() => assert.equal(written.length, 3));
    shownWindow.files.set(file, theirs);
    await opened.switchTo('readOnly');
    await rest();
    assert.deepEqual([written.length, shownWindow.files.get(file) === theirs], [3, true]);
    window.state.focused = true;
    shownWindow.changedFocus.fire({ focused: true });
    await until(() => assert.equal(written.length, 5));
    await rest();
    assert.deepEqual([written.length, written[4]], [5, written[2]]);
  });

  it('S3.runtime-agent: that cannot be written is a problem that people see, for an older profile may stand there', async () => {
    await opened.current();
    assert.deepEqual(opened.told(), []);
    opened.fill();
    await opened.switchTo('readOnly');
    assert.equal(await opened.current(), undefined);
    assert.match(
      opened.told().join(),
      /agent-capabilities\.agent\.md` was not written: .*cannot be written.*older profile/,
    );
  });

  it('S3.runtime-agent: is left to the window in front, which has written its own meanwhile', async () => {
    const { written } = opened;
    window.state.focused = false;
    await until(() => assert.equal(written.length, 1));
    await rest();
    assert.equal(written.length, 1);
  });
});
