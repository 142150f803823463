import { strict as assert } from 'node:assert';
import { changeBetween } from '../../../../src/capabilities/fileSystem/change/diff';
import { shownSides } from '../../../../src/core/present/changeSides';

const shown = (before: string, after: string, ignoresBlanks = true) =>
  shownSides({ before, after }, { diff: changeBetween('a.py', before, after).diff, ignoresBlanks });

describe('the two sides of a change in an editor', () => {
  it('D.modal: stand there as they are where all of them is seen', () => {
    const [before, after] = ['if x:\n\ty()\n  # ü 👩‍👧\n', 'if x:\n\tz()\n  # ü 👩‍👧\n'];
    assert.deepEqual(shown(before, after), { before, after });
    assert.deepEqual(shown('a\r\nb\r\n', 'a\r\nc\r\n'), { before: 'a\r\nb\r\n', after: 'a\r\nc\r\n' });
  });

  it('D.modal: write out what is invisible', () => {
    assert.deepEqual(shown('a\n', 'a\u202E\u200B\n').after, 'a⟨U+202E⟩⟨U+200B⟩\n');
  });

  it('D.modal: show blanks at the ends of lines where nothing else of them changes and the editor would not compare them', () => {
    const before = 'if admin:\n    check()\n    grant()\nlast\n';
    const after = 'if admin:\n    check()\ngrant()\nlast  \n';
    assert.deepEqual(shown(before, after), {
      before: 'if admin:\n    check()\n····grant()\nlast\n',
      after: 'if admin:\n    check()\ngrant()\nlast··\n',
    });
    assert.deepEqual(shown(before, after, false), { before, after });
    assert.equal(shown('\tx\n', '  x\n').before, '→x\n');
  });

  it('D.modal: show line ends where they are not all alike, which the editor would make so', () => {
    assert.deepEqual(shown('a\nb\n', 'a\r\nb\r\n'), { before: 'a\nb\n', after: 'a⟨U+000D⟩\nb⟨U+000D⟩\n' });
    assert.equal(shown('a\r\n', 'a\r\nb\rc\r\n').after, 'a⟨U+000D⟩\nb⟨U+000D⟩c⟨U+000D⟩\n');
  });

  it('D.modal: break a line that the editor would not draw to its end', () => {
    const { after } = shown('', `${'a'.repeat(20_000)}steal()`);
    const rows = after.split('\n');
    assert.ok(rows.every((row) => row.length <= 1000));
    assert.ok(rows.slice(1).every((row) => row.startsWith('⤷ ')));
    assert.equal(rows.map((row) => row.replace(/^⤷ /, '')).join(''), `${'a'.repeat(20_000)}steal()`);
  });
});
