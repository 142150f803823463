import { strict as assert } from 'node:assert';
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type * as vscode from 'vscode';
import { fileSystem } from '../../../src/capabilities/fileSystem/fileSystem';
import type { ApprovalAnswer, BoundaryJudge } from '../../../src/core/call/gateCall';
import { ask, deny, pass } from '../../../src/core/call/stepAnswer';
import { defined } from '../../../src/core/base/json';
import { say } from '../../../src/core/base/sentence';
import { parseProfile, type ResolvedProfile, resolveProfile } from '../../../src/core/profiles/profile';
import { CapabilityRegistry } from '../../../src/core/registry/registry';
import type { FileSystem } from '../../../src/core/ports/files';
import type { StepAnswer } from '../../../src/core/vocabulary/decision';
import { permissionDenied } from '../../../src/core/vocabulary/errors';
import { GovernedTool } from '../../../src/vscode/tools/languageModelTools';
import { makeGate } from '../../support/gate';
import { fakePorts } from '../../support/toolContext';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace';

const words = { path: 'a.txt', content: 'after\n' };
const allowed: ApprovalAnswer = { outcome: 'allowed', by: 'user', waitedMs: 1 };
const declined: ApprovalAnswer = { outcome: 'denied', by: 'user', waitedMs: 1 };
const token: vscode.CancellationToken = {
  isCancellationRequested: false,
  onCancellationRequested: () => ({ dispose: () => undefined }),
};

interface Watched {
  readonly rules: () => StepAnswer;
  readonly answer: () => ApprovalAnswer;
  readonly revision?: () => number;
  /** Whether a grant covers the call now. */
  readonly covering?: () => boolean;
}

interface ChatOptions extends Partial<Watched> {
  readonly between?: () => void;
  /** How often the call is made after its one preview. */
  readonly runs?: number;
}

describe('the walk of one call that writes a file', () => {
  let ws: TestWorkspace;
  beforeEach(() => {
    ws = makeWorkspace();
    ws.put({ 'a.txt': 'before\n' });
  });
  afterEach(() => ws.dispose());

  /** The gate, and the questions that calls ask of the files, of the judge and of a person, in their order. */
  function watched({ rules, answer, revision = () => 1, covering }: Watched) {
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
        return rules();
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
      approver: {
        covering: () => (covering?.() ? { id: 'g', by: 'grant', use: () => true } : undefined),
        ask: async () => {
          asked.push('ask');
          return answer();
        },
      },
    });
    return { gate, asked };
  }

  /** One call of the gate. */
  async function walk(asks: boolean, meanwhile: () => void = () => undefined, revision = () => 1) {
    const rules = (): StepAnswer =>
      asks ? ask('boundaries', [{ said: say('cannot_succeed'), rule: 'r' }]) : pass('boundaries');
    const answer = (): ApprovalAnswer => {
      meanwhile();
      return allowed;
    };
    const { gate, asked } = watched({ rules, answer, revision });
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

  /**
   * A call from the chat: what its preview asks and what its run asks, with something that happens between them. A
   * person whom the gate asks says no where `answer` does not say otherwise.
   */
  async function chat(surface: 'chat' | 'modal', options: ChatOptions = {}) {
    const { between, rules = () => pass('boundaries'), answer = () => declined, covering, runs = 1 } = options;
    const { gate, asked } = watched({ rules, answer, ...defined({ covering }) });
    const tool = new GovernedTool('write_file', async () => ({
      router: gate.router,
      tool: (reference) => gate.registry.tool(reference),
      surface: () => surface,
    }));
    await tool.prepareInvocation({ input: words } as never, token);
    const preview = asked.splice(0);
    between?.();
    for (let run = 0; run < runs; run++) await tool.invoke({ input: words } as never, token);
    gate.dispose();
    return { preview, run: asked, made: readFileSync(ws.at('a.txt'), 'utf8') === words.content };
  }

  it('a call from the chat is judged twice, and what the editor showed is made without reading the file again', async () => {
    assert.deepEqual(await chat('chat'), {
      preview: inOrder,
      run: ['canonical', 'judge', 'stat', 'writeFile'],
      made: true,
    });
    // Where the gate asks by itself or a grant answers, the preview was for the line of the call in the chat alone.
    ws.put({ 'a.txt': 'before\n' });
    assert.deepEqual(await chat('modal', { answer: () => allowed }), {
      preview: inOrder,
      run: [...inOrder, 'ask', 'stat', 'writeFile'],
      made: true,
    });
    ws.put({ 'a.txt': 'before\n' });
    assert.deepEqual(await chat('modal', { covering: () => true }), {
      preview: inOrder,
      run: [...inOrder, 'writeFile'],
      made: true,
    });
  });

  it('a call from the chat is judged by what is so when it runs: a rule, a grant, a link, one run for one preview', async () => {
    let isDenied = false;
    const rules = (): StepAnswer =>
      isDenied ? deny('boundaries', permissionDenied('write_file', say('cannot_succeed'))) : pass('boundaries');
    const ruled = await chat('chat', { rules, between: () => (isDenied = true) });
    assert.deepEqual([ruled.run, ruled.made], [['canonical', 'judge'], false]);
    let isGranted = true;
    const revoked = await chat('modal', { covering: () => isGranted, between: () => (isGranted = false) });
    assert.deepEqual([revoked.run.includes('ask'), revoked.made], [true, false]);
    const twice = await chat('chat', { runs: 2 });
    assert.deepEqual([twice.run.filter((one) => one === 'ask').length, twice.made], [1, true]);
    ws.put({ 'a.txt': 'before\n', 'b.txt': 'of the user\n' });
    const led = await chat('chat', {
      between: () => {
        rmSync(ws.at('a.txt'));
        symlinkSync(ws.at('b.txt'), ws.at('a.txt'));
      },
    });
    assert.deepEqual([led.run.includes('ask'), readFileSync(ws.at('b.txt'), 'utf8')], [true, 'of the user\n']);
  });
});
