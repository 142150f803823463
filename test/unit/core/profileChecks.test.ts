import { strict as assert } from 'node:assert';
import { createValidator } from '../../../src/core/base/validator';
import { createCompiler } from '../../../src/core/base/runtimeAjv';
import { parseProfile } from '../../../src/core/profiles/profile';
import { ProfileChecks } from '../../../src/core/profiles/profileChecks';
import { basePromptOf, type PromptSource } from '../../../src/core/profiles/promptText';
import { buildRuntimeAgent } from '../../../src/core/profiles/runtimeAgent';
import { named, profileWorld } from '../../support/profiles';

const depending = (id: string, ...ids: string[]) =>
  named(id, [`use_${id}`], { dependencies: ids.map((one) => ({ id: one })) });

function checksOf(world: ReturnType<typeof profileWorld>, prompts?: PromptSource) {
  return new ProfileChecks({
    promptsRead: async () => undefined,
    registry: world.registry,
    profiles: world.store,
    validator: createValidator(
      async () => ({}),
      async () => createCompiler(),
    ),
    agent: () => buildRuntimeAgent(world.store.active(), basePromptOf(world.store.active().profile, prompts)),
    onError: (error) => {
      throw error;
    },
  });
}

describe('the checks of the active profile', () => {
  it('S3.conflicts: a cycle among dependencies is a problem, whatever is on', () => {
    const world = profileWorld([depending('a', 'b'), depending('b', 'c'), depending('c', 'a'), named('d', ['use_d'])]);
    const checks = checksOf(world);
    assert.deepEqual(
      checks.problems().map(({ code, message }) => [code, message]),
      [['dependency_cycle', 'the dependencies `a` → `b` → `c` → `a` go round in a circle; take one of them out']],
    );
    checks.dispose();
    world.dispose();
  });

  it('S3.configuration: a configuration that does not fit is told with its place, and goes with its cause', async () => {
    const configured = named('web', ['look'], {
      configSchema: {
        type: 'object',
        properties: { depth: { type: 'integer', minimum: 1 } },
        additionalProperties: false,
      },
    });
    const world = profileWorld([configured, named('plain', ['use_plain'])], {
      user: {
        default: {
          capabilities: [
            { ref: 'web', config: { depth: 0 } },
            { ref: 'plain', config: { x: 1 } },
          ],
        },
      },
    });
    const checks = checksOf(world);
    let told = 0;
    const heard = checks.onDidChange(() => told++);
    await checks.check();
    assert.deepEqual(
      [told, ...checks.problems().map((one) => one.message)],
      [
        1,
        'the profile `default` configures `web` with what does not fit, and it is off: /depth must be >= 1 (got 0)',
        'the profile `default` configures `plain`, which takes no configuration',
      ],
    );
    world.edit('user', { default: { capabilities: ['web', 'plain'] } });
    await checks.check();
    for (let turns = 0; checks.problems().length > 0 && turns < 1000; turns++)
      await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([told, checks.problems()], [2, []]);
    heard.dispose();
    checks.dispose();
    world.dispose();
  });

  it('a base prompt whose file is missing is told with the path and what to do', async () => {
    const source: PromptSource = {
      read: () => ({ type: 'unreadable', fault: { code: 'missing' } }),
    };
    const world = profileWorld(undefined, {
      user: { default: { systemPromptFile: 'gone.md', capabilities: ['math'] } },
    });
    const checks = checksOf(world, source);
    assert.deepEqual(
      checks.problems().map(({ code, subject, said }) => [code, subject, said?.args]),
      [['prompt_file', 'default', ['default', 'gone.md', { code: 'prompt_missing', args: [] }]]],
    );
    const both = parseProfile('p', { systemPromptFile: 'gone.md', systemPrompt: 'Also this.' }, 'user').value;
    assert.deepEqual(
      basePromptOf(both, source).problems.map((one) => one.code),
      ['two_base_prompts', 'prompt_file'],
    );
    checks.dispose();
    world.dispose();
  });
});
