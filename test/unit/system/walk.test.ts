import { strict as assert } from 'node:assert';
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileSystem } from '../../../src/capabilities/fileSystem/fileSystem';
import type { BoundaryJudge } from '../../../src/core/call/gateCall';
import { ask, pass } from '../../../src/core/call/stepAnswer';
import { say } from '../../../src/core/base/sentence';
import { parseProfile, type ResolvedProfile, resolveProfile } from '../../../src/core/profiles/profile';
import { CapabilityRegistry } from '../../../src/core/registry/registry';
import type { FileSystem } from '../../../src/core/ports/files';
import { makeGate } from '../../support/gate';
import { openSystem } from '../../support/system';
import { fakePorts } from '../../support/toolContext';
import { filesRun } from '../../support/walk';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace';

const words = { path: 'a.txt', content: 'after\n' };

describe('the walk of one call that writes a file', () => {
  let ws: TestWorkspace;
  beforeEach(() => {
    ws = makeWorkspace();
    ws.put({ 'a.txt': 'before\n' });
  });
  afterEach(() => ws.dispose());

  /** The questions that one write asks of the files and of the judge, in their order. */
  async function walk(asks: boolean, meanwhile: () => void = () => undefined, revision = () => 1) {
    const asked: string[] = [];
    const files = new Proxy<FileSystem>(ws.files, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          if (!['folders', 'inTurn'].includes(String(key))) asked.push(String(key));
          return Reflect.apply(value, target, args);
        };
      },
    });
    const boundaries: BoundaryJudge = {
      get revision() {
        return revision();
      },
      judge: () => {
        asked.push('judge');
        return asks ? ask('boundaries', [{ said: say('cannot_succeed'), rule: 'r' }]) : pass('boundaries');
      },
    };
    const registry = new CapabilityRegistry();
    const profile = parseProfile('test', { capabilities: ['file_system'] }, 'user').value;
    let resolved: ResolvedProfile | undefined;
    const gate = makeGate({
      capabilities: [fileSystem],
      registry,
      resolve: () => (resolved ??= resolveProfile(profile, registry)),
      ports: fakePorts({ files }),
      boundaries,
      answer: () => {
        asked.push('ask');
        meanwhile();
        return { outcome: 'allowed', by: 'user', waitedMs: 1 };
      },
    });
    const result = await gate.call('write_file', words, asks ? 'agent' : 'user');
    gate.dispose();
    return { asked, result };
  }

  const inOrder = ['canonical', 'judge', 'open'];

  it('resolves the path once, reads the file once and is judged once', async () => {
    const { asked, result } = await walk(false);
    assert.deepEqual([asked, result.success], [[...inOrder, 'writeFile'], true]);
  });

  it('does so too where a person is asked and nothing changed: the change that was shown is the one that is made', async () => {
    const { asked, result } = await walk(true);
    // What the file holds is compared with what was shown within `writeFile`, right before the new content takes its
    // place.
    assert.deepEqual([asked, result.success], [[...inOrder, 'ask', 'stat', 'writeFile'], true]);
    assert.equal(readFileSync(ws.at('a.txt'), 'utf8'), words.content);
  });

  it('is judged again where rules or profile changed while the question stood open', async () => {
    let revision = 1;
    const changed = await walk(
      true,
      () => void revision++,
      () => revision,
    );
    assert.deepEqual(changed.asked, [...inOrder, 'ask', 'judge', 'stat', 'writeFile']);
  });

  it('makes nothing of a file that became another one while the question stood open', async () => {
    for (const content of ['of the user, longer\n', 'middle\n']) {
      const { asked, result } = await walk(true, () => writeFileSync(ws.at('a.txt'), content));
      assert.deepEqual([asked.slice(0, 5), result.success], [[...inOrder, 'ask', 'stat'], false]);
      assert.equal(readFileSync(ws.at('a.txt'), 'utf8'), content);
      ws.put({ 'a.txt': 'before\n' });
    }
  });

  it('writes to the place that was judged or nowhere, whatever link takes its place', async () => {
    ws.put({ 'b.txt': 'of the user\n' });
    const { result } = await walk(true, () => {
      rmSync(ws.at('a.txt'));
      symlinkSync(ws.at('b.txt'), ws.at('a.txt'));
    });
    assert.deepEqual([result.success, readFileSync(ws.at('b.txt'), 'utf8')], [false, 'of the user\n']);
  });

  it('crosses fifteen files of the gate, and few others', async () => {
    const system = await openSystem({ files: { 'a.txt': 'one\n' }, approve: true });
    try {
      const write = (content: string) => system.call('write_file', { ...words, content });
      // What is loaded at the first call is not what a call does.
      for (const content of ['two\n', 'three\n']) await write(content);
      // What runs beside one of them, such as the late syncing of the one before, is no part of its way.
      const each: (readonly string[])[] = [];
      for (const content of ['four\n', 'five\n', 'six\n']) each.push(await filesRun(() => write(content)));
      const ran = (each[0] ?? []).filter((file) => each.every((one) => one.includes(file)));
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
      // The finder of secrets looks at every answer, and what was read is followed, each in a few files of its own.
      const within = (folder: string): readonly string[] => ran.filter((file) => file.startsWith(folder));
      const [finder, flow] = [within('src/core/secrets/'), within('src/core/flow/')];
      const others = ran.filter((file) => !finder.includes(file) && !flow.includes(file));
      assert.ok(others.length <= 77, `${others.length} files: ${others.join(', ')}`);
      assert.ok(finder.length <= 11, `${finder.length} files of the finder`);
      assert.ok(flow.length <= 8, `${flow.length} files of the labels`);
    } finally {
      system.dispose();
    }
  });
});
