import { strict as assert } from 'node:assert';
import { workedMs } from '../../../support/processorTime';
import { IgnoreRules } from '../../../../src/core/files/ignore';

/** Each pattern with the names that git ignores by it, and those that it does not. */
const cases: readonly (readonly [pattern: string, ignored: readonly string[], others: readonly string[]])[] = [
  ['[[:digit:]]x', ['1x'], [':]x', 'd]x', 'ax']],
  ['[[:alpha:]]*.log', ['a.log', 'Ab.log'], ['1.log', ':a.log']],
  ['[[:upper:]]', ['A'], ['a', ':']],
  ['[x[:digit:]]', ['x', '5'], [':', 'x]', 'd']],
  ['[^[:punct:]]', ['a', '1'], ['-', '~']],
  ['[[:nope:]]', [], ['n', ':', ':]']],
  ['[[:]x', ['[x', ':x'], ['x']],
  ['[[:a]x', ['ax', '[x', ':x'], ['x']],
  ['foo[', [], ['foo[', 'foo']],
  ['[', [], ['[']],
  ['x\\', [], ['x\\', 'x']],
  ['foo\\\\ ', ['foo\\'], ['foo\\ ', 'foo']],
  ['foo\\  ', ['foo '], ['foo', 'foo  ']],
  ['foo  ', ['foo'], ['foo ']],
  ['[c-a]x', ['cx'], ['ax', 'bx', '-x']],
  ['[a-]', ['a', '-'], ['b']],
  ['[\\a-c]', ['a', 'b', 'c'], ['\\', 'd']],
  ['[]a]', [']', 'a'], ['b']],
  ['[a/b]x', ['ax', 'bx'], ['a', 'x', 'd/ax']],
  ['d/***/e', ['d/e', 'd/m/e', 'd/m/n/e'], ['e', 'd/x']],
  ['d/**\\/e', ['d/m/e', 'd/m/n/e'], ['d/e']],
  ['d//e', [], ['d/e']],
  ['d//', [], ['d']],
  ['a\\/b', ['a/b'], ['c/a/b']],
  ['?', ['a'], ['é', 'ab']],
  ['[é]', [], ['é']],
  ['[é][é]', ['é'], ['e']],
  ['*é', ['é', 'aé'], ['ée']],
];

describe('the rules of a .gitignore file', () => {
  it('ignore what git ignores by them, and nothing else', () => {
    for (const [pattern, ignored, others] of cases) {
      const rules = new IgnoreRules(`${pattern}\n`);
      for (const name of ignored) assert.equal(rules.judge(name, false), 'ignored', `${pattern} ignores ${name}`);
      for (const name of others) assert.equal(rules.judge(name, false), undefined, `${pattern} leaves ${name}`);
    }
  });

  it('are read in a time that does not grow with the stars', () => {
    const rules = new IgnoreRules(`${'*a'.repeat(400)}b\n${'**/a/'.repeat(300)}b\n${'[a-z]'.repeat(300)}*b\n`);
    const started = workedMs();
    assert.equal(rules.judge('a'.repeat(2000), false), undefined);
    assert.equal(rules.judge('a/'.repeat(1000) + 'c', false), undefined);
    assert.ok(workedMs() - started < 2000);
  });
});
