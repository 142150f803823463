import path from 'node:path';
import { changes } from '../../src/capabilities/changes/changes';
import { fileSystem } from '../../src/capabilities/fileSystem/fileSystem';
import { CheckpointKeeper } from '../../src/core/changes/checkpointKeeper';
import { ChangeKeeper } from '../../src/core/changes/keeper';
import { historyOf } from '../../src/core/changes/undo';
import type { GateCall } from '../../src/core/call/gateCall';
import type { Capability } from '../../src/core/capability/capability';
import type { Checkpoints } from '../../src/core/ports/checkpoints';
import type { ChangeStore } from '../../src/core/ports/changes';
import type { Json } from '../../src/core/base/json';
import { readSettings } from '../../src/core/settings/readSettings';
import type { SettingValues } from '../../src/core/settings/settingTable';
import { changeFolder } from '../../src/node/changes/changeFolder';
import { nodeCrypto } from '../../src/node/system';
import { makeGate, type GateOptions } from './gate';
import { FakeClock, fakePorts } from './toolContext';
import { makeWorkspace } from './workspace';

/** A workspace whose changes are kept, behind the real gate. */
export function makeChanges(
  options: {
    settings?: Partial<SettingValues>;
    store?: ChangeStore & { dispose(): void };
    storage?: string;
    workspace?: ReturnType<typeof makeWorkspace>;
    /** Finds what calls change by themselves. */
    checkpoints?: (storage: string) => Checkpoints;
    capabilities?: readonly Capability[];
  } & Partial<GateOptions> = {},
) {
  const {
    settings: given = {},
    store: ownStore,
    workspace: ownWorkspace,
    storage,
    checkpoints,
    capabilities = [],
    ...gateOptions
  } = options;
  const workspace = ownWorkspace ?? makeWorkspace();
  const values = readSettings({ managed: {}, user: { 'fileSystem.deleteToTrash': false, ...given }, workspace: {} });
  const store =
    ownStore ??
    changeFolder({
      storage: storage ?? path.join(workspace.base, 'storage'),
      folders: [workspace.root],
      settings: () => values,
      onDropped: () => undefined,
    });
  const clock = new FakeClock();
  const ports = {
    ...fakePorts({ clock, files: workspace.files, settings: { 'fileSystem.deleteToTrash': false, ...given } }),
    changes: { store: async () => store, reverting: <T>(_id: string, work: () => Promise<T>): Promise<T> => work() },
  };
  const keeper = new ChangeKeeper({
    store,
    settings: () => values,
    clock,
    crypto: nodeCrypto,
    log: ports.log,
  });
  let ended: Promise<unknown> | undefined;
  const watcher =
    checkpoints &&
    new CheckpointKeeper({
      checkpoints: checkpoints(path.join(workspace.base, 'checkpoints')),
      store,
      files: workspace.files,
      settings: () => values,
      clock,
      crypto: nodeCrypto,
      log: ports.log,
    });
  const gate = makeGate({
    capabilities: [fileSystem, changes, ...capabilities],
    ports,
    changes: {
      judge: (call) => keeper.judge(call),
      undoOf: (call) => keeper.undoOf(call),
      keep: (call, files, mayLose) => keeper.keep(call, files, mayLose),
      ...(watcher
        ? {
            watch: (call: GateCall) => watcher.watch(call),
            watchElsewhere: (call: GateCall) => watcher.watchElsewhere(call),
            endedElsewhere: (id: string) => void (ended = watcher.endedElsewhere(id)),
          }
        : {}),
    },
    answer: () => ({ outcome: 'allowed', by: 'user', waitedMs: 0 }),
    ...gateOptions,
  });
  const history = () => historyOf({ changes: ports.changes, files: workspace.files });
  const call = async (tool: string, input: unknown, by: 'user' | 'agent' = 'agent') =>
    gate.router.invoke({
      tool,
      input,
      actor: { type: by, id: by === 'agent' ? 'copilot' : 'person' },
      surface: 'chat',
    });
  const ok = async (tool: string, input: unknown, by: 'user' | 'agent' = 'agent'): Promise<Record<string, Json>> => {
    const result = await call(tool, input, by);
    if (!result.success) throw new Error(`${tool} ${JSON.stringify(input)}: ${result.error.message}`);
    return result.payload as Record<string, Json>;
  };
  const undo = (input: unknown): Promise<Record<string, Json>> => ok('undo_change', input, 'user');
  const dispose = (): void => {
    gate.dispose();
    store.dispose();
    workspace.dispose();
  };
  return { lookedAgain: () => ended, dispose, workspace, store, clock, keeper, gate, history, call, ok, undo };
}
