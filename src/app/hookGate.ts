import type { AuditEvent } from '../core/audit/event';
import { messageOf } from '../core/base/errorText';
import { type Disposable, DisposableStore } from '../core/base/lifecycle';
import { hookInvocation, type HookVerdict, hookVerdict, placesTouched, ranElsewhere } from '../core/gate/hookCall';
import type { HostEvent } from '../core/hooks/hostEvent';
import type { Log } from '../core/ports/platform';
import { serveHooks } from '../node/hooks/gateServer';
import { writeHookSettings } from '../node/hooks/hookSettings';
import { readLastAnswers } from '../node/hooks/lastAnswers';
import { openPrivateFolder } from '../node/hooks/privateFolder';
import { takeSpooled } from '../node/hooks/spool';
import { nodeCrypto } from '../node/system';
import type { Core } from './compose';

interface HookGateOptions {
  readonly core: Core;
  /** Takes records of the time without an editor; answers how many of them are on the disk, from the first on. */
  readonly keep: (events: readonly AuditEvent[]) => number;
  readonly log: Log;
  /** The folders that are open, as paths of the machine. */
  readonly folders: () => readonly string[];
  /** The folder to meet hooks in; this user's own where it is left out. */
  readonly privateFolder?: string;
  /** True where this process knows the user's settings: it leaves them for hooks that run without it. */
  readonly leavesSettings: boolean;
}

/**
 * Answers the hooks of other agents in this workspace: by the same gate, so that questions come here and limits and
 * grants are shared; and takes in what was recorded while nobody answered. Undefined where the user's private folder
 * cannot be trusted: hooks then deny by themselves.
 */
export function answerHooks(options: HookGateOptions): (Disposable & { announce(): void }) | undefined {
  const { core, keep, log, folders, leavesSettings } = options;
  const store = new DisposableStore();
  const failed = (error: unknown): void => log.error(`hooks of other agents: ${messageOf(error)}`);
  try {
    const folder = openPrivateFolder(options.privateFolder);
    const server = store.add(
      serveHooks({ folder, folders, judge: (...asked) => judge(core, ...asked), onError: failed }),
    );
    const leave = (): void => {
      try {
        const { mode } = core.tools.profiles.active();
        const modes = Object.fromEntries(folders().map((one) => [one, mode]));
        writeHookSettings(folder, { user: core.settings().layers.user, modes });
      } catch (error) {
        failed(error);
      }
    };
    if (leavesSettings) {
      leave();
      store.add(core.onDidChangeSettings(leave));
      store.add(core.tools.profiles.onDidChange(leave));
      takeSpooled(folder, keep, failed);
      log.info(`hooks answered so far: ${lastAnswers(folder)}`);
    }
    return {
      announce() {
        server.announce();
        if (leavesSettings) leave();
      },
      dispose: () => store.dispose(),
    };
  } catch (error) {
    failed(error);
    store.dispose();
    return undefined;
  }
}

function lastAnswers(folder: string): string {
  const found = readLastAnswers(folder).map(({ agent, at }) => `${agent} at ${new Date(at).toISOString()}`);
  return found.length === 0 ? 'none' : found.join(', ');
}

async function judge(core: Core, event: HostEvent, signal: AbortSignal, isBeside: boolean): Promise<HookVerdict> {
  const { router } = core.gate;
  if (event.kind !== 'before' && event.kind !== 'after') return allowed;
  const invocation = hookInvocation(event, nodeCrypto, signal);
  if (isBeside && (await router.preview(invocation)).effect !== 'deny') return allowed;
  if (event.kind === 'after') await router.finishedElsewhere(invocation, ranElsewhere(event));
  const verdict = event.kind === 'before' ? hookVerdict(await router.invoke(invocation)) : allowed;
  if (verdict.effect !== 'allow') return verdict;
  const call = await router.describe(invocation);
  return { ...verdict, elsewhere: call ? placesTouched(call) : [] };
}

const allowed: HookVerdict = { effect: 'allow', reason: '' };
