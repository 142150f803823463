import { plainWords } from '../../../src/core/base/translate';
import { strict as assert } from 'node:assert';
import { wideningLines } from '../../../src/core/present/allowanceWords';
import { careful, storeOver } from '../../support/allowance';

describe('the difference that a person is shown', () => {
  it('D.approval-binding: names every tool, scope, key, mode, and writes prompts whole, each line marked', () => {
    const prompt = `First.\n${'long '.repeat(500)}\r\nMode: plan\u2028last`;
    const world = storeOver({
      user: { profiles: { p: { ...careful, mode: 'plan' } } },
      workspace: {
        profiles: {
          p: {
            systemPrompt: prompt,
            scopes: ['file:read', 'file:write', 'database:write'],
            capabilities: [
              'writer',
              { ref: 'files', config: { root: 'workspace', extra: { deep: [1] } } },
              'rules',
              { ref: 'templated', config: { word: 'nothing of it' } },
            ],
          },
        },
      },
    });
    const [now, wish] = [world.store.resolve('p'), world.store.merged.ifAccepted('p')];
    assert.ok(now && wish);
    assert.deepEqual(wideningLines(now, wish, plainWords), [
      '+ runs without asking: overwrite (low risk)',
      '+ scopes: database:write',
      'Mode: plan → execute',
      'files: root "session" → "workspace"',
      'files: extra nothing → {"deep":[1]}',
      'templated: word nothing → "nothing of it"',
      `Instructions that the model would get (${prompt.length} characters):`,
      '> First.',
      `> ${'long '.repeat(500)}`,
      '> Mode: plan',
      '> last',
      '+ instructions of writer (16 characters)',
      '+ instructions of rules (19 characters)',
      'Instructions of templated:',
      '> Say nothing of it.',
    ]);
    world.dispose();
  });

  it('D.tightens: says of a key whether a stricter value would have counted', () => {
    const world = storeOver({
      user: { profiles: { p: careful } },
      workspace: { profiles: { p: { capabilities: [{ ref: 'files', config: { root: 'workspace', note: 'x' } }] } } },
    });
    const told = world.store.problems().filter((one) => one.code === 'configuration_held');
    assert.deepEqual(
      told.map(({ said }) => [said?.code, ...(said?.args ?? [])]),
      [
        ['configuration_stricter', 'p', 'root', 'files'],
        ['configuration_held', 'p', 'note', 'files'],
      ],
    );
    world.dispose();
  });
});
