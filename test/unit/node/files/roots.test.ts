import { strict as assert } from 'node:assert';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeWorkspace } from '../../../support/workspace';

describe('where a path leads', () => {
  it('is found out anew after a change, and a folder that was gone is found as soon as it is back', async () => {
    const ws = makeWorkspace();
    const path = { folder: ws.folder(), path: 'a.txt' };
    rmSync(ws.root, { recursive: true });
    await assert.rejects(ws.files.stat(path), /is not there any more/);
    mkdirSync(ws.root);
    ws.put({ 'a.txt': 'one' });
    assert.equal((await ws.files.stat(path))?.size, 3);
    rmSync(ws.root, { recursive: true });
    symlinkSync(ws.outside, ws.root);
    await ws.files.writeFile({ ...path, path: 'b.txt' }, Buffer.from('more'));
    assert.equal((await ws.files.stat({ ...path, path: 'b.txt' }))?.size, 4);
    ws.dispose();
  });

  it('opens nothing where a path has become a link since: it is refused, and followed no later than at the next call', async () => {
    const ws = makeWorkspace();
    writeFileSync(path.join(ws.outside, 'secret.txt'), 'outside');
    const folder = ws.folder();
    const named = { folder, path: 'dir/secret.txt' };
    const judged = await ws.files.canonical(named);
    assert.equal(judged.path, 'dir/secret.txt');
    symlinkSync(ws.outside, ws.at('dir'));
    await assert.rejects(ws.files.open(judged), /changed while it was being opened|a link stands/);
    await assert.rejects(
      ws.files.writeFile(judged, Buffer.from('x')),
      /changed while it was being opened|a link stands|a file, not a folder/,
    );
    assert.equal(await ws.code('read_file', { path: 'dir/secret.txt' }), 'path_outside');
    ws.dispose();
  });
});
