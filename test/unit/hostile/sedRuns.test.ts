// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs';
import fc from 'fast-check';
import { readSedScript } from '../../../src/core/shell/sedScript';
import { runs } from '../../support/counts';
import { skipBecause } from '../../support/skip';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace';

const parts: readonly string[] = [
  ...[
    's',
    '/',
    'x',
    'y',
    ',',
    'e',
    ' ',
    '\n',
    ';',
    'w',
    'W',
    'f',
    'g',
    'a',
    'i',
    'c',
    '\\',
    '[',
    ']',
    '^',
    '{',
    '}',
    '1',
  ],
  ...[
    '$',
    '!',
    'I',
    'M',
    '~',
    '+',
    '#',
    ':',
    'b',
    't',
    'r',
    'p',
    'd',
    'q',
    'l',
    '=',
    's/x/y/',
    's,x,y,',
    '/x/',
    '/[/]/',
  ],
  ...[
    '[^/]',
    'e f',
    'w f',
    'e f\n',
    'w f\n',
    '1,2',
    'y/x/y/',
    'a\\\n',
    '\\\n',
    'ba',
    ':a',
    's/x/y/e',
    's/x/y/w f',
    'N',
  ],
  ...[
    '[]/]',
    '[^]/]',
    '[[:alpha:]/]',
    '[[./.]/]',
    '[\\]/]',
    '[\\n/]',
    's/',
    '/e',
    '/w f',
    's/[/]/',
    'x/e\n',
    'n',
    'D',
    'T',
  ],
];
const commands: readonly string[] = [
  ...[
    'e f',
    '1e f',
    '$!e f',
    '/x/I e f',
    '/x/M,/y/e f',
    '\\,x,e f',
    's/x/f/e',
    's/./f/ge',
    's,x,f,Ie',
    'sxyxfxe',
    '2,+1e f',
  ],
  ...[
    'w f',
    '1w f',
    '/[/]/w f',
    's/[^/]/y/w f',
    's/x/y/pw f',
    'p',
    'N',
    'a x',
    'a\\\nx',
    'i\\',
    'ba',
    ':a',
    'y/x/y/',
    '{',
    '}',
  ],
];
const scripts = fc
  .array(fc.tuple(fc.oneof(fc.constantFrom(...commands), fc.constantFrom(...parts)), fc.constantFrom('', ';', '\n')), {
    minLength: 1,
    maxLength: 6,
  })
  .map((some) => some.flat().join(''));

describe('scripts of sed, run for real', () => {
  let workspace: TestWorkspace;
  before(function () {
    const { stdout } = spawnSync('sed', ['--version'], { encoding: 'utf8' });
    if (!String(stdout).startsWith('sed (GNU sed)')) return skipBecause(this, 'there is no GNU sed');
    workspace = makeWorkspace();
    workspace.put({ 'bin/f': '#!/bin/sh\n: > ../ran\n', 'in/a': '' });
    chmodSync(workspace.at('bin/f'), 0o755);
  });
  after(() => workspace?.dispose());

  it('D.shell: what a script writes and runs is told, or it is not understood whole', function () {
    this.timeout(120_000);
    const cwd = workspace.at('in');
    fc.assert(
      fc.property(scripts, (script) => {
        for (const name of readdirSync(cwd)) rmSync(`${cwd}/${name}`);
        rmSync(workspace.at('ran'), { force: true });
        const env = { PATH: workspace.at('bin'), LANG: 'C.UTF-8' };
        spawnSync('/usr/bin/sed', ['-n', '-e', script], { cwd, env, input: 'x\ny\n1\nz\n', timeout: 2000 });
        const told = readSedScript(script);
        const written = told.writes.map((name) => name.replace(/\/+$/, ''));
        if (!told.isWhole) return;
        assert.deepEqual(
          readdirSync(cwd).filter((name) => !written.includes(name)),
          [],
        );
        assert.ok(told.runs.length > 0 || !existsSync(workspace.at('ran')));
      }),
      { numRuns: runs(200, 600, 10_000) },
    );
  });
});
