import { strict as assert } from 'node:assert';
import { answeredAbove } from '../../../../src/core/gate/answeredAbove';
import type { Reason } from '../../../../src/core/vocabulary/decision';
import { say } from '../../../../src/core/base/sentence';

const by = (rule?: string): Reason => ({ said: say('as_it_is', 'why'), ...(rule === undefined ? {} : { rule }) });

describe('what was answered with a call', () => {
  const call = {
    accesses: [
      { effect: 'database.delete', resource: 'default' },
      { effect: 'fs.delete', resource: 'old', recursive: true },
      { effect: 'fs.write', resource: 'guessed', suspected: 'guessed' as const },
    ],
  };
  const isAnswered = answeredAbove(call, [by('deletes')]);

  it('is not asked again by the same rules: the access itself, and what lies below a folder', () => {
    assert.ok(isAnswered({ effect: 'database.delete', resource: 'default' }, [by('deletes')]));
    assert.ok(isAnswered({ effect: 'fs.delete', resource: 'old/a.ts' }, [by('deletes')]));
  });

  it('is asked about by other rules, for other places and in other ways', () => {
    const deletes = [by('deletes')];
    assert.ok(!isAnswered({ effect: 'database.delete', resource: 'default' }, [by('deletes'), by('other')]));
    assert.ok(!isAnswered({ effect: 'database.delete', resource: 'default' }, [by()]));
    assert.ok(!isAnswered({ effect: 'database.delete', resource: 'second' }, deletes));
    assert.ok(!isAnswered({ effect: 'database.write', resource: 'default' }, deletes));
    assert.ok(!isAnswered({ effect: 'database.delete', resource: 'default', permanent: true }, deletes));
    assert.ok(!isAnswered({ effect: 'fs.delete', resource: 'older' }, deletes));
    assert.ok(!isAnswered({ effect: 'fs.write', resource: 'guessed' }, deletes));
  });
});
