import { strict as assert } from 'node:assert';
import { plainWords } from '../../../src/core/base/translate';
import { ModalQuestions } from '../../../src/vscode/confirm/modalQuestions';
import type { TextButton } from '../../../src/vscode/confirm/askText';
import { TextQuestions } from '../../../src/vscode/confirm/textQuestions';
import { FakeClock } from '../../support/toolContext';

interface Shown {
  readonly detail: string;
  readonly labels: readonly string[];
}

/** A person who presses these buttons in turn, and goes on after reading unless told otherwise. */
function person(presses: readonly (string | undefined)[], goesOn: PromiseLike<boolean> = Promise.resolve(true)) {
  const clock = new FakeClock();
  const left = [...presses];
  const modals: Shown[] = [];
  const texts: string[] = [];
  const closed: number[] = [];
  const questions = new ModalQuestions(async (_title, detail, buttons) => {
    modals.push({ detail, labels: buttons.map(({ label }) => label) });
    clock.advance(1000);
    const pressed = left.shift();
    return buttons.find(({ label }) => label === pressed);
  }, clock);
  const asker = new TextQuestions({
    questions,
    showText: async (name, text) => {
      const at = texts.push(`${name}\n${text}`);
      return () => closed.push(at);
    },
    goOn: () => goesOn,
    t: plainWords,
  });
  return { asker, modals, texts, closed };
}

const approve: readonly TextButton<'yes' | 'no'>[] = [
  { id: 'yes', label: 'Approve' },
  { id: 'no', label: 'Take Back', isAlways: true },
];
const ask = (asker: TextQuestions, lines: readonly string[], more: { showFirst?: boolean } = {}) =>
  asker.ask({ title: 'Approve 3 tools?', lines, name: 'mcp-x.diff', buttons: approve, ...more });
const hint = 'It can be approved once all of it has been shown in the editor.';

describe('a question about a text', () => {
  it('D.modal: a text that fits is shown whole and can be approved at once', async () => {
    const { asker, modals } = person(['Approve']);
    assert.equal(await ask(asker, ['one', 'two']), 'yes');
    assert.deepEqual(modals, [{ detail: 'one\ntwo', labels: ['Approve', 'Take Back', 'Show in Editor'] }]);
    const approved = person([undefined]);
    assert.equal(await ask(approved.asker, ['one'], { showFirst: true }), undefined);
    assert.deepEqual(approved.modals[0]?.labels, ['Show in Editor', 'Approve', 'Take Back']);
  });

  it('D.modal: what does not fit can be approved only after all of it was shown, and says how much is missing', async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `tool_${index}`);
    const { asker, modals, texts } = person(['Show in Editor', 'Approve']);
    assert.equal(await ask(asker, lines), 'yes');
    assert.deepEqual(modals, [
      {
        detail: [...lines.slice(0, 23), '… 7 lines more, shown by Show in Editor', '', hint].join('\n'),
        labels: ['Show in Editor', 'Take Back'],
      },
      {
        detail: [...lines.slice(0, 23), '… 7 lines more, shown by Show in Editor'].join('\n'),
        labels: ['Approve', 'Take Back', 'Show in Editor'],
      },
    ]);
    assert.deepEqual(texts, [['mcp-x.diff', 'Approve 3 tools?', '', ...lines].join('\n')]);
  });

  it('D.modal: one endless line, line breaks inside a line and hidden characters do not fit either', async () => {
    for (const lines of [
      ['x'.repeat(5000)],
      ['a\n'.repeat(40)],
      ['safe\u202Ecod.exe'],
      [`safe${'\t'.repeat(40)}evil`],
      ['a', 'b\u200B'],
    ]) {
      const { asker, modals } = person(['Approve']);
      assert.equal(await ask(asker, lines), undefined, 'a label that is not offered is no answer');
      assert.deepEqual(modals[0]?.labels, ['Show in Editor', 'Take Back']);
      assert.ok(modals[0]?.detail.endsWith(hint));
      assert.doesNotMatch(modals[0]?.detail ?? '', /[\u202E\u200B\t]/);
    }
  });

  it('D.modal: shows the beginning of an endless line', async () => {
    const { asker, modals } = person([undefined]);
    await ask(asker, [`start ${'x'.repeat(5000)}`]);
    assert.match(modals[0]?.detail ?? '', /^start x{1000,1400}…\n… 1 line more, shown by Show in Editor\n/);
  });

  it('D.modal: cancelling, putting the text aside and an aborted call answer nothing', async () => {
    const many = Array.from({ length: 30 }, String);
    assert.equal(await ask(person([undefined]).asker, many), undefined);
    assert.equal(await ask(person(['Show in Editor', 'Approve'], Promise.resolve(false)).asker, many), undefined);
    const controller = new AbortController();
    controller.abort();
    const { asker, modals } = person(['Approve']);
    assert.equal(
      await asker.ask({ title: 't', lines: ['x'], name: 'x', buttons: approve }, controller.signal),
      undefined,
    );
    assert.deepEqual(modals, []);
  });

  it('D.modal: the text that was shown is closed once it is answered, in whatever way, and stays where it was put aside', async () => {
    const many = Array.from({ length: 30 }, String);
    for (const answer of ['Approve', 'Take Back', undefined]) {
      const { asker, closed } = person(['Show in Editor', answer]);
      await ask(asker, many);
      assert.deepEqual(closed, [1], answer);
    }
    const twice = person(['Show in Editor', 'Show in Editor', 'Approve']);
    await ask(twice.asker, many);
    assert.deepEqual(twice.closed, [2], 'both were the same editor');
    const aside = person(['Show in Editor'], Promise.resolve(false));
    await ask(aside.asker, many);
    assert.deepEqual(aside.closed, []);
    const controller = new AbortController();
    const { asker, closed } = person(['Show in Editor'], new Promise(() => undefined));
    const asked = asker.ask({ title: 't', lines: many, name: 'x', buttons: approve }, controller.signal);
    setTimeout(() => controller.abort(), 5);
    assert.equal(await asked, undefined);
    assert.deepEqual(closed, [1], 'nobody needs the answer any more');
  });

  it('D.modal: a long line is broken in the editor, so that its end is not out of sight, and a row of a change keeps its sign', async () => {
    const { asker, texts } = person(['Show in Editor', undefined]);
    const words = Array.from({ length: 40 }, (_, at) => `word${at}`).join(' ');
    await ask(asker, [`+tool (low): ${words}`, 'x'.repeat(250)]);
    const [, , , ...rows] = (texts[0] ?? '').split('\n');
    assert.ok(rows.every((row) => row.length <= 110));
    assert.deepEqual(
      rows.map((row) => row.slice(0, 5)),
      ['+tool', '+   w', '+   w', 'xxxxx', '    x', '    x'],
    );
    assert.equal(rows.slice(0, 3).join(' ').replaceAll(' +   ', ' '), `+tool (low): ${words}`);
    assert.equal(rows.slice(3).join('').replaceAll(' ', ''), 'x'.repeat(250));
  });
});
