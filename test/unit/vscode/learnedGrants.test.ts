import { strict as assert } from 'node:assert';
import type { AuditEvent } from '../../../src/core/audit/event';
import { toRecord, shapeOnly } from '../../../src/core/audit/makeRecord';
import type { AuditPage } from '../../../src/core/audit/reader';
import type { AuditRecord } from '../../../src/core/audit/record';
import { say } from '../../../src/core/base/sentence';
import type { ApprovalRequest } from '../../../src/core/call/gateCall';
import { AnsweredCalls } from '../../../src/core/learning/answeredCalls';
import { permissionReasons } from '../../../src/core/vocabulary/decision';
import { EditorConfirmer } from '../../../src/vscode/confirm/confirmer';
import { ModalQuestions } from '../../../src/vscode/confirm/modalQuestions';
import { fakeCall } from '../../support/gateCall';
import { FakeClock } from '../../support/toolContext';
import { makeWorkspace } from '../../support/workspace';

const asking = { said: say(permissionReasons.agent) };
const turns = (): Promise<void> => new Promise((done) => setImmediate(done));

let next = 0;

function request(path: string): ApprovalRequest {
  const accesses = [{ effect: 'fs.write', resource: path }] as const;
  const call = fakeCall({ accesses });
  return { id: `${path} ${next++}`, call, accesses, reasons: [asking], preview: {}, needsAdmin: false };
}

/** The end of a call that a person allowed, or of one that was denied. */
function ended({ id, call, accesses }: ApprovalRequest, isDenied = false): AuditEvent {
  const facts = {
    invocationId: id,
    toolId: call.tool.id,
    toolName: call.tool.modelName,
    capabilityId: 'file_system',
    source: 'builtin',
    riskLevel: 'medium',
    actor: call.actor,
    surface: 'chat',
    profileId: 'p',
    mode: 'execute',
    time: 0,
    accesses,
    steps: [{ step: 'permission', effect: 'ask', reasons: [asking] }],
    input: { path: id },
  } as const;
  return isDenied
    ? {
        ...facts,
        type: 'policy.violation',
        step: 'boundaries',
        errorCode: 'denied_by_policy',
        errorMessage: '',
        rules: [],
      }
    : {
        ...facts,
        type: 'invocation.finished',
        outcome: 'success',
        durationMs: 1,
        withheld: 0,
        declaredSideEffects: [],
        approvedBy: 'user',
      };
}

/** A window with a person who presses these buttons in turn; `page` is what the record answers. */
function windowOf(page: () => Promise<AuditPage>, presses: string[] = []) {
  const ws = makeWorkspace();
  ws.put({ 'notes/a.md': '', 'notes/b.md': '', 'notes/x.md': '' });
  const clock = new FakeClock();
  const modals: { title: string; detail: string; labels: readonly string[] }[] = [];
  const questions = new ModalQuestions(async (title, detail, buttons) => {
    modals.push({ title, detail, labels: buttons.map(({ label }) => label) });
    clock.advance(1000);
    const pressed = presses.shift() ?? 'Allow Once';
    return buttons.find(({ label }) => label === pressed);
  }, clock);
  const answered = new AnsweredCalls();
  let pages = 0;
  const reader = { page: () => (pages++, page()) };
  const confirmer = new EditorConfirmer({
    questions,
    editors: { open: async () => undefined, hasShown: () => false },
    clock,
    queue: () => undefined,
    isUnlocked: () => false,
    learned: { reader, answered, files: () => ws.files, clock, questions },
  });
  return {
    modals,
    reads: () => pages,
    async ask(path: string) {
      const one = request(path);
      const answering = confirmer.confirm(one, new AbortController().signal);
      clock.advance(100); // So long a question waits for others.
      const answer = await answering;
      answered.record(ended(one, answer.outcome === 'deny'));
      await turns();
      return answer;
    },
    dispose: () => ws.dispose(),
  };
}

const none: AuditPage = { found: [] };
const stop = 'Stop Asking…';

describe('what a question offers from the record', () => {
  it('D.questions: knows the calls of this window at once, and reads the record once for a tool', async () => {
    const window = windowOf(async () => none, ['Allow Once', 'Allow Once', stop, 'For This Session']);
    await window.ask('notes/a.md');
    await window.ask('notes/b.md');
    const third = await window.ask('notes/c.md');
    window.dispose();
    assert.deepEqual(
      window.modals.map(({ labels }) => labels.includes(stop)),
      [false, false, true, false],
    );
    assert.deepEqual(third, {
      outcome: 'always',
      grant: { scope: 'session', cover: 'pattern', pattern: 'notes/*.md' },
      hasRead: false,
    });
    assert.match(window.modals[3]?.detail ?? '', /questions saved: 2 of 2; denied calls allowed: none of 0/);
    assert.match(window.modals[3]?.detail ?? '', /also allow, of what is there \(files: 3\): notes\/x\.md/);
    assert.equal(window.reads(), 1);
  });

  it('D.questions: no question waits for a record that is slow, and nothing is offered before it was read', async () => {
    let tell = (_page: AuditPage): void => undefined;
    const window = windowOf(() => new Promise((done) => (tell = done)));
    for (const name of ['a', 'b', 'c']) await window.ask(`notes/${name}.md`);
    assert.deepEqual(
      window.modals.map(({ labels }) => labels.includes(stop)),
      [false, false, false],
    );
    // What was denied before is known only now; all of it counts.
    const event = ended(request('notes/secret.md'), true);
    tell({ found: [{ segment: 's', record: { ...toRecord(event, shapeOnly()), hash: '' } as AuditRecord }] });
    await turns();
    await window.ask('notes/d.md');
    assert.equal(window.modals.at(-1)?.labels.includes(stop), false);
    await window.ask('notes/d.md');
    await window.ask('notes/d.md');
    window.dispose();
    assert.equal(window.modals.at(-1)?.labels.includes(stop), true);
  });

  it('D.questions: a record that cannot be read is read again with the next question', async () => {
    let fails = true;
    const window = windowOf(async () => {
      if (fails) throw new Error('the disk is away');
      return none;
    });
    for (const name of ['a', 'b', 'c']) await window.ask(`notes/${name}.md`);
    assert.equal(window.modals.at(-1)?.labels.includes(stop), false);
    fails = false;
    await window.ask('notes/d.md');
    await window.ask('notes/e.md');
    window.dispose();
    assert.equal(window.modals.at(-1)?.labels.includes(stop), true);
  });
});
