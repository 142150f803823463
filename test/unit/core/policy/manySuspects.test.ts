import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { PolicyEngine } from '../../../../src/core/policy/rules/engine';
import { parseBoundaries } from '../../../../src/core/policy/rules/parse';
import type { Access } from '../../../../src/core/vocabulary/access';
import { runs } from '../../../support/counts';
import { fakeCall } from '../../../support/gateCall';

const names = ['src', 'vault', 'a.txt', 'key.pem', '.env', 'deep'];
const place = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }).map((all) => all.join('/'));
const pattern = fc.constantFrom(
  '**',
  'vault/**',
  '**/.env',
  '*.pem',
  'src/*',
  '**/deep/**',
  '{src,vault}/a.txt',
  '/x/**',
);
const match = fc.record(
  { path: pattern, pathNot: pattern, effect: fc.constantFrom('fs.read', 'fs.write'), recursive: fc.constant(true) },
  { requiredKeys: ['path'] },
);
const suspect: fc.Arbitrary<Access> = fc.record(
  {
    effect: fc.constantFrom('fs.read', 'fs.write'),
    resource: place,
    suspected: fc.constantFrom('written' as const, 'guessed' as const),
    mentioned: fc.constant(true as const),
    recursive: fc.constant(true),
  },
  { requiredKeys: ['effect', 'resource', 'suspected'] },
);

describe('very many places that a call may mean', () => {
  const idle = Array.from({ length: 300 }, (_, at): Access => ({
    effect: 'fs.read',
    resource: `src/deep/f${at}.ts`,
    suspected: 'written',
  }));

  it('D.shell: are denied where a rule denies all of them alike', () => {
    const rule = { id: 'all', match: { path: '**', effect: 'fs.read' }, decision: 'deny', reason: 'closed' };
    const engine = new PolicyEngine(parseBoundaries([rule], 'user').value);
    const call = { ...fakeCall({}), suspects: idle };
    assert.equal(engine.judge(call, call.accesses).effect, 'deny');
  });

  it('D.shell: are denied exactly where one of them is denied by itself', () => {
    fc.assert(
      fc.property(
        fc.array(match, { minLength: 1, maxLength: 3 }),
        fc.array(suspect, { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        (matches, places, areIdleFirst) => {
          const rules = matches.map((one, at) => ({ id: `r${at}`, match: one, decision: 'deny', reason: 'closed' }));
          const engine = new PolicyEngine(parseBoundaries(rules, 'user').value);
          const judge = (suspects: readonly Access[]): string => {
            const call = { ...fakeCall({}), suspects };
            return engine.judge(call, call.accesses).effect;
          };
          const all = areIdleFirst ? [...idle, ...places] : [...places, ...idle];
          const single = [idle[0], ...places].some((one) => one && judge([one]) === 'deny');
          assert.equal(judge(all) === 'deny', single);
        },
      ),
      { numRuns: runs(150, 1000, 10_000) },
    );
  });
});
