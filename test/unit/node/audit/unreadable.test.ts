import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { SaidError, worded } from '../../../../src/core/base/sentence';
import { FolderReader } from '../../../../src/node/audit/folderReader';
import { withFolder } from '../../../support/auditEvents';

describe('a log that cannot be read', () => {
  it('S1.audit: is a fault of its own and no empty log, whatever asks for it', () =>
    withFolder(async (root) => {
      // Nobody can list a file, root neither.
      const dir = path.join(root, 'audit');
      fs.writeFileSync(dir, '');
      const reader = new FolderReader(dir);
      const { ok, isEmpty, faults } = await reader.verify();
      assert.deepEqual([ok, isEmpty], [false, false]);
      assert.deepEqual(
        faults.map(({ file, said }) => [file, worded(said)]),
        [[dir, 'cannot be read (ENOTDIR)']],
      );
      const isSaid = (error: unknown): boolean =>
        error instanceof SaidError && error.message === `\`${dir}\` cannot be read (ENOTDIR)`;
      await assert.rejects(reader.page({}, { limit: 10 }), isSaid);
      await assert.rejects(reader.report({ to: new Date().toISOString() }), isSaid);
      await assert.rejects(reader.exportTo(path.join(root, 'out.jsonl'), {}, 'jsonl'), isSaid);
    }));

  it('S1.audit: is another thing than one that is not there yet, which is whole and empty', () =>
    withFolder(async (root) => {
      const { ok, isEmpty, faults } = await new FolderReader(path.join(root, 'none')).verify();
      assert.deepEqual([ok, isEmpty, faults], [true, true, []]);
    }));
});
