import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { proposal } from '../../../../src/core/base/nearest';
import { problem } from '../../../../src/core/base/problem';
import { say, worded } from '../../../../src/core/base/sentence';
import { plainWords, type Translate } from '../../../../src/core/base/translate';
import { catalogueParts } from '../../../../src/core/sentences/catalogue';

const german: Record<string, string> = {
  'there is no profile `{0}`{1}; until one is chosen nothing is allowed': 'kein Profil `{0}`{1}',
  '; did you mean {0}': '; vielleicht {0}',
};

describe('sentences', () => {
  const said = say('unknown_profile', 'defualt {1}', proposal('defualt', ['default', 'other']));
  const translate: Translate = (text, ...values) => plainWords(german[text] ?? text, ...values);

  it('are worded with what they hold, in any language; what is filled in is not read again', () => {
    assert.equal(
      worded(said),
      'there is no profile `defualt {1}`; did you mean `default`; until one is chosen nothing is allowed',
    );
    assert.equal(worded(said, translate), 'kein Profil `defualt {1}`; vielleicht `default`');
    assert.equal(worded(say('did_you_mean', ['a', 'b'])), '; did you mean `a`, `b`');
  });

  it('leave no blank where an argument says nothing, such as the pointer to the whole', () => {
    const whole = say('must_be', say('an_object'), 'array');
    assert.equal(worded(say('invalid_limits', '', whole)), 'the limits: must be an object (got array)');
    assert.equal(worded(say('invalid_limits', '/all', whole)), 'the limits: /all must be an object (got array)');
    assert.equal(worded(say('rule_fault', '', whole)), 'must be an object (got array)');
    assert.equal(worded(say('tool_not_found', 'a  b', '')), 'no tool is called `a  b`');
  });

  it('do not compile with an unknown code or too few or too many arguments', () => {
    // @ts-expect-error: no such code
    say('no_such_sentence');
    // @ts-expect-error: one argument is missing
    say('must_be', 'string');
    // @ts-expect-error: one argument too many
    say('did_you_mean', ['a'], 'b');
  });

  it('give a problem its code and its plain English', () => {
    const { code, message } = problem({ severity: 'error', said });
    assert.deepEqual({ code, message }, { code: 'unknown_profile', message: worded(said) });
    assert.equal(problem({ severity: 'error', code: 'other', said }).code, 'other');
  });

  it('have a code that stands in one file only', () => {
    // The words of codes are a table of their own, by kind of code.
    const files = readdirSync('src/core/sentences').filter((name) => name !== 'codeWords.ts');
    const codes = files.flatMap((name) =>
      [...readFileSync(`src/core/sentences/${name}`, 'utf8').matchAll(/^ {2}(\w+):/gm)].map(([, code]) => code),
    );
    assert.deepEqual(codes.sort(), catalogueParts.flatMap((part) => Object.keys(part)).sort());
  });
});
