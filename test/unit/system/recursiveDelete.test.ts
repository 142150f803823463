import { strict as assert } from 'node:assert';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { openSystem } from '../../support/system';

async function deleted(files: Readonly<Record<string, string>>, input: object, approve = true) {
  const system = await openSystem({ files, approve });
  const result = await system.call('delete_file', input);
  const left = (folder: string): string[] =>
    existsSync(path.join(system.folder, folder)) ? readdirSync(path.join(system.folder, folder)) : [];
  const seen = { result, left: left('p') };
  await system.dispose();
  return seen;
}

describe('deleting a folder through the gate', () => {
  it('asks once for the whole folder: what was allowed for it is allowed for everything below', async () => {
    const { result, left } = await deleted(
      { 'p/a.txt': 'a', 'p/q/b.txt': 'b' },
      { path: 'p', recursive: true, to_trash: false },
    );
    assert.deepEqual([result.success && result.payload, left], [{ path: '/p', deleted: true, entries: 3 }, []]);
  });

  it('deletes nothing where it was not allowed', async () => {
    const { result, left } = await deleted({ 'p/a.txt': 'a' }, { path: 'p', recursive: true, to_trash: false }, false);
    assert.deepEqual([result.success, left], [false, ['a.txt']]);
  });

  it('keeps below an allowed folder what other rules protect or ask about, and names it', async () => {
    const files = { 'p/a.txt': 'a', 'p/.env': 'SECRET=1', 'p/.vscode/settings.json': '{}' };
    const { result, left } = await deleted(files, { path: 'p', recursive: true, to_trash: false });
    assert.ok(result.success);
    const payload = result.payload as { deleted: boolean; kept: { path: string; reason: string }[] };
    assert.deepEqual(
      [payload.deleted, payload.kept.map((one) => one.path).sort(), left.sort()],
      [false, ['/p/.env', '/p/.vscode'], ['.env', '.vscode']],
    );
    assert.match(payload.kept.find((one) => one.path === '/p/.env')?.reason ?? '', /preset\.secrets/);
    assert.match(
      payload.kept.find((one) => one.path === '/p/.vscode')?.reason ?? '',
      /preset\.governing-files.*needs a confirmation of its own/,
    );
  });

  it('deletes a folder that itself was asked about by the rule that protects it, with what is in it', async () => {
    const { result, left } = await deleted(
      { 'p/.vscode/settings.json': '{}' },
      { path: 'p/.vscode', recursive: true, to_trash: false },
    );
    assert.deepEqual([result.success && (result.payload as { deleted: boolean }).deleted, left], [true, []]);
  });
});
