import { strict as assert } from 'node:assert';
import { withoutOwnSecrets } from '../../../src/core/ports/ownSecrets';
import { MemorySecrets } from '../../support/toolContext';

describe('the secrets that tools see', () => {
  it('never hold the extension’s own, and let nobody set them', async () => {
    const all = new MemorySecrets();
    await all.set('agentCapabilities.adminTokenHash', 'scrypt$a$b');
    const seen = withoutOwnSecrets(all);
    await seen.set('meta', 'token');
    assert.deepEqual(
      [await seen.get('agentCapabilities.adminTokenHash'), await seen.get('meta'), await seen.names()],
      [undefined, 'token', ['meta']],
    );
    await assert.rejects(seen.set('agentCapabilities.adminTokenHash', 'mine'), /the extension's own/);
    assert.equal(await all.get('agentCapabilities.adminTokenHash'), 'scrypt$a$b');
  });
});
