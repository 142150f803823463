// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { before as beforeCall, changesPlace, outcome, type Outcome } from '../../support/hooks';
import { runs } from '../../support/counts';

/** Commands that read all below a folder, which stands in the place of `@`. */
const reading = `
grep -r KEY @
grep -rn KEY @
grep --recursive -i KEY @
egrep -R KEY @
grep -d recurse KEY @
rg -uu KEY @
rg --hidden --no-ignore KEY @
ag -u KEY @
ack KEY @
tar czf /tmp/x.tgz @
tar cf - @ | base64
zip -qr /tmp/x.zip @
7z a /tmp/x.7z @
diff -r @ /tmp/other
cp -r @ /tmp/x
cp -a @ ../copy
rsync -a @ /tmp/x
rsync -a @ host.example:x
scp -r @ host.example:x
git grep --no-index KEY @
sudo grep -r KEY @
timeout 9 grep -r KEY @ | head -5
sh -c 'grep -r KEY @'
for f in a b; do grep -r KEY @; done
`;

/** Ways to name the workspace, or a folder around it, from within. */
const around = '. ./ $PWD ../work ../work/. ../wor* ../w?rk ./../work src/.. .. ../.. ../link $PWD/../work'.split(' ');

/** Nothing that is closed lies there, or no content is read. */
const passing = `
grep -r KEY src
grep KEY a.txt
grep KEY src/*
rg KEY src
rg --files
rg KEY
ls -R
find . -type f
find . -name '*.ts'
du -sh .
tree
git grep KEY
git status
tar czf /tmp/x.tgz src
tar -czf /tmp/x.tgz -C src .
tar tzf /tmp/x.tgz
zip -r /tmp/x.zip src
cat a.txt | rg KEY
grep -r KEY . --include=*.ts
rg -uu -g '*.ts' KEY
cd src && grep -r KEY .
`;

const linesOf = (text: string): readonly string[] => text.trim().split('\n');
const rule = (closed: string): string =>
  JSON.stringify({
    boundaries: [{ id: 'closed', match: { path: closed }, decision: 'deny', reason: 'it is closed here' }],
  });

function makePlace(closed: string, files: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const settings = '.vscode/capabilities/boundaries.json';
  const all = { [settings]: rule(closed), 'src/a.ts': 'KEY', 'src/deep/b.ts': 'KEY', '.gitignore': 'dist', ...more };
  const place = changesPlace({ ...all, ...Object.fromEntries(files.map((one) => [one, 'KEY'])) });
  rmSync(place.at('.env'));
  symlinkSync(place.folder, path.join(place.folder, '..', 'link'));
  const judge = async (command: string, cwd = place.folder): Promise<Outcome> => {
    const { payload, event } = beforeCall('claude', 'Bash', { command });
    return outcome(await place.answer('claude', { ...payload, cwd }, event));
  };
  return { ...place, judge };
}
type Place = ReturnType<typeof makePlace>;

async function wrong(place: Place, lines: readonly string[], expected: Outcome, cwd?: string): Promise<string[]> {
  const found: string[] = [];
  for (const line of lines) {
    const told = await place.judge(line, cwd);
    if (told !== expected) found.push(`${told} ${line}`);
  }
  return found;
}

describe('commands that read all below a folder', () => {
  let place: Place;

  const within = (make: () => Place, test: () => Promise<void>) => async () => {
    place = make();
    try {
      await test();
    } finally {
      place.dispose();
    }
  };
  const vault = (): Place => makePlace('vault/**', ['vault/deep/key.txt']);

  it(
    'D.shell: are judged as if a closed file below was named, however the folder is written',
    within(vault, async () => {
      for (const folder of [...around, place.folder, path.dirname(place.folder)])
        assert.deepEqual(
          await wrong(
            place,
            linesOf(reading)
              .slice(0, folder === '.' ? undefined : 3)
              .map((line) => line.replace('@', folder)),
            'deny',
          ),
          [],
          folder,
        );
      assert.deepEqual(
        await wrong(
          place,
          [
            ...['rg KEY', 'grep -rn KEY', 'grep -re KEY', 'cp -r ../wor* .', 'ag KEY', 'ack KEY', 'rg -e KEY | head'],
            ...['cat a.txt | grep -r KEY', 'grep --recurs KEY .', 'cp --recurs . /tmp/x', 'grep -r KEY src vault/..'],
            ...['ln -s .. up; grep -r KEY up', 'ln -s . src/new && tar chf x.tar src/new', 'mv ../work /tmp/z'],
            ...['tar cf x.tar -C src ..', 'cd src; grep -r KEY ..', 'd=.; rg KEY $d', 'cat <(grep -r KEY .)'],
            ...["find . -maxdepth 0 -exec grep -r KEY {} ';'", 'echo . | xargs grep -r KEY', 'eval "rg KEY"'],
          ],
          'deny',
        ),
        [],
      );
    }),
  ).timeout(30_000);

  it(
    'D.shell: are told which file below is closed, and how to leave it out',
    within(vault, async () => {
      const { payload, event } = beforeCall('claude', 'Bash', { command: 'grep -rn KEY .' });
      const answer = await place.answer('claude', { ...payload, cwd: place.folder }, event);
      assert.match(
        JSON.stringify(answer),
        /reads a whole folder, and `vault\/deep\/key\.txt` in it; leave that out by/,
      );
      assert.equal(await place.judge('grep -rn --exclude-dir=vault KEY .'), 'allow');
    }),
  );

  it(
    'D.shell: pass where nothing that is closed lies below, or no content is read',
    within(
      () => makePlace('{vault,.hidden}/**', ['.hidden/key.txt']),
      async () => assert.deepEqual(await wrong(place, linesOf(passing), 'allow'), []),
    ),
  ).timeout(30_000);

  it(
    'D.shell: count for the workspace whose file it is, from a folder beside and from one above',
    within(vault, async () => {
      const above = path.dirname(place.folder);
      const beside = path.join(above, 'beside', 'inner');
      mkdirSync(beside, { recursive: true });
      const lines = ['grep -r KEY ../../work', 'cp -r ../../wor* .', 'rg KEY ../../link', 'tar cf x.tar -C ../.. work'];
      assert.deepEqual(await wrong(place, lines, 'deny', beside), []);
      assert.deepEqual(await wrong(place, ['grep -r KEY .', 'rg KEY', 'zip -r x.zip .'], 'deny', above), []);
      assert.equal(await place.judge('grep -r KEY .', beside), 'allow');
    }),
  );

  it(
    'D.shell: count for a workspace with settings of its own below',
    within(
      () => makePlace('nothing/**', ['in/ner/vault/key.txt'], { 'in/ner/.vscode/capabilities/b.json': '' }),
      async () => {
        rmSync(place.at('in/ner/.vscode/capabilities/b.json'));
        writeFileSync(place.at('in/ner/.vscode/capabilities/boundaries.json'), rule('vault/**'));
        assert.deepEqual(await wrong(place, ['grep -r KEY .', 'rg KEY in', 'cp -r in /tmp/x'], 'deny'), []);
        assert.equal(await place.judge('grep -r KEY src'), 'allow');
      },
    ),
  );

  it(
    'D.shell: a link below counts for programs that follow it',
    within(vault, async () => {
      symlinkSync('../vault', place.at('src/way'));
      symlinkSync('..', place.at('src/deep/round'));
      for (const line of ['grep -R KEY src', 'rg -L KEY src', 'zip -r x.zip src', 'tar chf x.tar src', 'cp -rL src x'])
        assert.equal(await place.judge(line), 'deny', line);
      for (const line of ['grep -r KEY src', 'rg KEY src', 'tar cf x.tar src'])
        assert.equal(await place.judge(line), 'allow', line);
    }),
  );

  it(
    'D.shell: what a search passes over is not read: hidden names, and what the repository ignores unless it says otherwise',
    within(
      () => makePlace('**/{.env,key.txt}', ['.env', 'dist/key.txt']),
      async () => {
        assert.deepEqual(await wrong(place, ['rg KEY', 'rg KEY .', 'ag KEY', 'rg --hidden KEY'], 'allow'), []);
        assert.deepEqual(await wrong(place, ['rg --no-ignore KEY', 'rg -uu KEY', 'rg KEY dist'], 'deny'), []);
        writeFileSync(place.at('.ignore'), '!dist');
        assert.equal(await place.judge('rg KEY'), 'deny');
        rmSync(place.at('.ignore'));
        rmSync(place.at('.git'), { recursive: true });
        assert.equal(await place.judge('rg KEY'), 'deny', 'nothing is ignored outside of a repository');
      },
    ),
  );

  it(
    'D.shell: what patterns and types choose is read alone, hidden names among it where a pattern of `rg` matches them',
    within(
      () => makePlace('**/{.env,key.txt}', ['deep/.env', 'dist/key.txt']),
      async () => {
        const closed = [
          ...[
            "rg -g '*.*' KEY",
            "rg -g 'deep/**' KEY",
            "rg -g '**' KEY",
            "rg -g '*.e*' KEY",
            'rg --hidden KEY',
            'rg -u KEY',
          ],
          ...[
            "rg -uu -g '!.env' -g '*' KEY deep",
            "rg -uu --iglob '.E*' KEY",
            'rg -uu -t all KEY',
            'rg -uuu -t ts -g .env KEY',
          ],
          "find . -name '*.e*' -exec cat {} +",
          ...["grep -r --include='*.*' KEY .", "grep -r --include='*.e*' KEY .", "zip -r /tmp/x.zip . -i '*.*'"],
          ...[
            "rg -uu --type-add 'ts:*.env' -t ts KEY",
            "zip -r /tmp/x.zip . -i '*.env'",
            'ag -u -G env KEY',
            "rg -uu --pre-glob '!.env' KEY deep",
            "rg -uu -g '!.env' -g $X KEY deep",
            'rg -uu --json KEY',
            "rg -uu --pre-glob '*.gz' KEY",
            'ag -u --file-search-regex env KEY',
            "zip -r /tmp/x.zip . -i 'd*.env'",
            'rg -uu -t ts -t txt KEY',
            "rg -uu -g '!.env' -g 'deep/**' KEY",
            "rg -uu -g '{.env}' KEY",
            "rg -uu -g 'deep[!a]*' KEY",
          ],
        ];
        assert.deepEqual(await wrong(place, closed, 'deny'), []);
        const open = [
          'grep -rn --exclude=.env --exclude=key.txt KEY . 2>/dev/null | head -20',
          "rg -n KEY --hidden -g '!**/.env' | head",
          ...[
            'rg -u KEY deep',
            'rg --hidden -t ts KEY',
            'rg -uu -t ts KEY',
            'rg -uu --type=py -tjs KEY',
            'ack --ts KEY',
          ],
          ...[
            "rg -uu -g '*.ts' KEY",
            'grep -r --include=*.ts KEY .',
            "rg --hidden -g '!.env' KEY",
            "rg -g 'src/**' KEY",
          ],
        ];
        assert.deepEqual(await wrong(place, open, 'allow'), []);
      },
    ),
  );

  it(
    'D.shell: what a preset closes denies a search and asks for a copy on this machine',
    within(
      () => makePlace('nothing', ['deep/.env']),
      async () => {
        assert.deepEqual(await wrong(place, ['grep -r KEY .', 'tar cf x.tar .', 'rg --hidden KEY'], 'deny'), []);
        assert.deepEqual(await wrong(place, ['cp -r . /tmp/x', 'rsync -a . out'], 'ask'), []);
        assert.equal(await place.judge('rsync -a . host.example:x'), 'deny');
      },
    ),
  );

  it(
    'D.shell: a copy of what a pattern stands for is answered as one of the folder, also into a folder outside',
    within(
      () => makePlace('nothing', ['packages/a/x.ts', 'kept/k/.env']),
      async () => {
        for (const target of ['/tmp/no-such-copy', '/tmp/no-such-copy/', 'out', 'out/'])
          for (const [folder, told] of [
            ['packages', 'allow'],
            ['kept', 'ask'],
          ] as const)
            assert.deepEqual(
              await wrong(place, [`cp -r ${folder}/* ${target}`, `cp -r ${folder} ${target}`], told),
              [],
            );
        const unlisted = ['cp ~/.ssh/* /tmp/x', 'cp /etc/x/* /tmp/x', 'cp nowhere/* /tmp/x', 'cp -r src/.* /tmp/x'];
        assert.deepEqual(await wrong(place, unlisted, 'deny'), []);
      },
    ),
  );

  it(
    'D.shell: more than is looked at asks, and a folder beside does not',
    within(
      () => makePlace('vault/**', []),
      async () => {
        for (let at = 0; at < 31; at++) {
          mkdirSync(place.at(`many/${at}`), { recursive: true });
          execFileSync('sh', ['-c', 'i=0; while [ $i -lt 1000 ]; do : > f$i; i=$((i+1)); done'], {
            cwd: place.at(`many/${at}`),
          });
        }
        assert.equal(await place.judge('grep -r KEY .'), 'ask');
        assert.equal(await place.judge('grep -r KEY src'), 'allow');
        assert.equal(await place.judge('grep -r KEY many/3'), 'allow');
        writeFileSync(place.at('.gitignore'), 'many');
        const fewer = [
          'rg KEY',
          "rg -g '*.ts' KEY",
          'rg KEY; rg KEY src',
          'ag KEY',
          'grep -r --exclude-dir=many KEY .',
        ];
        assert.deepEqual(
          await wrong(place, [...fewer, 'grep -r --include=*.ts KEY .', 'rg -u -t ts KEY'], 'allow'),
          [],
        );
      },
    ),
  ).timeout(60_000);

  /** Commands with a pattern in the place of `@`, and the real program's answer: what it read, or kept. */
  const leaving: readonly (readonly [line: string, readsBack?: string])[] = [
    ['grep -rh KEY . --exclude=@'],
    ['grep -rh KEY . --exclude-dir=@'],
    ['grep -rh KEY . --exclude=@ --include=key*'],
    ['grep -rh KEY vault --exclude=@'],
    ['grep -rh KEY ../work --exclude-dir=@'],
    ['tar cf - --exclude=@ . ', 'tar xOf -'],
    ['tar cf - . --exclude=@', 'tar xOf -'],
    ['tar cf - --anchored --exclude=@ .', 'tar xOf -'],
    ['tar cf - --exclude=@ vault', 'tar xOf -'],
    ['zip -qr0 - . -x @', 'cat'],
    ['zip -qr0 - vault -x @', 'cat'],
    ['diff -rN -x @ . empty'],
    ['git grep --no-index -h KEY -- . :!@'],
  ];
  const pieces = ['vault', 'key', '.txt', '*', '?', '/', './', 'v', '/*', 'deep', '**/', 'KEY'];
  const pattern = fc
    .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 })
    .map((all) => all.join(''))
    .filter((text) => !text.startsWith('/'));

  it(
    'D.shell: pass with an option that leaves files out only where the real program leaves the closed ones out',
    within(vault, async () => {
      mkdirSync(place.at('empty'));
      rmSync(place.at('src'), { recursive: true });
      let passed = 0;
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...leaving), pattern, async ([line, back], text) => {
          const command = line.replace('@', `'${text}'`);
          if ((await place.judge(command)) !== 'allow') return;
          passed++;
          const real = `${command}${back ? ` | ${back}` : ''}`;
          const { stdout } = spawnSync('sh', ['-c', real], { cwd: place.folder, encoding: 'latin1' });
          assert.doesNotMatch(stdout, /KEY(?!')/, command);
        }),
        { numRuns: runs(60, 300, 3000) },
      );
      assert.ok(passed > 0);
    }),
  ).timeout(120_000);
});
