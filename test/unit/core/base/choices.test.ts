import { strict as assert } from 'node:assert';
import { linked, type Sentence, worded } from '../../../../src/core/base/sentence';
import { parsePlannedCalls } from '../../../../src/core/policy/plans/plans';
import { readCaseFile } from '../../../../src/core/policyTests/caseFile';
import { inGerman } from '../../../support/german';

describe('the words between names, and what stands for no value', () => {
  const both = (said: Sentence | undefined): readonly string[] => (said ? [worded(said), worded(said, inGerman)] : []);

  it('are those of the reader, however many names there are', () => {
    for (let count = 1; count < 40; count++) {
      const names = Array.from({ length: count }, (_, at) => `\`${at}\``);
      assert.deepEqual(both(linked('either', names)), [names.join(' or '), names.join(' oder ')]);
      assert.deepEqual(both(linked('both', names)), [names.join(' and '), names.join(' und ')]);
    }
  });

  it('are German in problems of a German editor', () => {
    const [calls] = parsePlannedCalls(undefined).problems;
    assert.match(both(calls?.said).join('\n'), /got nothing[^]*nichts/);
    const cases = readCaseFile('[{ "tool": "write_file" }, { "tool": "x", "mode": "go", "expect": "ask" }]', 'c.json');
    const [english, german] = [0, 1].map((at) => cases.problems.map(({ said }) => both(said)[at]).join('\n'));
    assert.match(
      english ?? '',
      /must be `deny`, `ask` or `pass` \(got nothing\)\nmust be `plan` or `execute` \(got "go"\)/,
    );
    assert.match(german ?? '', /muss `deny`, `ask` oder `pass` sein \(ist nichts\)\nmuss `plan` oder `execute` sein/);
  });
});
