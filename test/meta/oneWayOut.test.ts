import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Who looks names up, opens connections or sends requests, and as what; type imports open nothing. */
const known: Readonly<Record<string, readonly string[]>> = {
  'src/node/http/outgoing.ts': ['http', 'https', 'tls'],
  'src/node/http/resolve.ts': ['dns/promises'],
  // Connects to the addresses that were judged.
  'src/node/databases/postgresStream.ts': ['net'],
  // Listens for this user's own programs, on a socket in a private folder.
  'src/node/hooks/gateServer.ts': ['net'],
  // Asks only whether a text is an address.
  'src/node/mail/smtpClient.ts': ['net'],
  // Takes all sockets away.
  'src/sqliteProcess.ts': ['net'],
  // Listens on this machine.
  'src/mcp/server/loopback.ts': ['http'],
  'src/mcp/client/redirectListener.ts': ['http'],
  'src/node/tour/tourSite.ts': ['http'],
};

/** Modules by which a program reaches a network. */
const networkModule =
  /^import (?!type )[^;]*? from 'node:(dns(?:\/promises)?|dgram|https?|http2|net|tls|inspector)';/gm;
const plainFetch = /\bglobalThis\.fetch\b|\bnew (?:WebSocket|EventSource|XMLHttpRequest)\b/;

describe('the way out of this machine', () => {
  const files = readdirSync('src', { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => path.posix.join(entry.parentPath.replaceAll(path.sep, '/'), entry.name))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }));

  it('is one: nobody else looks a name up, opens a connection or sends a request', () => {
    const found = files.flatMap(({ file, text }) => {
      const modules = [...text.matchAll(networkModule)]
        .filter(([statement]) => !/\{\s*(?:type \w+,?\s*)+\}/.test(statement))
        .map((match) => match[1] ?? '');
      return modules.length > 0 ? [[file, modules.sort()] as const] : [];
    });
    assert.deepEqual(Object.fromEntries(found), known);
    assert.deepEqual(
      files.filter(({ text }) => plainFetch.test(text)).map(({ file }) => file),
      [],
    );
  });

  it('judges addresses in one place', () => {
    const judging = files.filter(({ text }) => /\bcheckedHost\(|\bisAllowedPrivateHost\(/.test(text));
    assert.deepEqual(judging.map(({ file }) => file).sort(), [
      'src/capabilities/webFetch/fetch/cache.ts',
      'src/core/hosts/address.ts',
      'src/node/databases/postgresStream.ts',
      'src/node/http/outgoing.ts',
      'src/node/http/resolve.ts',
      'src/node/mail/smtpClient.ts',
    ]);
  });
});
