import { strict as assert } from 'node:assert';
import { noop } from '../../../../src/capabilities/noop/noop';
import { makeGate } from '../../../support/gate';
import { parseProfile, resolveProfile } from '../../../../src/core/profiles/profile';
import { buildRuntimeAgent } from '../../../../src/core/profiles/runtimeAgent';

describe('the noop capability', () => {
  it('S3.noop: can be switched on and adds neither a tool nor a word to the prompt', () => {
    const gate = makeGate({ capabilities: [noop] });
    const agent = buildRuntimeAgent(
      resolveProfile(parseProfile('p', { systemPrompt: 'Base.', capabilities: ['noop'] }, 'user').value, gate.registry),
    );
    assert.deepEqual([agent.tools, agent.systemPrompt, agent.problems], [[], 'Base.', []]);
    gate.dispose();
  });
});
