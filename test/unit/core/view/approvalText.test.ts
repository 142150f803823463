import { plainWords } from '../../../../src/core/base/translate';
import { strict as assert } from 'node:assert';
import { say } from '../../../../src/core/base/sentence';
import { changeBetween } from '../../../../src/capabilities/fileSystem/change/diff';
import { type ApprovalText, describeApproval } from '../../../../src/core/present/approvalText';
import { fakeCall } from '../../../support/gateCall';

const lines = (count: number, text = 'line'): string =>
  Array.from({ length: count }, (_, at) => `${text} ${at}\n`).join('');

function asked(before: string, after: string, path = 'src/core/format.ts'): ApprovalText {
  const { diff } = changeBetween(path, before, after);
  const accesses = [{ effect: 'fs.write', resource: path }];
  const call = fakeCall({ tool: 'edit_file', accesses, definition: { changesFiles: true } });
  const reasons = [{ said: say('confirmation_for_agents') }];
  return describeApproval({ id: '1', call, accesses, reasons, preview: { diff }, needsAdmin: false }, plainWords);
}

const labels = ({ buttons }: ApprovalText): readonly string[] => buttons.map(({ label }) => label);

describe('the question about an ordinary edit', () => {
  it('D.modal: each button says what it covers', () => {
    assert.deepEqual(
      asked('a\n', 'b\n').lastingButtons.map(({ label }) => label),
      [
        'Allow edit_file on src/core/format.ts for Session',
        'Allow All File Changes below src/core/ for Session',
        'Allow All File Changes below src/ for Session',
        'Always Allow…',
      ],
    );
    assert.deepEqual(labels(asked('a\n', 'b\n', 'readme.md')), [
      'Allow Once',
      'Allow edit_file on readme.md for Session',
      'Always Allow…',
      'Show in Editor',
    ]);
  });

  it('D.modal: a name that is too long for the title is cut between its words', () => {
    const titled = (resource: string): string => {
      const accesses = [{ effect: 'fs.write', resource }];
      const request = { id: '1', call: fakeCall({ accesses }), accesses, reasons: [], preview: {}, needsAdmin: false };
      return describeApproval({ ...request }, plainWords).title;
    };
    assert.equal(
      titled('src/quite/deep/folders/with_a_rather_long_name_of_a_file_that_is_not_short.component.test.ts'),
      'Allow "write_file" to change src/quite/deep/folders/with_a_rather_long_…_short.component.test.ts?',
    );
    assert.match(titled('x'.repeat(200)), /^Allow "write_file" to change x{46}…x{26}\?$/);
  });

  it('D.modal: a write of what the file holds already says that no line would change', () => {
    const accesses = [{ effect: 'fs.write', resource: 'a.md' }];
    const call = fakeCall({ tool: 'write_file', accesses, definition: { changesFiles: true } });
    const detailOf = (added: number): string => {
      const preview = { diff: '', stake: { lines: { added, removed: 0 } } };
      return describeApproval({ id: '1', call, accesses, reasons: [], preview, needsAdmin: false }, plainWords).detail;
    };
    assert.match(detailOf(0), /^At stake: no line would change\.$/m);
    assert.match(detailOf(2), /^At stake: lines \+2 −0\.$/m);
  });

  it('D.modal: answers for the session stand behind one button where the editor would cut their words', () => {
    const { buttons, lastingButtons } = asked('a\n', 'b\n');
    assert.deepEqual(
      buttons.map(({ label }) => label),
      ['Allow Once', 'Allow for Session…', 'Always Allow…', 'Show in Editor'],
    );
    const [, session] = buttons;
    assert.deepEqual(session?.id === 'for-session' && session.choices, lastingButtons.slice(0, 3));
    const long = asked('a\n', 'b\n', 'a-rather-long-name-of-a-file.md');
    assert.deepEqual(labels(long), labels(asked('a\n', 'b\n')));
  });

  it('D.modal: unchanged lines do not count: too many are left out, long and strange ones withhold nothing', () => {
    const far = (one: string): string => `${one}\n${lines(9)}${one}\n${lines(9)}${one}\n`;
    const many = asked(far('old'), far('new'));
    assert.equal(many.lasting, 'now', many.detail);
    assert.match(many.detail, /^\(unchanged lines are left out\)$/m);
    assert.deepEqual(many.detail.match(/^[-+].*$/gm), ['-old', '+new', '-old', '+new', '-old', '+new']);
    assert.equal(many.detail.includes('line 5'), false);
    assert.match(many.full, /^ line 2$/m);
    const strange = asked(`${'x'.repeat(400)}\u202E\nold\n`, `${'x'.repeat(400)}\u202E\nnew\n`);
    assert.equal(strange.lasting, 'now', strange.detail);
  });

  it('D.modal: a long changed line stands there whole over several rows, each with its sign', () => {
    const text = asked('const a = 1;\n', `const a = "${'b'.repeat(300)}"; steal();\n`);
    assert.equal(text.lasting, 'now', text.detail);
    const rows = text.detail.split('\n').filter((row) => row.startsWith('+'));
    assert.deepEqual(
      rows.map((row) => row.slice(0, 3)),
      ['+co', '+⤷ ', '+⤷ '],
    );
    assert.equal(rows.map((row) => row.replace('+⤷ ', '')).join(''), `+const a = "${'b'.repeat(300)}"; steal();`);
    assert.ok(rows.every((row) => row.length <= 120));
  });

  it('D.modal: what does not fit or hides something may last once it was read, what cannot be compared never', () => {
    const long = asked('', lines(60));
    assert.deepEqual([long.lasting, labels(long)], ['read', ['Allow Once', 'Show in Editor']]);
    assert.deepEqual(
      long.lastingButtons.map(({ id }) => id),
      ['allow-session', 'allow-files', 'allow-files', 'always'],
    );
    assert.equal(asked('a\n', 'b\u202E\n').lasting, 'read');
    assert.equal(asked('a\n', 'b\n', 'src/a\u202Etxt.exe').lasting, 'never');
    assert.deepEqual(asked('a\n', 'b\n', 'src/a\u202Etxt.exe').lastingButtons, []);
  });
});
