import { strict as assert } from 'node:assert';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runCli, temporaryWorkspace } from '../../support/cli';
import { gateway } from '../../support/mcp/harness';
import { startServer } from '../../support/web';
import { itWithShared, readJson } from '../../support/shared';
import { deployWorkspace } from '../../support/deployWorkspace';

const folderOf = '.vscode/capabilities';

interface Vectors {
  capabilities: Record<string, unknown>;
  boundaries: { id: string }[];
  cases: {
    name: string;
    capability: string;
    boundaries: string[];
    states: Record<string, string>;
    expect: Record<string, string[] | string>;
  }[];
}

const sorted = (one: Record<string, string[] | string>) =>
  Object.fromEntries(
    Object.entries(one).map(([key, value]) => [key, Array.isArray(value) ? [...value].sort() : value]),
  );

describe('resolve on the command line', () => {
  itWithShared('vectors/resolver.json', 'S4.resolver: resolve prints what the vectors expect', async (file) => {
    const vectors = readJson(file) as Vectors;
    for (const one of vectors.cases) {
      const { folder, dispose } = temporaryWorkspace({
        [`${folderOf}/${one.capability}.capability.json`]: JSON.stringify(vectors.capabilities[one.capability]),
        [`${folderOf}/boundaries.json`]: JSON.stringify(
          vectors.boundaries.filter((rule) => one.boundaries.includes(rule.id)),
        ),
        'states.json': JSON.stringify(one.states),
      });
      const result = await runCli([
        'resolve',
        one.capability,
        '--workspace',
        folder,
        '--states',
        `${folder}/states.json`,
      ]);
      dispose();
      assert.equal(result.code, 0, result.errors);
      const { verdict, blocking, required_actions, warnings } = result.json();
      assert.deepEqual(sorted({ verdict, blocking, required_actions, warnings }), sorted(one.expect), one.name);
    }
  });

  it('S4.probes: resolve probes what is unknown and says what is red', async () => {
    const { folder, dispose } = deployWorkspace();
    const resolved = await runCli(['resolve', 'cap.deploy', '--workspace', folder]);
    const { errors } = resolved;
    const { verdict, blocking, required_actions } = resolved.json();
    assert.deepEqual(
      { verdict, blocking, required_actions },
      { verdict: 'no', blocking: ['env.region: red'], required_actions: [] },
    );
    assert.match(errors, /^env\.region: red, ./m);
    const unknown = await runCli(['resolve', 'cap.deplyo', '--workspace', folder]);
    assert.deepEqual([unknown.code, /did you mean `cap.deploy`/.test(unknown.errors)], [1, true]);
    const wrong = await runCli(['resolve', 'cap.deploy', '--workspace', folder, '--states', `${folder}/none.json`]);
    assert.equal(wrong.code, 2);
    dispose();
  });

  it('X7.admin: a probe on the command line does not see the hash of the admin token', async () => {
    const { folder, dispose } = deployWorkspace({
      [`${folderOf}/requirements.json`]: JSON.stringify([
        { id: 'file.key', kind: 'file', probe: { type: 'secret', name: 'agentCapabilities.adminTokenHash' } },
        { id: 'env.region', kind: 'file', probe: { type: 'file', path: 'token.txt' } },
      ]),
      'token.txt': 'a long token',
    });
    const state = ['--state-dir', path.join(folder, 'state')];
    const set = await runCli(['admin-token', 'set', ...state, '--admin-token-file', path.join(folder, 'token.txt')]);
    assert.equal(set.code, 0, set.errors);
    const { blocking } = (await runCli(['resolve', 'cap.deploy', '--workspace', folder, ...state])).json();
    assert.deepEqual(blocking, ['file.key: red']);
    dispose();
  });

  it('S4.probes: the states of a file are written as those of a row, and others are told which there are', async () => {
    const resolved = async (state: string) => {
      const states = JSON.stringify({ 'file.key': state, 'env.region': 'fresh' });
      const { folder, dispose } = deployWorkspace({ 'states.json': states });
      const result = await runCli([
        'resolve',
        'cap.deploy',
        '--workspace',
        folder,
        '--states',
        `${folder}/states.json`,
      ]);
      dispose();
      return result;
    };
    const verdicts = { fresh: 'yes', green: 'yes', good: 'yes', stale: 'yes-after-probe', red: 'no' };
    for (const [state, verdict] of Object.entries(verdicts))
      assert.equal((await resolved(state)).json().verdict, verdict, state);
    for (const state of ['blue', 'constructor']) {
      const { code, errors } = await resolved(state);
      assert.equal(code, 2);
      assert.match(errors, /must be fresh, green, good, red, stale, unknown \(got "/);
    }
  });

  it('S4.resolver: resolve names the secret of a definition, and the configuration that does not fit', async () => {
    const handler = {
      type: 'http',
      url: 'https://api.example/',
      headers: { authorization: 'Bearer ${secret:TOKEN_OF_TEST}' },
    };
    const { folder, dispose } = temporaryWorkspace({
      [`${folderOf}/shop.capability.json`]: JSON.stringify({
        id: 'shop',
        tools: [{ name: 'orders', description: 'x', handler, sideEffects: ['network.http'] }],
        configSchema: { type: 'object', properties: { limit: { type: 'integer' } } },
      }),
    });
    const resolve = async (environment: NodeJS.ProcessEnv, config: object = {}) => {
      const profiles = { p: { capabilities: [{ id: 'shop', config }] } };
      const set = ['--set', `profiles=${JSON.stringify(profiles)}`, '--profile', 'p'];
      const { json } = await runCli(['resolve', 'shop', '--yes', '--workspace', folder, ...set], environment);
      const { verdict, required_actions } = json();
      return [verdict, ...required_actions];
    };
    const secret = { AGENT_CAPABILITIES_SECRET_TOKEN_OF_TEST: 'x' };
    assert.deepEqual(await resolve({}), ['no', 'set-up:secret:TOKEN_OF_TEST']);
    assert.deepEqual(await resolve(secret), ['yes']);
    assert.deepEqual(await resolve(secret, { limit: 'many' }), ['no', 'set-up:configuration:shop']);
    dispose();
  });

  it('S3.research: a search goes to the endpoint of the settings with its key, and comes back by the gate', async () => {
    const server = await startServer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      const page = { url: 'https://a.example/', title: 'A', content: 'what was found' };
      response.end(JSON.stringify({ results: [page, { ...page, url: 'javascript:alert(1)' }] }));
    });
    const { folder, dispose } = temporaryWorkspace();
    const set = [
      'profiles={"p":{"capabilities":["research"]}}',
      `research.searchEndpoint="${server.url}/find?text={query}&most={count}"`,
      'network.allowedPrivateHosts=["127.0.0.1"]',
    ].flatMap((one) => ['--set', one]);
    const search = async (...more: readonly string[]) => {
      const at = ['call', 'web_search', '{"query":"a b&c","count":3}', '--profile', 'p', '--workspace', folder];
      return (await runCli([...at, ...set, ...more], { AGENT_CAPABILITIES_SECRET_SEARCH_KEY: 'key-of-search' })).json();
    };
    const found = await search();
    const rule = { id: 'no-search', match: { url: `${server.url}/**` }, decision: 'deny', reason: 'not from here' };
    const denied = await search('--set', `policy.boundaries=${JSON.stringify([rule])}`);
    dispose();
    await server.close();
    assert.deepEqual(found.payload, {
      results: [{ title: 'A', url: 'https://a.example/', snippet: 'what was found' }],
      count: 1,
    });
    assert.deepEqual([denied.success, denied.error?.code], [false, 'denied_by_policy']);
    assert.deepEqual(
      server.requests.map(({ path: at, headers }) => [at, headers.authorization]),
      [['/find?text=a%20b%26c&most=3', 'Bearer key-of-search']],
    );
  });

  it('S4.probes: a row that was found red denies the call by its name, and one that is good lets it through', async () => {
    const server = await startServer((_request, response) => response.end('{"sent":true}'));
    const call = async (state: string) => {
      const row = { id: 'key.shop', kind: 'key', last_probe: { state, at: new Date().toISOString() } };
      const tool = { name: 'order', description: 'x', handler: { type: 'http', url: `${server.url}/` } };
      const { folder, dispose } = temporaryWorkspace({
        [`${folderOf}/shop.capability.json`]: JSON.stringify({ id: 'shop', requires: ['key.shop'], tools: [tool] }),
        [`${folderOf}/requirements.json`]: JSON.stringify([row]),
      });
      const set = ['profiles={"p":{"capabilities":["shop"]}}', 'network.allowedPrivateHosts=["127.0.0.1"]'];
      const more = set.flatMap((one) => ['--set', one]);
      const result = await runCli(['call', 'order', '{}', '--profile', 'p', '--yes', '--workspace', folder, ...more]);
      dispose();
      return result.json();
    };
    const red = await call('red');
    assert.deepEqual([red.success, red.error?.code, server.requests.length], [false, 'requirement_failed', 0]);
    assert.match(red.error.message, /key\.shop: red/);
    assert.deepEqual([(await call('green')).success, server.requests.length], [true, 1]);
    await server.close();
  });

  it('S4.capability: a capability whose file cannot be read is told with the fault of the file', async () => {
    const { folder, dispose } = deployWorkspace({ [`${folderOf}/cap.broken.capability.json`]: '{ "id": "cap.broken"' });
    const { code, errors } = await runCli(['resolve', 'cap.broken', '--workspace', folder]);
    dispose();
    assert.equal(code, 1);
    assert.match(errors, /no capability is called `cap\.broken`/);
    assert.match(errors, /cap\.broken\.capability\.json:1:\d+: error: not valid JSON/);
  });

  it('what waits for an approval is told with the file and with what approves it here', async () => {
    const { folder, dispose } = deployWorkspace({
      [`${folderOf}/own.capability.json`]: JSON.stringify({ id: 'own', dependsOn: ['math'], tools: [] }),
      [`${folderOf}/requirements.json`]: JSON.stringify([
        { id: 'file.key', probe: { type: 'command', command: 'node', args: ['--version'] } },
        { id: 'env.region', probe: { type: 'env', name: 'AC_TEST_REGION_NOT_SET' } },
      ]),
      '.vscode/settings.json': JSON.stringify({
        'agentCapabilities.mcp.servers': { theirs: { command: 'node', args: ['server.js'] } },
      }),
    });
    const list = await runCli(['list', '--workspace', folder]);
    assert.match(list.errors, /own\.capability\.json:1:\d+: warning: `dependsOn` is not a known property/);
    assert.match(list.errors, /own\.capability\.json.*: `own` waits for your approval.*; here `--yes` approves it/);
    for (const command of ['call', 'why']) {
      const { errors } = await runCli([command, 'mcp:theirs:read', '{}', '--workspace', folder]);
      assert.match(
        errors,
        /server `theirs`: not approved: it comes from the workspace and acts once you approve it; here `--yes`/,
      );
    }
    const { errors } = await runCli(['resolve', 'cap.deploy', '--workspace', folder]);
    assert.match(errors, /the probe of `file.key` runs a program and has to be approved once; here `--yes`/);
    dispose();
  });

  it('S3.composition, S3.versioning, S4.resolver: resolve says no where a definition cannot be loaded, and why', async () => {
    const definition = (id: string, more: object): Record<string, string> => ({
      [`${folderOf}/${id}.capability.json`]: JSON.stringify({
        id,
        tools: [{ name: `${id}_sum`, description: 'Adds.', handler: { type: 'tool', tool: 'add' } }],
        ...more,
      }),
    });
    const { folder, dispose } = temporaryWorkspace({
      ...definition('good', { dependencies: { math: '^1.0.0' } }),
      ...definition('newer', { dependencies: { math: '^2.0.0' } }),
      ...definition('lonely', { dependencies: ['nowhere'] }),
      ...definition('one', { dependencies: ['other'] }),
      ...definition('other', { dependencies: ['one'] }),
      ...definition('unnumbered', { version: 'one.two' }),
    });
    const resolve = async (id: string): Promise<string> => {
      const { json } = await runCli(['resolve', id, '--workspace', folder]);
      const { verdict, blocking, required_actions } = json();
      return [verdict, ...blocking, ...required_actions].join(' | ');
    };
    try {
      // What only waits for its approval is not broken.
      assert.equal(await resolve('good'), 'yes');
      assert.equal(
        await resolve('newer'),
        'no | definition:newer: `newer` needs `math` ^2.0.0, but its version is 1.0.0 | set-up:definition:newer',
      );
      assert.match(await resolve('lonely'), /^no \| definition:lonely: `lonely` needs `nowhere`, which is not a cap/);
      for (const id of ['one', 'other']) assert.match(await resolve(id), /^no \| definition:/);
      assert.match(await resolve('unnumbered'), /^no \| definition:unnumbered: `version` must be a semantic version/);
    } finally {
      dispose();
    }
  });

  it('S4.probes: what was noted as red and has no probe stays red within its budget; with one it is probed again', async () => {
    const at = new Date(Date.now() - 3 * 3_600_000).toISOString();
    const row = { id: 'key.li_token', kind: 'key', last_probe: { state: 'red', at } };
    const verdict = async (more: object): Promise<readonly string[]> => {
      const { folder, dispose } = temporaryWorkspace({
        [`${folderOf}/cap.publish.linkedin_post.capability.json`]: JSON.stringify({
          id: 'cap.publish.linkedin_post',
          requires: { resources: ['key.li_token'] },
        }),
        [`${folderOf}/requirements.json`]: JSON.stringify([{ ...row, ...more }]),
      });
      const { json } = await runCli(['resolve', 'cap.publish.linkedin_post', '--workspace', folder]);
      dispose();
      const answer = json();
      return [answer.verdict, ...answer.blocking, ...answer.warnings];
    };
    assert.deepEqual(await verdict({}), ['no', 'key.li_token: red']);
    assert.deepEqual(await verdict({ freshness_budget_hours: 1 }), ['yes-after-probe', 'key.li_token: stale']);
    assert.deepEqual(await verdict({ probe: { type: 'file', path: 'there-is-none' } }), ['no', 'key.li_token: red']);
    const stated = { probe: { type: 'file', path: '.vscode/capabilities/requirements.json' } };
    assert.deepEqual(await verdict(stated), ['yes'], 'somebody mended it since');
  });

  it('S4.resolver: resolve says which file it could not read, because a rule may stand in it', async () => {
    const { folder, dispose } = deployWorkspace({ [`${folderOf}/boundaries.json`]: '[{' });
    const { code, errors } = await runCli(['resolve', 'cap.deploy', '--workspace', folder]);
    assert.equal(code, 0);
    assert.match(errors, /boundaries\.json:1:3: error: not valid JSON/);
    dispose();
  });
});

describe('S1.policy: rules that change while the system runs', () => {
  it('S1.policy: judge the next call and the next question about it, whoever wrote them', async () => {
    const g = await gateway({ files: { 'a.txt': 'hello' } });
    const file = path.join(g.folder, folderOf, 'boundaries.json');
    const read = async (): Promise<string> => {
      const [result, preview] = await Promise.all([
        g.call('read_file', { path: 'a.txt' }),
        g.core.gate.router.preview({
          tool: 'read_file',
          input: { path: 'a.txt' },
          actor: { type: 'agent', id: 'test' },
          surface: 'mcp',
        }),
      ]);
      return `${result.success ? 'pass' : result.error.code} ${preview.effect}`;
    };
    const rule = (glob: string) =>
      JSON.stringify([{ id: 'closed', match: { path: glob }, decision: 'deny', reason: 'the test closes it' }]);
    const seen = [await read()];
    await mkdir(path.dirname(file), { recursive: true });
    for (const glob of ['b.txt', 'a.txt', '**/*.txt']) {
      await writeFile(file, rule(glob));
      seen.push(await read());
    }
    await writeFile(file, '[');
    seen.push(await read());
    await rm(file);
    seen.push(await read());
    await g.close();
    assert.deepEqual(seen, [
      'pass pass',
      'pass pass',
      'denied_by_policy deny',
      'denied_by_policy deny',
      // A damaged file keeps the rules that it held.
      'denied_by_policy deny',
      'pass pass',
    ]);
  });
});
