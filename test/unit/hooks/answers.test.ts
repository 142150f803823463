import { strict as assert } from 'node:assert';
import { asked, denied } from '../../../src/core/hooks/answers';
import { hostAgents } from '../../../src/core/hooks/hostEvent';

const event = { event: 'PreToolUse' };

/** What each agent takes as a denial, as the real programs showed (`docs/hooks.md`). */
describe('answers to hooks', () => {
  for (const agent of ['claude', 'codex', 'qwen'] as const)
    it(`D.hooks: ${agent} is denied by hookSpecificOutput alone, with a reason and no other key`, () => {
      const { stdout, stderr, exitCode } = denied(agent, event, 'no');
      assert.deepEqual(JSON.parse(stdout), {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'deny',
          permissionDecisionReason: 'no',
        },
      });
      if (agent !== 'qwen') assert.equal(stderr, 'no\n');
      assert.equal(exitCode, 2);
    });

  it('D.hooks: Qwen Code is told so that the yes of another hook does not win, where it reads denials', () => {
    const { stdout, stderr } = denied('qwen', event, 'no');
    assert.deepEqual(JSON.parse(stderr), { ...JSON.parse(stdout), continue: false, stopReason: 'no' });
  });

  it('D.hooks: Gemini is denied by a decision', () => {
    const { stdout, stderr, exitCode } = denied('gemini', { event: 'BeforeTool' }, 'no');
    assert.deepEqual([JSON.parse(stdout), stderr, exitCode], [{ decision: 'deny', reason: 'no' }, 'no\n', 2]);
  });

  it('D.hooks: Copilot CLI is denied flat, and as Claude is for events in capitals', () => {
    assert.deepEqual(JSON.parse(denied('copilot', { event: 'preToolUse' }, 'no').stdout), {
      permissionDecision: 'deny',
      permissionDecisionReason: 'no',
    });
    assert.ok(JSON.parse(denied('copilot', event, 'no').stdout).hookSpecificOutput);
  });

  it('D.hooks: VS Code gets both forms and a good end, because it shares a folder with Copilot CLI', () => {
    const { stdout, exitCode } = denied('vscode', event, 'no');
    const said = JSON.parse(stdout);
    assert.equal(said.permissionDecision, 'deny');
    assert.equal(said.hookSpecificOutput.permissionDecision, 'deny');
    assert.equal(exitCode, 0);
  });

  it('D.hooks: no reason is ever empty, and none has more than one line', () => {
    for (const agent of hostAgents)
      for (const reason of ['', ' \n ', 'a\nb']) {
        const { stderr } = denied(agent, event, reason);
        const said = agent === 'qwen' ? `${JSON.parse(stderr).stopReason}\n` : stderr;
        assert.match(said, /^(?:denied by Agent Capabilities|a b)\n$/);
      }
  });

  it('D.hooks: a question to the agent denies nothing by its status', () => {
    const { stdout, exitCode } = asked('claude', event, 'why');
    assert.equal(JSON.parse(stdout).hookSpecificOutput.permissionDecision, 'ask');
    assert.equal(exitCode, 0);
  });
});
