// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { asked, denied, mayAsk } from '../../../../src/core/hooks/answers';
import type { HookAnswer } from '../../../../src/core/hooks/hostEvent';
import { agentOf, agents } from '../../../../src/core/protection/agents';
import { entryCommand, entryPowerShell } from '../../../../src/core/protection/entryCommand';

describe('the command line of an entry', () => {
  it("D.hooks: starts with an empty environment, and no program of the folder's choice", () => {
    const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'm-')));
    try {
      const hook = path.join(root, 'hook.cjs');
      writeFileSync(hook, 'console.log(`{"${Object.keys(process.env).join()}":"deny"}`); process.exitCode = 2;');
      writeFileSync(path.join(root, 'x.cjs'), 'process.exit(0);');
      const bin = path.join(root, 'bin');
      mkdirSync(bin);
      for (const name of ['env', 'timeout', 'node', 'perl'])
        writeFileSync(path.join(bin, name), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
      const claude = agentOf('claude');
      assert.ok(claude);
      const program = { node: process.execPath, isEditor: false, hook, platform: 'linux' };
      const { status, stdout } = spawnSync('/bin/sh', ['-c', entryCommand(claude, 'PreToolUse', program)], {
        cwd: root,
        encoding: 'utf8',
        env: {
          PATH: `${bin}:${process.env['PATH'] ?? ''}`,
          NODE_OPTIONS: `-r ${path.join(root, 'x.cjs')}`,
          NODE_COMPILE_CACHE: root,
          OPENSSL_CONF: path.join(root, 'x.cnf'),
          HOME: root,
        },
      });
      assert.deepEqual([status, stdout.trim()], [2, '{"PATH":"deny"}']);
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  for (const agent of agents)
    it(`D.hooks: of ${agent.name} passes on our own answers, and takes all other text for a denial`, () => {
      const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'm-')));
      try {
        const hook = path.join(root, 'hook.cjs');
        // A shell starts sooner than Node.
        const program = { node: '/bin/sh', isEditor: false, hook, platform: 'linux' };
        const event = { event: agent.events[0] ?? '' };
        const told = ({
          stdout,
          exitCode,
        }: Pick<HookAnswer, 'stdout' | 'exitCode'>): readonly [number | null, string] => {
          writeFileSync(hook, `printf '%s' '${stdout.replaceAll("'", `'\\''`)}'; exit ${exitCode}`);
          const run = spawnSync('/bin/sh', ['-c', entryCommand(agent, event.event, program)], { encoding: 'utf8' });
          return [run.status, run.stdout.trim()];
        };
        const isShared = agent.dialect === 'copilot';
        const reason = 'no ("permissionDecision":"ask") $(x) `x`';
        const own = (isShared ? (['copilot', 'vscode'] as const) : [agent.id]).flatMap((id) => [
          denied(id, event, reason),
          ...(mayAsk(id) ? [asked(id, event, reason)] : []),
        ]);
        for (const answer of own) assert.deepEqual(told(answer), [answer.exitCode, answer.stdout], answer.stdout);
        assert.deepEqual(told({ stdout: 'allowed', exitCode: 0 }), [0, '']);
        const junk = [
          '{}',
          '{"decision":"allow"}',
          '{"permission":"allow"}',
          '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}',
          '{"permissionDecision":"allow","permissionDecisionReason":"\\"permissionDecision\\":\\"ask\\""}',
          ...(mayAsk(agent.dialect) ? [] : ['{"permissionDecision":"ask"}', '{"permissionDecision":"deny"}']),
        ];
        for (const stdout of junk)
          for (const exitCode of [0, 2] as const) {
            if (exitCode === 2 && stdout.includes(':"deny"')) continue;
            const [status, text] = told({ stdout, exitCode });
            assert.equal(status, 2, stdout);
            assert.ok(!text.includes('allow') && !text.includes('ask'), text);
          }
      } finally {
        rmSync(root, { recursive: true });
      }
    });

  it('D.hooks: is the same for PowerShell: our word allows, and no double quote ends the argument that it is', () => {
    const copilot = agentOf('copilot');
    assert.ok(copilot);
    const program = { node: "C:\\it's\\node.exe", isEditor: false, hook: 'C:\\hook.cjs', platform: 'win32' };
    const line = entryPowerShell(copilot, 'preToolUse', program);
    assert.match(line, / --allowed allowed\) /);
    assert.match(line, /if \(\(\$c -eq 0 -and \$o -clike 'allowed'\)\) \{ exit 0 \}/);
    assert.equal(line.match(/exit 0/g)?.length, 1);
    assert.match(line, /exit 2$/);
    assert.ok(!line.includes('"'));
  });
});
