import { strict as assert } from 'node:assert';
import { say, type Sentence } from '../../../../../src/core/base/sentence';
import { BoundaryFiles } from '../../../../../src/core/policy/rules/boundaryFile';

const path = 'boundaries.json';
const read = (text: string, fault?: Sentence) =>
  new BoundaryFiles().read({ path, text, ...(fault === undefined ? {} : { fault }) });
const rule = '{ "id": "a", "match": { "tool": "x" }, "decision": "deny" }';

describe('a file of rules', () => {
  it('gives each rule the file and the line that it stands in', () => {
    const { boundaries, problems, isDamaged } = read(`[\n  ${rule},\n  ${rule.replace('"a"', '"b"')}\n]`);
    assert.deepEqual(
      boundaries.map(({ id, file, line, scope }) => [id, file, line, scope]),
      [
        ['a', path, 2, 'workspace'],
        ['b', path, 3, 'workspace'],
      ],
    );
    assert.deepEqual([problems, isDamaged], [[], false]);
  });

  it('keeps the rules that can be read of a damaged text, and asks about every call of an agent beside', () => {
    for (const text of [`[ ${rule}, `, `[ ${rule} ] x`, `[ ${rule}, { "id": ]`]) {
      const { boundaries, problems, isDamaged } = read(text);
      assert.equal(isDamaged, true, text);
      assert.equal(boundaries[0]?.id, 'a', text);
      const last = boundaries.at(-1);
      assert.deepEqual([last?.match, last?.decision], [{ actor: 'agent' }, 'require_approval'], text);
      assert.ok(problems.some(({ severity }) => severity === 'error'));
    }
  });

  it('asks about every call of an agent where it is there and cannot be opened', () => {
    const { boundaries, problems } = read('', say('file_is_none'));
    assert.deepEqual(
      boundaries.map(({ match, decision }) => [match, decision]),
      [[{ actor: 'agent' }, 'require_approval']],
    );
    assert.deepEqual(
      problems.map(({ code, file, line }) => [code, file, line]),
      [['unreadable_file', path, 1]],
    );
  });

  it('loses no rule silently of which a property is there twice or must not be there', () => {
    for (const text of [
      '[{ "id": "a", "match": { "tool": "x" }, "match": { "tool": "y" }, "decision": "deny" }]',
      '[{ "id": "a", "match": { "tool": "x", "__proto__": {} }, "decision": "allow" }]',
    ]) {
      const { boundaries, problems } = read(text);
      assert.equal(boundaries[0]?.id, 'a');
      assert.ok(boundaries[0]?.faults !== undefined, text);
      assert.ok(problems.length > 0, text);
    }
  });

  it('is read once for the same text, and anew where its text or its fault changes', () => {
    const files = new BoundaryFiles();
    const first = files.read({ path, text: `[${rule}]` });
    assert.equal(files.read({ path, text: `[${rule}]` }), first);
    const long = (most: number) => ({ path, text: `[${rule}]`, fault: say('file_bytes', most) });
    const second = files.read(long(1));
    assert.notEqual(second, first);
    assert.equal(files.read(long(1)), second);
    assert.notEqual(files.read(long(2)), second);
    assert.notEqual(files.read({ path, text: '[]' }), first);
  });
});
