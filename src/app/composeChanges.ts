import { lazy } from '../core/base/lazy';
import { Emitter } from '../core/base/event';
import { DisposableStore } from '../core/base/lifecycle';
import { pass } from '../core/call/stepAnswer';
import type { CallChanges, GateCall } from '../core/call/gateCall';
import type { ChangeStore } from '../core/ports/changes';
import type { SettingsInForce } from '../core/settings/settingsInForce';
import { changesFile } from '../core/vocabulary/access';
import type { Changes } from './coreParts';
import type { KeepingPlatform } from './hostChanges';
import type { Platform } from './platform';

/** What of the platform is needed for what calls change: its store, and what keeps it. */
export type ChangesPlatform = KeepingPlatform & Pick<Platform, 'changes'>;

/** All of it is loaded with the first call that changes something. */
export function composeChanges(platform: ChangesPlatform, settings: SettingsInForce): Changes | undefined {
  const { changes: openStore, checkpoints, log } = platform;
  if (!openStore) return undefined;
  const failed = (error: unknown): void => log.error(String(error));
  const disposables = new DisposableStore();
  const changed = disposables.add(new Emitter<void>(failed));
  let isDisposed = false;
  const store = lazy(async (): Promise<ChangeStore> => {
    const kept = await openStore(() => settings.now);
    if (isDisposed) kept.dispose();
    else disposables.add(kept);
    return (await later()).told(kept, () => changed.fire());
  });
  const hostFiles = lazy(async () => (await later()).hostFilesOf(platform, settings, await store()));
  const keeper = lazy(async (): Promise<CallChanges> => {
    const kept = await store();
    return (await later()).keepersFor(platform, settings, kept);
  });
  const isWatching = (): boolean => checkpoints !== undefined && settings.now.get('changes.checkpoints');
  const isMeant = (call: GateCall): boolean => changesFiles(call) || isWatching();
  return {
    port: { store: async () => (await later()).takingIn(await store(), hostFiles), reverting: (_id, work) => work() },
    keeper: {
      judge: async (call) => (isMeant(call) ? (await keeper()).judge(call) : pass('boundaries')),
      undoOf: async (call) => (isMeant(call) ? (await keeper()).undoOf(call) : undefined),
      keep: async (call, ports, mayLose) => (await keeper()).keep(call, ports, mayLose),
      watch: async (call, mayLose) => (isWatching() ? (await keeper()).watch?.(call, mayLose) : undefined),
      watchElsewhere: async (...one) => (isWatching() ? (await keeper()).watchElsewhere?.(...one) : undefined),
      keepNamed: async (call) => (changesFiles(call) ? (await hostFiles())?.begin(call) : undefined),
      endNamed: async (id) => (await hostFiles())?.end(id),
      endedElsewhere: async (id) =>
        isWatching() ? keeper().then((one) => one.endedElsewhere?.(id), failed) : undefined,
    },
    onDidChange: changed.event,
    dispose: () => {
      isDisposed = true;
      disposables.dispose();
    },
  };
}

const later = () => import('./hostChanges');

const changesFiles = ({ accesses }: GateCall): boolean => accesses.some(changesFile);
