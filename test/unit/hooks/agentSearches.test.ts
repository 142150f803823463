// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import type { Dialect } from '../../../src/core/hooks/hostEvent';
import { runs } from '../../support/counts';
import { before as beforeCall, hookPlace, outcome, type HookPlace, type Outcome } from '../../support/hooks';
import { installedRipgrep } from '../../support/ripgrep';
import { skipBecause } from '../../support/skip';

type Call = readonly [dialect: Dialect, tool: string, input: Readonly<Record<string, unknown>>];

/** Each tool that looks for text in files, called without a word of where. */
const everywhere: readonly Call[] = [
  ['claude', 'Grep', { pattern: 'KEY', output_mode: 'content' }],
  ['codex', 'grep_files', { pattern: 'KEY' }],
  ['gemini', 'grep_search', { pattern: 'KEY' }],
  ['gemini', 'search_file_content', { pattern: 'KEY' }],
  ['qwen', 'grep_search', { pattern: 'KEY' }],
  ['copilot', 'grep', { pattern: 'KEY', output_mode: 'content' }],
  ['copilot', 'rg', { pattern: 'KEY' }],
  ['vscode', 'grep_search', { query: 'KEY', isRegexp: false }],
  ['cursor', 'Grep', { pattern: 'KEY' }],
  ['opencode', 'grep', { pattern: 'KEY' }],
];

/** The same with words that change nothing: `.env` in the folder is read, and so are the ones below. */
const denied: readonly Call[] = [
  ...everywhere.filter(([dialect]) => dialect !== 'codex'),
  ['claude', 'Grep', { pattern: 'KEY' }],
  ['claude', 'Grep', { pattern: 'KEY', output_mode: 'count' }],
  ['claude', 'Grep', { pattern: 'KEY', path: '.' }],
  ['claude', 'Grep', { pattern: 'KEY', path: './src/..' }],
  ['claude', 'Grep', { pattern: 'KEY', file_path: 'deep' }],
  ['claude', 'Grep', { pattern: 'KEY', glob: '**/*' }],
  ['claude', 'Grep', { pattern: 'KEY', glob: '*.{ts,env}' }],
  ['claude', 'Grep', { pattern: 'KEY', glob: '!.env,*' }],
  ['claude', 'Grep', { pattern: 'KEY', glob: '!.env **' }],
  ['claude', 'Grep', { pattern: 'KEY', glob: '!a.txt' }],
  ['claude', 'Grep', { pattern: 'KEY', glob: '!src/**' }],
  ['claude', 'Grep', { pattern: 'KEY', glob: '!.envx' }],
  ['claude', 'Grep', { pattern: 'KEY', type: 'nobody-knows' }],
  ['codex', 'grep_files', { pattern: 'KEY', include: '**' }],
  ['codex', 'grep_files', { pattern: 'KEY', include: '*e*' }],
  ['gemini', 'grep_search', { pattern: 'KEY', dir_path: 'deep' }],
  ['gemini', 'grep_search', { pattern: 'KEY', exclude_pattern: '\\.env' }],
  ['gemini', 'grep_search', { pattern: 'KEY', include_pattern: 'deep' }],
  ['gemini', 'grep_search', { pattern: 'KEY', include_pattern: './deep/' }],
  ['gemini', 'grep_search', { pattern: 'KEY', include_pattern: 'd*v' }],
  ['gemini', 'grep_search', { pattern: 'KEY', include_pattern: ':!a.txt' }],
  ['gemini', 'grep_search', { pattern: 'KEY', include_pattern: '.' }],
  ['gemini', 'grep_search', { pattern: 'KEY', names_only: true }],
  ['qwen', 'grep_search', { pattern: 'KEY', path: 'deep', glob: 'er' }],
  ['copilot', 'grep', { pattern: 'KEY', paths: ['src', 'deep'] }],
  ['copilot', 'grep', { pattern: 'KEY', paths: 'deep', '-n': true }],
  ['copilot', 'grep', { pattern: 'KEY', glob: '!a.txt,!.env' }],
  ['copilot', 'grep', { pattern: 'KEY', glob: '!{a.txt,key.pem}' }],
  // Such a glob is a comment, or blank: it chooses nothing, and so all is read.
  ['claude', 'Grep', { pattern: 'KEY', glob: '#foo' }],
  ['copilot', 'grep', { pattern: 'KEY', glob: '#foo' }],
  ['copilot', 'grep', { pattern: 'KEY', glob: '#foo *.ts' }],
  ['opencode', 'grep', { pattern: 'KEY', include: ' ' }],
  ['gemini', 'grep_search', { pattern: 'KEY', include_pattern: '#foo' }],
  ['claude', 'Bash', { command: "rg --hidden -g '#x' KEY" }],
  ['claude', 'Bash', { command: "rg --hidden -g ' ' KEY" }],
  ['claude', 'Bash', { command: "rg --hidden --iglob='#x' -g '#y' KEY" }],
  ['copilot', 'grep', { pattern: 'KEY', glob: '!{deep/.env,.env}' }],
  ['vscode', 'grep_search', { query: 'KEY', includePattern: 'deep' }],
  ['vscode', 'grep_search', { query: 'KEY', includePattern: 'deep/' }],
  ['vscode', 'grep_search', { query: 'KEY', includePattern: '**/deep/**' }],
  ['cursor', 'Grep', { pattern: 'KEY', path: 'deep' }],
  ['opencode', 'grep', { pattern: 'KEY', path: 'a.txt' }],
  ['opencode', 'grep', { pattern: 'KEY', path: 'deep/er/none.ts' }],
];

/** No file that is closed is read. */
const passing: readonly Call[] = [
  ['codex', 'grep_files', { pattern: 'KEY' }],
  ['codex', 'grep_files', { pattern: 'KEY', include: '*.ts' }],
  ['claude', 'Grep', { pattern: 'KEY', path: 'src' }],
  ['claude', 'Grep', { pattern: 'KEY', path: 'a.txt', output_mode: 'content' }],
  ['claude', 'Grep', { pattern: 'KEY', glob: '*.ts' }],
  ['claude', 'Grep', { pattern: 'KEY', glob: '*.{ts,tsx}' }],
  ['claude', 'Grep', { pattern: 'KEY', glob: '#foo *.ts' }],
  ['claude', 'Bash', { command: "rg --hidden -g '#x' -g '*.ts' KEY" }],
  ['claude', 'Grep', { pattern: 'KEY', glob: 'src/**' }],
  ['claude', 'Grep', { pattern: 'KEY', glob: 'a.txt,*.ts' }],
  ['claude', 'Grep', { pattern: 'KEY', type: 'ts' }],
  ['claude', 'Grep', { pattern: 'KEY', glob: '!.env', output_mode: 'content' }],
  ['claude', 'Grep', { pattern: 'KEY', glob: '!**/.env' }],
  ['claude', 'Grep', { pattern: 'KEY', glob: '!a.txt,!.env*' }],
  ['claude', 'Grep', { pattern: 'KEY', glob: '* !.env' }],
  ['claude', 'Glob', { pattern: '**/*' }],
  ['claude', 'LS', { path: '.' }],
  ['gemini', 'grep_search', { pattern: 'KEY', dir_path: 'src' }],
  ['gemini', 'grep_search', { pattern: 'KEY', include_pattern: '*.ts' }],
  ['gemini', 'grep_search', { pattern: 'KEY', include_pattern: 'src/**/*.ts' }],
  ['gemini', 'grep_search', { pattern: 'KEY', include_pattern: '!.env' }],
  ['gemini', 'glob', { pattern: '**/*' }],
  ['gemini', 'list_directory', { dir_path: '.' }],
  ['qwen', 'grep_search', { pattern: 'KEY', glob: '*.ts' }],
  ['copilot', 'grep', { pattern: 'KEY', paths: ['src'] }],
  ['copilot', 'grep', { pattern: 'KEY', glob: '!.env' }],
  ['copilot', 'grep', { pattern: 'KEY', glob: '!{.env,key.pem}' }],
  ['copilot', 'grep', { pattern: 'KEY', glob: '!**/{a.txt,.env*}' }],
  ['claude', 'Grep', { pattern: 'KEY', glob: '!{.env,key.pem}' }],
  ['claude', 'Bash', { command: "rg --hidden -g '!{.env,key.pem}' KEY" }],
  ['copilot', 'grep', { pattern: 'KEY', type: 'tsx' }],
  ['copilot', 'glob', { pattern: '**/*' }],
  ['vscode', 'grep_search', { query: 'KEY', includePattern: 'src' }],
  ['vscode', 'grep_search', { query: 'KEY', includePattern: 'src/**' }],
  ['vscode', 'grep_search', { query: 'KEY', includePattern: '**/*.ts' }],
  ['vscode', 'file_search', { query: '**/*' }],
  ['vscode', 'list_dir', { path: '.' }],
  ['cursor', 'Grep', { pattern: 'KEY', glob: '!.env' }],
  // A denial would leave no way out: they take a question and read an index.
  ['vscode', 'semantic_search', { query: 'the key' }],
  ['cursor', 'codebase_search', { query: 'the key', target_directories: [] }],
  ['cursor', 'SemanticSearch', { query: 'the key', target_directories: ['deep'] }],
  ['opencode', 'grep', { pattern: 'KEY', include: '!.env' }],
  ['opencode', 'grep', { pattern: 'KEY', include: '*.{ts,tsx}' }],
  ['opencode', 'grep', { pattern: 'KEY', path: 'src/a.ts' }],
];

const answered = async (place: HookPlace, [dialect, tool, input]: Call): Promise<Outcome> => {
  const { payload, event } = beforeCall(dialect, tool, input);
  return outcome(await place.answer(dialect, payload, event));
};

async function wrong(place: HookPlace, calls: readonly Call[], expected: Outcome): Promise<readonly string[]> {
  const found: string[] = [];
  for (const call of calls) {
    const told = await answered(place, call);
    if (told !== expected) found.push(`${told} ${JSON.stringify(call)}`);
  }
  return found;
}

const rule = (closed: string): Readonly<Record<string, string>> => ({
  '.vscode/capabilities/boundaries.json': JSON.stringify({
    boundaries: [{ id: 'closed', match: { path: closed }, decision: 'deny', reason: 'it is closed here' }],
  }),
});

const within =
  (files: Readonly<Record<string, string>>, test: (place: HookPlace) => Promise<void>) => async (): Promise<void> => {
    const place = hookPlace({ 'src/a.ts': 'KEY', 'deep/er/.env': 'KEY', ...files });
    try {
      await test(place);
    } finally {
      place.dispose();
    }
  };

describe('searches of agents for text in files', () => {
  it(
    'D.hooks: are denied where they read a closed file below a folder that they do not name',
    within({}, async (place) => {
      assert.deepEqual(await wrong(place, denied, 'deny'), []);
      const whole = [place.folder, path.dirname(place.folder)];
      const named: readonly Call[] = whole.flatMap((at): readonly Call[] => [
        ['claude', 'Grep', { pattern: 'KEY', path: at }],
        ['copilot', 'grep', { pattern: 'KEY', paths: [at] }],
        ['vscode', 'grep_search', { query: 'KEY', includePattern: at }],
        ['vscode', 'grep_search', { query: 'KEY', includePattern: `${at}/**` }],
      ]);
      assert.deepEqual(await wrong(place, named, 'deny'), []);
      // That a text stands in a file says what is in it, in a command line too.
      assert.equal(await answered(place, ['claude', 'Bash', { command: 'grep -rl KEY .' }]), 'deny');
    }),
  ).timeout(30_000);

  it(
    'D.hooks: pass where what is closed is left out, and where names alone are told',
    within({}, async (place) => {
      assert.deepEqual(await wrong(place, passing, 'allow'), []);
      const named: readonly Call[] = [
        ['claude', 'Grep', { pattern: 'KEY', path: place.folder, glob: '!.env' }],
        ['claude', 'Grep', { pattern: 'KEY', path: path.join(place.folder, 'src') }],
        ['vscode', 'grep_search', { query: 'KEY', includePattern: `${place.folder}/src` }],
        ['vscode', 'grep_search', { query: 'KEY', includePattern: `${place.folder}/**/*.ts` }],
      ];
      assert.deepEqual(await wrong(place, named, 'allow'), []);
    }),
  ).timeout(30_000);

  it(
    'D.hooks: pass over what the repository ignores, but where they are told not to',
    within({ '.gitignore': '.env\n' }, async (place) => {
      assert.deepEqual(await wrong(place, everywhere, 'allow'), []);
      const ignored: readonly Call[] = [
        ['gemini', 'grep_search', { pattern: 'KEY', no_ignore: true }],
        ['vscode', 'grep_search', { query: 'KEY', includeIgnoredFiles: true }],
        // What a glob of ripgrep chooses is read though it is ignored.
        ['claude', 'Grep', { pattern: 'KEY', glob: '*' }],
      ];
      assert.deepEqual(await wrong(place, ignored, 'deny'), []);
      rmSync(path.join(place.folder, '.git'), { recursive: true });
      assert.equal(await answered(place, ['claude', 'Grep', { pattern: 'KEY' }]), 'deny', 'no repository ignores it');
    }),
  ).timeout(30_000);

  it(
    'D.hooks: pass where nothing is closed, whatever lies in the repository itself',
    within({ '.gitignore': '.env\n', '.git/config': 'KEY', ...rule('.git/**') }, async (place) => {
      assert.deepEqual(await wrong(place, everywhere, 'allow'), []);
      writeFileSync(path.join(place.folder, '.ignore'), '');
      assert.deepEqual(await wrong(place, everywhere.slice(0, 1), 'deny'), [], 'it may take in again what is ignored');
      rmSync(path.join(place.folder, 'deep'), { recursive: true });
      rmSync(path.join(place.folder, '.env'));
      assert.deepEqual(await wrong(place, everywhere, 'allow'), []);
    }),
  ).timeout(30_000);

  it(
    'D.hooks: follow a link where the tool does',
    within({ '.gitignore': '.env\n', 'vault/key.txt': 'KEY', ...rule('vault/**') }, async (place) => {
      symlinkSync('../vault', path.join(place.folder, 'src/way'));
      assert.equal(await answered(place, ['claude', 'Grep', { pattern: 'KEY', path: 'src' }]), 'allow');
      assert.equal(
        await answered(place, ['vscode', 'grep_search', { query: 'KEY', includePattern: 'src/**' }]),
        'deny',
      );
    }),
  );

  it(
    'D.hooks: are told which file is closed, and how the tool itself leaves it out, where it does',
    within({}, async (place) => {
      const told = async ([dialect, tool, input]: Call): Promise<string> => {
        const { payload, event } = beforeCall(dialect, tool, input);
        return (await place.answer(dialect, payload, event)).stdout.replaceAll('\\"', '"');
      };
      const search = { pattern: 'KEY', query: 'KEY' };
      assert.match(
        await told(['claude', 'Grep', search]),
        /searches `(?:deep\/er\/)?\.env` too; leave that out by `glob: "!\.env"`, or/,
      );
      assert.match(await told(['opencode', 'grep', search]), /leave that out by `include: "!\.env"`/);
      for (const call of [
        ['gemini', 'grep_search', search],
        ['vscode', 'grep_search', search],
      ] as const)
        assert.match(await told(call), /searches `[^`]+` too; search a narrower place\)/);
      writeFileSync(path.join(place.folder, '.gitignore'), '.env');
      writeFileSync(path.join(place.folder, 'a b.pem'), 'KEY');
      assert.match(await told(['claude', 'Grep', search]), /searches `a b\.pem` too; search a narrower place\)/);
      assert.match(await told(['claude', 'Bash', { command: 'grep -r KEY .' }]), /an option such as `--exclude`/);
    }),
  );

  const program = installedRipgrep();
  const pieces = [
    'vault',
    'key',
    '.txt',
    '*',
    '?',
    '/',
    './',
    'v',
    '**',
    '**/',
    'deep',
    '{key,v}',
    '{key}',
    '\\',
    '[!a]',
    '[a-z]',
    '!',
    ',',
    ' ',
  ];
  const glob = fc
    .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 5 })
    .map((all) => all.join(''))
    .filter((text) => !text.startsWith('/'));
  /** Tools that are ripgrep, with the options that each calls it with. */
  const ripgreps = [
    ['claude', 'Grep', 'glob', ['--hidden']],
    ['opencode', 'grep', 'include', ['--hidden']],
    ['codex', 'grep_files', 'include', []],
  ] as const;
  /** As Claude Code takes its argument apart; the others hand it over as it is. */
  const partsOf = (dialect: Dialect, text: string): readonly string[] =>
    dialect !== 'claude'
      ? [text]
      : text
          .split(/\s+/)
          .flatMap((one) => (one.includes('{') && one.includes('}') ? [one] : one.split(',')))
          .filter((one) => one !== '');

  it('D.hooks: pass with a glob only where the real ripgrep reads nothing that is closed', async function () {
    if (program === undefined) skipBecause(this, 'no ripgrep of 14 or newer is here');
    this.timeout(180_000);
    const place = hookPlace({
      '.gitignore': 'ignored\n',
      'src/a.ts': 'KEY a',
      'vault/deep/key.txt': 'KEY closed',
      'vault/.v': 'KEY closed',
      'ignored/vault/key': 'KEY closed',
      ...rule('**/vault/**'),
    });
    rmSync(path.join(place.folder, '.env'));
    mkdirSync(path.join(place.folder, 'key'));
    writeFileSync(path.join(place.folder, 'key/v.txt'), 'KEY a');
    let [passed, refused] = [0, 0];
    try {
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...ripgreps), glob, async ([dialect, tool, name, options], text) => {
          const globs = partsOf(dialect, text).flatMap((one) => ['--glob', one]);
          const { stdout } = spawnSync(program, [...options, ...globs, '-I', 'KEY', '.'], {
            cwd: place.folder,
            encoding: 'utf8',
          });
          const told = await answered(place, [dialect, tool, { pattern: 'KEY', [name]: text }]);
          if (told === 'allow') passed++;
          else refused++;
          assert.ok(told !== 'allow' || !stdout.includes('closed'), `${dialect} ${text}\n${stdout}`);
        }),
        { numRuns: runs(40, 200, 4000) },
      );
      assert.ok(passed > 0 && refused > 0);
    } finally {
      place.dispose();
    }
  });
});
