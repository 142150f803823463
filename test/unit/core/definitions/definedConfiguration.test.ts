import { strict as assert } from 'node:assert';
import { configurationProblems } from '../../../../src/core/profiles/profileChecks';
import { createValidator } from '../../../../src/core/base/validator';
import { parseProfile, resolveProfile } from '../../../../src/core/profiles/profile';
import { buildRuntimeAgent } from '../../../../src/core/profiles/runtimeAgent';
import { type DefinitionWorld, makeWorld } from '../../../support/definitions';
import { open } from '../../../support/definitionTools';

describe('the configuration of a definition', () => {
  let world: DefinitionWorld;
  afterEach(() => world.dispose());

  it('S3.configuration: fills the prompt and the defaults, and checks the profile’s values against the schema', async () => {
    world = makeWorld({ profile: () => ({ capabilities: [{ ref: 'c', config: { project: 'alpha' } }] }) });
    await world.define({
      'c.capability.json': {
        id: 'c',
        systemPrompt: 'Work on ${config.project} in ${config.area}.',
        configSchema: {
          type: 'object',
          properties: { project: { type: 'string' }, area: { type: 'string', default: 'all' } },
          additionalProperties: false,
        },
        tools: [
          {
            ...open,
            name: 'where',
            handler: { type: 'compose', steps: [{ tool: 'c_inner' }], output: '${config.area}' },
          },
          { ...open, name: 'inner', handler: { type: 'process', command: process.execPath, args: ['-e', ''] } },
        ],
      },
    });
    const profile = (config: unknown) =>
      resolveProfile(parseProfile('p', { capabilities: [{ ref: 'c', config }] }, 'user').value, world.gate.registry);
    assert.equal(buildRuntimeAgent(profile({ project: 'alpha' })).systemPrompt, 'Work on alpha in all.');
    assert.equal(await world.call('c_where'), 'all');
    const validator = createValidator(
      async () => ({}),
      async () => (await import('../../../../src/core/base/runtimeAjv')).createCompiler(),
    );
    const problems = await configurationProblems(profile({ project: 5, areaa: 1 }), validator);
    assert.deepEqual(
      problems.map((one) => one.code),
      ['invalid_configuration'],
    );
    assert.deepEqual(await configurationProblems(profile({ project: 'x' }), validator), []);
  });
});
