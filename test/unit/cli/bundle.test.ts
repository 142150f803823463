import { strict as assert } from 'node:assert';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { payloadOf, signer } from '../../support/bundles';
import { runCli, temporaryWorkspace } from '../../support/cli';

const rules = [{ id: 'no-keys', match: { accessAny: ['fs.*'], path: 'keys/**' }, decision: 'deny', reason: 'keys' }];
const definition = JSON.stringify({ id: 'deploy', name: 'Deploy', tools: [] });

function workspace() {
  const made = temporaryWorkspace({
    '.vscode/capabilities/boundaries.json': JSON.stringify(rules),
    '.vscode/capabilities/deploy.capability.json': definition,
    '.vscode/settings.json': JSON.stringify({ 'agentCapabilities.limits': { all: '9 per 1m' }, 'editor.tabSize': 2 }),
  });
  return { ...made, at: (name: string) => path.join(made.folder, name) };
}

const make = (folder: string, revision: number, out: string) =>
  runCli(['bundle', 'make', '--workspace', folder, '--name', 'acme', '--revision', String(revision), '--out', out]);

describe('bundle', () => {
  it('D.bundles: a bundle is made of a workspace, signed, verified and shown; another file or key is refused', async () => {
    const { at, folder, dispose } = workspace();
    try {
      const key = await runCli(['bundle', 'key', '--out', at('private.pem')]);
      assert.match(key.text, /^ed25519:[A-Za-z0-9+/]{43}=$/);
      if (process.platform !== 'win32') assert.equal(statSync(at('private.pem')).mode & 0o777, 0o600);
      assert.equal((await runCli(['bundle', 'key', '--out', at('private.pem')])).code, 2, 'a key is never replaced');
      const other = await runCli(['bundle', 'key', '--out', at('other.pem')]);

      assert.equal((await make(folder, 1, at('one.json'))).code, 0);
      const payload = JSON.parse(readFileSync(at('one.json'), 'utf8'));
      assert.deepEqual(payload.settings, { limits: { all: '9 per 1m' }, 'policy.boundaries': rules });
      assert.equal(payload.definitions['deploy.capability.json'].text, definition);

      const sign = (from: string, to: string) =>
        runCli(['bundle', 'sign', at(from), '--key', at('private.pem'), '--out', at(to)]);
      assert.equal((await sign('one.json', 'one.bundle')).code, 0);
      const verify = (file: string, ...more: readonly string[]) =>
        runCli(['bundle', 'verify', at(file), '--public-key', key.text, ...more]);
      assert.match((await verify('one.bundle')).text, /^good: acme, revision 1, good until /);
      assert.equal((await verify('one.bundle', '--name', 'else')).code, 1);
      assert.equal((await runCli(['bundle', 'verify', at('one.bundle'), '--public-key', other.text])).code, 1);
      assert.equal((await runCli(['bundle', 'verify', at('one.bundle')])).code, 2, 'nothing is verified without a key');

      await make(folder, 2, at('two.json'));
      await sign('two.json', 'two.bundle');
      assert.equal((await verify('two.bundle', '--after', at('one.bundle'))).code, 0);
      const older = await verify('one.bundle', '--after', at('two.bundle'));
      assert.equal(older.code, 1);
      assert.match(older.errors, /its revision 1 is older than 2/);

      const shown = await runCli(['bundle', 'show', at('one.bundle'), '--public-key', key.text]);
      assert.match(
        shown.text,
        /signature good[^]*setting policy\.boundaries: .*no-keys[^]*definition deploy\.capability/,
      );
      assert.match((await runCli(['bundle', 'show', at('one.json')])).errors, /not signed: nothing vouches/);
    } finally {
      dispose();
    }
  });

  it('D.bundles: a command that names a bundle keeps to it, and to the one that it kept once the file is gone', async () => {
    const { at, folder, dispose } = workspace();
    const mine = signer();
    const environment = { XDG_STATE_HOME: at('state'), HOME: at('state'), LOCALAPPDATA: at('state') };
    try {
      const rule = { id: 'no-docs', match: { accessAny: ['fs.*'], path: 'docs/**' }, decision: 'deny', reason: 'ours' };
      writeFileSync(at('team.bundle'), mine.seal(payloadOf({ settings: { 'policy.boundaries': [rule] } })));
      const named = { acme: { from: 'team.bundle', key: mine.text } };
      const why = (set = JSON.stringify(named)) =>
        runCli(
          ['why', 'read_file', '{"path":"docs/a.md"}', '--workspace', folder, '--set', `policy.bundles=${set}`],
          environment,
        );
      assert.match((await why()).text, /"effect": "deny"[^]*no-docs/);
      rmSync(at('team.bundle'));
      assert.match((await why()).text, /"effect": "deny"[^]*no-docs/);
      assert.doesNotMatch((await why('{}')).text, /no-docs/);
      writeFileSync(at('team.bundle'), signer().seal(payloadOf({ revision: 9, settings: {} })));
      assert.match((await why()).text, /"effect": "deny"[^]*no-docs/);
      const validate = ['validate', '--workspace', folder, '--set', `policy.bundles=${JSON.stringify(named)}`];
      assert.match((await runCli(validate, environment)).text, /signed with another key.*revision 2 stays in force/);
    } finally {
      dispose();
    }
  });

  it('D.bundles: why a call was denied is answered from the record and the bundle alone', async () => {
    const { at, folder, dispose } = workspace();
    const mine = signer();
    const environment = { XDG_STATE_HOME: at('state'), HOME: at('state'), LOCALAPPDATA: at('state') };
    try {
      const rule = { id: 'no-docs', match: { accessAny: ['fs.*'], path: 'docs/**' }, decision: 'deny', reason: 'ours' };
      const same = { ...rule, match: { accessAny: ['network.*'] }, reason: 'of the same id' };
      const settings = { 'policy.boundaries': [same, rule] };
      writeFileSync(at('team.bundle'), mine.seal(payloadOf({ settings, servers: {}, definitions: {} })));
      const set = `policy.bundles=${JSON.stringify({ acme: { from: 'team.bundle', key: mine.text } })}`;
      const call = ['call', 'read_file', '{"path":"docs/a.md"}', '--workspace', folder, '--set', set];
      assert.equal((await runCli([...call, '--audit-dir', at('log')], environment)).code, 1);
      const written = (await runCli(['audit', 'query', at('log'), '--json'])).text;
      const id = /"gen_ai\.tool\.call\.id":\s*"([^"]+)"/.exec(written)?.[1] ?? '';
      const why = (file: string, key = mine.text) =>
        runCli(['audit', 'why', at('log'), '--call', id, '--bundle', at(file), '--public-key', key]);
      // Nothing else is left of that day.
      rmSync(at('.vscode'), { recursive: true });
      const told = await why('team.bundle');
      assert.equal(told.code, 0, told.errors);
      assert.match(
        told.text,
        /read_file by agent at .*denied[^]*boundaries: deny\n.*no-docs[^]*bundle acme 2 [^]*rule no-docs: \{.*docs\/\*\*/,
      );
      assert.match(told.text, /rule no-docs: \{.*network\.\*/, 'both hold, so both are told');
      writeFileSync(at('next.bundle'), mine.seal(payloadOf({ revision: 3, settings, servers: {}, definitions: {} })));
      const other = await why('next.bundle');
      assert.equal(other.code, 1);
      assert.match(other.errors, /the record names acme 2 .*, not acme 3/);
      assert.equal((await why('team.bundle', signer().text)).code, 1);
      assert.equal((await runCli(['audit', 'why', at('log'), '--call', 'none'])).code, 1);
    } finally {
      dispose();
    }
  });

  it('D.bundles: a payload with a mistake in its rules is not signed', async () => {
    const { at, folder, dispose } = workspace();
    try {
      await runCli(['bundle', 'key', '--out', at('private.pem')]);
      await make(folder, 1, at('one.json'));
      const text = readFileSync(at('one.json'), 'utf8').replace('"deny"', '"denny"');
      writeFileSync(at('one.json'), text);
      const signed = await runCli(['bundle', 'sign', at('one.json'), '--key', at('private.pem')]);
      assert.equal(signed.code, 1);
      assert.equal(signed.text, '');
      assert.match(signed.errors, /no-keys.*decision.*must be one of deny/);
    } finally {
      dispose();
    }
  });
});
