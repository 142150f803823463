import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import Ajv from 'ajv';
import fc from 'fast-check';
import { parseBoundaries } from '../../../../src/core/policy/rules/parse';
import { parseDelegations, parseRequirements } from '../../../../src/core/resolver/requirement';
import { runs } from '../../../support/counts';
import { itWithShared, readJson } from '../../../support/shared';

const schema = (name: string) => {
  const ajv = new Ajv({ strict: false, allErrors: true });
  return ajv.compile(JSON.parse(readFileSync(`media/schemas/${name}.schema.json`, 'utf8')));
};

describe('the schemas of the policy files', () => {
  it('agree with the readers on what is a boundary', () => {
    const validate = schema('boundaries');
    const value = fc.constantFrom<unknown>(
      'src/**',
      '',
      7,
      true,
      null,
      ['a'],
      [],
      'high',
      'med',
      'extreme',
      'paid',
      'agent',
      'mcp',
      { n: 1 },
      { n: { glob: 'x*' } },
      { n: { wat: 1 } },
      { private: true, out: 'any' },
      'host',
    );
    const clause = fc.constantFrom(
      'tool',
      'capability',
      'side_effects_any',
      'accessAny',
      'path',
      'path_not',
      'host',
      'command',
      'privateHost',
      'cost_class',
      'riskLevel',
      'risk_at_least',
      'source',
      'actor',
      'flow',
      'argument',
      'colour',
    );
    const rule = fc.record(
      {
        id: fc.constantFrom<unknown>('a', '', 3),
        severity: fc.constantFrom<unknown>('hard', 'soft', 'odd'),
        decision: fc.constantFrom<unknown>(
          'deny',
          'require_approval',
          'advise',
          'deny_unless_ada_account',
          'forbid',
          1,
        ),
        match: fc.dictionary(clause, value, { maxKeys: 2 }),
        exceptions: fc.constantFrom<unknown>([], ['x'], 'x', [1]),
      },
      { requiredKeys: ['id', 'decision'] },
    );
    fc.assert(
      fc.property(rule, (one) => {
        // `null` is a clause that is left out, as in the tables of others; the schema steers people to leave it out
        // indeed.
        fc.pre(!Object.values(one.match ?? {}).includes(null));
        assert.equal(
          validate([one]),
          parseBoundaries([one], 'user').problems.every(({ severity }) => severity === 'information'),
          JSON.stringify([one, parseBoundaries([one], 'user').problems, validate.errors]),
        );
      }),
      { numRuns: runs(38, 3000, 10_000) },
    );
  });

  it('agree with the readers on requirements, probes and delegations', () => {
    const requirements = schema('requirements');
    const probes: unknown[] = [
      { type: 'http', url: 'https://x.example/me', headers: { a: 'b' }, expect_status: [200, 204], timeout_ms: 5 },
      { type: 'http', url: 'ftp://x' },
      { type: 'http', url: 'http://x', method: 'POST' },
      { type: 'command', command: 'git', args: ['--version'], expectExit: 0 },
      { type: 'command', command: ['git', '--version'] },
      { type: 'command' },
      { type: 'command', argv: ['git', '--version'], description: 'is there' },
      { type: 'file', path: 'x' },
      { type: 'env', name: 'X' },
      { type: 'secret', name: 'x' },
      { type: 'mcp', server: 's' },
      { type: 'channel', channel: 'media' },
      { type: 'channel' },
      { type: 'vscode', command: 'c', args: [1] },
      { type: 'mind' },
      { type: 'file', path: 3 },
      { type: 'file', path: null },
      { type: 'http', url: null },
      { type: 'vscode', command: null },
      'file',
    ];
    for (const probe of probes) {
      const row = [{ id: 'a', critical: true, freshness_budget_hours: 1, probe }];
      assert.equal(
        requirements(row),
        parseRequirements(row).problems.length === 0,
        JSON.stringify([probe, requirements.errors, parseRequirements(row).problems]),
      );
    }
    const delegations = schema('grants');
    for (const row of [
      { from_party: 'a', to_party: 'b', scope_account: 'c' },
      { fromParty: 'a', toParty: 'b', scopeAccount: 'c' },
      { id: 'r1', fromParty: 'a', toParty: 'b', scopeAccount: 'c', description: 'for the office' },
      { fromParty: 'a' },
      { fromParty: 1, toParty: 'b', scopeAccount: 'c' },
      { fromParty: null, toParty: 'b', scopeAccount: 'c' },
      'x',
    ])
      assert.equal(delegations([row]), parseDelegations([row]).problems.length === 0, JSON.stringify(row));
  });

  it('a probe of null is no probe: the folder itself, which is always there, does not answer for it', () => {
    for (const probe of [
      { type: 'file', path: null },
      { type: 'secret', name: null },
      { type: 'mcp', server: null },
    ]) {
      const { value, problems } = parseRequirements([{ id: 'a', critical: true, probe }]);
      assert.deepEqual([value[0]?.probe, problems.length], [undefined, 1], JSON.stringify(probe));
    }
  });

  itWithShared('vectors/resolver.json', 'S4.capability: accept the boundaries of the vectors', (file) => {
    const validate = schema('boundaries');
    assert.equal(
      validate((readJson(file) as { boundaries: unknown }).boundaries),
      true,
      JSON.stringify(validate.errors),
    );
  });
});
