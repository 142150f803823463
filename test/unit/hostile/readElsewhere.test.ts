import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { runs } from '../../support/counts';
import { openSystem } from '../../support/system';

const held = 'the kept words';
const files = {
  'secret/a.txt': `first line\nsecond line\n${held}\nlast line\n`,
  'secret/sub/b.txt': `${held}\n`,
  'pub/x.txt': 'x\n',
  'secret/sub/c.txt': 'c\n',
};
const deny = { id: 'kept', match: { accessAny: ['fs.read'], path: 'secret/**' }, decision: 'deny' };
const from = fc.constantFrom('secret/a.txt', 'secret/sub/b.txt', 'secret', 'secret/sub', 'pub/a.txt', 'pub/s');
const to = fc.constantFrom('pub/a.txt', 'pub/s', 'pub/s/sub/b.txt', 'secret/a.txt');

type Step = readonly [tool: string, input: Record<string, unknown>];
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fc.constant('move_file'), fc.record({ source: from, destination: to, overwrite: fc.boolean() })),
  fc.tuple(
    fc.constant('write_file'),
    fc.record({ path: from, content: fc.constant('new\n'), mode: fc.constantFrom('overwrite', 'append') }),
  ),
  fc.tuple(fc.constant('delete_file'), fc.record({ path: from, recursive: fc.constant(true) })),
  fc.tuple(fc.constantFrom('read_file', 'stat_file'), fc.record({ path: from })),
  fc.constant(['undo_change', { all: true }] as const),
  fc.constant(['grep_files', { pattern: 'words' }] as const),
);

/** Runs the steps, reads every place that there is then, and answers what was told, by step. */
async function told(steps: readonly Step[]): Promise<readonly string[]> {
  const system = await openSystem({ approve: true, files, user: { 'policy.boundaries': [deny] } });
  try {
    const said: string[] = [];
    const last = ['pub/a.txt', 'pub/s', 'pub/s/a.txt', 'pub/s/b.txt', 'pub/s/sub/b.txt', 'pub/x.txt', 'pub'];
    for (const [tool, input] of [...steps, ...last.map((path): Step => ['read_file', { path }])])
      said.push(JSON.stringify(await system.call(tool, input)));
    return said;
  } finally {
    system.dispose();
  }
}

describe('what may not be read where it lies', () => {
  for (const [name, steps] of Object.entries<readonly Step[]>({
    'a file that is moved': [['move_file', { source: 'secret/a.txt', destination: 'pub/a.txt' }]],
    'a folder that is moved': [['move_file', { source: 'secret', destination: 'pub/s' }]],
    'a place above that is moved': [['move_file', { source: 'secret/sub', destination: 'pub/s' }]],
    'a file that is written anew': [['write_file', { path: 'secret/a.txt', content: 'new' }]],
    'a file that gets longer': [['write_file', { path: 'secret/sub/b.txt', content: 'new', mode: 'append' }]],
  }))
    it(`${name} tells nothing of it`, async () => {
      const said = await told(steps);
      assert.deepEqual(
        said.filter((one) => one.includes('kept words')),
        [],
      );
    });

  it('no order of calls of our tools tells it, whatever is moved, edited, written, deleted and taken back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        for (const one of await told(steps)) assert.ok(!one.includes('kept words'), one);
      }),
      { numRuns: runs(20, 120) },
    );
  });
});
