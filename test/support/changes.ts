import path from 'node:path';
import { changes } from '../../src/capabilities/changes/changes';
import { fileSystem } from '../../src/capabilities/fileSystem/fileSystem';
import { keepersOf } from '../../src/core/changes/keepers';
import { historyOf } from '../../src/core/changes/undo';
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
  const keptBy = { store, settings: () => values, clock, crypto: nodeCrypto, log: ports.log };
  const taken = checkpoints?.(path.join(workspace.base, 'checkpoints'));
  const keeper = keepersOf({ ...keptBy, files: workspace.files, checkpoints: taken && (async () => taken) });
  let ended: Promise<void> | undefined;
  const gate = makeGate({
    capabilities: [fileSystem, changes, ...capabilities],
    ports,
    changes: { ...keeper, endedElsewhere: (id) => (ended = keeper.endedElsewhere?.(id) ?? Promise.resolve()) },
    answer: () => ({ outcome: 'allowed', by: 'user', waitedMs: 0 }),
    ...gateOptions,
  });
  const history = () => historyOf({ changes: ports.changes, files: workspace.files, crypto: nodeCrypto });
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
  return { lookedAgain: () => ended, dispose, workspace, store, clock, gate, history, call, ok, undo };
}
