import { strict as assert } from 'node:assert';
import { parseDefinition } from '../../../../src/core/definitions/parse';
import { capability, words } from '../../../support/parsedCapability';

describe('capability definitions', () => {
  it('S3.custom: reads a capability with an http tool and fills in what it leaves out', () => {
    const parsed = capability({
      id: 'issues',
      name: 'Issues',
      tools: [
        {
          name: 'get_issue',
          description: 'Read one issue.',
          parameters: { number: { type: 'integer', required: true } },
          handler: { type: 'http', url: 'https://api.example.com/issues/${input.number}' },
        },
      ],
    });
    assert.deepEqual(words(parsed), []);
    const { definition } = parsed.specs[0]!.tools[0]!;
    assert.deepEqual(
      { ...definition },
      {
        name: 'get_issue',
        title: 'get_issue',
        kind: 'data',
        modelDescription: 'Read one issue.',
        userDescription: 'Read one issue.',
        inputSchema: {
          type: 'object',
          additionalProperties: false,
          properties: { number: { type: 'integer' } },
          required: ['number'],
        },
        permissions: { user: 'allowed', agent: 'allowed' },
        scopes: [],
        riskLevel: 'low',
        sideEffects: ['network.http'],
        costClass: 'free',
        idempotency: 'idempotent',
        reversible: true,
        timeoutMs: 30000,
        untrustedOutput: true,
      },
    );
  });

  it('S4.capability: reads a capability without tools unchanged', () => {
    const seed = {
      id: 'cap.publish.fb_page_post',
      name: 'Publish to Facebook page',
      requires: { resources: ['acc.brian.fb_page', 'key.meta_page_token', 'chan.agency_pipeline'] },
      side_effects: ['writes-external', 'publishes-public', 'irreversible-without-deletion'],
      risk_level: 'high',
      cost_class: 'free',
      idempotency: 'non-idempotent',
      approval_required: false,
      freshness_budget_hours: 24,
    };
    const parsed = capability(seed, 'cap.publish.fb_page_post.capability.json');
    assert.deepEqual(words(parsed), []);
    assert.deepEqual(parsed.specs[0]?.capability, {
      id: 'cap.publish.fb_page_post',
      version: '1.0.0',
      name: 'Publish to Facebook page',
      description: '',
      status: 'available',
      source: { type: 'definition', file: 'cap.publish.fb_page_post.capability.json' },
      tools: [],
      composed: {
        id: 'cap.publish.fb_page_post',
        name: 'Publish to Facebook page',
        requires: seed.requires,
        sideEffects: ['writes-external', 'publishes-public', 'irreversible-without-deletion'],
        riskLevel: 'high',
        costClass: 'free',
        idempotency: 'non-idempotent',
        approvalRequired: false,
      },
      requires: ['acc.brian.fb_page', 'key.meta_page_token', 'chan.agency_pipeline'],
      freshnessBudgetHours: 24,
    });
    assert.equal(
      capability({ ...seed, risk_level: 'med' }, 'cap.publish.fb_page_post.capability.json').specs[0]?.capability
        .composed?.riskLevel,
      'medium',
    );
  });

  it('S1.policy: reads the risk in capitals, in definitions and tools, and still refuses what is no risk', () => {
    const seed = { id: 'risky', name: 'Risky', description: 'd', requires: ['key.x'] };
    const risk = (risk_level: unknown) => capability({ ...seed, risk_level }, 'risky.capability.json');
    assert.deepEqual(
      ['LOW', 'MED', 'Medium', 'HIGH', 'CRITICAL'].map((word) => risk(word).specs[0]?.capability.composed?.riskLevel),
      ['low', 'medium', 'medium', 'high', 'critical'],
    );
    for (const word of ['LOWEST', 'L', '', 3, null, ['low']]) {
      const read = risk(word);
      assert.equal(
        word === null || read.problems.some((one) => one.message.includes('`riskLevel` must be one of')),
        true,
        String(word),
      );
    }
  });

  it('S0.config: reads an action file unchanged', () => {
    const seed = {
      layers: {
        capabilities: {
          actions: [
            {
              id: 'get-weather',
              name: 'Get Weather',
              description: 'Fetch weather data',
              handler: './handlers/weather.js',
              parameters: { location: { type: 'string', required: true } },
              permissions: ['weather:read'],
              rateLimit: { requests: 100, window: '1h' },
            },
            {
              id: 'send-notification',
              name: 'Send Notification',
              handler: './handlers/notify.js',
              parameters: {
                message: { type: 'string', required: true },
                channel: { type: 'string', enum: ['email', 'sms', 'push'] },
              },
              permissions: ['notify:send'],
            },
          ],
          security: { defaultPermissions: [], requireAuth: true, auditLog: true },
        },
      },
    };
    const parsed = parseDefinition(JSON.stringify(seed), '.vscode/capabilities/agent.actions.json');
    assert.deepEqual(
      parsed.problems.filter((one) => one.severity === 'error'),
      [],
    );
    assert.deepEqual(
      parsed.specs[0]?.tools.map(({ definition }) => [definition.provenCallersOnly, definition.impliedScopes]),
      [
        [true, []],
        [true, []],
      ],
    );
    assert.deepEqual(
      parsed.specs[0]?.tools.map(({ definition, handler }) => [
        definition.name,
        definition.title,
        definition.aliases,
        definition.scopes,
        definition.rateLimit,
        definition.inputSchema.required,
        handler.type === 'module' && handler.file,
      ]),
      [
        [
          'get_weather',
          'Get Weather',
          ['get-weather'],
          ['weather:read'],
          { requests: 100, windowMs: 3_600_000 },
          ['location'],
          '.vscode/capabilities/handlers/weather.js',
        ],
        [
          'send_notification',
          'Send Notification',
          ['send-notification'],
          ['notify:send'],
          undefined,
          ['message'],
          '.vscode/capabilities/handlers/notify.js',
        ],
      ],
    );
  });
});
