import { strict as assert } from 'node:assert';
import { symlinkSync } from 'node:fs';
import { findImpostors, takesOurName } from '../../../../src/core/agent/impostors';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace';
import { workedMs } from '../../../support/processorTime';

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
    // Without a name in it the editor lists a file by its own.
    assert.equal(takesOurName('Agent Capabilities.agent.md', 'hello'), true);
  });

  it('is found behind other names, other ends of lines and other ways to write an object', () => {
    for (const front of [
      'handoffs:\n  - label: x\n    name: Reviewer\nname: Agent Capabilities',
      'description: |\n  name: Reviewer\nname: Agent Capabilities',
      'name: >\r\n  Agent\r\n  Capabilities',
      'name: >\n\n  Agent\n\n  Capabilities',
      '{ tools: [], name: Agent Capabilities }',
      '"n\\x61me": Agent Capabilities',
      `${'# nothing\n'.repeat(5000)}name: Agent Capabilities`,
    ])
      assert.equal(takesOurName('x.agent.md', `---\n${front}\n---\n`), true, JSON.stringify(front.slice(-80)));
  });

  it('is looked for in a time that grows with the text, whatever it is made of', () => {
    const start = workedMs();
    for (const part of ['\n', ' \n', 'name', 'name\n', 'name ', ',', ', ', '{ name', '\r\n '])
      takesOurName('x.agent.md', part.repeat(200_000));
    const worked = workedMs() - start;
    assert.ok(worked < 2000, `${worked} ms`);
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

    it('is found behind a link, behind many files, and where it is too large to be looked at', async () => {
      const many = Array.from({ length: 501 }, (_, index) => [`.claude/agents/a${index}.md`, named('Reviewer')]);
      workspace.put({
        ...Object.fromEntries(many),
        'hidden/x.txt': named('Agent Capabilities'),
        'hidden/agents/helper.agent.md': named('Agent Capabilities'),
        '.github/agents/large.agent.md': `---\n${'#'.repeat(1_000_000)}\nname: Agent Capabilities\n---\n`,
      });
      symlinkSync('../../hidden/x.txt', workspace.at('.github/agents/link.agent.md'));
      symlinkSync('../hidden/agents', workspace.at('.github/chatmodes'));
      assert.deepEqual(await findImpostors(workspace.files, new Set()), [
        '.github/agents/large.agent.md',
        '.github/agents/link.agent.md',
        '.github/chatmodes/helper.agent.md',
        '.claude/agents',
      ]);
    });

    it('is nothing where there are no agents', async () => {
      assert.deepEqual(await findImpostors(workspace.files, new Set()), []);
    });
  });
});
