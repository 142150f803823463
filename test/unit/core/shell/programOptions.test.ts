import { strict as assert } from 'node:assert';
import type { ProgramRow } from '../../../../src/core/shell/programRow';
import { programRows } from '../../../../src/core/shell/programTable';
import { readShell } from '../../../../src/core/shell/readShell';
import { valuedLetters } from './valuedLetters';

const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const rows = Object.entries(programRows).flatMap(([names, row]) =>
  names.split(' ').map((name) => [name, row] as const),
);

/** What a line surely touches, and whether all of it is understood. */
function told(line: string): { readonly places: readonly string[]; readonly isUnderstood: boolean } {
  const { accesses, unknown } = readShell(line, { cwd: '/w' });
  return {
    places: accesses
      .filter(({ effect, suspected }) => suspected === undefined && effect !== 'system.exec')
      .map(({ resource }) => resource),
    isUnderstood: unknown.length === 0,
  };
}

const takesValue = (program: string, letter: string): boolean => valuedLetters[program]?.includes(letter) === true;

/** The letters that a row gives a value. */
const valuedBy = ({ plain = '', numbers = '', options = {} }: ProgramRow): readonly string[] =>
  [plain, numbers, ...Object.values(options)]
    .flatMap((names) => names.split(' '))
    .flatMap((name) => /^-?([a-zA-Z])$/.exec(name)?.[1] ?? []);

/** The letters that keep a word from being seen, of those that take no value by the manual of the program. */
function swallowing(program: string, row: ProgramRow, own: string, words: string): readonly string[] {
  const without = told(`${program} ${own}${words}`);
  return valuedBy(row).filter((letter) => {
    if (takesValue(program, letter)) return false;
    const { places, isUnderstood } = told(`${program} -${letter} ${own}${words}`);
    return isUnderstood && !(without.isUnderstood && without.places.every((one) => places.includes(one)));
  });
}

describe('options of programs', () => {
  for (const [program, row] of rows)
    if (row.runs !== true && valuedBy(row).length > 0)
      it(`D.shell: a letter of \`${program}\` that takes no value hides no word behind it`, () => {
        const starts = row.command !== undefined;
        const hidden = starts
          ? [
              ...swallowing(program, row, row.command === 1 ? '1 ' : '', './other.sh ls'),
              ...swallowing(program, row, '', './other.sh ls'),
            ]
          : swallowing(program, row, '', 'w1.example w2.example w3.example');
        assert.deepEqual([...new Set(hidden)].join(''), '');
      });

  for (const program of ['sed', 'awk'])
    it(`D.shell: a letter of \`${program}\` that takes no value hides no program behind it`, () => {
      const script = program === 'sed' ? "'1e ./other.sh'" : '\'BEGIN { system("./other.sh") }\'';
      const hidden = letters.filter(
        (letter) => !takesValue(program, letter) && told(`${program} -${letter} ${script} a.txt`).isUnderstood,
      );
      assert.deepEqual(hidden.join(''), '');
    });

  it('D.shell: a long name that only begins one with a value hides no word behind it', () => {
    for (const [program, row] of rows) {
      if (row.runs === true || row.command !== undefined) continue;
      const { places } = told(`${program} w1.example w2.example w3.example`);
      for (const name of Object.values({ ...row.options, plain: row.plain ?? '' }).flatMap((names) =>
        names.split(' '),
      )) {
        // `jq --arg` takes two words, by its manual.
        if (!/^--\w{5}/.test(name) || name.startsWith('--argf')) continue;
        const line = `${program} ${name.slice(0, 5)} w1.example w2.example w3.example`;
        const seen = told(line);
        assert.ok(!seen.isUnderstood || places.every((one) => seen.places.includes(one)), line);
      }
    }
  });

  it('D.shell: an option that a program which starts others does not have leaves it not understood', () => {
    for (const [program, row] of rows)
      if (row.bare !== undefined) assert.equal(told(`${program} --none-of-its-own ls`).isUnderstood, false, program);
  });

  it('D.shell: a long name that takes no value is taken for no beginning of one that does', () => {
    for (const [program, row] of rows)
      for (const name of row.bare?.split(' ') ?? [])
        if (name.startsWith('--') && row.command === 0)
          assert.equal(told(`${program} ${name} ./other.sh ls`).isUnderstood, false, `${program} ${name}`);
  });
});
