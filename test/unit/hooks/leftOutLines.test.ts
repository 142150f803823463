// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { type HostAgent, hostAgents } from '../../../src/core/hooks/hostEvent';
import { runs } from '../../support/counts';
import { installedRipgrep } from '../../support/ripgrep';
import { before as beforeCall, changesPlace, outcome, type Outcome } from '../../support/hooks';

const boundaries = [
  { id: 'closed', match: { path: '**/.env', effect: 'fs.read' }, decision: 'deny', reason: 'it is closed here' },
];
const settings = { '.vscode/capabilities/boundaries.json': JSON.stringify({ boundaries }) };

/** What a line gets that leaves out the only closed file, beside words that only a run tells or within other lines. */
const told: Readonly<Record<Outcome, string>> = {
  allow: `
bash -lc "grep -rn x --exclude=.env ."
bash -c 'grep -rn x --exclude .env .'
sh -c 'grep -rn x --exclude=.env . | head'
timeout 9 bash -lc "grep -rn x --exclude=.env ."
bash -lc "bash -c 'grep -rn x --exclude=.env .'"
bash -lc "cd src && rg --hidden -g '!.env' x"
bash -lc "find . -not -name .env -type f"
bash -lc "tar cf x.tar --exclude=.env ."
bash -lc 'git add -A -- ":!.env"'
bash -lc "grep -rn '.env' src"
bash -lc 'grep -rn "$1" --exclude=.env .'
grep -rn x --exclude=.env src/* .
grep -rn x --exclude=.env *
grep -rn -e "$P" --exclude=.env .
grep -rn --exclude=.env -- "$P" .
grep -rn --exclude=.env "x$P" .
grep -rn --exclude=.env -e "$*" .
grep -rn --exclude=.env -e "\${A[*]}" .
grep -rn --exclude=.env -m "\${#A[@]}" x .
A=(a b); grep -rn --exclude=.env -e "\${A[@]}" .
rg -e "$P" --hidden -g '!.env'
7z -mx=9 a x.7z -xr!.env .
7z a x.7z -mx=9 -xr!.env .
nice -n "$N" grep -rn --exclude=.env -e x .
P=x; grep -rn "$P" --exclude=.env .
for p in a b; do grep -rn "$p" --exclude=.env .; done
`,
  ask: `
grep -rn "$P" --exclude=.env .
grep -rn --exclude=.env "$P" .
grep -r $P --exclude=.env .
grep -rn --exclude=.env x$P .
grep -rn --exclude=.env -m $P x .
grep -rn --exclude=.env x "./$P"
grep -rn "$P" --include=*.ts .
rg --hidden -g '!.env' "$P"
tar cf x.tar --exclude=.env "$P"
tar --exclude=.env "$P" x.tar .
tar "$P" x.tar src
tar -c"$P"f x.tar --exclude=.env .
mapfile -t A < args.txt; grep -rn --exclude=.env -e "\${A[@]}" .
grep -rn --exclude=.env --regexp="\${A[@]}" .
grep -rn --exclude=.env "x\${A[@]}" .
grep -rn --exclude=.env -e "$@" .
grep -rn --exclude=.env -e "KE\${A[@]}" .
grep -rn --exclude=.env -e "\${A[@]:1}" .
grep -rn --exclude=.env -e "\${P:-$@}" .
grep -rn --exclude=.env -e "\${P:-"$@"}" .
grep -rn --exclude=.env -e "\${!A}" .
grep -rn --exclude=.env -e "$A[@]" .
grep -rn --exclude=.env -e "\${(f)A}" .
grep -rn --exclude=.env -e "\${=A}" .
grep -rn --exclude=.env -e $* .
A=(); grep -rn -e "\${A[@]}" --exclude=.env .
set --; grep -rn -e "$@" --exclude=.env .
rg --hidden -g '!.env' -e "\${A[@]}"
grep -rn --exclude=.env -e * .
grep -rn --exclude=.env -e a* .
diff -r --exclude=.env -I "$@" . out
bash -c 'grep -rn --exclude=.env -e "\${A[@]}" .'
`,
  deny: `
bash -lc "grep -rn x ."
bash -lc "cat .env"
bash -lc "grep -rn x --exclude=a.txt . ; cat .env"
bash -lc "grep -rn x --exclude=.env --include=.env ."
bash -lc "grep x --exclude .env .env"
bash -lc "bash -lc 'grep -r x --exclude=.env . ; cat .env'"
bash -lc "echo .env" | xargs cat
cat $(bash -lc "echo .env")
bash -lc "tar -T .env -cf x.tar"
bash -c 'cat $0' .env
bash script -c "cat .env"
bash $P -c "cat .env"
fish -c "grep -r x --exclude=.env ."
python3 -c "grep -r --exclude=.env x ."
find . -exec bash -c "cat --exclude=.env .env" ';'
grep() { eval "cat \${1##*=}"; }; grep --exclude=.env
bash() { cat \${2##*=}; }; bash -lc "grep --exclude=.env"
grep -rn "$P" --exclude .env .
grep -rn -e $P --exclude=.env .
grep -rn "$P" .env --exclude=.env
grep -rn "$P" --exclude=a.txt .
grep -rn --exclude=.env --include="$P" x .
rg --hidden -g '!.env' -g "$P" x
rg --hidden -g "!$P" x
tar c"$P"f x.tar --exclude=.env .
tar "$P" x.tar --exclude=.env .
tar "$P" x.tar .
tar c* x.tar --exclude=.env .
P=T; tar c"$P"f x.tar --exclude=.env .
timeout -s "$@" 10 grep -rn --exclude=.env -e x .
nice -n "$@" grep -rn --exclude=.env -e x .
env -u "$@" grep -rn --exclude=.env -e x .
7z "$P" x.7z .
7z a"$P" x.7z -xr!.env .
7z A x.7z .
7z -mx=9 a x.7z .
`,
};

const tools: Readonly<Partial<Record<HostAgent, string>>> = {
  gemini: 'run_shell_command',
  qwen: 'run_shell_command',
  copilot: 'bash',
  vscode: 'run_in_terminal',
  cursor: 'Shell',
  opencode: 'bash',
};

describe('options that leave files out of a folder', () => {
  let place: ReturnType<typeof changesPlace>;

  before(() => {
    place = changesPlace({ ...settings, '.env': 'KEYb\nb', 'src/a.ts': 'x\nb', 'src/.b': 'x' });
    mkdirSync(place.at('empty'));
  });
  after(() => place.dispose());

  async function judge(command: string, agent: HostAgent = 'claude'): Promise<Outcome> {
    const { payload, event } = beforeCall(agent, tools[agent] ?? 'Bash', {
      command,
      explanation: 'x',
      description: 'x',
    });
    return outcome(await place.answer(agent, payload, event));
  }

  for (const expected of ['allow', 'ask', 'deny'] as const)
    it(`D.shell: beside what only a run tells, and in lines for a shell, they count as far as they hold: ${expected}`, async () => {
      const wrong: string[] = [];
      for (const line of told[expected].trim().split('\n')) {
        const answer = await judge(line);
        if (answer !== expected) wrong.push(`${answer} ${line}`);
      }
      assert.deepEqual(wrong, []);
    }).timeout(20_000);

  it('D.shell: every agent is answered alike where its line runs in a shell of its own', async () => {
    for (const dialect of hostAgents)
      assert.equal(await judge('bash -lc "grep -rn x --exclude=.env ."', dialect), 'allow');
  });

  it('D.shell: a name on the disk that is an option asks', async () => {
    writeFileSync(place.at('-ve'), '');
    try {
      assert.equal(await judge('grep -rn x --exclude=.env * .'), 'ask');
      assert.equal(await judge('grep -rn x --exclude=.env ./* .'), 'ask');
    } finally {
      rmSync(place.at('-ve'));
    }
  });

  it('D.shell: whatever a variable holds, what passes reads nothing that is closed', async () => {
    const value = fc.constantFrom(
      '-e',
      '-ve',
      '-v',
      '--',
      '-f',
      '-m',
      '-A',
      '--include=.env',
      'b',
      '.',
      '',
      '-ve .',
      '-m1 .env',
    );
    const word = fc.constantFrom(
      ...[
        '"$P"',
        '$P',
        '-e "$P"',
        '-e $P',
        '--',
        '-m "$P"',
        '"x$P"',
        'x$P',
        '"--include=$P"',
        '--exclude="$P"',
        '*',
        'src/*',
      ],
      ...['--exclude=.env', '--exclude .env', '--include=.env', '.', 'b', '--exclude-dir=src', '-v'],
    );
    let passed = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(word, { minLength: 2, maxLength: 5 }),
        value,
        fc.boolean(),
        async (words, P, isWithin) => {
          const line = `grep -rh ${words.join(' ')}`;
          const command = isWithin && !line.includes('"') ? `bash -c "${line.replaceAll('$', '\\$')}"` : line;
          if ((await judge(command)) !== 'allow') return;
          passed++;
          const { stdout } = spawnSync('bash', ['-c', command], {
            cwd: place.folder,
            env: { ...process.env, P },
            encoding: 'latin1',
            input: '',
          });
          assert.doesNotMatch(stdout, /KEY/, `P='${P}' ${command}`);
        },
      ),
      { numRuns: runs(120, 600, 6000) },
    );
    assert.ok(passed > 0);
  }).timeout(120_000);

  it('D.shell: of patterns that choose and that leave out the last one that matches wins', async () => {
    const lines: Readonly<Record<'allow' | 'deny', string>> = {
      allow: `
rg --hidden -g '*' -g '!.env' b
rg --hidden -g '.*' -g '!.e*' b .
rg --hidden -g '**' -g '!/.env' b
grep -r --include='*' --exclude=.env b .
grep -r --include='*v' --exclude='.e*' b .
grep -r --include='*.ts' --exclude-dir=src b .
zip -r x.zip . -i '*v' -x '*.env'
`,
      deny: `
rg --hidden -g '!.env' -g '*' b
rg --hidden -g '*' -g '!.env' -g '.e*' b
rg --hidden -g '*' -g '!src' b
rg --hidden --iglob '.ENV' -g '!.env' b
rg --hidden -g '!.env' --iglob '*' b
rg --hidden -g '*' -g '!.env' b; rg --hidden -g '*' b
grep -r --exclude=.env --include='*' b .
grep -r --include='*' --exclude=.env --include='*v' b .
grep --include='*' b .env --exclude=.env
`,
    };
    for (const [expected, text] of Object.entries(lines))
      for (const line of text.trim().split('\n')) assert.equal(await judge(line), expected, line);
  }).timeout(20_000);

  it('D.shell: whatever patterns choose and leave out, what passes is not read by the real program', async () => {
    const rg = installedRipgrep();
    const text = fc.constantFrom(
      '.env',
      '*',
      '.e*',
      '*v',
      '.*',
      'src',
      '/.env',
      '**/.env',
      'src/**',
      '.ENV',
      '*.ts',
      '**',
    );
    const option = fc.oneof(
      fc
        .tuple(fc.constantFrom('--include=', '--exclude=', '--exclude-dir='), text)
        .map(([name, one]) => `${name}'${one}'`),
      fc
        .tuple(fc.constantFrom('-g ', '--glob=', '--iglob='), fc.constantFrom('', '!'), text)
        .map((all) => `${all[0]}'${all[1]}${all[2]}'`),
      fc.constantFrom('--hidden', '-uu'),
    );
    let passed = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(option, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('.', 'src', './', ''),
        async (options, folder) => {
          const isGrep = options.every((one) => /^--(?:in|ex)clude/.test(one));
          const own = options.filter((one) => isGrep || !/^--(?:in|ex)clude/.test(one)).join(' ');
          const line = `${isGrep ? 'grep -rh' : 'rg -I'} ${own} b ${folder}`;
          if ((isGrep ? false : !rg) || (await judge(line)) !== 'allow') return;
          passed++;
          const real = isGrep ? line : line.replace('rg', () => rg ?? '');
          const { stdout } = spawnSync('sh', ['-c', `${real} < /dev/null`], { cwd: place.folder, encoding: 'latin1' });
          assert.doesNotMatch(stdout, /KEYb/, line);
        },
      ),
      { numRuns: runs(150, 600, 6000) },
    );
    assert.ok(passed > 0);
  }).timeout(120_000);
});
