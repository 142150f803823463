import { strict as assert } from 'node:assert';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { served } from '../../support/mcp/harness';
import { runCli, temporaryWorkspace } from '../../support/cli';

const rule = (more: object): string =>
  JSON.stringify([{ id: 'own', match: { path: 'docs/**' }, reason: 'docs are written by people', ...more }]);

const write = (file: string): string => JSON.stringify({ path: file, content: 'x' });

describe('what was said before a command', () => {
  let workspace: ReturnType<typeof temporaryWorkspace>;
  const boundaries = '.vscode/capabilities/boundaries.json';
  const at = (name: string): string => path.join(workspace.folder, '..', `${path.basename(workspace.folder)}-${name}`);
  const open = (files: Record<string, string>): void => {
    workspace = temporaryWorkspace({ 'docs/a.md': 'a', ...files });
  };
  afterEach(() => {
    workspace.dispose();
    for (const name of ['state', 'token', 'other', 'plan', 'frozen'])
      rmSync(at(name), { recursive: true, force: true });
  });
  // What changes is kept below the user's own folder: without one a warning says that it cannot be taken back.
  const cli = (...args: readonly string[]) =>
    runCli([...args, '--workspace', workspace.folder], { XDG_STATE_HOME: at('state') });
  const call = (file: string, ...more: readonly string[]) => cli('call', 'write_file', write(file), ...more);

  it('S1.policy: what a rule advises reaches whoever calls, and a rule on trial does not', async () => {
    open({ [boundaries]: rule({ decision: 'advise' }) });
    const advised = (await call('docs/b.md', '--yes')).json();
    assert.equal(advised.success, true);
    assert.deepEqual(
      advised.warnings.map((one: string) => one.includes('docs are written by people')),
      [true],
    );
    assert.match((await call('docs/c.md', '--yes', '--text')).text, /\[warning: .*docs are written by people/);
    const elsewhere = (await call('src/b.md', '--yes')).json();
    assert.equal(elsewhere.warnings, undefined);
    // Met while running counts as well.
    const met = (await cli('call', 'grep_files', '{"pattern":"a"}')).json();
    assert.match(met.warnings.join(), /docs are written by people/);
    writeFileSync(path.join(workspace.folder, boundaries), rule({ decision: 'advise', severity: 'soft' }));
    assert.equal((await call('docs/d.md', '--yes')).json().warnings, undefined);
  });

  it('S1.policy: the admin token allows on the command line what needs it, and a wrong one nothing', async () => {
    open({ 'docs/b.md': 'b', 'docs/c.md': 'c' });
    const remove = (file: string, ...more: readonly string[]) =>
      cli('call', 'delete_file', JSON.stringify({ path: file }), '--set', 'policy.adminApproval=high', ...more);
    const [state, token, other] = [at('state'), at('token'), at('other')];
    writeFileSync(token, 'correct horse battery\n');
    writeFileSync(other, 'something else entirely\n');
    const denied = (await remove('docs/b.md', '--yes')).json();
    assert.equal(denied.error.code, 'approval_unavailable');
    assert.match(denied.error.message, /`--admin-token-file`.*`admin-token set`/);
    const unset = await remove('docs/b.md', '--yes', '--state-dir', state, '--admin-token-file', token);
    assert.deepEqual([unset.code, /`admin-token set`/.test(unset.errors)], [2, true]);
    const set = ['admin-token', 'set', '--state-dir', state, '--admin-token-file'];
    assert.equal((await runCli([...set, token])).code, 0);
    assert.ok(!readFileSync(path.join(state, 'state.json'), 'utf8').includes('horse'));
    // Whoever changes it has to have it.
    assert.equal((await runCli([...set, other])).code, 1);
    const wrong = await remove('docs/b.md', '--yes', '--state-dir', state, '--admin-token-file', other);
    assert.deepEqual([wrong.code, /not the one that is set/.test(wrong.errors)], [2, true]);
    const right = await remove('docs/b.md', '--yes', '--state-dir', state, '--admin-token-file', token);
    assert.equal(right.json().success, true, right.text);
    // The token says who it is, not that they agree.
    const asked = (await remove('docs/c.md', '--state-dir', state, '--admin-token-file', token)).json();
    assert.match(asked.error.message, /`--yes` allows it/);
    // Nobody but the command touches what it was given.
    const read = (
      await cli('call', 'read_file', JSON.stringify({ path: token }), '--admin-token-file', token, '--state-dir', state)
    ).json();
    assert.equal(read.success, false);
  });

  it('S1.policy: `serve` with the admin token asks its client, and without it denies', async () => {
    open({});
    const [state, token] = [at('state'), at('token')];
    writeFileSync(token, 'correct horse battery\n');
    await runCli(['admin-token', 'set', '--state-dir', state, '--admin-token-file', token]);
    for (const [args, expected] of [
      [['--state-dir', state, '--admin-token-file', token], undefined],
      [[], /`--admin-token-file`/],
    ] as const) {
      const server = await served({
        files: { 'a.md': 'a' },
        args,
        set: { 'policy.adminApproval': 'high' },
        answer: () => ({ action: 'accept', content: { decision: 'allow_once' } }),
      });
      const { isError, content } = await server.call('delete_file', { path: 'a.md' });
      assert.equal(isError ?? false, expected !== undefined, content[0].text);
      if (expected) assert.match(content[0].text, expected);
      assert.equal(server.questions.length, expected ? 0 : 1);
      await server.close();
    }
  });

  it('S1.spec-freeze: `serve --plan` holds its client to the frozen plan', async () => {
    open({});
    const [plan, frozen] = [at('plan'), at('frozen')];
    writeFileSync(plan, '[{"tool":"write_file","arguments":{"path":"a.md","content":{"exists":true}}}]');
    await cli('plan', 'freeze', plan, '--approve', '--out', frozen);
    const server = await served({ args: ['--plan', frozen] });
    assert.match(
      (await server.call('write_file', { path: 'b.md', content: 'x' })).content[0].text,
      /not in the frozen plan/,
    );
    assert.equal((await server.call('write_file', { path: 'a.md', content: 'x' })).isError ?? false, false);
    await server.close();
  });

  it('S1.spec-freeze: a plan is frozen and followed on the command line, and none that was changed', async () => {
    open({});
    const [plan, frozen, state] = [at('plan'), at('frozen'), at('state')];
    const frozenSpec = ['--set', 'policy.requireFrozenSpec=high'];
    writeFileSync(
      plan,
      JSON.stringify({
        title: 'docs',
        calls: [{ tool: 'write_file', arguments: { path: { glob: 'docs/**' }, content: { exists: true } } }],
      }),
    );
    const unfrozen = await call('docs/b.md', '--plan', plan);
    assert.deepEqual([unfrozen.code, /`plan freeze`/.test(unfrozen.errors)], [2, true]);
    assert.equal((await cli('plan', 'freeze', plan, '--approve', '--out', frozen)).code, 0);
    const keep = ['--plan', frozen, '--state-dir', state];
    const outside = (await call('src/b.md', '--yes', ...keep, ...frozenSpec)).json();
    assert.equal(outside.error.code, 'outside_plan');
    assert.match(outside.error.message, /allowed instead: .*docs/);
    // It was approved as a batch: no question, and each line once.
    assert.equal((await call('docs/b.md', ...keep)).json().success, true);
    const used = (await call('docs/c.md', '--yes', ...keep)).json();
    assert.match(used.error.message, /nothing is left in the plan/);
    const free = (await call('src/b.md', '--yes', '--state-dir', state)).json();
    assert.equal(free.success, true, 'only who names the plan is held to it');
    const { effect } = (await cli('why', 'write_file', write('docs/d.md'), '--plan', frozen)).json();
    assert.equal(effect, 'pass');
    writeFileSync(frozen, readFileSync(frozen, 'utf8').replace('docs/**', '**'));
    const changed = await call('src/b.md', '--yes', '--plan', frozen);
    assert.deepEqual([changed.code, /not those that were frozen/.test(changed.errors)], [2, true]);
    writeFileSync(plan, '[{"tool":"wirte_file"}]');
    const unknown = await cli('plan', 'freeze', plan);
    assert.deepEqual([unknown.code, /did you mean `write_file`/.test(unknown.errors)], [1, true]);
  });
});
