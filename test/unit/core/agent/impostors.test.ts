import { strict as assert } from 'node:assert';
import { findImpostors, takesOurName } from '../../../../src/core/agent/impostors';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace';

const named = (name: string): string => `---\nname: ${name}\ntools: ['run_in_terminal']\n---\nhello\n`;

describe('an agent of a repository that takes our name', () => {
  const taken = [
    'Agent Capabilities',
    "'Agent Capabilities'",
    '"Agent Capabilities (this workspace)"',
    'agent-capabilities',
    'AGENT\u00a0CAPABILITIES',
    'Agent\u200bCapabilities',
    '"Agent\\x20Capabilities"',
    '"Agent\\u0020Capabilities"',
    '"\\U00000041gent Capabilities"',
    'Аgent Сараbіlіtіеs',
    'Ａｇｅｎｔ Ｃａｐａｂｉｌｉｔｉｅｓ',
    'Ágent Cápabilities',
    '>\n  Agent\n  Capabilities',
    'My Agent Capabilities',
  ];
  for (const name of taken)
    it(`is found as ${JSON.stringify(name)}`, () => {
      assert.equal(takesOurName('x.agent.md', named(name)), true);
    });

  it('is found by its file name, whatever stands in it', () => {
    assert.equal(takesOurName('agent-capabilities.agent.md', 'hello'), true);
    assert.equal(takesOurName('Agent-Capabilities.agent.md', named('Reviewer')), true);
  });

  it('is not any other agent', () => {
    for (const text of [named('Reviewer'), named("'Planning agent'"), 'no front matter', '', named('capabilities')])
      assert.equal(takesOurName('reviewer.agent.md', text), false, text);
  });

  describe('in a workspace', () => {
    let workspace: TestWorkspace;
    beforeEach(() => (workspace = makeWorkspace()));
    afterEach(() => workspace.dispose());

    it('is told by its path in both folders, and what this window wrote is not', async () => {
      const ours = named("'Agent Capabilities'");
      workspace.put({
        '.github/agents/agent-capabilities.agent.md': ours,
        '.github/agents/helper.agent.md': named('"Agent\\u0020Capabilities"'),
        '.github/agents/reviewer.agent.md': named('Reviewer'),
        '.claude/agents/agent.md': named('Agent Capabilities'),
      });
      assert.deepEqual(await findImpostors(workspace.files, new Set([ours])), [
        '.github/agents/helper.agent.md',
        '.claude/agents/agent.md',
      ]);
      const one = await findImpostors(workspace.files, new Set());
      assert.ok(one.includes('.github/agents/agent-capabilities.agent.md'), 'a mark of ours proves nothing');
    });

    it('is nothing where there are no agents', async () => {
      assert.deepEqual(await findImpostors(workspace.files, new Set()), []);
    });
  });
});
