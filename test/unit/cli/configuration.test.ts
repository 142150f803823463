import { strict as assert } from 'node:assert';
import { runCli, temporaryWorkspace } from '../../support/cli';

describe('a configuration that does not fit, on the command line', () => {
  const definition = {
    id: 'mine',
    systemPrompt: 'Work on ${config.project}.',
    configSchema: {
      type: 'object',
      properties: { project: { type: 'string', default: 'alpha' }, depth: { type: 'integer', maximum: 3 } },
      additionalProperties: false,
    },
    tools: [
      {
        name: 'where',
        description: 'Says where.',
        riskLevel: 'low',
        permissions: { agent: 'allowed' },
        handler: { type: 'compose', steps: [{ tool: 'add', input: { a: 1, b: 1 } }], output: '${config.project}' },
      },
    ],
  };

  it('S3.configuration: the capability is off, and one problem lists every violation', async () => {
    const { folder, dispose } = temporaryWorkspace({
      '.vscode/capabilities/mine.capability.json': JSON.stringify(definition),
    });
    const run = async (command: readonly string[], config: object) => {
      const profile = { p: { capabilities: ['math', { ref: 'mine', config }] } };
      const at = ['--workspace', folder, '--set', `profiles=${JSON.stringify(profile)}`, '--profile', 'p', '--yes'];
      return runCli([...command, ...at]);
    };
    try {
      const good = (await run(['call', 'mine_where', '{}'], { project: 'beta' })).json();
      assert.equal(good.payload, 'beta', JSON.stringify(good));

      const bad = { project: 5, depth: 9, deep: true };
      const { error } = (await run(['call', 'mine_where', '{}'], bad)).json();
      assert.equal(error.code, 'not_available');
      for (const part of ['/project must be string', '/depth', '/deep is not a known property'])
        assert.ok(error.message.includes(part), error.message);

      const listed = (await run(['list', '--json'], bad)).json();
      const mine = listed.capabilities.find((one: { id: string }) => one.id === 'mine');
      assert.deepEqual([mine.enabled, mine.tools[0].enabled], [false, false]);
      const told = listed.problems.filter((one: { code: string }) => one.code === 'invalid_configuration');
      assert.equal(told.length, 1);
      for (const part of ['/project', '/depth', '/deep']) assert.ok(told[0].message.includes(part), told[0].message);
    } finally {
      dispose();
    }
  });

  it('S3.configuration: a required key that is missing or wrong hides no other violation', async () => {
    const required = {
      ...definition,
      configSchema: {
        type: 'object',
        required: ['project', 'owner'],
        properties: {
          project: { type: 'string', maxLength: 3 },
          owner: { type: 'string' },
          depth: { type: 'integer', maximum: 3 },
        },
        additionalProperties: false,
      },
    };
    const { folder, dispose } = temporaryWorkspace({
      '.vscode/capabilities/mine.capability.json': JSON.stringify(required),
    });
    const told = async (config: object): Promise<readonly string[]> => {
      const set = `profiles=${JSON.stringify({ p: { capabilities: ['math', { ref: 'mine', config }] } })}`;
      const { json } = await runCli([
        'call',
        'mine_where',
        '{}',
        '--workspace',
        folder,
        '--set',
        set,
        '--profile',
        'p',
        '--yes',
      ]);
      const found: string[] = json().error.message.match(/\/\w+/g);
      return found.sort();
    };
    try {
      assert.deepEqual(await told({ project: 'too long', owner: 'me', depth: 9, deep: 1 }), [
        '/deep',
        '/depth',
        '/project',
      ]);
      assert.deepEqual(await told({ depth: 9 }), ['/depth', '/owner', '/project']);
    } finally {
      dispose();
    }
  });
});
