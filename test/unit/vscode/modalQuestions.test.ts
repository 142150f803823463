import { strict as assert } from 'node:assert';
import { ModalQuestions } from '../../../src/vscode/confirm/modalQuestions';
import { showModal } from '../../../src/vscode/confirm/modalSurface';
import { shownWindow } from '../../support/fakeVscode';
import { FakeClock } from '../../support/toolContext';

const text = {
  title: 'Allow?',
  detail: 'why',
  buttons: [
    { id: 'allow-once', label: 'Allow Once' },
    { id: 'show', label: 'Show in Editor', isHarmless: true },
  ],
};
const never = (): AbortSignal => new AbortController().signal;

/** A modal whose answers a test gives, each after some time. */
function modal(answers: readonly { after: number; label: string | undefined }[]) {
  const clock = new FakeClock();
  const shown: string[] = [];
  const left = [...answers];
  const questions = new ModalQuestions(async (title, _detail, buttons) => {
    shown.push(title);
    const next = left.shift();
    clock.advance(next?.after ?? 1000);
    return buttons.find(({ label }) => label === next?.label);
  }, clock);
  return { questions, shown };
}

describe('the modal question', () => {
  it('D.modal: answers the button, and no for Cancel, Escape and closing', async () => {
    assert.equal(await modal([{ after: 900, label: 'Allow Once' }]).questions.ask(text, never()), 'allow-once');
    assert.equal(await modal([{ after: 900, label: undefined }]).questions.ask(text, never()), undefined);
    assert.equal(await modal([{ after: 900, label: 'Something else' }]).questions.ask(text, never()), undefined);
  });

  it('D.modal: asks again where an allow comes within 500 ms, because it was meant for the keyboard before', async () => {
    const { questions, shown } = modal([
      { after: 100, label: 'Allow Once' },
      { after: 499, label: 'Allow Once' },
      { after: 500, label: 'Allow Once' },
    ]);
    assert.equal(await questions.ask(text, never()), 'allow-once');
    assert.equal(shown.length, 3);
  });

  it('D.modal: a button that does no harm counts at once, and a single yes is asked again like any other', async () => {
    assert.equal(await modal([{ after: 10, label: 'Show in Editor' }]).questions.ask(text, never()), 'show');
    const { questions, shown } = modal([
      { after: 10, label: 'Import' },
      { after: 700, label: 'Import' },
    ]);
    assert.equal(await questions.confirms('Import?', 'what', 'Import'), true);
    assert.deepEqual(shown, ['Import?', 'Import?']);
    assert.equal(await modal([{ after: 10, label: undefined }]).questions.confirms('Import?', 'what', 'Import'), false);
  });

  it('D.modal: of two buttons with the same label the one that was pressed answers', async () => {
    const clock = new FakeClock();
    const questions = new ModalQuestions(async (_title, _detail, buttons) => {
      clock.advance(1000);
      return buttons[1];
    }, clock);
    const buttons = ['allow', 'deny'].map((id) => ({ id, label: 'Gleich' }));
    assert.equal(await questions.ask({ ...text, buttons }, never()), 'deny');
    const before = shownWindow.warned;
    shownWindow.warned = (items) => items[2]; // The first one is what makes it a modal.
    try {
      assert.equal((await showModal('Allow?', 'why', buttons))?.id, 'deny');
    } finally {
      shownWindow.warned = before;
    }
  });

  it('a quick Cancel counts at once', async () => {
    const { questions, shown } = modal([{ after: 10, label: undefined }]);
    assert.equal(await questions.ask(text, never()), undefined);
    assert.equal(shown.length, 1);
  });

  it('D.modal: shows one at a time, and answers no as soon as nobody needs the answer', async () => {
    const clock = new FakeClock();
    const shown: string[] = [];
    const close: (() => void)[] = [];
    const questions = new ModalQuestions((title, _detail, [first]) => {
      shown.push(title);
      return new Promise((resolve) => close.push(() => resolve(first)));
    }, clock);
    const cancel = new AbortController();
    const first = questions.ask({ ...text, title: 'first' }, cancel.signal);
    const second = questions.ask({ ...text, title: 'second' }, never());
    await Promise.resolve();
    await Promise.resolve();
    assert.deepEqual(shown, ['first']);
    cancel.abort();
    assert.equal(await first, undefined);
    assert.deepEqual(shown, ['first'], 'the second waits until the person has closed the first');
    clock.advance(1000);
    close[0]?.();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(shown, ['first', 'second']);
    clock.advance(1000);
    close[1]?.();
    assert.equal(await second, 'allow-once');
  });
});
