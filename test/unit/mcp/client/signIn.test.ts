import { strict as assert } from 'node:assert';
import { withoutOwnSecrets } from '../../../../src/core/ports/ownSecrets';
import type { ServerUser } from '../../../../src/core/foreign/serverUser';
import { listenForRedirect } from '../../../../src/mcp/client/redirectListener';
import { inGerman } from '../../../support/german';
import { gateway, outcome, scriptedUser } from '../../../support/mcp/harness';
import { signInServer } from '../../../support/mcp/signInServer';

/** A person whose browser is signed in already, so that the page sends it straight back. */
const browser: ServerUser['signIn'] = async ({ url }) => {
  await fetch(url);
  return true;
};

type Guarded = Awaited<ReturnType<typeof signInServer>>;

async function opened(
  guarded: Guarded,
  signIn: ServerUser['signIn'],
  more: object = {},
  before?: (g: Awaited<ReturnType<typeof gateway>>) => Promise<void>,
) {
  const g = await gateway({
    servers: { guarded: { ...guarded.entry, ...more } },
    set: { 'network.allowedPrivateHosts': ['127.0.0.1'] },
    serverUser: scriptedUser(signIn ? { signIn } : {}).user,
  });
  await before?.(g);
  await g.core.servers.list.discover();
  return g;
}

describe('signing in to MCP servers', () => {
  let guarded: Guarded;
  afterEach(() => guarded.close());

  it('finds out where to sign in, registers, has the person sign in and sends the token to the server alone', async () => {
    guarded = await signInServer();
    const asked: { server: string; url: string; redirectUrl: string }[] = [];
    const g = await opened(guarded, async (request, signal) => {
      asked.push(request);
      return browser(request, signal);
    });
    try {
      assert.equal(g.state('guarded'), 'running');
      assert.equal(outcome(await g.call('guarded_whoami')), 'you signed in');
      assert.deepEqual(
        [
          asked.length,
          asked[0]?.server,
          new URL(asked[0]?.url ?? '').host,
          guarded.seen.registered,
          guarded.seen.authorized,
        ],
        [1, 'guarded', guarded.host, 1, 1],
      );
      const { searchParams } = new URL(asked[0]?.url ?? '');
      assert.equal(searchParams.get('code_challenge_method'), 'S256');
      assert.equal(searchParams.get('resource'), guarded.entry.url);
      assert.equal(searchParams.get('redirect_uri'), asked[0]?.redirectUrl);
      assert.equal(searchParams.get('scope'), 'use');
      assert.deepEqual([...new Set(guarded.seen.tokensAt)], ['/mcp']);
      assert.match(g.core.servers.list.log('guarded').join('\n'), /signed in at 127\.0\.0\.1/);
    } finally {
      await g.close();
    }
  });

  it('keeps the tokens where no entry and no tool can name them, and asks nobody at the next start', async () => {
    guarded = await signInServer();
    let asked = 0;
    const counting: ServerUser['signIn'] = async (request, signal) => {
      asked++;
      return browser(request, signal);
    };
    const g = await opened(guarded, counting);
    try {
      const names = await g.core.gate.ports.secrets.names();
      assert.deepEqual(names, [], 'tools see no token');
      await g.core.servers.list.restart('guarded');
      assert.equal(outcome(await g.call('guarded_whoami')), 'you signed in');
      assert.equal(asked, 1);
    } finally {
      await g.close();
    }
  });

  it('renews a token that has expired without asking, and asks again only where that fails', async () => {
    guarded = await signInServer({ tokenLife: 'one-call' });
    let asked = 0;
    const g = await opened(guarded, async (request, signal) => {
      asked++;
      return browser(request, signal);
    });
    try {
      for (let round = 0; round < 3; round++) assert.equal(outcome(await g.call('guarded_whoami')), 'you signed in');
      assert.deepEqual([asked, guarded.seen.refreshed], [1, 2]);
      guarded.refreshes.clear();
      assert.equal(outcome(await g.call('guarded_whoami')), 'you signed in');
      assert.deepEqual([asked, guarded.seen.registered], [2, 1]);
    } finally {
      await g.close();
    }
  });

  it('takes no for an answer until the server is started by hand', async () => {
    guarded = await signInServer();
    let answer = false;
    let asked = 0;
    const g = await opened(guarded, async (request, signal) => {
      asked++;
      return answer ? browser(request, signal) : false;
    });
    try {
      assert.equal(g.state('guarded'), 'refused');
      assert.equal(g.core.servers.list.list()[0]?.signedOut, true);
      await g.core.servers.list.discover();
      assert.equal(asked, 1);
      answer = true;
      await g.core.servers.list.start('guarded');
      assert.deepEqual([g.state('guarded'), asked], ['running', 2]);
    } finally {
      await g.close();
    }
  });

  it('takes no for an answer in the middle of a session too, and asks again once the server is started by hand', async () => {
    guarded = await signInServer({ tokenLife: 'one-call' });
    let answer = true;
    let asked = 0;
    const g = await opened(guarded, async (request, signal) => {
      asked++;
      return answer ? browser(request, signal) : false;
    });
    try {
      assert.equal(outcome(await g.call('guarded_whoami')), 'you signed in');
      guarded.refreshes.clear();
      answer = false;
      assert.equal(outcome(await g.call('guarded_whoami')), 'declined');
      assert.equal(outcome(await g.call('guarded_whoami')), 'not_available');
      assert.deepEqual([g.state('guarded'), g.core.servers.list.list()[0]?.signedOut, asked], ['refused', true, 2]);
      answer = true;
      await g.core.servers.list.start('guarded');
      assert.equal(outcome(await g.call('guarded_whoami')), 'you signed in');
      assert.equal(asked, 3);
    } finally {
      await g.close();
    }
  });

  it('is tried again after a pause where it failed in the middle of a session', async () => {
    guarded = await signInServer({ tokenLife: 'one-call' });
    const g = await opened(guarded, browser);
    try {
      assert.equal(outcome(await g.call('guarded_whoami')), 'you signed in');
      guarded.refreshes.clear();
      guarded.at.isOut = true;
      assert.notEqual(outcome(await g.call('guarded_whoami')), 'you signed in');
      assert.equal(g.state('guarded'), 'failed');
      guarded.at.isOut = false;
      await g.core.servers.list.start('guarded');
      assert.equal(outcome(await g.call('guarded_whoami')), 'you signed in');
    } finally {
      await g.close();
    }
  });

  for (const revocation of [undefined, 'none', 'broken', 'issued by another'] as const)
    it(`signs out: no token stays here, and the authorization server is told where it can be (${revocation ?? 'it takes revocations'})`, async () => {
      guarded = await signInServer(revocation ? { revocation } : {});
      let asked = 0;
      const g = await opened(guarded, (request, signal) => {
        asked++;
        return browser(request, signal);
      });
      try {
        const [refresh] = guarded.refreshes;
        assert.equal(outcome(await g.call('guarded_whoami')), 'you signed in');
        assert.equal(g.core.servers.list.list()[0]?.signsIn, true);
        const told = revocation === undefined;
        assert.equal(await g.core.servers.list.signOut('guarded'), told ? 'revoked' : 'deleted');
        const request = { token: refresh, token_type_hint: 'refresh_token', client_id: 'client-1' };
        assert.deepEqual(
          guarded.seen.revoked,
          told || revocation === 'broken' ? [request] : [],
          'only the issuer gets a token',
        );
        // No agent's call brings the page up again; the person does.
        const { state, signedOut } = g.core.servers.list.list()[0] ?? {};
        assert.deepEqual(
          [state, signedOut, outcome(await g.call('guarded_whoami')), asked],
          ['refused', true, 'not_available', 1],
        );
        assert.match(
          g.core
            .problems()
            .map(({ message }) => message)
            .join(),
          /: signed out: it does nothing until you start it/,
        );
        assert.equal(await g.core.servers.list.signOut('guarded'), 'none', 'nothing was left here');
        if (revocation === 'issued by another') return;
        await g.core.servers.list.start('guarded');
        assert.deepEqual([g.state('guarded'), asked], ['running', 2]);
      } finally {
        await g.close();
      }
    });

  it('signs out of a server whose entry is removed, unless another entry has the same address', async () => {
    guarded = await signInServer();
    const g = await gateway({
      servers: { one: guarded.entry, two: { ...guarded.entry, timeoutMs: 5000 } },
      set: { 'network.allowedPrivateHosts': ['127.0.0.1'] },
      serverUser: scriptedUser({ signIn: browser }).user,
    });
    try {
      await g.core.servers.list.start('one');
      await g.core.servers.list.start('two');
      await g.core.servers.list.forget('two');
      assert.equal(guarded.seen.revoked.length, 0);
      assert.equal(outcome(await g.call('one_whoami')), 'you signed in');
    } finally {
      await g.close();
    }
    const alone = await opened(guarded, browser);
    try {
      await alone.core.servers.list.forget('guarded');
      assert.equal(guarded.seen.revoked.length, 1);
    } finally {
      await alone.close();
    }
  });

  it('says so where nobody can be asked, and tries nothing where the entry brings a token of its own or forbids it', async () => {
    guarded = await signInServer();
    const nobody = await opened(guarded, undefined);
    assert.equal(nobody.state('guarded'), 'failed');
    assert.match(
      JSON.stringify(nobody.core.servers.list.list()[0]?.detail),
      /wants a person to sign in, and nobody can be asked here/,
    );
    await nobody.close();
    for (const more of [{ headers: { Authorization: 'Bearer mine' } }, { oauth: false }]) {
      const g = await opened(guarded, browser, more);
      assert.equal(g.state('guarded'), 'failed');
      await g.close();
    }
    assert.deepEqual([guarded.seen.authorized, guarded.seen.registered], [0, 0]);
  });

  it('uses the client that the user registered, with its secret from the secret storage, and registers none', async () => {
    guarded = await signInServer();
    const g = await opened(guarded, browser, { oauth: { clientId: 'mine' } });
    try {
      assert.equal(outcome(await g.call('guarded_whoami')), 'you signed in');
      assert.equal(guarded.seen.registered, 0);
    } finally {
      await g.close();
    }
    const faulty = await gateway({
      servers: { s: { ...guarded.entry, oauth: { clientId: 'a', clientSecret: 'open' } } },
    });
    assert.match(
      faulty.core
        .problems()
        .map((one) => one.message)
        .join('\n'),
      /`\/oauth\/clientSecret` must be `\$\{secret:NAME\}`/,
    );
    await faulty.close();
  });

  it('the page that a sign-in ends on is in the language of the person', async () => {
    for (const [language, thanks] of [
      [undefined, /<html lang="en">.*Thank you\./],
      [{ tag: 'de', t: inGerman }, /<html lang="de">.*<p>Danke\./],
    ] as const) {
      const listener = await listenForRedirect(undefined, language);
      try {
        const returned = listener.returned('s', AbortSignal.timeout(10_000));
        const other = await (await fetch(`${listener.redirectUrl}?state=other`)).text();
        assert.match(await (await fetch(`${listener.redirectUrl}?state=s`)).text(), thanks);
        assert.doesNotMatch(other, /UNTRANSLATED/);
        await returned;
      } finally {
        listener.dispose();
      }
    }
  });

  it('takes only the return that carries its state, from its own address', async () => {
    guarded = await signInServer();
    const listener = await listenForRedirect(undefined);
    try {
      const returned = listener.returned('right', AbortSignal.timeout(10_000));
      const status = async (query: string) => (await fetch(`${listener.redirectUrl}${query}`)).status;
      assert.deepEqual(
        [
          await status('?code=1&state=wrong'),
          await status('?code=1'),
          (await fetch(`http://localhost:${listener.port}/callback?state=right`)).status,
        ],
        [400, 400, 404],
      );
      assert.equal(await status('?code=2&state=right'), 200);
      assert.equal((await returned).get('code'), '2');
      assert.equal(await status('?code=3&state=right'), 400, 'once');
    } finally {
      listener.dispose();
    }
    const values = new Map<string, string>();
    const store = {
      get: async (name: string) => values.get(name),
      set: async (name: string, value: string | undefined) => void values.set(name, value ?? ''),
      names: async () => [...values.keys()],
    };
    await store.set('agentCapabilities.mcp.oauth.x', 'token');
    assert.equal(await withoutOwnSecrets(store).get('agentCapabilities.mcp.oauth.x'), undefined);
  });
});
