import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { applyEdits } from '../../../../src/capabilities/fileSystem/change/editFile';
import { decodeText } from '../../../../src/capabilities/fileSystem/shared/text';
import { runs } from '../../../support/counts';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace';

let ws: TestWorkspace;
beforeEach(() => {
  ws = makeWorkspace();
});
afterEach(() => ws.dispose());

const text = (name: string): string => readFileSync(ws.at(name), 'utf8');

describe('an edit, and line ends that it does not name', () => {
  it('leaves them as they are, also where a file changes its line ends far down', async () => {
    const far = `${'some text of a line\r\n'.repeat(60_000)}last one\nlast two\n`;
    ws.put({ 'far.txt': far });
    const done = await ws.ok('edit_file', { path: 'far.txt', edits: [{ old_text: 'last one', new_text: 'last 1' }] });
    assert.equal(text('far.txt') === far.replace('last one', 'last 1'), true);
    assert.equal((await ws.ok('read_file', { path: 'far.txt', tail: 1 }))['end_of_line'], 'mixed');
    assert.equal(done['replacements'], 1);
  });

  it('finds a text of several lines in a file of both line ends, and writes the line ends of the place', async () => {
    ws.put({ 'both.txt': 'one\r\ntwo\nthree\r\nfour\none\r\n' });
    await ws.ok('edit_file', { path: 'both.txt', edits: [{ old_text: 'one\ntwo\n', new_text: '1\n2\n' }] });
    await ws.ok('edit_file', { path: 'both.txt', edits: [{ old_text: 'three\nfour', new_text: '$&\nmore\n4' }] });
    assert.equal(text('both.txt'), '1\r\n2\r\n$&\r\nmore\r\n4\none\r\n');
    ws.put({ 'twice.txt': 'a;\r\nb;\nx\na;\nb;\r\n' });
    const twice = await ws.call('edit_file', { path: 'twice.txt', edits: [{ old_text: 'a;\nb;\n', new_text: '' }] });
    assert.match(twice.ok ? '' : twice.error.message, /2 times, 1 expected \(lines 1, 4\)/);
  });

  it('keeps the line ends of the place where only white space differs', async () => {
    ws.put({ 'loose.txt': '  if (a) {\r\n    b();\r\n  }\r\nend\n' });
    const edits = [{ old_text: 'if (a) {\nb();\n}\n', new_text: 'if (c) {\n  d();\n}\n' }];
    await ws.ok('edit_file', { path: 'loose.txt', match: 'whitespace', edits });
    assert.equal(text('loose.txt'), '  if (c) {\r\n    d();\r\n  }\r\nend\n');
  });

  it('changes nothing but what it replaces, whatever mixture of line ends a file has', async () => {
    const lineEnd = fc.constantFrom('\n', '\r\n', '\r', '\r\r\n', '');
    const lines = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'ab ', ''), lineEnd), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(lines, lines, async (above, below) => {
        const joined = (parts: readonly (readonly [string, string])[]): string =>
          parts.map(([line, end]) => line + end).join('');
        const whole = `${joined(above)}HERE${joined(below)}`;
        const file = decodeText(Buffer.from(whole), undefined);
        const { text: after } = await applyEdits('f', file, [{ old_text: 'HERE', new_text: 'there' }]);
        assert.equal(after, whole.replace('HERE', 'there'));
      }),
      { numRuns: runs(20, 2000) },
    );
  });
});

describe('an edit that would change nothing', () => {
  it('is refused with the reason, so that nobody takes it for done', async () => {
    ws.put({ 'a.txt': 'one\n' });
    const same = await ws.call('edit_file', { path: 'a.txt', edits: [{ old_text: 'one', new_text: 'one' }] });
    assert.deepEqual(same.ok ? '' : [same.error.code, same.error.message], [
      'invalid_input',
      'input is not valid: /edits/0: old_text and new_text are the same, so nothing would change',
    ]);
  });
});
