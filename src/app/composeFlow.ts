import { noteChange } from '../core/audit/noteChange';
import { lazy } from '../core/base/lazy';
import { Emitter } from '../core/base/event';
import { say } from '../core/base/sentence';
import { DisposableStore } from '../core/base/lifecycle';
import type { CallFlow } from '../core/call/gateCall';
import type { FlowSettings } from '../core/flow/places';
import type { FlowTracker } from '../core/flow/tracker';
import { placesOf } from '../core/policy/rules/placedPatterns';
import { flowLabels } from '../core/vocabulary/flow';
import type { Flow, MadeFrom } from './coreParts';

type FlowOptions = MadeFrom<'isTrusted', 'audit' | 'clock' | 'crypto' | 'files' | 'log' | 'storage'> & {
  readonly settings: () => FlowSettings;
  /** Gets the tracker once it is loaded, so that calls need not come by here any more. */
  readonly loaded: (tracker: CallFlow) => void;
};

/** Follows what agents read. What follows it is loaded with the first call, not at start. */
export function composeFlow({ platform, settings, isTrusted, loaded: onLoaded }: FlowOptions): Flow {
  const store = new DisposableStore();
  const changed = store.add(new Emitter<void>());
  const { clock, crypto, files, storage, log, audit } = platform;
  const whereabouts = placesOf(files);
  let loaded: FlowTracker | undefined;
  const tracker = lazy(() =>
    import('../core/flow/tracker').then(({ FlowTracker: Tracker }): FlowTracker => {
      const made = store.add(
        new Tracker({
          clock,
          crypto,
          storage,
          settings,
          whereabouts,
          isTrusted,
          hashOf: async (path) => (await import('../core/files/hashOfFile')).hashOfFile({ files, crypto }, path),
          onError: (error) => log.error(String(error)),
          onCleared: (id, label, reason) =>
            noteChange({ audit, clock }, 'label', id, say(`note_${label}_cleared`, reason)),
        }),
      );
      store.add(made.onDidChange(() => changed.fire()));
      onLoaded(made);
      return (loaded = made);
    }),
  );
  return {
    judge: {
      of: async (call) => (loaded ?? (await tracker())).of(call),
      ran: async (call, accesses, payload) => (loaded ?? (await tracker())).ran(call, accesses, payload),
      showed: async (call, placeholder) => (loaded ?? (await tracker())).showed(call, placeholder),
    },
    tracker,
    get loaded() {
      return loaded;
    },
    labels: () => flowLabels.filter((label) => loaded?.sessions().some((one) => one[label].length > 0)),
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  };
}
