import assert from 'node:assert/strict';
import { LabelledThings } from '../../../../src/core/flow/labelled';
import type { FlowSource } from '../../../../src/core/vocabulary/flow';

/** Files that hold what was read from each of them. */
function thingsAt(...paths: readonly string[]): LabelledThings {
  const things = new LabelledThings();
  for (const path of paths)
    things.put(
      `file:${path}`,
      [{ label: 'private', kind: 'database', resource: path, tool: 't', at: 1 }],
      1,
      'a'.repeat(16),
    );
  return things;
}

const names = (sources: readonly FlowSource[]): readonly string[] => sources.map(({ resource }) => resource).sort();

describe('the labels of files', () => {
  const folders = [
    'app/[id]',
    'app/[...slug]',
    'app/(group)',
    'app/{slug}',
    'app/plain',
    '[id]',
    '(group)/a',
    '{a}/[b]',
  ];

  it('D.flow: are those of the file alone in a folder with brackets in its name, and of what lies in it', () => {
    for (const folder of folders) {
      const things = thingsAt(`${folder}/own.md`, `${folder}/deep/er.md`, 'app/other.md', 'other.md');
      assert.deepEqual(names(things.matching(`${folder}/clean.md`)), [], folder);
      // What somebody else wrote into the file since is theirs: its content tells, and no pattern that it is named by.
      assert.deepEqual(names(things.sourcesOf(`file:${folder}/own.md`, 'b'.repeat(16))), [], folder);
      assert.deepEqual(names(things.matching(`${folder}/own.md`)), [], folder);
      assert.deepEqual(names(things.matching(`${folder}/*.md`)), [`${folder}/own.md`], folder);
      // As the reader of lines writes a pattern behind what is quoted.
      const quoted = folder.replace(/[[\]]/g, '\\$&');
      assert.deepEqual(names(things.matching(`${quoted}/*.md`)), [`${folder}/own.md`], folder);
      assert.deepEqual(names(things.below(`${quoted}/*`)), [`${folder}/deep/er.md`, `${folder}/own.md`], folder);
      assert.deepEqual(names(things.below(folder)), [`${folder}/deep/er.md`, `${folder}/own.md`], folder);
    }
  });

  it('D.flow: are found by whatever a shell may mean by brackets', () => {
    const files = ['app/i/x.md', 'app/D/x.md', 'app/group/x.md', 'app/a-b/x.md'];
    const things = thingsAt(...files);
    assert.deepEqual(names(things.matching('app/[id]/x.md')), ['app/D/x.md', 'app/i/x.md']);
    assert.deepEqual(names(things.below('app/[id]')), ['app/D/x.md', 'app/i/x.md']);
    assert.deepEqual(names(things.below('app/[id]/*')), ['app/D/x.md', 'app/i/x.md']);
    for (const pattern of [
      ...['app/[!z]/x.md', 'app/[^z]/x.md', 'app/[[:alpha:]]/x.md', 'app/[[.i.]]/x.md', 'app/[\\]i]/x.md'],
      ...['app/@(i|group)/x.md', 'app/*(N)', 'app/(i|D)/x.md', 'app/*b(N)', 'app/{i,D}/x.md', 'app/[i/x.md', 'app/**'],
    ]) {
      assert.deepEqual(names(things.matching(pattern)), [...files].sort(), pattern);
      assert.deepEqual(names(things.below(pattern)), [...files].sort(), pattern);
    }
    const many = thingsAt('k7/b.txt');
    for (const pattern of ['k{1..1000}/b.txt', 'k{1..20}{1..20}/b.txt', 'k{1..100}'])
      assert.deepEqual([names(many.matching(pattern)), names(many.below(pattern))], [['k7/b.txt'], ['k7/b.txt']]);
  });
});
