import { strict as assert } from 'node:assert';
import { takesArguments } from '../../../../src/core/hooks/skillLines';

const skill = (about: string, line: string): string => `---\nname: x\n${about}\n---\nText !\`${line}\` and $issue\n`;

describe('arguments of a skill in its lines', () => {
  const cases: readonly (readonly [about: string, line: string, takes: boolean])[] = [
    ['arguments: [issue]', 'ls "$PWD"', false],
    ['arguments: [issue, branch]', 'ls $HOME/.config ${PWD%/*} $OLDPWD', false],
    ['arguments: issue branch', 'git -C "$PWD" status', false],
    ['arguments:\n  - issue', 'ls "$PWD" && echo "$issue"', true],
    ['arguments: [issue]', 'echo "${issue}"', true],
    ['arguments: [issue]', 'echo $other', true],
    ['arguments: [issue]', 'echo $PWD $1', true],
    ['arguments: [issue]', 'echo $PWD $ARGUMENTS', true],
    ['arguments: [PWD]', 'ls "$PWD"', true],
    ['arguments: [pwd]', 'ls "$PWD"', true],
    ['arguments:\n  - "HOME"', 'ls $HOME', true],
    // Whoever puts words in may take the beginning of a name for the whole.
    ['arguments: [P]', 'ls $PWD', true],
    ['arguments: ["\\x50WD"]', 'ls $PWD', true],
    ['"arg\\u0075ments": [issue]', 'ls $issue', true],
    ['arguments: [!!binary UFdE]', 'ls $PWD', true],
    ['description: it lists', 'ls $issue', false],
    ['description: it lists', 'ls $0', true],
  ];
  for (const [about, line, takes] of cases)
    it(`D.hooks: ${JSON.stringify(line)} ${takes ? 'takes' : 'takes none'} with ${JSON.stringify(about)}`, () => {
      assert.equal(takesArguments(skill(about, line)), takes);
    });
});
