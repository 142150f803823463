import { strict as assert } from 'node:assert';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runCli, temporaryWorkspace } from '../../support/cli';

interface Found {
  readonly area: string;
  readonly state: string;
  readonly code: string;
  readonly text: string;
  readonly step?: string;
}

/** Doctor over a workspace, a home and an installation of its own. */
async function doctor(
  files: Readonly<Record<string, string>>,
  without: readonly string[] = [],
  empty: readonly string[] = [],
) {
  const { folder, dispose } = temporaryWorkspace({ 'project/readme.md': '', ...files });
  try {
    const [home, dist] = [path.join(folder, 'home'), path.join(folder, 'dist')];
    mkdirSync(home, { recursive: true });
    mkdirSync(dist);
    const programs = ['extension', 'cli', 'hook', 'hookMain', 'worker', 'sandboxWorker', 'sqliteProcess'];
    for (const part of [...programs.map((one) => `${one}.js`), 'quickjs.wasm.br'])
      if (!without.includes(part.replace(/\.js$/, '')))
        writeFileSync(path.join(dist, part), empty.includes(part) ? '' : 'x');
    const words = ['doctor', '--workspace', path.join(folder, 'project'), '--home', home];
    const run = (...more: readonly string[]) => runCli([...words, ...more], { AGENT_CAPABILITIES_BUNDLES: dist });
    const { code, json } = await run('--json');
    return { code, found: json() as readonly Found[], plain: await run() };
  } finally {
    dispose();
  }
}

describe('doctor on the command line', () => {
  it('D.commands: says of a sound workspace what is installed, on and protected, and ends with 0', async () => {
    const { code, found, plain } = await doctor({});
    assert.deepEqual([code, plain.code], [0, 0]);
    assert.deepEqual(
      found.map(({ area, state, code: of }) => [area, state, of]),
      [
        ['installed', 'ok', 'doctor_installed'],
        ['on', 'ok', 'doctor_profile'],
        ['on', 'ok', 'doctor_trusted'],
        ['on', 'ok', 'doctor_no_mistakes'],
        ['protected', 'ok', 'doctor_policy'],
      ],
    );
    assert.match(plain.text, /^installed:\n {2}ok {3}version .*\non:\n/);
  });

  it('D.commands: names what hooks and the sandbox load and is not there, or is empty', async () => {
    const { code, found } = await doctor({}, ['hookMain'], ['quickjs.wasm.br']);
    const missing = found.filter((one) => one.code === 'doctor_part_missing').map(({ text }) => text);
    assert.equal(code, 1);
    assert.deepEqual(
      missing.map((text) => /hookMain\.js|quickjs\.wasm\.br/.exec(text)?.[0]),
      ['hookMain.js', 'quickjs.wasm.br'],
    );
  });

  it('D.commands: names each thing that does not work with a step that mends it, and ends with 1', async () => {
    const settings = {
      'agentCapabilities.mcp.servers': { gone: { type: 'stdio', command: '/no/such/program' } },
      'agentCapabilities.policy.preset': 'no such preset',
    };
    const { code, found, plain } = await doctor(
      {
        'project/.vscode/settings.json': JSON.stringify(settings),
        'home/.claude/settings.json': '{ "model": "x" }',
      },
      ['hook'],
    );
    assert.deepEqual([code, plain.code], [1, 1]);
    const of = (wanted: string): Found => found.find((one) => one.code === wanted) ?? assert.fail(plain.text);
    assert.deepEqual(
      [of('doctor_part_missing').text, of('doctor_part_missing').step],
      ['`hook.js` of the installation is missing', 'install the extension again'],
    );
    assert.equal(of('doctor_mistakes').state, 'fault');
    assert.match(of('doctor_mistakes').step ?? '', /agent-capabilities validate/);
    const server = found.find(({ text }) => text.includes('the MCP server gone')) ?? assert.fail(plain.text);
    assert.equal(server.state, 'fault');
    assert.ok(server.step);
    const agent = of('doctor_agent_open');
    assert.deepEqual([agent.state, agent.text.includes('Claude Code')], ['note', true]);
    assert.match(agent.step ?? '', /hook install --agent claude/);
    assert.ok(found.filter(({ state }) => state === 'fault').every(({ step }) => step !== undefined));
  });

  it('D.commands: an unknown word or option is a usage error', async () => {
    assert.equal((await runCli(['doctor', 'please'])).code, 2);
    assert.equal((await runCli(['doctor', '--fix'])).code, 2);
  });
});
