import { strict as assert } from 'node:assert';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { hostAccesses } from '../../../src/core/hooks/hostAccesses';
import { hostToolRow } from '../../../src/core/hooks/hostToolTable';
import { callAccesses } from '../../../src/core/gate/steps';
import { PolicyEngine } from '../../../src/core/policy/rules/engine';
import { presetBoundaries } from '../../../src/core/policy/rules/presets';
import type { Effect } from '../../../src/core/vocabulary/decision';
import { fakeCall } from '../../support/gateCall';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace';
import { honestLines } from './honestLines';
import { askedLines, deniedLines } from './hostLines';

describe('lines of an agent by the preset balanced', () => {
  const policy = new PolicyEngine(presetBoundaries('balanced'));
  let workspace: TestWorkspace;

  before(() => {
    workspace = makeWorkspace();
    const repository = { 'x/HEAD': 'ref: refs/heads/main', 'x/objects/a': '', 'x/refs/a': '', 'x/config': '' };
    workspace.put({ ...repository, 'x/sub/a': '', 'vendor/x/HEAD': '', '.env': 'x', '.git/config': '' });
    workspace.put({ '.vscode/settings.json': '', 'src/a.ts': '', 'a.txt': '', 'b.txt': '', 'packages/a/a.txt': '' });
    workspace.put({ 'tpl/.vscode/settings.json': '', 'list.txt': '', 'package.json': '' });
    symlinkSync(path.join(workspace.root, 'x'), path.join(workspace.root, 'lnk'));
  });

  after(() => workspace.dispose());

  async function judge(command: string): Promise<Effect> {
    const [agent, tool, input] = ['claude', 'Bash', { command }] as const;
    const row = hostToolRow(agent, tool);
    assert.ok(row);
    const found = await hostAccesses({ agent, tool, row, input, files: workspace.files, cwd: workspace.root });
    const template = fakeCall({ source: { type: 'host', agent }, capability: 'host_claude', tool });
    const call = { ...template, input, ...callAccesses(template.tool, found) };
    return policy.judge(call, call.accesses).effect;
  }

  for (const [title, lines, expected] of [
    ['what a program expands, lists or takes from a variable is judged as what stands there', deniedLines, 'deny'],
    ['what deletes, changes or runs without saying so is asked about', askedLines, 'ask'],
    ['more than 200 lines of every day pass', honestLines, 'pass'],
  ] as const)
    it(`D.shell: ${title}`, async () => {
      const wrong: string[] = [];
      for (const line of lines) {
        const effect = await judge(line);
        if (effect !== expected) wrong.push(`${effect} ${line}`);
      }
      assert.deepEqual(wrong, []);
    });

  it('D.shell: the tables of this suite hold as many lines as they say', () => {
    assert.ok(honestLines.length > 200 && deniedLines.length + askedLines.length > 60);
  });
});
