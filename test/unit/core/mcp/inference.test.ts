import { worded } from '../../../../src/core/base/sentence';
import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { infer } from '../../../../src/core/foreign/inference';
import { foreignDefinition } from '../../../../src/core/foreign/foreignTool';
import { foreignToolName } from '../../../../src/core/foreign/toolName';
import { extensionCapabilities } from '../../../../src/core/foreign/extensionTools';
import { runs } from '../../../support/counts';
import { fakePorts } from '../../../support/toolContext';

const judged = (name: string, description = '', more: object = {}) => {
  const { riskLevel, sideEffects, kind } = infer({ name, description, ...more });
  return [riskLevel, sideEffects.join(' '), kind].join(' · ');
};

describe('inference of foreign tools', () => {
  it('S1.risk: infers risk and side effects from permissions, names and hints', () => {
    const cases: Record<string, string> = {
      'get_weather|Tells the weather': 'medium ·  · action',
      'write_file|': 'high · fs.write · action',
      'store|Writes a note': 'high · fs.write · action',
      'delete_record|': 'high · database.delete database.read fs.delete · action',
      'removeUser|': 'high · fs.delete · action',
      'exec|': 'high · system.exec · action',
      'helper|Executes what you say': 'high · system.exec · action',
      'create_note|': 'medium · fs.write · action',
      'add|Adds two numbers': 'medium ·  · action',
      'http_get|': 'medium · network.http · action',
      'sendEmail|': 'high · network.http · action',
      'make_payment|': 'critical · payments · action',
      'refund|': 'critical · payments · action',
      'delete_s3_bucket|': 'critical · cloud.resource_delete fs.delete · action',
      'create-aws-key|': 'critical · cloud.key_write fs.write · action',
      'overwriter|Overcharged by deletions of underwritings': 'medium ·  · action',
    };
    const got = Object.fromEntries(
      Object.keys(cases).map((key) => [key, judged(...(key.split('|') as [string, string]))]),
    );
    assert.deepEqual(got, cases);
    assert.equal(judged('x', '', { permissions: ['network'] }), 'high · network.http · action');
    assert.equal(judged('x', '', { permissions: ['payments'] }), 'critical · payments · action');
    assert.equal(judged('x', '', { permissions: ['cloud'] }), 'critical · cloud.resource_create · action');
  });

  it('S1.risk: takes the tags of another extension’s tool for permissions where they name one', () => {
    const tool = (name: string, tags: readonly string[]) => ({ name, description: 'Helps', inputSchema: {}, tags });
    const { capabilities } = extensionCapabilities(
      [
        tool('plain', ['acme', 'search', 'constructor', '__proto__']),
        tool('online', ['acme', 'Network']),
        tool('shop', ['payments']),
      ],
      [
        {
          id: 'acme.tools',
          displayName: 'Acme',
          version: '1.0.0',
          tools: ['plain', 'online', 'shop'].map((name) => ({ name })),
        },
      ],
      'ours.ours',
      { invoke: async () => ({ payload: {} }), timeoutMs: 1000, files: fakePorts().files },
    );
    assert.deepEqual(
      capabilities.flatMap(({ tools }) =>
        tools.map(
          ({ definition: { name, riskLevel, sideEffects, scopes } }) =>
            `${name} ${riskLevel} ${sideEffects.join()} ${scopes.join()}`,
        ),
      ),
      [
        'plain medium  foreign:call',
        'online high network.http foreign:call,http:read',
        'shop critical payments foreign:call,payments:write',
      ],
    );
  });

  it('takes hints upwards at once and downwards only when the user confirmed them', () => {
    assert.equal(judged('look', '', { hints: { destructiveHint: true } }), 'high ·  · action');
    assert.equal(judged('look', '', { hints: { openWorldHint: true } }), 'medium · network.http · action');
    assert.equal(judged('look', '', { hints: { readOnlyHint: true } }), 'medium ·  · action');
    assert.equal(judged('look', '', { hints: { readOnlyHint: true }, hintsConfirmed: true }), 'low ·  · data');
    assert.equal(
      judged('look', '', {
        hints: { readOnlyHint: true, destructiveHint: true },
        argumentEffects: ['fs.read'],
        hintsConfirmed: true,
      }),
      'low · fs.read · data',
    );
  });

  it('no hint lowers anything before it is confirmed, whatever the tool says', () => {
    const hints = fc.record({ readOnlyHint: fc.boolean(), idempotentHint: fc.boolean() });
    fc.assert(
      fc.property(fc.string(), fc.string(), hints, (name, description, given) => {
        const plain = infer({ name, description });
        const hinted = infer({ name, description, hints: given });
        assert.deepEqual(
          [hinted.riskLevel, hinted.sideEffects, hinted.kind, hinted.idempotent],
          [plain.riskLevel, plain.sideEffects, plain.kind, false],
        );
      }),
      { numRuns: runs(20, 500) },
    );
  });

  it('shows what the user set as such, and lets it decide', () => {
    const { definition } = foreignDefinition(
      { name: 'delete_all', inputSchema: { type: 'object' } },
      {
        from: 's',
        hintsConfirmed: false,
        override: { risk: 'low', permission: 'allowed', sideEffects: ['fs.read'], kind: 'data' },
        timeoutMs: 1000,
      },
    );
    assert.deepEqual(
      [
        definition.riskLevel,
        definition.permissions.agent,
        definition.sideEffects,
        definition.kind,
        definition.origins,
        definition.reasons?.map((one) => worded(one)),
      ],
      [
        'low',
        'allowed',
        ['fs.read'],
        'data',
        { riskLevel: 'override', sideEffects: 'override', kind: 'override', permission: 'override' },
        ['the name says delete'],
      ],
    );
  });

  it('keeps names that can be kept and tells the others apart', () => {
    assert.deepEqual(['get-sum', 'a.b', 'read_file', 'X'].map(foreignToolName), ['get-sum', 'a.b', 'read_file', 'X']);
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (a, b) => {
        assert.match(foreignToolName(a), /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$/);
        if (a !== b) assert.notEqual(foreignToolName(a), foreignToolName(b));
      }),
      { numRuns: runs(20, 1000) },
    );
  });
});
