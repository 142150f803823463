import { strict as assert } from 'node:assert';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isToolError } from '../../src/core/vocabulary/errors';
import { readPathInput } from '../../src/core/files/paths';
import { runs } from '../support/counts';
import { itWithShared } from '../support/shared';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const secret = 'outside content that nobody may see';

/** Fills in the placeholders of the corpus and adds what they could stand for. */
function strings(corpus: string): string[] {
  return corpus
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replaceAll('{FILE}', 'outside/secret.txt'));
}

/** Strings of each class of the corpus, so that a clone without it still tests them. */
const own = [
  '../outside/secret.txt',
  '../../../../../../../../etc/passwd',
  '..',
  'a/../../outside/secret.txt',
  '/../outside/secret.txt',
  './../outside/secret.txt',
  '..\\outside\\secret.txt',
  '..%2foutside%2fsecret.txt',
  '%2e%2e/outside/secret.txt',
  '..%252foutside',
  '..%c0%af..%c0%afetc/passwd',
  '....//outside/secret.txt',
  '..;/outside/secret.txt',
  '/etc/passwd',
  '//etc/passwd',
  '///etc/passwd',
  'file:///etc/passwd',
  '~/secret',
  '~',
  '\0',
  'a\0/../../outside/secret.txt',
  'C:\\Windows\\win.ini',
  '\\\\server\\share\\x',
  '\\\\?\\C:\\x',
  '\\??\\C:\\x',
  '//server/share/x',
  '..\u2215outside',
  '\uff0e\uff0e/outside',
  '..\r\n/outside',
  `${'A/'.repeat(500)}${'../'.repeat(501)}outside/secret.txt`,
  '.../outside',
  '..../outside',
  '..\u0000/outside',
  '0x2e0x2e/outside',
];

interface Refusals {
  escaped: string[];
  unexpected: string[];
}

/**
 * Runs every string through a tool and collects what reached outside, or failed in another way than with a tool error.
 */
async function tryAll(
  ws: TestWorkspace,
  inputs: readonly string[],
  tool: string,
  input: (path: string) => object,
): Promise<Refusals> {
  const found: Refusals = { escaped: [], unexpected: [] };
  for (const one of inputs) {
    try {
      const result = await ws.call(tool, input(one));
      if (result.ok && JSON.stringify(result.outcome).includes(secret)) found.escaped.push(one);
    } catch (error) {
      found.unexpected.push(`${JSON.stringify(one.slice(0, 60))}: ${String(error).slice(0, 200)}`);
    }
  }
  return found;
}

const calls: readonly (readonly [string, (path: string) => object])[] = [
  ['read_file', (one) => ({ path: one })],
  ['read_files', (one) => ({ paths: [one] })],
  ['stat_file', (one) => ({ path: one })],
  ['list_directory', (one) => ({ path: one })],
  ['find_files', (one) => ({ pattern: '*', path: one })],
  ['grep_files', (one) => ({ pattern: 'outside', path: one })],
  ['write_file', (one) => ({ path: one, content: 'written by a test', mode: 'overwrite' })],
  ['write_file', (one) => ({ path: `${one}/made/`, content: '' })],
  ['edit_file', (one) => ({ path: one, edits: [{ old_text: 'outside', new_text: 'changed' }] })],
  ['move_file', (one) => ({ source: 'inside.txt', destination: one })],
  ['move_file', (one) => ({ source: one, destination: 'stolen.txt', overwrite: true })],
  ['delete_file', (one) => ({ path: one, recursive: true, to_trash: false })],
];

async function checkTools(inputsOf: (nth: number) => readonly string[]): Promise<void> {
  for (const [nth, [tool, input]] of calls.entries()) {
    const ws = makeWorkspace();
    writeFileSync(path.join(ws.outside, 'secret.txt'), secret);
    mkdirSync(ws.at('a'));
    ws.put({ 'inside.txt': 'inside' });
    const found = await tryAll(ws, inputsOf(nth), tool, input);
    assert.deepEqual(found, { escaped: [], unexpected: [] }, tool);
    assert.deepEqual(
      readdirSync(ws.base).filter((name) => !['root', 'outside', 'trash'].includes(name)),
      [],
      tool,
    );
    assert.deepEqual(
      [readdirSync(ws.outside), readFileSync(path.join(ws.outside, 'secret.txt'), 'utf8')],
      [['secret.txt'], secret],
      tool,
    );
    ws.dispose();
  }
}

/** The oracle: whatever is accepted, resolved as the operating system would, lies in the root. */
function checkResolution(inputs: readonly string[]): void {
  for (const style of ['posix', 'windows'] as const) {
    const rules = style === 'windows' ? path.win32 : path.posix;
    const root = style === 'windows' ? 'C:\\work\\root' : '/work/root';
    for (const one of inputs) {
      let accepted: string;
      try {
        const read = readPathInput(one, [{ name: 'root', path: root, scheme: 'file' }], style);
        assert.equal(read.kind, 'one');
        accepted = read.kind === 'one' ? read.path.path : '';
      } catch (error) {
        assert.ok(
          isToolError(error) && /^path_(outside|invalid)$/.test(error.data.code),
          `${JSON.stringify(one)}: ${String(error)}`,
        );
        continue;
      }
      const resolved = rules.resolve(root, ...accepted.split('/'));
      assert.ok(
        resolved === root || resolved.startsWith(root + rules.sep),
        `${style} accepted ${JSON.stringify(one)} as ${resolved}`,
      );
      assert.ok(!accepted.split('/').includes('..'), one);
    }
  }
}

describe('paths that try to leave the workspace', () => {
  it('S0.file-read: are refused or stay inside, for every class, both path styles and every tool with a path', async () => {
    checkResolution(own);
    await checkTools(() => own);
  });

  itWithShared(
    'corpora/traversal.txt',
    'S0.file-read: none of the traversal corpus is resolved outside the root',
    (file) => {
      checkResolution(strings(readFileSync(file, 'utf8')));
    },
  );

  itWithShared(
    'corpora/traversal.txt',
    'S0.file-read: no tool reaches outside with any spelling of the traversal corpus',
    async function (file) {
      const all = strings(readFileSync(file, 'utf8'));
      // The corpus is each spelling of dots with each of separators, climbing one to six folders to each of two places.
      // Each call gets each such pair once or twice, with another depth and place than its neighbours; together they
      // get every string.
      const apart = Math.round(all.length / runs(80, 1750, all.length));
      await checkTools((nth) => all.filter((_one, at) => at % apart === nth % apart));
    },
  );
});

describe('names that Windows reads otherwise than they say', () => {
  const read = (input: string): string => {
    try {
      readPathInput(input, [{ name: 'root', path: 'C:\\work\\root', scheme: 'file' }], 'windows');
      return 'accepted';
    } catch (error) {
      return isToolError(error) ? error.data.code : String(error);
    }
  };
  it('are refused: devices, streams, short names, trailing dots and spaces, drives, shares', () => {
    const invalid = [
      'NUL',
      'con.txt',
      'a/AUX',
      'COM9.c',
      'com¹',
      'lpt1 .x',
      'conOut$  .xyz',
      'PRN./abc',
      'CLOCK$',
      'a.txt:$DATA',
      'ab:c',
      'GITMOD~1',
      'PROGRA~1/x',
      '.git.',
      '.git ',
      '.env. .',
      'a<b',
      'a|b',
      'a?',
      'a*',
      'a"b',
    ];
    assert.deepEqual(
      invalid.filter((one) => read(one) !== 'path_invalid'),
      [],
    );
    const outside = [
      'C:\\Windows',
      'c:x',
      'D:/work/root/a',
      '\\\\server\\share\\a',
      '//server/share',
      '\\\\.\\PIPE\\x',
      '\\\\?\\C:\\work\\root\\a',
      '\\??\\C:\\a',
      '..\\..\\x',
      'C:\\work\\root2\\a',
      'C:\\work\\root\\..\\x',
    ];
    assert.deepEqual(
      outside.filter((one) => read(one) !== 'path_outside'),
      [],
    );
    const fine = [
      'C:\\work\\root\\src\\a.ts',
      'c:/WORK/Root/a',
      'src\\a.ts',
      '/src/a.ts',
      '\\src\\a.ts',
      'console.log',
      'nullable.ts',
      'com10',
      'a.b.c',
      '.gitignore',
      '%2e%2e',
      'aux_',
      'a~b',
    ];
    assert.deepEqual(
      fine.filter((one) => read(one) !== 'accepted'),
      [],
    );
  });
});
