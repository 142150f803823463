// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { NodeFileSystem } from '../../../../src/node/nodeFileSystem';
import { BuiltInSearch } from '../../../../src/node/files/search/builtIn';
import { findRipgrep } from '../../../../src/node/files/search/searchEngine';
import { RipgrepSearch } from '../../../../src/node/files/search/ripgrep';
import type { SearchEngine } from '../../../../src/node/files/search/engine';
import { full, runs } from '../../../support/counts';
import { expression, rawFile } from '../../../support/searchQuestions';
import { installedRipgrep } from '../../../support/ripgrep';
import { median, stopTimes } from '../../../support/stopTimes';
import { FakeClock } from '../../../support/toolContext';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace';
import { usedMs } from '../../../support/processorTime';

const binary = installedRipgrep();
const withRipgrep = (title: string, body: Mocha.AsyncFunc): Mocha.Test =>
  binary === undefined
    ? it.skip(`${title} (skipped: no ripgrep 14 or newer, neither on the path nor in the cache of the editor tests)`)
    : it(title, body);
const ripgrep = async () => new RipgrepSearch({ binary: binary ?? '', smallFolder: 0 });
const builtIn = async () => new BuiltInSearch();

async function both(ws: TestWorkspace, input: object): Promise<readonly [unknown, unknown]> {
  const other = makeWorkspaceLike(ws);
  const answer = async (files: TestWorkspace['files']): Promise<unknown> => {
    const result = await ws.call('grep_files', input, { files });
    if (!result.ok) return result.error.code;
    // Ripgrep says nothing of binary files in which it did not find anything before.
    const { left_out, ...rest } = result.outcome.payload as { left_out?: { reason: string }[] };
    return { ...rest, left_out: left_out?.filter(({ reason }) => reason !== 'binary') ?? [] };
  };
  return [await answer(other.own), await answer(other.ripgrep)];
}

function makeWorkspaceLike(ws: TestWorkspace): { own: TestWorkspace['files']; ripgrep: TestWorkspace['files'] } {
  const folders = () => [ws.folder()];
  return {
    own: new NodeFileSystem({ folders, search: builtIn }),
    ripgrep: new NodeFileSystem({ folders, search: ripgrep }),
  };
}

describe('the two search engines', () => {
  const patterns = [
    'needle',
    'Needle',
    '^needle$',
    'n.*e',
    '\\bne',
    '\\w+',
    '\\d{2,}',
    '[^\\s]+$',
    '\\s+x',
    '(a|b)+c',
    '[[:alpha:]]+9',
    'é',
    '\\W\\w',
    '[\\w-]+\\.ts',
    '\\.',
    'a{2}',
    '(?i)NEEDLE',
    '\\pL+',
    '\\x41',
    '[a&&b]',
    '[]a]',
    '[a\\]b]',
    '\\$',
    'x*',
    '$',
    '\\Bx',
    '[^a]b',
    '\\Qa.b\\E',
    'K',
    'ſ',
    '--',
    '-e',
    '\\S\\s\\S',
    '[--a]',
    '[^a]+$',
    '[^e]$',
    '.$',
    '[~~]',
  ];
  const words = [
    'needle',
    'Needle',
    'x',
    ' ',
    '\t',
    'abc',
    'aab',
    '12',
    '9',
    'é',
    'ſ',
    'K',
    '漢字',
    '😀',
    '.',
    'a.b',
    '-e',
    '--',
    '$',
    ']',
    '&&',
    '~',
    '\u00a0',
    '\u2003',
    'a\u0301',
    '_',
    'A',
  ];
  const line = fc.array(fc.constantFrom(...words), { maxLength: 6 }).map((parts) => parts.join(''));
  const content = fc.record({
    lines: fc.array(line, { maxLength: 12 }),
    end: fc.constantFrom('\n', '\r\n'),
    last: fc.boolean(),
    bom: fc.boolean(),
  });
  const name = fc.constantFrom(
    'a.ts',
    'b.md',
    'c',
    '.hidden',
    'ignored.log',
    'sub/d.ts',
    'sub/deep/e.ts',
    'sub/ignored.log',
    'build/f.ts',
    'node_modules/g.ts',
  );

  withRipgrep('give the same answers for all trees, patterns and options', async function () {
    this.timeout(600_000);
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(name, content, { maxKeys: 8 }),
        fc.constantFrom(...patterns),
        fc.record({
          literal: fc.boolean(),
          ignore_case: fc.boolean(),
          whole_word: fc.boolean(),
          include_ignored: fc.boolean(),
          context_lines: fc.constantFrom(0, 0, 1, 3),
          max_per_file: fc.constantFrom(1, 2, 1000),
          path: fc.constantFrom('/', '/', '/sub'),
        }),
        fc.option(fc.constantFrom('*.ts', '**/*.ts', 'sub/**', '*.{ts,md}', 'deep/*.ts'), { nil: undefined }),
        async (tree, pattern, options, path_pattern) => {
          const ws = makeWorkspace();
          ws.put({ 'sub/keep': '', '.gitignore': '*.log\n/build/\nnode_modules\n!sub/ignored.log\n' });
          for (const [file, { lines, end, last, bom }] of Object.entries(tree)) {
            ws.put({ [file]: `${bom ? '\ufeff' : ''}${lines.join(end)}${last ? end : ''}` });
          }
          const [own, theirs] = await both(ws, {
            pattern,
            ...options,
            ...(path_pattern === undefined ? {} : { path_pattern }),
          });
          ws.dispose();
          assert.deepEqual(theirs, own);
        },
      ),
      { numRuns: runs(8, 200, 400) },
    );
  });

  withRipgrep(
    'give the same answers for all expressions and bytes, line ends and encodings of any kind among them',
    async function () {
      this.timeout(600_000);
      await fc.assert(
        fc.asyncProperty(
          fc.array(rawFile, { minLength: 1, maxLength: 5 }),
          expression,
          fc.record({
            literal: fc.constantFrom(false, false, false, false, false, true),
            ignore_case: fc.boolean(),
            whole_word: fc.constantFrom(false, false, false, false, true),
            context_lines: fc.constantFrom(0, 1),
            max_per_file: fc.constantFrom(1, 2, 1000),
            limit: fc.constantFrom(1, 3, 100),
          }),
          async (files, pattern, options) => {
            const ws = makeWorkspace();
            for (const [index, content] of files.entries()) writeFileSync(path.join(ws.root, `f${index}`), content);
            const [own, theirs] = await both(ws, { pattern, ...options });
            ws.dispose();
            assert.deepEqual(theirs, own);
          },
        ),
        { numRuns: runs(15, 350, 700) },
      );
    },
  );

  withRipgrep('tell a carriage return within a line only to an expression that names it', async () => {
    const ws = makeWorkspace();
    ws.put({ a: 'one\rtwo\r\nthree\r\n' });
    const lines = async (pattern: string): Promise<unknown> => {
      const [own, theirs] = await both(ws, { pattern });
      assert.deepEqual(theirs, own);
      return (own as { matches: { line: number; column: number }[] }).matches.map(
        ({ line, column }) => `${line}:${column}`,
      );
    };
    assert.deepEqual(
      [
        await lines('\\r'),
        await lines('e\\x0dt'),
        await lines('one.two'),
        await lines('one\\stwo'),
        await lines('^two$'),
        await lines('three\\r?$'),
      ],
      [['1:4'], ['1:3'], [], [], ['1:5'], ['2:1']],
    );
    ws.dispose();
  });

  withRipgrep('give the same empty matches at the end of a file whose last line has no end', async () => {
    for (const pattern of ['$', 'x*$', '\\b$', '(?:)']) {
      const ws = makeWorkspace();
      ws.put({
        a: 'needle',
        b: '12:30',
        c: '7:40:12:30',
        d: 'first\n1:2:3:4',
        e: 'first\r\nlast',
        f: '',
        g: 'first\n',
        h: 'x'.repeat(300),
      });
      const [own, theirs] = await both(ws, { pattern, literal: false });
      ws.dispose();
      assert.deepEqual(theirs, own, pattern);
    }
  });

  withRipgrep('give the same pages where there are more matches than are collected at once', async () => {
    const ws = makeWorkspace();
    ws.put(
      Object.fromEntries(
        Array.from({ length: 40 }, (_, file) => [`d${file % 7}/f${file}.txt`, 'needle\n'.repeat(200)]),
      ),
    );
    for (const limit of [1, 150, 3500]) {
      const [own, theirs] = await both(ws, { pattern: 'needle', limit });
      assert.deepEqual(theirs, own);
    }
    ws.dispose();
  });

  withRipgrep('end within 100 ms when they are cancelled, whenever that is', async function () {
    this.timeout(120_000);
    const ws = makeWorkspace({ search: ripgrep });
    ws.put(
      Object.fromEntries(
        Array.from({ length: 3000 }, (_, file) => [`d${file % 50}/f${file}.txt`, 'haystack\n'.repeat(300)]),
      ),
    );
    const { own, ripgrep: theirs } = makeWorkspaceLike(ws);
    for (const [engine, files] of [
      ['own', own],
      ['ripgrep', theirs],
    ] as const) {
      // An expression without any text that every match holds, so that each line is looked at.
      const took = await stopTimes([0, 2, 5, 10, 20, 30, 40], (signal) =>
        ws.call('grep_files', { pattern: '(a|b|c)+[xyz]+k' }, { files, signal }),
      );
      assert.ok(took.length >= 3, `${engine}: only ${took.length} searches were under way when they were cancelled`);
      assert.ok(median(took) < 100, `${engine}: ${took.map(Math.round).join(', ')} ms`);
    }
    ws.dispose();
  });

  it('tell how far they are while nothing is found', async () => {
    const ws = makeWorkspace();
    ws.put(Object.fromEntries(Array.from({ length: 1500 }, (_, file) => [`d${file % 20}/f${file}.txt`, 'haystack\n'])));
    const folders = () => [ws.folder()];
    const engines: (() => Promise<SearchEngine>)[] = binary === undefined ? [builtIn] : [builtIn, ripgrep];
    for (const search of engines) {
      const messages: string[] = [];
      const clock = new FakeClock();
      const files = new NodeFileSystem({ folders, search });
      const report = ({ message }: { message: string }): void => {
        messages.push(message);
        clock.advance(1000);
      };
      clock.monotonic = () => (clock.mono += 50);
      const result = await ws.call('grep_files', { pattern: 'needle' }, { files, clock, report });
      assert.ok(result.ok);
      assert.match(messages.at(-1) ?? '', /^0 matches in 0 files, [\d,]+ files seen$/);
    }
    ws.dispose();
  });

  const catastrophic = [
    '(a+)+$',
    '(a|a)*$',
    '(a|aa)+$',
    '(.*a){20}$',
    '([a-zA-Z]+)*$',
    '(a*)*b',
    '(x+x+)+y',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(\\w+\\s?)*$',
    '(.*)*=(.*)*$',
  ];
  const hundred = catastrophic.flatMap((one) => [
    one,
    `^${one}`,
    `(?:${one})`,
    `${one}|zzz`,
    `x?${one}`,
    `(?i)${one}`,
    `(${one})?q`,
    `[ab]*${one}`,
    `a*a*a*a*a*a*${one}`,
    `(?:${one}){1,3}`,
  ]);

  for (const [engine, make] of [
    ['built-in', builtIn],
    ['ripgrep', ripgrep],
  ] as const) {
    (engine === 'ripgrep' ? withRipgrep : it)(
      `end quickly or with a clear error on a hundred catastrophic expressions (${engine})`,
      async function () {
        this.timeout(120_000);
        assert.equal(new Set(hundred).size, 100);
        const ws = makeWorkspace({ search: make });
        ws.put({ 'a.txt': `${'a'.repeat(5000)}!\n`, 'b.txt': `${'a b '.repeat(1000)}\n${'x'.repeat(3000)}\n` });
        await ws.call('grep_files', { pattern: 'warm up' });
        const slow: string[] = [];
        for (const pattern of full ? hundred : hundred.filter((_one, index) => index % 4 === 0)) {
          // What the engine needs, in this process or in its own, not what else the machine is doing; the fastest of
          // three, for a catastrophic engine is slow every time.
          let took = Infinity;
          for (let attempt = 0; attempt < 3 && took > 250; attempt++) {
            const started = usedMs();
            const result = await ws.call('grep_files', { pattern });
            took = Math.min(took, usedMs() - started);
            if (!result.ok) assert.equal(result.error.code, 'invalid_pattern');
          }
          if (took > 250) slow.push(`${pattern}: ${Math.round(took)} ms`);
        }
        assert.deepEqual(slow, []);
        ws.dispose();
      },
    );
  }
});

describe('finding the editor’s ripgrep', () => {
  it('looks in the application’s own folders only, old and new', async () => {
    const ws = makeWorkspace();
    assert.equal(await findRipgrep(ws.root), undefined);
    const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
    for (const [place, folder] of [
      ['node_modules.asar.unpacked', '@vscode/ripgrep/bin'],
      ['node_modules', `@vscode/ripgrep-universal/bin/${process.platform}-${process.arch}`],
    ] as const) {
      const file = path.join(ws.root, place, folder, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, '#!/bin/sh\n');
      chmodSync(file, 0o755);
      assert.equal(await findRipgrep(ws.root), file);
    }
    ws.dispose();
  });

  it('does without when the binary is not what it should be', async () => {
    const ws = makeWorkspace({ search: async () => new RipgrepSearch({ binary: '/nonexistent/rg', smallFolder: 0 }) });
    ws.put({ 'a.txt': 'needle' });
    assert.equal((await ws.ok('grep_files', { pattern: 'needle' }))['match_count'], 1);
    ws.dispose();
  });
});
