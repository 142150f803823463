import { strict as assert } from 'node:assert';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { NodeFileSystem } from '../../../../src/node/nodeFileSystem';
import type { SettingGlob } from '../../../../src/core/files/globs';
import { BuiltInSearch } from '../../../../src/node/files/search/builtIn';
import { RipgrepSearch } from '../../../../src/node/files/search/ripgrep';
import type { SearchEngine } from '../../../../src/node/files/search/engine';
import { runs } from '../../../support/counts';
import { installedRipgrep } from '../../../support/ripgrep';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace';

const binary = installedRipgrep();

/** Contents of every kind that a search may meet, by encoding, line ends, length and what makes a file binary. */
const words = [
  'needle',
  'NEEDLE',
  'neeDle',
  'é',
  'ſtraße',
  'K',
  '漢字',
  '😀',
  ' ',
  '\t',
  '\r',
  'x',
  'a\u0301',
  '\ufeff',
  '"',
  '\\',
  '\u2028',
];
const line = fc.oneof(
  { weight: 6, arbitrary: fc.array(fc.constantFrom(...words), { maxLength: 5 }).map((parts) => parts.join('')) },
  // Longer than what is shown of a line, and than what ripgrep hands over of it.
  fc
    .tuple(
      fc.constantFrom('x', 'é', 'ab ', '😀'),
      fc.constantFrom(90, 110, 300, 2500),
      fc.constantFrom('needle', '', 'éneedle'),
      fc.nat(300),
    )
    .map(([fill, before, middle, after]) => fill.repeat(before) + middle + fill.repeat(after)),
);
const text = fc
  .record({ lines: fc.array(line, { maxLength: 8 }), end: fc.constantFrom('\n', '\r\n'), last: fc.boolean() })
  .map(({ lines, end, last }) => lines.join(end) + (last ? end : ''));
const content = fc.oneof(
  { weight: 4, arbitrary: text.map((one) => Buffer.from(one)) },
  text.map((one) => Buffer.from(`\ufeff${one}`)),
  text.map((one) => Buffer.from(`\ufeff${one}`, 'utf16le')),
  text.map((one) => Buffer.from(`\ufeff${one}`, 'utf16le').swap16()),
  text.map((one) => Buffer.from(one, 'latin1')),
  fc.tuple(text, text).map(([before, after]) => Buffer.from(`${before}\0${after}`)),
);

const names = [
  'a.ts',
  'b.md',
  '.hidden',
  'skip.log',
  'keep.log',
  'my key.pem',
  'we[i]rd',
  'new\nline',
  'back\\slash',
  'Makefile',
  '-e',
];
const folders = ['', 'sub/', 'sub/deep/', 'build/', 'node_modules/', '.cfg/', '.git/', '.hg/', 'sub/build/', 'a.dir/'];
const file = fc.tuple(fc.constantFrom(...folders), fc.constantFrom(...names)).map(([folder, name]) => folder + name);

const rules = [
  ...[
    '*.log',
    '!keep.log',
    '/build/',
    'build',
    'node_modules',
    'deep/',
    'sub/deep',
    '/sub/*.ts',
    '**/a.ts',
    'sub/**',
    '!a.ts',
    '.*',
    '!.hidden',
  ],
  ...[
    'we\\[i\\]rd',
    '# note',
    '',
    '*.md ',
    '\\!a',
    'a.dir/*',
    '!sub/deep/b.md',
    '*',
    '!*/',
    '!*.ts',
    'b.?d',
    '[ab].*',
    'deep/**/b.md',
  ],
  ...['[[:alpha:]]*.md', 'sub/***/b.md', '[b-a].md', 'b.md\\', 'b.[', '[a/b].md'],
];
const ignoreFile = fc.array(fc.constantFrom(...rules), { maxLength: 4 }).map((lines) => `${lines.join('\n')}\n`);
const ignoreFiles = fc.dictionary(
  fc.constantFrom(
    '.gitignore',
    'sub/.gitignore',
    'sub/deep/.gitignore',
    '.ignore',
    '.rgignore',
    'sub/.ignore',
    '.git/info/exclude',
  ),
  ignoreFile,
  { maxKeys: 3 },
);
const links = fc.subarray([
  'link.ts>a.ts',
  'folder>sub',
  'sub/up>..',
  'out>OUTSIDE',
  'out.ts>OUTSIDE/o.ts',
  'dead>nothing',
]);
const excludes = fc.subarray<SettingGlob>([
  ...['**/node_modules', '**/*.log', 'sub/deep', '**/build/**', '**/.hidden', 'a.dir', 'b.md'],
  ...[
    { glob: '**/*.md', when: '$(basename).ts' },
    { glob: '**/*.ts', when: 'b.md' },
  ],
]);
const options = fc.record(
  {
    path: fc.constantFrom('/', '/', '/', '/', '/', '/sub', '/sub/deep', '/build', '/a.ts'),
    path_pattern: fc.constantFrom('*', '**', '**/*', '*.ts', '*.{ts,md}', 'sub/**', '**/deep/*', '*.log', 'b.md'),
    exclude: fc.constantFrom([], [], ['*.md'], ['sub/**'], ['build', '.*']),
    ignore_case: fc.boolean(),
    whole_word: fc.boolean(),
    include_ignored: fc.boolean(),
    context_lines: fc.constantFrom(0, 1, 4),
    max_per_file: fc.constantFrom(1, 2, 100),
    limit: fc.constantFrom(1, 3, 1000),
  },
  { requiredKeys: [] },
);
const patterns = [
  'needle',
  'n\\w+',
  '^x',
  'é',
  '(?i)STRASSE|needle',
  'dle$',
  '\\S',
  'ſ',
  'k',
  '[^x]$',
  '.',
  'e{2}d',
  'nee.*le',
];

/**
 * Every answer in full, with what policy closed; the binary files that only an engine reading every file can count are
 * left away.
 */
async function answer(
  ws: TestWorkspace,
  input: object,
  engine: SearchEngine,
  out: readonly SettingGlob[],
): Promise<unknown> {
  const files = new NodeFileSystem({ folders: () => [ws.folder()], search: async () => engine, excludes: () => out });
  const access = async ({ resource }: { resource: string }) =>
    /\.pem$|^sub\/deep\/b/.test(resource)
      ? ({ allowed: false, reason: 'closed' } as const)
      : ({ allowed: true } as const);
  const result = await ws.call('grep_files', input, { files, access });
  if (!result.ok) return result.error;
  const { left_out, ...rest } = result.outcome.payload as Record<string, any>;
  const left = (left_out ?? []).filter((one: any) => one.reason !== 'binary');
  return { ...rest, left };
}

describe('the two search engines on trees of every kind', () => {
  const title =
    'give the same answers: ignore files above, below and of other programs, links, excludes, encodings, odd names, closed files';
  if (binary === undefined || process.platform === 'win32') {
    it.skip(`${title} (skipped: no ripgrep 14 or newer, or no such names here)`);
    return;
  }
  it(title, async function () {
    this.timeout(900_000);
    let matched = 0;
    let trees = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(file, content, { minKeys: 1, maxKeys: 10 }),
        ignoreFiles,
        links,
        excludes,
        fc.constantFrom(...patterns),
        options,
        fc.option(ignoreFile, { nil: undefined }),
        async (tree, ignored, linked, out, pattern, more, above) => {
          const ws = makeWorkspace();
          trees++;
          try {
            // A file above the workspace, whose rules are not the workspace's.
            if (above !== undefined) writeFileSync(path.join(ws.base, '.gitignore'), above);
            writeFileSync(path.join(ws.outside, 'o.ts'), 'needle outside\n');
            mkdirSync(ws.at('.git'));
            ws.put({
              'sub/deep/base.md': 'needle\n',
              'build/base.ts': 'needle\n',
              base: 'x needle\nxk é\nstrasse ſ k \n',
            });
            ws.put({ ...tree, ...ignored });
            for (const one of linked) {
              const [name = '', target = ''] = one.split('>');
              try {
                symlinkSync(target.replace('OUTSIDE', ws.outside), ws.at(name));
              } catch {
                // Something of that name is there.
              }
            }
            const input = { pattern, ...more };
            const own = await answer(ws, input, new BuiltInSearch(), out);
            const theirs = await answer(ws, input, new RipgrepSearch({ binary, smallFolder: 0 }), out);
            assert.deepEqual(theirs, own);
            assert.ok(!JSON.stringify(own).includes('outside'));
            if (JSON.stringify(own).includes('"line"')) matched++;
          } finally {
            ws.dispose();
          }
        },
      ),
      { numRuns: runs(12, 200, 600) },
    );
    assert.ok(matched > trees / 20, `only ${matched} of ${trees} trees held a match, so this shows little`);
  });
});
