import { plainWords, type Translate } from '../../../src/core/base/translate';
import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { say } from '../../../src/core/base/sentence';
import type { ApprovalRequest } from '../../../src/core/call/gateCall';
import { AnsweredCalls } from '../../../src/core/learning/answeredCalls';
import { AdminToken } from '../../../src/core/policy/approvals/adminToken';
import { ApprovalQueue } from '../../../src/core/policy/approvals/approvals';
import { GrantStore } from '../../../src/core/policy/grants/grants';
import { tickedTogether, togetherAnswers, togetherRows } from '../../../src/core/present/together';
import { EditorConfirmer } from '../../../src/vscode/confirm/confirmer';
import { ModalQuestions, type ShowModal } from '../../../src/vscode/confirm/modalQuestions';
import { runs } from '../../support/counts';
import { shownWindow } from '../../support/fakeVscode';
import { fakeCall } from '../../support/gateCall';
import { until } from '../../support/editor/until';
import { FakeClock, fakePorts, MemorySecrets, MemoryStore } from '../../support/toolContext';

const asks = { said: say('confirmation_for_agents') };

function request(
  id: string,
  tool: string,
  resource: string,
  { invocationId, ...more }: Partial<ApprovalRequest> & { readonly invocationId?: string } = {},
): ApprovalRequest {
  const effect = tool === 'delete_file' ? 'fs.delete' : 'fs.write';
  const call = fakeCall({
    tool,
    accesses: [{ effect, resource }],
    input: { path: resource },
    ...(invocationId ? { id: invocationId } : {}),
  });
  const { accesses } = call;
  return { id, call, accesses, reasons: [asks], preview: {}, needsAdmin: false, ...more };
}

/** A queue whose modals and lists a test answers. */
function world() {
  const clock = new FakeClock();
  const modals: {
    title: string;
    detail: string;
    labels: readonly string[];
    press: (label: string | undefined) => void;
  }[] = [];
  const opened: string[] = [];
  const show: ShowModal = (title, detail, buttons) =>
    new Promise((resolve) => {
      const press = (wanted?: string): void => resolve(buttons.find(({ label }) => label === wanted));
      modals.push({ title, detail, labels: buttons.map(({ label }) => label), press });
    });
  const questions = new ModalQuestions(show, clock);
  const learned = {
    answered: new AnsweredCalls(),
    reader: { page: async () => ({ found: [] }) } as never,
    files: () => ({}) as never,
    clock,
    questions,
  };
  const editors = {
    hasShown: (id: string) => opened.includes(id),
    open: async ({ id }: ApprovalRequest) => void opened.push(id),
  };
  const stores = { workspace: new MemoryStore(), user: new MemoryStore() };
  const { crypto } = fakePorts();
  const hasher = { hash: async (token: string) => token, verify: async () => false };
  const queue: ApprovalQueue = new ApprovalQueue({
    confirmer: new EditorConfirmer({ questions, editors, clock, isUnlocked: () => false, learned, queue: () => queue }),
    isShownWhole: () => true,
    grants: new GrantStore({ clock, crypto, ...stores }),
    clock,
    admin: new AdminToken({ secrets: new MemorySecrets(), hasher, clock }),
    timeoutSeconds: () => 0,
  });
  const answers = new Map<string, string>();
  const ask = (one: ApprovalRequest, controller = new AbortController()): AbortController => {
    void queue.ask(one, controller.signal).then((answer) => answers.set(one.id, `${answer.outcome} ${answer.by}`));
    return controller;
  };
  /** The modal with this number, once it is open. */
  const modal = async (at: number) =>
    until(async () => {
      clock.advance(100);
      const one = modals[at];
      assert.ok(one, 'no modal is open');
      return one;
    });
  const list = () =>
    until(async () => {
      assert.ok(shownWindow.pick, 'no list is open');
      return shownWindow.pick;
    });
  return { clock, queue, ask, modal, modals, list, answers, opened };
}

/** Until all that waits for nothing but a turn has gone on. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const labels = (items: readonly { readonly label: string }[]): readonly string[] => items.map(({ label }) => label);

describe('calls that ask at the same moment', () => {
  it('D.questions: stand in one list, each with its own yes and no, and one answer for a kind', async () => {
    const { clock, ask, modal, list, answers, queue } = world();
    for (const name of ['a', 'b', 'c']) ask(request(name, 'write_file', `notes/${name}.md`));
    ask(request('d', 'delete_file', 'old.md'));
    ask(request('e', 'write_file', 'admin.md', { needsAdmin: true }));
    const first = await modal(0);
    assert.deepEqual(first.labels.slice(-2), ['Decide All 4…', 'Show in Editor']);
    first.press('Decide All 4…');
    const pick = await list();
    assert.deepEqual(labels(pick.items), [
      'All 3: write_file',
      'change notes/a.md',
      'change notes/b.md',
      'change notes/c.md',
      'delete old.md',
    ]);
    assert.match(pick.title, /^4 calls wait: those ticked are allowed once, all others are denied$/);
    assert.deepEqual(pick.selectedItems, [], 'nothing is allowed by not looking');
    pick.tick('All 3: write_file');
    pick.tick('change notes/b.md');
    assert.deepEqual(labels(pick.selectedItems).toSorted(), ['change notes/a.md', 'change notes/c.md']);
    clock.advance(500);
    pick.enter();
    const last = await modal(1);
    assert.equal(last.title, 'Answer 4 calls?');
    assert.deepEqual(last.labels, ['Allow 2 Once, Deny 2']);
    assert.match(last.detail, /^change notes\/a\.md \(\S+ risk\)\n.*path:\snotes\/a\.md/);
    assert.match(last.detail, /^Denied: change notes\/b\.md; delete old\.md$/m);
    assert.equal(answers.size, 0, 'nothing is allowed before it was shown');
    clock.advance(500);
    last.press('Allow 2 Once, Deny 2');
    await until(async () => assert.equal(answers.size, 4));
    assert.deepEqual(Object.fromEntries(answers), {
      a: 'allowed user',
      b: 'denied user',
      c: 'allowed user',
      d: 'denied user',
    });
    const alone = await modal(2);
    assert.ok(!alone.labels.some((label) => label.startsWith('Decide All')), 'what needs the token stands alone');
    alone.press(undefined);
    await until(async () => assert.equal(answers.get('e'), 'denied user'));
    queue.dispose();
  });

  it('D.questions: those that come one after the other are waited for, and the list has those that came later too', async () => {
    const { clock, ask, modal, list, answers, queue } = world();
    ask(request('a', 'write_file', 'a.md'));
    await settle();
    for (const name of ['b', 'c']) {
      clock.advance(60);
      await settle();
      ask(request(name, 'write_file', `${name}.md`));
      await settle();
      clock.advance(40);
      await settle();
    }
    const first = await modal(0);
    assert.deepEqual(first.labels.slice(-2), ['Decide All 3…', 'Show in Editor']);
    ask(request('d', 'write_file', 'd.md'));
    await settle();
    first.press('Decide All 3…');
    const pick = await list();
    assert.deepEqual(
      labels(pick.items).slice(1),
      ['a', 'b', 'c', 'd'].map((name) => `change ${name}.md`),
    );
    pick.hide();
    for (let at = 1; at <= 4; at++) {
      const one = await modal(at);
      clock.advance(500);
      one.press(undefined);
    }
    await until(async () => assert.equal(answers.size, 4));
    queue.dispose();
  });

  it('D.questions: a call that is on its way is waited for, and one that never comes holds no question for long', async () => {
    const { clock, ask, modals, answers, queue } = world();
    const passed = async (ms: number): Promise<void> => {
      clock.advance(ms);
      await settle();
      await settle();
    };
    queue.coming.add('b');
    ask(request('a', 'write_file', 'a.md'));
    await settle();
    for (let times = 0; times < 3; times++) await passed(100);
    assert.equal(modals.length, 0, 'the call that was announced has not come');
    ask(request('b', 'write_file', 'b.md', { invocationId: 'b' }));
    await settle();
    assert.equal(queue.coming.isAny, false, 'it asks now');
    for (let times = 0; times < 2; times++) await passed(100);
    assert.deepEqual(modals[0]?.labels.slice(-2), ['Decide All 2…', 'Show in Editor']);
    for (const at of [0, 1]) {
      queue.coming.add('never');
      modals[at]?.press(undefined);
      await settle();
      for (let times = 0; times < 5; times++) await passed(100);
    }
    assert.equal(modals.length, 2);
    await until(async () => assert.equal(answers.size, 2));
    assert.equal(queue.coming.isAny, true);
    clock.advance(2000);
    assert.equal(queue.coming.isAny, false, 'what never came is forgotten');
    queue.dispose();
  });

  it('D.questions: a pause that ended late has heard nothing, and is held once more', async () => {
    const { clock, ask, modals, queue } = world();
    ask(request('a', 'write_file', 'a.md'));
    await settle();
    // The timer runs before what came while the process was busy.
    clock.advance(218);
    ask(request('b', 'write_file', 'b.md'));
    await settle();
    assert.equal(modals.length, 0);
    for (let times = 0; times < 3; times++) {
      clock.advance(100);
      await settle();
    }
    assert.deepEqual(modals[0]?.labels.slice(-2), ['Decide All 2…', 'Show in Editor']);
    queue.dispose();
  });

  it('D.questions: an Enter within half a second answers nothing, and Escape goes back to the one question', async () => {
    const { clock, ask, modal, list, answers, queue } = world();
    for (const name of ['a', 'b']) ask(request(name, 'write_file', `${name}.md`));
    (await modal(0)).press('Decide All 2…');
    const pick = await list();
    pick.tick('All 2: write_file');
    clock.advance(499);
    pick.enter();
    assert.equal(shownWindow.pick, pick, 'the list is still open');
    pick.hide();
    const again = await modal(1);
    assert.equal(answers.size, 0);
    clock.advance(500);
    again.press('Allow Once');
    await until(async () => assert.deepEqual([...answers], [['a', 'allowed user']]));
    (await modal(2)).press(undefined);
    await until(async () => assert.equal(answers.get('b'), 'denied user'));
    queue.dispose();
  });

  it('D.questions: a call that ends meanwhile takes no answer, and its list goes with the question it came from', async () => {
    const { clock, ask, modal, list, answers, queue } = world();
    const first = ask(request('a', 'write_file', 'a.md'));
    const second = ask(request('b', 'write_file', 'b.md'));
    ask(request('c', 'write_file', 'c.md'));
    (await modal(0)).press('Decide All 3…');
    const pick = await list();
    second.abort();
    pick.tick('All 3: write_file');
    clock.advance(600);
    pick.enter();
    const shown = await modal(1);
    clock.advance(500);
    shown.press('Allow 3 Once');
    await until(async () => assert.equal(answers.size, 3));
    assert.equal(answers.get('b'), 'denied cancellation');
    assert.equal(answers.get('c'), 'allowed user');
    first.abort();

    const third = ask(request('d', 'write_file', 'd.md'));
    ask(request('e', 'write_file', 'e.md'));
    (await modal(2)).press('Decide All 2…');
    await list();
    third.abort();
    await until(async () => assert.equal(shownWindow.pick, undefined));
    const last = await modal(3);
    clock.advance(500);
    last.press('Allow Once');
    await until(async () => assert.equal(answers.get('e'), 'allowed user'));
    assert.equal(answers.get('d'), 'denied cancellation');
    queue.dispose();
  });

  it('D.questions: each call opens in an editor from the list, which stays', async () => {
    const { ask, modal, list, opened, queue } = world();
    for (const name of ['a', 'b']) ask(request(name, 'write_file', `$(trash) ${name}.md`));
    (await modal(0)).press('Decide All 2…');
    const pick = await list();
    const [, , second] = labels(pick.items);
    assert.equal(second, 'change $ (trash) b.md', 'no name draws a picture of the editor');
    pick.pressOn(second);
    await until(async () => assert.deepEqual(opened, ['b']));
    assert.equal(shownWindow.pick, pick);
    pick.hide();
    queue.dispose();
  });

  it('D.questions: nobody allows in a list what nobody has seen: what does not fit is read in an editor or asked alone', async () => {
    const { clock, ask, modal, list, answers, queue } = world();
    const long = { diff: `--- a\n+++ a\n@@ -1 +1 @@\n${'+line\n'.repeat(40)}` };
    for (const name of ['read', 'unread', 'short'])
      ask(request(name, 'write_file', `${name}.md`, name === 'short' ? {} : { preview: long }));
    (await modal(0)).press('Decide All 3…');
    const pick = await list();
    assert.match(String(pick.items.find(({ label }) => label === 'change unread.md')?.detail), /shows all of it/);
    pick.pressOn('change read.md');
    pick.tick('All 3: write_file');
    clock.advance(500);
    pick.enter();
    const last = await modal(1);
    assert.deepEqual(last.labels, ['Allow 2 Once']);
    assert.match(last.detail, /You have read it in the editor[\s\S]*1 more is asked about by itself/);
    clock.advance(500);
    last.press('Allow 2 Once');
    await until(async () => assert.deepEqual([...answers.keys()].toSorted(), ['read', 'short']));
    const alone = await modal(2);
    assert.match(alone.title, /change unread\.md/);
    alone.press(undefined);
    await until(async () => assert.equal(answers.get('unread'), 'denied user'));
    queue.dispose();
  });

  it('D.questions: what the last question cannot show whole in the language of the person is asked about by itself', () => {
    const wordy: Translate = (message, ...values) => `${plainWords(message, ...values)} ${'langes Wort '.repeat(120)}`;
    const one = request('a', 'write_file', 'a.md');
    const alone = (t: Translate) => togetherAnswers([one], new Set(['a']), () => false, t).alone;
    assert.deepEqual(alone(plainWords), []);
    assert.deepEqual(alone(wordy), [one]);
  });

  it('D.questions: a row of a kind is ticked when all of its calls are, and a tick of it means all of them (property)', () => {
    const tools = fc.array(fc.constantFrom('write_file', 'delete_file', 'edit_file'), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(tools, fc.array(fc.nat(12), { maxLength: 20 }), (some, ticks) => {
        const rows = togetherRows(
          some.map((tool, at) => request(`${at}`, tool, `${at}.md`)),
          plainWords,
        );
        const calls = rows.filter(({ members }) => !members);
        assert.equal(calls.length, some.length);
        let ticked: ReadonlySet<string> = new Set();
        for (const at of ticks) {
          const row = rows[at % rows.length];
          if (!row) continue;
          const after = new Set(ticked);
          if (!after.delete(row.id)) after.add(row.id);
          const next = tickedTogether(rows, ticked, after);
          const touched = new Set(row.members ?? [row.id]);
          for (const { id } of calls)
            assert.equal(next.has(id), touched.has(id) ? after.has(row.id) : ticked.has(id), id);
          for (const { id, members } of rows)
            if (members)
              assert.equal(
                next.has(id),
                members.every((one) => next.has(one)),
              );
          ticked = next;
        }
      }),
      { numRuns: runs(25, 1000) },
    );
  });
});
