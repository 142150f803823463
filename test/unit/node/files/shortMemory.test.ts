import { strict as assert } from 'node:assert';
import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ShortMemory } from '../../../../src/node/files/shortMemory';
import { until } from '../../../support/editor/until';
import { makeWorkspace } from '../../../support/workspace';

describe('what was found out a moment ago', () => {
  it('is answered again for a while, or once more, and a failure never', async () => {
    const memory = new ShortMemory<number>(60_000);
    let count = 0;
    const next = async (): Promise<number> => ++count;
    assert.deepEqual(
      [await memory.get('a', next), await memory.get('a', next), await memory.get('b', next)],
      [1, 1, 2],
    );
    assert.deepEqual(
      [await memory.getTwice('c', next), await memory.getTwice('c', next), await memory.getTwice('c', next)],
      [3, 3, 4],
    );
    await assert.rejects(memory.get('d', () => Promise.reject(new Error('no'))));
    assert.equal(await memory.get('d', next), 5);
    memory.forget();
    assert.equal(await memory.get('a', next), 6);
    const short = new ShortMemory<number>(1);
    const first = await short.get('a', next);
    await until(async () => assert.notEqual(await short.get('a', next), first));
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
