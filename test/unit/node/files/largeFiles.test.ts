// @tier full: searches large files
import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { NodeFileSystem } from '../../../../src/node/nodeFileSystem';
import { BuiltInSearch } from '../../../../src/node/files/search/builtIn';
import { RipgrepSearch } from '../../../../src/node/files/search/ripgrep';
import type { SearchEngine } from '../../../../src/node/files/search/engine';
import { installedRipgrep } from '../../../support/ripgrep';
import { median, stopTimes } from '../../../support/stopTimes';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace';

const binary = installedRipgrep();
const engines: readonly (readonly [name: string, make: () => Promise<SearchEngine>])[] = [
  ['own engine', async () => new BuiltInSearch()],
  ...(binary === undefined ? [] : [['ripgrep', async () => new RipgrepSearch({ binary, smallFolder: 0 })] as const]),
];
const megabyte = 1 << 20;

/** Lines of different lengths, some with a needle, one of five megabytes with a needle near its end. */
function makeLines(end: string): readonly string[] {
  const lines: string[] = [];
  for (let size = 0, index = 0; size < 9 * megabyte; index++) {
    const line =
      index === 30_000
        ? `${'é'.repeat(2.5 * megabyte)} needle long`
        : `${index} ${'text of a line '.repeat(index % 11)}${index % 7919 === 0 ? 'é needle' : ''}`;
    lines.push(line);
    size += line.length + end.length;
  }
  return lines;
}

function expectedMatches(lines: readonly string[]): readonly object[] {
  return lines.flatMap((line, index) => {
    const column = line.indexOf('needle');
    if (column < 0) return [];
    const at = (other: number): string[] =>
      lines[other] === undefined ? [] : [lines[other].length > 240 ? 'long' : lines[other]];
    return [{ line: index + 1, column: column + 1, before: at(index - 1), after: at(index + 1) }];
  });
}

async function search(
  ws: TestWorkspace,
  make: () => Promise<SearchEngine>,
  input: object,
): Promise<{ matches: any[]; left_out?: unknown }> {
  const files = new NodeFileSystem({ folders: () => [ws.folder()], search: make });
  const result = await ws.call('grep_files', input, { files });
  assert.ok(result.ok, JSON.stringify(result));
  return result.outcome.payload as { matches: any[] };
}

describe('a search in large files', () => {
  if (binary === undefined)
    it.skip('by ripgrep (skipped: no ripgrep 14 or newer, neither on the path nor in the cache of the editor tests)');

  for (const [name, make] of engines) {
    for (const [kind, end, encode] of [
      ['line feeds', '\n', (text: string) => Buffer.from(text)],
      ['CRLF and a byte order mark', '\r\n', (text: string) => Buffer.from(`\ufeff${text}`)],
      ['UTF-16', '\n', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ] as const)
      it(`finds every line, with its neighbours, wherever a piece of the file ends: ${kind} (${name})`, async function () {
        this.timeout(60_000);
        const ws = makeWorkspace();
        const lines = makeLines(end);
        writeFileSync(path.join(ws.root, 'large.txt'), encode(lines.join(end)));
        for (const pattern of ['needle', 'n..dle']) {
          const { matches } = await search(ws, make, { pattern, context_lines: 1, limit: 1000 });
          const shown = matches.map(({ line, column, before = [], after = [] }) => ({
            line,
            column,
            before: before.map((one: string) => (one.length > 240 ? 'long' : one)),
            after: after.map((one: string) => (one.length > 240 ? 'long' : one)),
          }));
          assert.deepEqual(shown, expectedMatches(lines));
        }
        ws.dispose();
      });

    it(`takes a file for binary that has a NUL in its last piece (${name})`, async () => {
      const ws = makeWorkspace();
      writeFileSync(path.join(ws.root, 'large.bin'), `needle\n${'text\n'.repeat(megabyte)}\0`);
      const { matches, left_out } = await search(ws, make, { pattern: 'needle' });
      assert.deepEqual([matches, left_out], [[], [{ reason: 'binary', count: 1 }]]);
      ws.dispose();
    });

    it(`stops within 100 ms in the middle of one file (${name})`, async function () {
      this.timeout(120_000);
      const ws = makeWorkspace();
      writeFileSync(path.join(ws.root, 'large.txt'), 'abcabc abc ab bc\n'.repeat(megabyte));
      const files = new NodeFileSystem({ folders: () => [ws.folder()], search: make });
      // An expression without any text that every match holds, so that each line is looked at.
      const took = await stopTimes([5, 20, 40, 80, 160], (signal) =>
        ws.call('grep_files', { pattern: '(a|b|c)+[xyz]+k' }, { files, signal }),
      );
      assert.ok(took.length >= 1, `only ${took.length} searches were under way when they were cancelled`);
      assert.ok(median(took) < 100, `${took.map(Math.round).join(', ')} ms`);
      ws.dispose();
    });
  }
});
