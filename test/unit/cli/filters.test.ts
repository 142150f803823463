import { strict as assert } from 'node:assert';
import { runCli, temporaryWorkspace } from '../../support/cli';

describe('filters on the command line and of list_capabilities', () => {
  const profile = { p: { capabilities: ['capabilities', 'file_system', 'web_fetch', 'http', 'math'] } };
  const listed = async (...filter: string[]): Promise<any[]> => {
    const { folder, dispose } = temporaryWorkspace();
    const at = ['--json', '--workspace', folder, '--set', `profiles=${JSON.stringify(profile)}`, '--profile', 'p'];
    const result = await runCli(['list', ...filter, ...at]);
    dispose();
    assert.equal(result.code, 0, result.errors);
    return result.json().capabilities.flatMap((one: { tools: unknown[] }) => one.tools);
  };

  it('S0.filter S1.filters: by risk at most, without side effects, by permission, source, kind and state', async () => {
    const all = await listed();
    const names = (tools: any[]): string[] => tools.map((one) => one.name);
    const expected = (test: (one: any) => boolean): string[] => names(all.filter(test));
    const safe = expected((one) => one.riskLevel === 'low' || one.riskLevel === 'medium');
    assert.ok(safe.length > 0 && safe.length < all.length);
    assert.deepEqual(names(await listed('risk:<=medium')), safe);
    // As the documents of the registry write it.
    assert.deepEqual(names(await listed('risk_level_max:MED')), safe);
    assert.deepEqual(names(await listed('risk_level_max=MED')), safe);
    assert.deepEqual(names(await listed('filter.risk_level_max: medium')), safe);
    assert.deepEqual(names(await listed('risk:', '<=medium')), safe);
    const writes = (one: any): boolean => one.sideEffects.includes('fs.write') || one.sideEffects.includes('fs.delete');
    assert.deepEqual(
      names(await listed('-effect:fs.write,fs.delete')),
      expected((one) => !writes(one)),
    );
    assert.deepEqual(
      names(await listed('exclude_side_effects:fs.write,fs.delete')),
      expected((one) => !writes(one)),
    );
    assert.deepEqual(
      names(await listed('exclude_side_effects=fs.write,fs.delete')),
      expected((one) => !writes(one)),
    );
    for (const spelled of ['permissions:http:read', 'filter.permissions: http:read', 'permissions=http:read'])
      assert.deepEqual(names(await listed(spelled, 'is:on')), ['web_fetch', 'http_get'], spelled);
    assert.deepEqual(names(await listed('kind:data', 'source:builtin', 'http', 'is:on')), ['web_fetch', 'http_get']);
  });

  it('S1.filters: by id, by what ids begin with, and by the names of the documents', async () => {
    const names = async (...filter: string[]) => (await listed(...filter)).map((one) => one.name);
    const files = await names('source:builtin', 'cap:file_system');
    assert.ok(files.length > 5 && files.includes('read_file') && !files.includes('http_get'));
    assert.deepEqual(await names('cap:file_system:read_file'), ['read_file']);
    assert.deepEqual(
      await names('cap:file_system', '-cap:file_system:read_file'),
      files.filter((one) => one !== 'read_file'),
    );
    assert.deepEqual(await names('ext:tools.postman:get'), []);
    assert.deepEqual(await names('http-get'), ['http_get']);
    assert.deepEqual(await names('file-read'), ['read_file']);
  });

  it('S1.modes: in plan mode the list says what is refused', async () => {
    const { folder, dispose } = temporaryWorkspace();
    try {
      const plan = { p: { mode: 'plan', capabilities: ['file_system', 'http', 'math'] } };
      const at = ['--workspace', folder, '--set', `profiles=${JSON.stringify(plan)}`, '--profile', 'p'];
      const { text } = await runCli(['list', ...at]);
      const line = (name: string) => text.split('\n').find((one) => one.includes(`] ${name} `)) ?? '';
      assert.match(line('write_file'), /medium · refused in plan mode$/);
      assert.match(line('http_request'), /high · only reads in plan mode$/);
      assert.match(line('read_file'), /low · allowed for agents$/);
      assert.match(line('send_email'), /high · confirmation_required for agents$/);
    } finally {
      dispose();
    }
  });

  it('S0.filter: the head of a filtered list says so; an unknown profile is answered with the nearest', async () => {
    const { folder, dispose } = temporaryWorkspace();
    try {
      const head = async (...words: readonly string[]) =>
        (await runCli(['list', ...words, '--workspace', folder])).text.split('\n')[0];
      assert.match((await head('risk:high')) ?? '', / tools for agents · filtered by `risk:high`: \d+ shown$/);
      assert.match((await head()) ?? '', / tools for agents$/);
      const { code, errors } = await runCli(['list', '--profile', 'defalt', '--workspace', folder]);
      assert.equal(code, 2);
      assert.match(errors, /no profile `defalt`.*did you mean `default`/);
      const unread = await runCli(['list', '--profile', 'w', '--set', 'profiles=[{"id":"w"}]', '--workspace', folder]);
      assert.match(unread.errors, /no profile `w`.*\n.*`agentCapabilities.profiles` must be object \(got array\)/);
    } finally {
      dispose();
    }
  });

  it('S1.filters: what a filter cannot mean is said, with what it can', async () => {
    for (const [filter, said] of [
      ['risc:low', /did you mean `risk`.*risk:<=medium/s],
      ['risk:huge', /`risk:` must be one of low, medium, high, critical/],
      ['kind:thing', /must be one of data, state/],
    ] as const) {
      const result = await runCli(['list', filter]);
      assert.equal(result.code, 2);
      assert.match(result.errors, said);
    }
  });

  it('S0.filter: list_capabilities takes the same filter', async () => {
    const { folder, dispose } = temporaryWorkspace();
    const at = ['--workspace', folder, '--set', `profiles=${JSON.stringify(profile)}`, '--profile', 'p'];
    const call = async (filter: string) =>
      (await runCli(['call', 'list_capabilities', JSON.stringify({ filter }), ...at])).json();
    const { payload } = await call('scope:file:write risk:>=medium');
    const tools = payload.capabilities.flatMap((one: { tools: { name: string }[] }) => one.tools);
    assert.ok(tools.length > 0 && tools.every(({ name }: { name: string }) => /delete|move|write|edit/.test(name)));
    assert.equal((await call('risk:huge')).error.code, 'invalid_input');
    dispose();
  });
});
