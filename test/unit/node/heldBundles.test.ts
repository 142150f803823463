import { strict as assert } from 'node:assert';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DisposableStore } from '../../../src/core/base/lifecycle';
import type { HttpClient } from '../../../src/core/ports/http';
import type { Clock } from '../../../src/core/ports/platform';
import { readSettings } from '../../../src/core/settings/readSettings';
import type { SettingsLayers } from '../../../src/core/settings/settings';
import { HeldBundles } from '../../../src/node/bundles/heldBundles';
import { BoundarySources } from '../../../src/core/policy/rules/policySources';
import { nodeCrypto, systemClock } from '../../../src/node/system';
import { payloadOf, signer } from '../../support/bundles';
import { temporaryWorkspace } from '../../support/cli';

const mine = signer();
const day = 86_400_000;
const start = Date.parse('2026-06-01T00:00:00Z');

/** A server that gives what it is told to, and a clock that stands still. */
function world() {
  const { folder, dispose: remove } = temporaryWorkspace();
  const store = new DisposableStore();
  const dispose = (): void => {
    store.dispose();
    remove();
  };
  const at = { now: start };
  const server: { body: Uint8Array | undefined; asked: number } = { body: undefined, asked: 0 };
  const http: HttpClient = {
    send: async ({ url }) => {
      server.asked++;
      if (!server.body) throw new Error('no route to host');
      return { url, status: 200, headers: {}, body: server.body };
    },
  };
  const open = (
    clock: Partial<Clock> = {},
    onError: (message: string) => void = (message) => assert.fail(message),
  ): HeldBundles =>
    store.add(
      new HeldBundles({
        folder: path.join(folder, 'state'),
        workspace: () => folder,
        http,
        clock: { ...systemClock, now: () => at.now, ...clock },
        onError,
      }),
    );
  return { folder, dispose, at, server, open };
}

function layersOf(entry: object, more: Partial<SettingsLayers> = {}): SettingsLayers {
  const user = { 'policy.bundles': { acme: { key: mine.text, ...entry } } };
  return { managed: {}, user, workspace: {}, ...more };
}

const remote = layersOf({ from: 'https://policy.example/acme.bundle' });
const ids = (layers: SettingsLayers): readonly string[] =>
  new BoundarySources()
    .gather(readSettings(layers), [])
    .boundaries.filter(({ scope }) => scope === 'bundle')
    .map(({ id }) => id);
const codes = (layers: SettingsLayers): readonly string[] => readSettings(layers).problems.map(({ code }) => code);

describe('bundles that are held', () => {
  it('D.bundles: one from an address is fetched, holds offline and in the next process, and no older one comes after it', async () => {
    const { at, dispose, open, server } = world();
    const first = open();
    assert.deepEqual(ids(first.apply(remote)), ['bundle acme'], 'before it is there every call asks');
    server.body = mine.seal(payloadOf());
    await first.ask();
    assert.deepEqual(ids(first.apply(remote)), ['no-keys']);
    await first.ask();
    assert.equal(server.asked, 1, 'asked once an hour');

    const next = open();
    server.body = undefined;
    assert.deepEqual(ids(next.apply(remote)), ['no-keys'], 'before anything was fetched');
    await next.ask();
    assert.deepEqual(ids(next.apply(remote)), ['no-keys']);
    assert.deepEqual(codes(next.apply(remote)), ['bundle_stays']);

    for (const attack of [
      mine.seal(payloadOf({ revision: 1, settings: {} })),
      mine.seal(payloadOf({ settings: {} })),
      signer().seal(payloadOf({ revision: 9, settings: {} })),
      new TextEncoder().encode(JSON.stringify(payloadOf({ revision: 9, settings: {} }))),
    ]) {
      at.now += day;
      server.body = attack;
      await next.ask();
      assert.deepEqual(ids(next.apply(remote)), ['no-keys']);
      assert.deepEqual(codes(next.apply(remote)), ['bundle_stays']);
    }
    at.now += day;
    server.body = mine.seal(payloadOf({ revision: 3, settings: {} }));
    await next.ask();
    assert.deepEqual(ids(next.apply(remote)), []);
    assert.deepEqual(codes(next.apply(remote)), []);
    dispose();
  });

  it('D.bundles: its expiry is said a week before; afterwards it still tightens', async () => {
    const { at, dispose, open, server } = world();
    server.body = mine.seal(payloadOf({ expires: '2026-06-30T00:00:00Z' }));
    const held = open();
    held.apply(remote);
    await held.ask();
    assert.deepEqual(codes(held.apply(remote)), []);
    at.now = Date.parse('2026-06-23T00:00:00Z');
    assert.deepEqual(codes(held.apply(remote)), ['bundle_expires']);
    at.now = Date.parse('2026-06-30T00:00:00Z');
    assert.deepEqual(codes(held.apply(remote)), ['bundle_expired']);
    assert.deepEqual(ids(held.apply(remote)), ['no-keys']);
    dispose();
  });

  it('D.bundles: a file that changed holds for the next call', () => {
    const { dispose, folder, open } = world();
    const file = path.join(folder, 'acme.bundle');
    const [first, second] = [payloadOf(), payloadOf({ revision: 3, settings: {} })].map((one) => mine.seal(one));
    assert.ok(first && second);
    writeFileSync(file, first);
    const held = open();
    const local = layersOf({ from: file });
    let told = 0;
    const listening = held.onDidChange(() => told++);
    assert.deepEqual(ids(held.apply(local)), ['no-keys']);
    held.lookAgain();
    assert.equal(told, 0, 'nothing changed');
    writeFileSync(file, second);
    held.lookAgain();
    assert.equal(told, 1);
    assert.deepEqual(ids(held.apply(local)), []);
    held.lookAgain();
    assert.equal(told, 1);
    listening.dispose();
    dispose();
  });

  it('D.bundles: a file of the repository counts within the workspace alone; what is kept cannot be exchanged', () => {
    const { dispose, folder, open } = world();
    writeFileSync(path.join(folder, 'acme.bundle'), mine.seal(payloadOf()));
    const held = open();
    const local = layersOf({ from: 'acme.bundle' });
    assert.deepEqual(ids(held.apply(local)), ['no-keys']);
    rmSync(path.join(folder, 'acme.bundle'));
    assert.deepEqual(ids(held.apply(local)), ['no-keys'], 'a file that was deleted frees nobody');
    const kept = path.join(folder, 'state', `acme.${nodeCrypto.sha256(mine.publicKey.bytes).slice(0, 32)}.bundle`);
    writeFileSync(kept, signer().seal(payloadOf({ settings: {} })));
    assert.deepEqual(ids(held.apply(local)), ['bundle acme'], 'every call asks until it is mended');
    for (const from of ['../acme.bundle', 'a/../../acme.bundle']) {
      writeFileSync(path.join(folder, '..', 'acme.bundle'), mine.seal(payloadOf({ revision: 9 })));
      rmSync(kept, { force: true });
      assert.deepEqual(ids(held.apply(layersOf({ from }))), ['bundle acme'], from);
    }
    rmSync(path.join(folder, '..', 'acme.bundle'));
    dispose();
  });

  it('D.bundles: only the managed file lets a bundle widen, and only until it expires', async () => {
    const { at, dispose, open, server } = world();
    const settings = { 'policy.preset': 'open', 'network.allowedPrivateHosts': ['intranet'] };
    server.body = mine.seal(payloadOf({ settings, expires: '2026-06-30T00:00:00Z' }));
    const from = 'https://policy.example/acme.bundle';
    const entry = { acme: { from, key: mine.text, mayWiden: true } };
    const byUser: SettingsLayers = { managed: {}, user: { 'policy.bundles': entry }, workspace: {} };
    const byManaged: SettingsLayers = { managed: { 'policy.bundles': entry }, user: {}, workspace: {} };
    const held = open();
    held.apply(byUser);
    await held.ask();
    const read = (layers: SettingsLayers) => readSettings(held.apply(layers));
    assert.equal(read(byUser).get('policy.preset'), 'balanced');
    assert.deepEqual(read(byUser).get('network.allowedPrivateHosts'), []);
    assert.equal(read(byManaged).get('policy.preset'), 'open');
    assert.deepEqual(read(byManaged).get('network.allowedPrivateHosts'), ['intranet']);
    const strict = { ...byManaged, managed: { ...byManaged.managed, 'policy.preset': 'strict' } };
    assert.equal(read(strict).get('policy.preset'), 'strict', 'what the file itself says counts first');
    at.now = Date.parse('2026-07-01T00:00:00Z');
    assert.equal(read(byManaged).get('policy.preset'), 'balanced');
    dispose();
  });

  it('D.bundles: one that widens ends at its second, before the next call and while it is followed', async () => {
    const { at, dispose, open, server } = world();
    server.body = mine.seal(payloadOf({ settings: { 'policy.preset': 'open' }, expires: '2026-06-30T10:00:00Z' }));
    const entry = { acme: { from: 'https://policy.example/acme.bundle', key: mine.text, mayWiden: true } };
    const byManaged: SettingsLayers = { managed: { 'policy.bundles': entry }, user: {}, workspace: {} };
    let elapse = (): void => {};
    const held = open({
      schedule: (work) => {
        elapse = work;
        return { dispose() {} };
      },
    });
    held.apply(byManaged);
    await held.ask();
    let preset = readSettings(held.apply(byManaged)).get('policy.preset');
    let told = 0;
    const listening = held.onDidChange(() => {
      told++;
      preset = readSettings(held.apply(byManaged)).get('policy.preset');
    });
    at.now = Date.parse('2026-06-30T09:59:59Z');
    held.lookAgain();
    assert.deepEqual([preset, told], ['open', 1], 'that it ends soon is told');
    held.lookAgain();
    assert.equal(told, 1);
    at.now += 1000;
    held.lookAgain();
    held.lookAgain();
    assert.deepEqual([preset, told], ['balanced', 2]);
    at.now -= 1000;
    preset = readSettings(held.apply(byManaged)).get('policy.preset');
    assert.equal(preset, 'open');
    held.follow();
    at.now += 1000;
    elapse();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(preset, 'balanced', 'nobody calls, and it ends all the same');
    listening.dispose();
    dispose();
  });

  it('D.bundles: no older one comes after one that could not be kept', () => {
    const { dispose, folder, open } = world();
    const file = path.join(folder, 'acme.bundle');
    writeFileSync(path.join(folder, 'state'), 'no folder');
    const errors: string[] = [];
    const held = open({}, (message) => errors.push(message));
    const local = layersOf({ from: file });
    writeFileSync(file, mine.seal(payloadOf({ revision: 3 })));
    assert.deepEqual(ids(held.apply(local)), ['no-keys']);
    assert.equal(errors.length, 1);
    writeFileSync(file, mine.seal(payloadOf({ revision: 2, settings: {} })));
    assert.deepEqual(ids(held.apply(local)), ['no-keys']);
    assert.deepEqual(codes(held.apply(local)), ['bundle_stays']);
    dispose();
  });

  it('D.bundles: one that could not be kept gives way to a newer one that another process kept', () => {
    const { at, dispose, folder, open } = world();
    const state = path.join(folder, 'state');
    writeFileSync(state, 'no folder');
    const held = open({}, () => undefined);
    const local = layersOf({ from: path.join(folder, 'acme.bundle') });
    writeFileSync(path.join(folder, 'acme.bundle'), mine.seal(payloadOf({ revision: 3 })));
    assert.deepEqual(ids(held.apply(local)), ['no-keys']);
    rmSync(state);
    mkdirSync(state);
    const kept = path.join(state, `acme.${nodeCrypto.sha256(mine.publicKey.bytes).slice(0, 32)}.bundle`);
    writeFileSync(kept, mine.seal(payloadOf({ revision: 4, settings: {} })));
    assert.deepEqual(ids(held.apply(local)), []);
    writeFileSync(kept, mine.seal(payloadOf({ revision: 2, settings: {} })));
    at.now += 3650 * day;
    rmSync(path.join(folder, 'acme.bundle'));
    assert.deepEqual(
      ids(held.apply(local)),
      ['no-keys'],
      'an older one does not come after it, not even once it expired',
    );
    dispose();
  });

  it('D.bundles: a bundle is named with a key, by the user or the managed file; a slip asks instead of passing', () => {
    const { dispose, folder, open } = world();
    writeFileSync(path.join(folder, 'acme.bundle'), mine.seal(payloadOf()));
    const held = open();
    const slips: readonly object[] = [
      { from: 'acme.bundle', key: '' },
      { from: 'acme.bundle', key: mine.text.slice(0, -4) },
      { from: 'acme.bundle', key: mine.pem },
      { from: 'http://policy.example/acme.bundle' },
      { from: 'file:///acme.bundle' },
      { from: '' },
      { from: 'acme.bundle', keys: [] },
      { from: 'none.bundle' },
    ];
    for (const slip of slips) {
      const layers = held.apply(layersOf(slip));
      assert.deepEqual(ids(layers), ['bundle acme'], JSON.stringify(slip));
      assert.ok(readSettings(layers).problems.some(({ severity }) => severity === 'error'));
    }
    assert.equal(ids(held.apply({ ...remote, user: { 'policy.bundles': [] } })).length, 1);
    const ofWorkspace = held.apply({
      managed: {},
      user: {},
      workspace: { 'policy.bundles': { acme: { from: 'acme.bundle', key: mine.text } } },
    });
    assert.deepEqual(ids(ofWorkspace), []);
    assert.deepEqual(codes(ofWorkspace), ['bundle_setting_workspace']);
    dispose();
  });
});
