// @window quiet
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parse } from 'jsonc-parser';
import { useEditor } from '../support/editor/person';
import { until } from '../support/editor/until';

/** Starts a server as a client would, from the words of its configuration, and asks for one thing after the other. */
async function talk(command: string, args: readonly string[], requests: readonly object[]): Promise<any[]> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = new Map<number, any>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.id !== undefined) answers.set(message.id, message);
  });
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  try {
    const out: any[] = [];
    for (const [id, request] of requests.entries()) {
      send({ id, ...request });
      out.push(await until(() => answers.get(id) ?? assert.fail(`no answer to ${JSON.stringify(request)}`), 20_000));
      if (id === 0) send({ method: 'notifications/initialized' });
    }
    return out;
  } finally {
    child.stdin.end();
    child.kill();
  }
}

const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a client', version: '1' } },
};

describe('what other clients are given', () => {
  const editor = useEditor({
    withoutChat: true,
    settings: {
      'agentCapabilities.profiles': { clock: { name: 'Clock', capabilities: ['current_time', 'file_system'] } },
      'agentCapabilities.activeProfile': 'clock',
      'agentCapabilities.policy.boundaries': [
        { id: 'mine', match: { accessAny: ['fs.read'], path: 'src/**' }, decision: 'deny', reason: 'not for agents' },
      ],
    },
  });
  const run = (command: string): Promise<void> => editor.workbench.runCommand(`Agent Capabilities: ${command}`);
  const clipboard = (): Promise<string> => editor.page.evaluate('navigator.clipboard.readText()') as Promise<string>;

  before(async () => {
    await editor.host.evaluate(async (vscode) => {
      await vscode.extensions.getExtension('agent-capabilities.agent-capabilities')?.activate();
    });
  });

  it('S1.router: the configuration for Claude Code is written beside what stands there, and the server that it names works', async () => {
    const { workbench } = editor;
    const file = join(editor.folder, '.mcp.json');
    await writeFile(file, '{\n  // mine\n  "mcpServers": { "other": { "command": "x" } }\n}\n');
    await run('Copy Client Configuration…');
    await workbench.quickInput.getByText('Claude Code').waitFor();
    await workbench.picture('client-pick');
    await workbench.pick('Claude Code');
    await workbench.quickInput.getByText('Write it into .mcp.json').waitFor();
    await workbench.pick('Write it into .mcp.json');
    const text = await until(async () => {
      const found = await readFile(file, 'utf8');
      assert.match(found, /agent-capabilities/);
      return found;
    });
    await editor.page.locator('.tab').filter({ hasText: '.mcp.json' }).waitFor();
    await workbench.picture('client-written');
    assert.match(text, /\/\/ mine/);
    const { mcpServers }: any = parse(text);
    assert.deepEqual(mcpServers.other, { command: 'x' });
    const { command, args } = mcpServers['agent-capabilities'];
    const [hello, list, read, denied] = await talk(command, args, [
      initialize,
      { method: 'tools/list', params: {} },
      { method: 'tools/call', params: { name: 'read_file', arguments: { path: 'README.md' } } },
      { method: 'tools/call', params: { name: 'read_file', arguments: { path: 'src/app.ts' } } },
    ]);
    assert.equal(hello.result.serverInfo.name, 'agent-capabilities');
    const names: string[] = list.result.tools.map((tool: { name: string }) => tool.name);
    assert.ok(names.includes('get_current_time') && names.includes('read_file'));
    assert.ok(!names.includes('web_fetch'), 'the profile of the editor holds there too');
    assert.ok(!read.result.isError, JSON.stringify(read));
    assert.match(JSON.stringify(denied), /denied by boundary \\*"mine/, "the user's own rules hold there too");
  });

  it('S1.router: the configuration for Codex is copied, and fits its file', async () => {
    const { workbench } = editor;
    await run('Copy Client Configuration…');
    await workbench.pick('Codex');
    await workbench.pick('Copy it to the clipboard');
    await until(async () =>
      assert.match(await clipboard(), /^\[mcp_servers\.agent-capabilities\]\ncommand = "node"\nargs = \[/),
    );
  });

  it('S1.router: the configuration for Copilot CLI is written into the home folder, which is made for it', async () => {
    const { workbench } = editor;
    await mkdir(join(editor.server.folder, 'home', '.copilot'), { recursive: true });
    await run('Copy Client Configuration…');
    await workbench.pick('Copilot CLI');
    await workbench.pick('Write it into');
    await until(async () => {
      const written = JSON.parse(
        await readFile(join(editor.server.folder, 'home', '.copilot', 'mcp-config.json'), 'utf8'),
      );
      assert.deepEqual(written.mcpServers['agent-capabilities'].tools, ['*']);
    });
    // The file opens, which would close a palette that is opened before.
    await editor.page.locator('.tab').filter({ hasText: 'mcp-config.json' }).waitFor();
  });

  it('D.hooks, D.meter, D.commands: “Protect This Agent…” shows the difference, writes it on a yes, tries it, and takes it back byte for byte', async () => {
    const { workbench } = editor;
    const file = join(editor.server.folder, 'home', '.claude', 'settings.json');
    const before = '{\n  // mine\n  "model": "x"\n}\n';
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, before);
    await run('Protect This Agent…');
    await workbench.pick('Claude Code');
    assert.match(await workbench.modalText(), /Let Claude Code ask the gate[\s\S]*settings\.json/);
    await workbench.picture('protect-agent');
    assert.equal(await readFile(file, 'utf8'), before, 'nothing is written before the yes');
    await workbench.pressModalButton('Install Hook');
    await until(async () =>
      assert.match(await readFile(file, 'utf8'), /\/\/ mine[\s\S]*--dialect claude --event PreToolUse/),
    );
    await editor.page.getByText('Claude Code: hooked').first().waitFor();
    // Somebody takes the hook out: the status bar says so without being asked, and installing it again mends it.
    await writeFile(file, before);
    const red = editor.page.locator('.statusbar-item[aria-label*="Claude Code: open: the hook does not hold"]').first();
    await red.waitFor();
    await run('Doctor');
    await workbench.pick('the own tools of Claude Code pass the gate by');
    await workbench.modalText();
    await workbench.pressModalButton('Install Hook');
    await red.waitFor({ state: 'detached' });
    await run('Protect This Agent…');
    await workbench.pick('Claude Code');
    await workbench.modalText();
    await workbench.pressModalButton('Remove Hook');
    await until(async () => assert.equal(await readFile(file, 'utf8'), before));
  });

  it('D.commands: “Add Channel…” asks for name and address, and writes both into the person’s own settings', async () => {
    const { workbench } = editor;
    const settings = join(editor.server.folder, 'user', 'User', 'settings.json');
    await run('Add Channel…');
    await workbench.answerInput('media');
    await workbench.answerInput('http://127.0.0.1:9/capabilities.json');
    await until(async () =>
      assert.match(
        await readFile(settings, 'utf8'),
        /"agentCapabilities\.channels": \{\s*"media": "http:\/\/127\.0\.0\.1:9\/capabilities\.json"\s*\}/,
      ),
    );
  });

  it('S3.api: the address and the token of the API are copied; a change that widens asks the person by modal', async () => {
    const { workbench } = editor;
    await run('Copy API Address and Token');
    const copied = await until(async () => {
      const text = await clipboard();
      assert.match(text, /^http:\/\/127\.0\.0\.1:\d+\/v1\nAuthorization: Bearer \S+\n$/);
      return text;
    });
    const [url = '', header = ''] = copied.trim().split('\n');
    const authorization = header.replace('Authorization: ', '');
    const api = async (method: string, path: string, body?: object): Promise<{ status: number; body: any }> => {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { authorization, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      return { status: response.status, body: await response.json() };
    };
    const listed = await api('GET', '/capabilities');
    assert.equal(listed.status, 200);
    assert.ok(listed.body.items.some((one: { id: string }) => one.id === 'file_system'));
    assert.equal((await fetch(`${url}/capabilities`)).status, 401, 'without the token there is nothing');

    const refused = api('POST', '/agents', { name: 'Mailer', capabilities: ['email'] });
    const text = await workbench.modalText();
    await workbench.picture('api-widening');
    assert.match(text, /Allow the API to create the profile "Mailer"\?/);
    assert.match(text, /send_email/);
    await workbench.pressModalButton('Cancel');
    assert.equal((await refused).status, 403);

    const allowed = api('POST', '/agents', { name: 'Mailer', capabilities: ['email'] });
    await workbench.modalText();
    await workbench.pressModalButton('Allow');
    const created = await allowed;
    assert.equal(created.status, 201);
    const { id } = created.body;
    const widened = api('PATCH', `/agents/${id}`, { capabilities: ['email', 'math'] });
    assert.match(await workbench.modalText(), /Allow the API to widen the profile "Mailer"\?/);
    await workbench.pressModalButton('Cancel');
    assert.equal((await widened).status, 403);
    assert.deepEqual(
      (await api('PATCH', `/agents/${id}`, { capabilities: [] })).body.capabilities,
      [],
      'less asks nobody',
    );
    assert.equal((await api('GET', `/agents/${id}`)).body.name, 'Mailer');
    assert.equal((await api('PATCH', `/agents/${id}`, { name: 'Letters' })).status, 200);
    assert.equal((await api('GET', `/agents/${id}`)).body.name, 'Letters');
  });
});
