import { strict as assert } from 'node:assert';
import { symlinkSync } from 'node:fs';
import { callAccesses } from '../../../src/core/gate/steps';
import { hostAccesses } from '../../../src/core/hooks/hostAccesses';
import { hostToolRow } from '../../../src/core/hooks/hostToolTable';
import { PolicyEngine } from '../../../src/core/policy/rules/engine';
import { presetBoundaries } from '../../../src/core/policy/rules/presets';
import { leavesOut } from '../../../src/core/shell/leftOut';
import { fakeCall } from '../../support/gateCall';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace';

/** What is copied governs nothing where it comes to stand, or is left out. */
const passing = `
cp -r . /tmp/agent-x
cp -a . /tmp/agent-x/
cp -r ./ /tmp/agent-x
cp -r tpl /tmp/agent-x
cp -r tpl/. /tmp/agent-x
cp -r .git /tmp/backup
cp -r .vscode /tmp/backup/
cp .mcp.json /tmp/agent-x/
cp -r . /var/tmp/copy
cd src && cp -r .. /tmp/agent-x
rsync -a . /tmp/agent-x
rsync -a ./ /tmp/agent-x/
rsync -a --exclude .git . /tmp/agent-x
rsync -a --exclude=.git --exclude=node_modules ./ /tmp/agent-x
rsync -a --exclude .git --exclude .vscode --exclude .mcp.json --exclude tpl . out
rsync -a --exclude='.git/' --exclude='/.vscode' --exclude .mcp.json --exclude tpl ./ out/
rsync -a --exclude '/.git' --exclude '.vscode/***' --exclude '*.log' --exclude .mcp.json --exclude tpl ./ out
rsync -a --exclude '**/.git' --exclude '/.vscode/*' --exclude .mcp.json --exclude tpl . out
rsync -a --filter='- .git' --exclude .vscode --exclude .mcp.json --exclude 'tpl/**' . out
rsync -a -f'- .git' -f '- .vscode' -f '- *.log' -f 'exclude .mcp.json' -f '- tpl' . out
rsync -a --exclude .git --filter=':- .gitignore' . /tmp/agent-x
rsync -a . /tmp/agent-x --exclude .git
rsync -a --exclude .vscode --exclude .git --exclude .mcp.json tpl/ tpl2
rsync -a --exclude tpl/.vscode --exclude .mcp.json --exclude .git tpl new
rsync -a --exclude /tpl/.vscode --exclude /tpl/.mcp.json --exclude /tpl/.git tpl new
rsync -a --exclude={.git,.vscode,.mcp.json,tpl} . out
tar --exclude=.git -cf x.tar .
tar czf x.tgz --exclude .git --exclude node_modules .
cp -r /tmp/agent-y out
cp -r /tmp/agent-y .
`;

/** It governs where it comes to stand, or nobody can say what is left out. */
const asking = `
cp -r . out
cp -r tpl out
cp -r tpl/. .
cp -r . ..
cp -r . /tmp
cp -r tpl/. ~
cp -r . ~/x
cp -r tpl ../other
cp -r tpl/odd /tmp/agent-x/.git
cp -rT tpl/odd /tmp/agent-x/.vscode
cp -r tpl/odd .git
cp -r tpl /tmp/agent-x && cp -r /tmp/agent-x/. .
cp -r /tmp/agent-y/. .
cp -r /tmp/agent-y/ .
rsync -a /tmp/agent-y/ ./
rsync -a . out
rsync -a --include .git --exclude .git . out
rsync -a --include='*/' --exclude .git . out
rsync -a --exclude '+ .git' . out
rsync -a --exclude .git --exclude '!' . out
rsync -a --exclude .git --filter '!' . out
rsync -a --exclude .git --filter clear . out
rsync -a --exclude .git --exclude-from list . out
rsync -a --filter '+ .git' --exclude .git . out
rsync -a --exclude .git --filter 'merge list' . out
rsync -a --exclude .git -F . out
rsync -a --exclude .git -C . out
rsync -a --exclude /git . out
rsync -a --exclude git . out
rsync -a --exclude .GIT . out
rsync -a --exclude '.g[i]t' . out
rsync -a --exclude .git/config . out
rsync -a --exclude /.git . out && rsync -a .git out
rsync -a --exclude "$X" . out
rsync -a --exclude .git/hooks tpl/ .
rsync -aR --exclude /.vscode --exclude .mcp.json --exclude .git tpl new
rsync -a --exclude /.vscode --exclude .mcp.json --exclude .git tpl new
rsync -a --exclude .git tpl/ .
rsync -a --exclude .git . .vscode
mv tpl /tmp/agent-x
mv .git /tmp/agent-x
rsync -a --remove-source-files .vscode /tmp/agent-x
cp -r . link
cp -r tpl/. /mnt/c/Users/me
cp -r . /srv/app
`;

const linesOf = (text: string): readonly string[] => text.trim().split('\n');

describe('copies of governing files, by where they come to stand', () => {
  const policy = new PolicyEngine(presetBoundaries('balanced'));
  const governing = `.git/config .git/HEAD .git/hooks/x.sample .git/objects/aa/x .vscode/settings.json .mcp.json src/a.ts
    tpl/.vscode/settings.json tpl/.git/config tpl/.mcp.json tpl/odd/config tpl/a.txt list`;
  let workspace: TestWorkspace;

  before(() => {
    workspace = makeWorkspace();
    const names = `${governing} .git/hooks/pre-commit`.split(/\s+/);
    workspace.put(Object.fromEntries(names.map((name) => [name, 'x'])));
    symlinkSync('.git/hooks', workspace.at('link'));
  });

  after(() => workspace.dispose());

  async function effectOf(command: string, at = workspace, judge = policy): Promise<string> {
    const [agent, tool, input] = ['claude', 'Bash', { command }] as const;
    const row = hostToolRow(agent, tool);
    assert.ok(row);
    const found = await hostAccesses({ agent, tool, row, input, files: at.files, cwd: at.root });
    const call = fakeCall({ source: { type: 'host', agent }, capability: 'host_claude', tool });
    const judged = callAccesses(call.tool, found);
    return judge.judge({ ...call, input, ...judged }, judged.accesses).effect;
  }

  for (const [effect, lines] of [
    ['pass', passing],
    ['ask', asking],
  ] as const)
    for (const line of linesOf(lines))
      it(`D.shell: ${JSON.stringify(line)} is ${effect}`, async () => {
        assert.equal(await effectOf(line), effect);
      });

  it('D.shell: a copy of the whole workspace within it passes where it brings no hook and replaces nothing that governs', async () => {
    const own = makeWorkspace();
    try {
      own.put(Object.fromEntries(governing.split(/\s+/).map((name) => [name, 'x'])));
      for (const line of ['cp -r . out', 'cp -a ./ out/', 'rsync -a ./ out', 'mkdir -p build && cp -r . build/copy'])
        assert.equal(await effectOf(line, own), 'pass', line);
      for (const line of ['cp -r tpl out', 'cp -r tpl/. .', 'cp -r . .vscode', 'cp -r .git out', 'mv .git out'])
        assert.equal(await effectOf(line, own), 'ask', line);
      own.put({ 'out/.vscode/settings.json': 'y' });
      assert.equal(await effectOf('cp -r . out', own), 'ask', 'it would replace settings');
      own.put({ '.git/hooks/post-checkout': 'x' });
      assert.equal(await effectOf('cp -r . new', own), 'ask', 'it brings a hook');
    } finally {
      own.dispose();
    }
  });

  it('D.shell: a copy to a folder that is thrown away passes of a workspace too that is too large to list, and a rule that denies sees it', async () => {
    const own = makeWorkspace();
    try {
      own.put(Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`d${at}/a.ts`, ''])));
      own.put({ '.git/config': 'x', '.vscode/settings.json': 'x' });
      assert.equal(await effectOf('cp -r . /tmp/agent-x', own), 'pass');
      assert.equal(await effectOf('cp -r . /tmp/agent-x/.git', own), 'ask');
      const strict = new PolicyEngine(presetBoundaries('strict'));
      assert.equal(await effectOf('cp -r . /tmp/agent-x', own, strict), 'deny');
    } finally {
      own.dispose();
    }
  });

  it('D.shell: a secret that is copied with its folder asks wherever it goes', async () => {
    const own = makeWorkspace();
    try {
      own.put({ '.env': 'x', 'a.txt': 'x', 'deep/.env': 'x' });
      for (const line of ['cp -r . /tmp/agent-x', 'rsync -a --exclude a.txt . /tmp/agent-x', 'rsync -a . out'])
        assert.equal(await effectOf(line, own), 'ask', line);
    } finally {
      own.dispose();
    }
  });

  const left: readonly (readonly [pattern: string, source: string, path: string, isOut: boolean])[] = [
    ['.git', '.', '.git/config', true],
    ['.git', '.', 'a/.git/config', true],
    ['.git', '.', 'a.git/config', false],
    ['.git', '.', '.gitignore', false],
    ['.git/', '.', '.git', false],
    ['.git/', '.', '.git/config', true],
    ['/.git', 'src/', '.git/config', true],
    ['/.git', 'src', '.git/config', false],
    ['/src/.git', 'src', '.git/config', true],
    ['src/.git', 'a/src', '.git/config', true],
    ['a/.git', '.', 'b/a/.git/x', true],
    ['a/.git', '.', 'b/ba/.git/x', false],
    ['src', 'src', 'a.ts', false],
    ['/src', 'src', 'a.ts', false],
    ['src', 'src', 'src/a.ts', true],
    ['a/src', 'a/src', 'b.ts', false],
    ['/a/.git', '..', 'b/a/.git/x', false],
    ['config', '.', '.git/config', true],
    ['config', '.', '.git/config.old', false],
  ];
  for (const [pattern, source, name, isOut] of left)
    it(`D.shell: rsync without ${pattern} leaves ${name} of ${source} ${isOut ? 'out' : 'in'}`, () => {
      assert.equal(leavesOut([pattern], source, false)(name), isOut);
    });
});
