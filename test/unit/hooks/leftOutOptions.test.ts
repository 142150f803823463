import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { runs } from '../../support/counts';
import { before as beforeCall, hookPlace, outcome, type HookPlace, type Outcome } from '../../support/hooks';

/** An option leaves the file out that it names, so nothing is read that is closed. */
const passing = `
rsync --exclude .env . out
rsync -a --exclude=.env . out
rsync -a --filter='- .env' . host.example:x
tar --exclude=.env -cf x.tar .
tar cf x.tar --exclude .env .
tar cf x.tar --exclude ./.env .
grep -r --exclude=.env X .
grep -r --exclude .env X .
grep -r X . --exclude='.env*'
grep -rn --exclude-dir=vault --exclude .env X
rg -g '!.env' --hidden X
rg --hidden --glob '!**/.env' X .
rg --hidden -g '!/.env' X
ag -u --ignore .env X
ack --ignore-file=is:.env X
find . -not -name .env -type f
find . ! -name .env -type f
find . -type f -not -path './.env'
find . -name .env -prune -o -type f -print
fd -H -E .env X
fd --exclude .env X
git add -A -- ':!.env'
git add . ':(exclude).env'
git diff -- . ':^.env'
git status ':!.env'
git ls-files --exclude=.env
zip -r x.zip . -x .env
zip -r x.zip . -x a.txt .env
zip -r x.zip . --exclude '*.env'
7z a x.7z . -xr!.env
diff -r -x .env . out
diff -r --exclude=.env . out
tree -a -I .env
ls -a --ignore=.env
timeout 10 grep -rn --exclude=.env X .
command grep -rn X . --exclude=.env
nice -n 5 tar --exclude=.env -cf x.tar .
/usr/bin/grep -rn X . --exclude=.env
grep -rn X . --exclude-dir={node_modules,.git} --exclude=.env
grep -rn X . --exclude={.env,a.txt}
du -a --exclude=.env .
`;

/** It is read all the same, or more of it is there than is left out. */
const closed = `
grep -r --exclude-from=.env X .
timeout 10 grep --exclude=a.txt X .env
timeout 10 grep -r --exclude-from=.env X .
command cat .env --exclude=.env
grep -rn X --exclude={a.txt,b} {.env,a.txt}
grep -rn X . --exclude={a.txt,b.txt}
rsync -a --exclude-from=.env . out
rsync -a --exclude-from .env . out
tar -X .env -cf x.tar a.txt
tar --exclude-from=.env -cf x.tar a.txt
rg --ignore-file .env X a.txt
zip x.zip a.txt -x@.env
git ls-files --exclude-from=.env
grep -r X --exclude a.txt .env
grep X .env --exclude=.env
grep --exclude .env X .env
tar --exclude a.txt -cf x.tar .env
tar cf x.tar . --exclude=.env
tar cf x.tar --anchored --exclude=.env .
rsync --exclude a.txt .env out
grep -r X . --exclude=.envx
grep -r X . --exclude=.en
grep -r X . --exclude-dir=.env
grep -r X . --exclude=.env --include='.e*'
grep -r X . --exclude=deep/.env
rg --hidden X -g '!.envx'
rg --hidden X -g '!.env' -g '.env'
zip -r x.zip . -x a.txt -i .env
zip -r x.zip ../work -x .env
find . -not -name a.txt -name .env -exec cat {} +
find . ! ! -name .env
find . ! -name .env -exec cat .env ';'
git add -A -- .env ':!a.txt'
git diff --no-index .env ':!.env'
cat --exclude .env
cp -r --exclude .env . out
fd -H a.txt -x cat -E .env
docker build --exclude .env
`;

const linesOf = (text: string): readonly string[] => text.trim().split('\n');
const rules = (path: string): Readonly<Record<string, string>> => ({
  '.vscode/capabilities/boundaries.json': JSON.stringify({
    boundaries: [{ id: 'closed', match: { path, effect: 'fs.read' }, decision: 'deny', reason: 'it is closed here' }],
  }),
});

describe('options that leave files out', () => {
  let place: HookPlace;

  before(() => (place = hookPlace({ 'src/a.ts': 'x', ...rules('**/.env') })));
  after(() => place.dispose());

  async function judge(command: string): Promise<Outcome> {
    const { payload, event } = beforeCall('claude', 'Bash', { command });
    return outcome(await place.answer('claude', payload, event));
  }

  for (const [title, lines, isDenied] of [
    ['name a file and read none', passing, false],
    ['hide nothing that is read all the same', closed, true],
  ] as const)
    it(`D.shell: ${title}`, async () => {
      const wrong: string[] = [];
      for (const line of linesOf(lines)) {
        const told = await judge(line);
        if ((told === 'deny') !== isDenied) wrong.push(`${told} ${line}`);
      }
      assert.deepEqual(wrong, []);
    }).timeout(20_000);

  it('D.shell: whatever stands before and behind them, what is named besides is seen', async () => {
    const option = fc.constantFrom(
      ...['--exclude=.env', '--exclude .env', '--exclude=a', '--exclude-dir vault', '--exclude-dir=.env'],
      ...["-x '.env'", '-x a', '--ignore=.env', '-I .env', "-g '!.env'", '-E .env', "':!.env'", '-n', '-v', '--', '-r'],
    );
    const program = fc.constantFrom('grep X', 'rg X', 'tar cf x.tar', 'rsync', 'diff a.txt', 'cat', 'wc');
    await fc.assert(
      fc.asyncProperty(
        program,
        fc.array(option, { maxLength: 3 }),
        fc.array(option, { maxLength: 3 }),
        async (name, one, more) => {
          const line = [name, ...one, 'src/a.ts', './.env', ...more, 'src'].join(' ');
          assert.notEqual(await judge(line), 'allow', line);
        },
      ),
      { numRuns: runs(60, 300, 3000) },
    );
  }).timeout(60_000);
});
