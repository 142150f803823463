import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { notNewer, openBundle } from '../../../src/core/bundles/openBundle';
import { listingHash } from '../../../src/core/foreign/pins';
import { ed25519 } from '../../../src/node/bundles/ed25519';
import { nodeCrypto } from '../../../src/node/system';
import { signer } from '../../support/bundles';
import { runCli, temporaryWorkspace } from '../../support/cli';

const rule = { id: 'no-keys', match: { accessAny: ['fs.*'], path: 'keys/**' }, decision: 'deny' };
const handler = { type: 'process', command: 'npm', args: ['run', 'deploy'] };
const deploy = { id: 'deploy', name: 'Deploy', tools: [{ name: 'deploy', description: 'Deploys the site.', handler }] };
const settings = {
  'agentCapabilities.limits': { all: '100 per 1m' },
  'agentCapabilities.profiles': { default: { mode: 'plan', capabilities: ['file_system'] } },
};
/** The only tool of the server `files`. */
const listed = { name: 'read', description: 'Reads a file.', inputSchema: { type: 'object' } };

describe('the payload that docs/bundles.md prints', () => {
  const [, printed = ''] =
    /^## The payload\n\n```json\n([^]*?)```/m.exec(readFileSync('docs/bundles.md', 'utf8')) ?? [];

  it('D.bundles: is what `bundle make` takes from a workspace, with words and a server of its own', async () => {
    const { folder, dispose } = temporaryWorkspace({
      '.vscode/capabilities/boundaries.json': JSON.stringify([rule]),
      '.vscode/capabilities/deploy.capability.json': JSON.stringify(deploy),
      '.vscode/settings.json': JSON.stringify(settings),
    });
    try {
      const made = await runCli(['bundle', 'make', '--workspace', folder, '--name', 'acme', '--revision', '7']);
      assert.equal(made.code, 0, made.errors);
      const { description, issued, expires, ...payload } = JSON.parse(printed);
      const sha256 = listingHash({ tools: [], faults: [], identity: [listed] }, nodeCrypto);
      assert.deepEqual(payload, { ...without(made.json()), servers: { files: { sha256 } } });
      assert.deepEqual([typeof description, Date.parse(expires) - Date.parse(issued)], ['string', 90 * 86_400_000]);
      assert.equal((await runCli(['validate', '--workspace', folder])).code, 0);
    } finally {
      dispose();
    }
  });

  it('D.bundles: can be signed as it stands, and is accepted from the day it names', async () => {
    const { folder, dispose } = temporaryWorkspace({ 'acme.json': printed });
    const at = (name: string): string => path.join(folder, name);
    const { pem, publicKey } = signer();
    try {
      writeFileSync(at('private.pem'), pem);
      const files = [at('acme.json'), '--key', at('private.pem'), '--out', at('acme.bundle')];
      const signed = await runCli(['bundle', 'sign', ...files]);
      assert.equal(signed.code, 0, signed.errors);
      const bytes = readFileSync(at('acme.bundle'));
      const opened = openBundle(bytes, { name: 'acme', key: publicKey, crypto: nodeCrypto, signatures: ed25519 });
      assert.equal(notNewer(opened, undefined, opened.bundle.issuedAt), undefined);
    } finally {
      dispose();
    }
  });
});

/** A payload without what is of the day on which it was made. */
function without({ issued: _issued, expires: _expires, ...payload }: Record<string, unknown>): object {
  return payload;
}
