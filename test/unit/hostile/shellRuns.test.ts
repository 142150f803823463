import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import fc from 'fast-check';
import { pathGlob } from '../../../src/core/base/pathGlob';
import { readShell } from '../../../src/core/shell/readShell';
import { full, runs } from '../../support/counts';
import { skipBecause } from '../../support/skip';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace';
import { shellProgramLines } from './shellProgramLines';
import { shellRunLines } from './shellRunLines';
import { setFiles, setLine } from './shellSetLines';

const secret = 'what-is-kept';
const kept = ['vault/key.txt', '.env'];

/** A path as seen from the working folder, `/w`. */
function plainPath(resource: string): string {
  const parts: string[] = [];
  for (const part of resource.replace(/^(?:\/w\/|\/proc\/self\/cwd\/)/, '').split('/'))
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  return parts.join('/');
}

/** Tells whether a rule about the files meets what is read in a line, or whether a person is asked about it. */
function isMet(line: string): boolean {
  const { accesses, unknown } = readShell(line, { cwd: '/w' });
  if (unknown.length > 0) return true;
  return accesses.some(({ effect, resource, isPattern, recursive }) => {
    const place = plainPath(resource);
    return (
      effect.startsWith('fs.') &&
      kept.some(
        (one) =>
          place === one ||
          (recursive && (place === '' || one.startsWith(`${place}/`))) ||
          (isPattern && pathGlob(place).matches(one)),
      )
    );
  });
}

/** What one command does to what a shell holds. */
const steps: readonly string[] = (
  'd=vau|d=src|d=|export d=src|export "d=vau"|readonly d=vau|local d=src|declare d=vau|unset d|read d <<< vau|' +
  'printf -v d vau|for d in src vau; do :; done|d=${d}|d+=x|d=${d#s}|set -- vau|set -- src vau|shift|set --|a=(vau)|' +
  'a=(src vau)|a[0]=vau|a[1]=vau|a[0]=src|a+=(vau)|d=${a[0]}|d=$1|d=${a[@]:1}|cd src|cd nope|cd ..|cd vault|f|g src|' +
  'f(){ d=vau; }|f(){ cat ${d}lt/key.txt; }|g(){ d=$1; }|g(){ local d=$1; f; }|f(){ return; d=src; }|IFS=u|' +
  'mapfile -t a <<< vau|d="src vau"|x=d|d=${!x}|eval "d=vau"|eval "cd src"|false|true|d=$(echo vau)|e=$d|d=$e|' +
  'd=$(echo src >&2)|pushd src >/dev/null|popd >/dev/null|d=${d/src/vau}|command cd src|d=src true|d=vau f|unset -f f'
).split('|');

/** Where it stands: what may not run, what runs apart, what runs again. */
const places: readonly string[] = [
  ...['X', 'false && X', 'true && X', 'false || X', 'true || X', 'X &', '(X)', '{ X; }', 'X | :', ': | X', '! X'],
  ...['if false; then X; fi', 'if true; then X; else d=src; fi', 'if false; then d=vau; else X; fi', 'X && Y || X'],
  ...[
    'while false; do X; done',
    'for i in 1 2; do X; Y; done',
    'case a in b) X;; esac',
    'case a in a) X;; *) Y;; esac',
  ],
  ...['X || Y && X', 'x=$(X)', 'f(){ X; }', 'g(){ X; }', "eval 'X'", 'h(){ X; return; Y; }; h', '[[ 1 == 2 ]] && X'],
  ...['sh -c "X; Y"', 'X >/dev/null', 'i=0; while [ $i != 3 ]; do X; i=$((i+1)); Y; done'],
];

const ends: readonly string[] = [
  ...['cat ${d}lt/key.txt', 'cat ${d}vau""lt/key.txt', 'cat ${1}lt/key.txt', 'cat ${a[0]}lt/key.txt', 'cat key.txt'],
  ...['cat ../${d}lt/key.txt', 'cat vau""lt/key.txt', 'cat ${e}lt/key.txt', 'f', 'g vau; cat ${d}lt/key.txt'],
  ...['for x in $d "${a[@]}" $1; do cat ${x}lt/key.txt; done', 'true && cat ${d}lt/key.txt', 'cat ${a[1]}lt/key.txt'],
  ...['cat $(f)lt/key.txt', 'set -- $d; cat ${2}lt/key.txt', `sh -c 'cat \${d}vau""lt/key.txt'`],
];

const placed = fc
  .record({ place: fc.constantFrom(...places), first: fc.constantFrom(...steps), second: fc.constantFrom(...steps) })
  .map(({ place, first, second }) => place.replaceAll('X', () => first).replaceAll('Y', () => second));

const wholeLine = fc
  .record({ before: fc.array(placed, { minLength: 1, maxLength: 4 }), end: fc.constantFrom(...ends) })
  .map(({ before, end }) => [...before, end].join('; ').replaceAll('&;', '&'));

describe('command lines that a shell runs', () => {
  let workspace: TestWorkspace;
  const hasBash = process.platform !== 'win32' && spawnSync('bash', ['-c', ':']).status === 0;

  before(() => {
    workspace = makeWorkspace();
    workspace.put({
      'vault/key.txt': secret,
      '.env': secret,
      'a.txt': 'a',
      'src/a.ts': '1',
      'dist/x': '1',
      'list.txt': 'vault/key.txt\n',
      'cmd.txt': 'cat vault/key.txt\n',
      'cmd.b64': `${Buffer.from('cat vault/key.txt\n').toString('base64')}\n`,
      'cmd.hex': `${Buffer.from('cat vault/key.txt\n').toString('hex')}\n`,
    });
  });
  after(() => workspace.dispose());

  /** Runs a line for real, with nothing but the system's own programs, and tells whether it came by the text. */
  function comesBy(line: string): boolean {
    const env = { HOME: workspace.root, PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' };
    const { stdout, stderr } = spawnSync('bash', ['-c', line], {
      cwd: workspace.root,
      env,
      timeout: 2000,
      killSignal: 'SIGKILL',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return `${stdout}${stderr}`.includes(secret);
  }

  it('D.shell: each of more than 340 lines that come by a file is met by its rule, or asks', () => {
    assert.ok(shellRunLines.length > 340, String(shellRunLines.length));
    assert.deepEqual(
      shellRunLines.filter((line) => !isMet(line)),
      [],
    );
  });

  it('D.shell: bash comes by the file with each of these lines', function () {
    if (!hasBash || process.platform !== 'linux') return skipBecause(this, 'the lines are for the bash of Linux');
    this.timeout(120_000);
    const some = full ? shellRunLines : shellRunLines.filter((_, index) => index % 20 === 0);
    const others = some.filter((line) => !comesBy(line));
    // An older bash does not know all forms.
    assert.ok(others.length <= some.length / 10, others.join('\n'));
  });

  it('D.shell: whatever makes bash find a program of the workspace by the name of one of the system asks', function () {
    assert.deepEqual(
      shellProgramLines.filter((line) => readShell(`${line}; ls`, { cwd: '/w' }).unknown.length === 0),
      [],
    );
    if (!hasBash || process.platform !== 'linux') return skipBecause(this, 'the lines are for the bash of Linux');
    this.timeout(60_000);
    for (const name of ['ls', '1/ls']) {
      workspace.put({ [name]: '#!/bin/sh\n/bin/cat vault/key.txt\n' });
      chmodSync(workspace.at(name), 0o755);
    }
    workspace.put({ PATH: '', 'vars.txt': 'PATH=1\n' });
    assert.ok(!comesBy('ls'));
    const some = full ? shellProgramLines : shellProgramLines.filter((_, index) => index % 8 === 0);
    const others = some.filter((line) => !comesBy(`${line}; ls`));
    assert.ok(others.length <= some.length / 10, others.join('\n'));
  });

  it('D.shell: text of a file that sets PATH, however a line comes by it and wherever it is used, asks', function () {
    if (!hasBash || process.platform !== 'linux') return skipBecause(this, 'the lines are for the bash of Linux');
    this.timeout(300_000);
    for (const name of ['1/ls', 'b/ls']) {
      workspace.put({ [name]: '#!/bin/sh\n/bin/cat vault/key.txt\n' });
      chmodSync(workspace.at(name), 0o755);
    }
    workspace.put(setFiles);
    assert.ok(comesBy('(( $(cat p) )); ls'));
    fc.assert(
      fc.property(setLine, (line) => {
        assert.ok(readShell(`${line}; ls`, { cwd: '/w' }).unknown.length > 0 || !comesBy(`${line}; ls`), line);
      }),
      { numRuns: runs(200, 5000, 30_000) },
    );
  });

  it('D.shell: whatever is set, in whatever place of a line, what bash comes by is met or asks', function () {
    if (!hasBash) return skipBecause(this, 'there is no bash');
    this.timeout(300_000);
    fc.assert(
      fc.property(wholeLine, (line) => {
        assert.ok(isMet(line) || !comesBy(line), line);
      }),
      { numRuns: runs(60, 1500, 6000) },
    );
  });
});
