import { strict as assert } from 'node:assert';
import { execFileSync, spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { runs } from '../../../support/counts';
import { skipBecause } from '../../../support/skip';
import { makeWorkspace } from '../../../support/workspace';

const pieces = [
  ...['a', 'b', 'c', 'x', '1', 'A', '.log', 'foo', 'd', 'm', 'e', 'é', ' ', '-', ':', '!', '^', '#', '{', '\r'],
  ...['/', '/', '**', '***', '**/', '/**', '*', '*', '?', '\\', '\\', '\\ ', '\\/', '[', '[', '[!', '[^', ']', ']'],
  ...['[:', ':]', '[[:digit:]]', '[[:alpha:]]', '[x[:upper:]]', '[![:punct:]]', '[[:nope:]]', '[[:space:]]'],
  ...['[a-c]', '[c-a]', '[a/b]', '[a-', '[]x]', '[\\]x]'],
];
const pattern = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
const ignoreFile = fc.oneof(
  pattern.map((one) => [one]),
  fc.array(
    fc.oneof(
      pattern,
      pattern.map((one) => `!${one}`),
    ),
    { maxLength: 3 },
  ),
);

// Where `**` stands right behind plain text, versions of git differ: older ones hide `foobar` by `foo**` and `/bar`.
const isReadByVersion = (line: string): boolean => line.includes('/') && /^!?\/?[^*?[\\]*[^/*?[\\]\*\*/.test(line);

const names = [
  ...['a', 'b', 'c', 'x', '1', 'A', 'ax', 'bx', 'cx', '1x', ':]x', 'd]x', '-x', 'x]', '[x', '[', ']', 'é', 'éx', '^'],
  ...['a.log', 'A.log', '1.log', ':.log', 'foo', 'foo ', 'foo\\', 'foo\\ ', 'foo[', 'x\\', 'a b', ' ', '-', '\\', '!a'],
  ...['#a', '{', 'foox', 'd/a', 'd/e', 'd/m/e', 'd/m/n/e', 'd/1x', 'd/a.log', 'ab/c', 'ab/x/c', 'm/a/b', 'm/a b'],
];

describe('what .gitignore leaves out of a walk', () => {
  it('is what git leaves out, whatever the patterns', async function () {
    if (spawnSync('git', ['--version']).status !== 0 || process.platform === 'win32')
      return skipBecause(this, 'needs git, and a system that takes such names');
    this.timeout(600_000);
    await fc.assert(
      fc.asyncProperty(fc.array(ignoreFile, { minLength: 20, maxLength: runs(20, 60) }), async (files) => {
        const read = files.map((lines) => lines.filter((line) => !isReadByVersion(line)));
        const ws = makeWorkspace();
        try {
          execFileSync('git', ['init', '-q', '.'], { cwd: ws.root });
          // Each file of rules has a folder with the same names, so that git is started once for all of them.
          for (const [index, lines] of read.entries()) {
            ws.put({ [`${index}/.gitignore`]: lines.join('\n') });
            ws.put(Object.fromEntries(names.map((name) => [`${index}/${name}`, ''])));
          }
          const git = execFileSync(
            'git',
            [
              '-c',
              'core.excludesFile=',
              '-c',
              'core.ignoreCase=false',
              'ls-files',
              '-z',
              '--others',
              '--exclude-standard',
            ],
            { cwd: ws.root, encoding: 'utf8', maxBuffer: 1e8 },
          );
          const theirs = new Set(git.split('\0').filter((one) => one !== ''));
          const ours = new Set<string>();
          await ws.files.list(
            {
              root: { folder: ws.folder(), path: '' },
              include: [],
              exclude: [],
              includeIgnored: false,
              directories: false,
            },
            (batch) => batch.every((entry) => ours.add(entry.path)),
            new AbortController().signal,
          );
          const differing = [...new Set([...theirs, ...ours])].filter((one) => theirs.has(one) !== ours.has(one));
          const told = differing.map((one) => [one, theirs.has(one), read[Number.parseInt(one, 10)]]);
          assert.deepEqual(told, [], 'path, shown by git, rules');
        } finally {
          ws.dispose();
        }
      }),
      { numRuns: runs(2, 40, 400) },
    );
  });
});
