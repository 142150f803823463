import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { full } from '../../support/counts';
import { countQuestions } from '../../support/sessions/count';
import { sessions } from '../../support/sessions/sessions';

/** The questions that the table of the README allows, by preset and answer. */
function allowed(): ReadonlyMap<string, number> {
  const rows = readFileSync('test/bench/README.md', 'utf8').matchAll(/^\| (\w+) \| (once|session) \| (\d+) \|/gm);
  return new Map([...rows].map(([, preset, person, questions]) => [`${preset} ${person}`, Number(questions)]));
}

describe('questions in honest sessions', () => {
  it('D.questions: are no more than the table of the benchmarks says, by every preset', async function () {
    this.timeout(120_000);
    assert.ok(sessions.length >= 40, 'at least 40 sessions');
    const most = allowed();
    const counts = full ? await countQuestions() : await countQuestions(['balanced'], ['session']);
    for (const { preset, person, questions, rules, failed } of counts) {
      const kept = most.get(`${preset} ${person}`);
      assert.ok(kept !== undefined, `the table has no row for ${preset}, ${person}`);
      assert.ok(
        questions <= kept,
        `${preset}, answered ${person}: ${questions} questions where there were ${kept}; ${JSON.stringify(rules)}. ` +
          'ask less, or say in test/bench/README.md (npm run bench questions) why it must be more',
      );
      assert.deepEqual(failed, [], 'every call of an honest session does what it is for');
    }
  });
});
