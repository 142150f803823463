// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { oneHistory, parts } from '../../../support/anyOrder';
import { makeChanges } from '../../../support/changes';
import { runs } from '../../../support/counts';

describe('Taking back some of the calls of any history, in any order', () => {
  const count = runs(24, 480, 10_000) / parts.length;
  for (const part of parts)
    it(`D.undo: leaves what would be there without them or says what is in the way, loses nothing of a person, and a redo leads back (part ${part + 1})`, async () => {
      const [system, other] = [makeChanges(), makeChanges()];
      const found = { equal: 0, told: 0, undefined: 0 };
      for (let at = 1; at <= count; at++) found[await oneHistory(part * 100_000 + at, system, other)]++;
      assert.ok(found.equal >= count / 4, `histories can be compared: ${JSON.stringify(found)}`);
      system.dispose();
      other.dispose();
    });
});
