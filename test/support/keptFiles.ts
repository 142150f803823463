import path from 'node:path';
import { CallRecorder } from '../../src/core/changes/recorder';
import { RecordedFiles } from '../../src/core/changes/recordedFiles';
import { planned, historyOf, undoAll, type UndoneChange } from '../../src/core/changes/undo';
import { readSettings } from '../../src/core/settings/readSettings';
import { changeFolder } from '../../src/node/changes/changeFolder';
import { changesInPlace } from '../../src/node/files/changesInPlace';
import { NodeFileSystem } from '../../src/node/nodeFileSystem';
import { nodeCrypto, systemClock } from '../../src/node/system';

/** The files of `base/root` whose changes are kept in `base/storage`, without a gate: as an agent changes them. */
export function keptFiles(base: string) {
  const folder = { name: 'root', path: path.join(base, 'root'), scheme: 'file' };
  const plain = new NodeFileSystem({ folders: () => [folder], changes: changesInPlace });
  const values = readSettings({ managed: {}, user: {}, workspace: {} });
  const store = changeFolder({
    storage: path.join(base, 'storage'),
    folders: [folder.path],
    settings: () => values,
    onDropped: () => undefined,
  });
  const recorder = new CallRecorder({
    store,
    clock: systemClock,
    crypto: nodeCrypto,
    origin: { call: 'call', tool: 'tool', actor: { type: 'agent', id: 'agent' }, profile: 'default' },
    mayLose: () => false,
    onNotKept: () => undefined,
  });
  const files = new RecordedFiles(plain, recorder, () => false);
  const changes = {
    store: async () => store,
    reverting: <T>(id: string, work: () => Promise<T>): Promise<T> => recorder.reverting(id, work),
  };
  const kept = { changes, files, crypto: nodeCrypto };
  return {
    folder,
    files,
    store,
    history: () => historyOf(kept),
    async takeBackAll(redo = false): Promise<readonly UndoneChange[]> {
      const history = await historyOf(kept);
      const actor = { type: 'user', id: 'person' } as const;
      return undoAll(planned(history, actor, { kind: 'all' }, redo, files), kept, () => true);
    },
  };
}
