import { pathKeys } from '../policy/rules/pathKey';
import { isSecretFile } from '../policy/rules/secretFiles';
import { messageOf } from '../base/errorText';
import { say, type Sentence } from '../base/sentence';
import { Turns } from '../base/turns';
import type { FoundByCall, GateCall, WatchedCall } from '../call/gateCall';
import { pass } from '../call/stepAnswer';
import { worksInSession } from '../files/root';
import { accessLabel } from '../ports/accessLabel';
import type { Checkpoint, Checkpoints } from '../ports/checkpoints';
import type { FileSystem } from '../ports/files';
import type { WorkspaceFolder } from '../ports/workspacePath';
import type { StepAnswer } from '../vocabulary/decision';
import { errorSaid, isToolError, refusal, type ToolError } from '../vocabulary/errors';
import { CallWatch, type Look, look } from './callWatch';
import type { KeeperOptions } from './keeper';
import { notKeptAnswer } from './notKeptAnswer';
import { foundBy } from './originOf';
import { CallRecorder } from './recorder';

/** The look after a call ends after so long, in milliseconds. */
const mostEndMs = 120_000;
/** A call that another program runs waits so long for the look before it, in milliseconds: its hook has to answer. */
const mostWaitMs = 1500;
/** So many calls that other programs run are waited for, and so long, in milliseconds. */
const mostElsewhere = 20;
const mostElsewhereMs = 30 * 60_000;
/** So many calls that ran at the same time are named with a change. */
const mostNamed = 5;
/** What failed once is taken for still failing so long, in milliseconds; a look that is taken meanwhile ends it. */
const mostFaultMs = 10 * 60_000;

const tooLate = say('look_slow', mostWaitMs / 1000);

interface CheckpointKeeperOptions extends KeeperOptions {
  readonly checkpoints: Checkpoints;
  readonly files: FileSystem;
}

/** A call that runs between its two looks, with the others that did so too. */
interface Running {
  readonly call: GateCall;
  readonly watch: CallWatch;
  readonly others: Set<string>;
}

interface Watched extends WatchedCall {
  /** Nobody looks again. */
  forget(): void;
}

/**
 * Finds what calls that are given to it change without our ports, by looking at the workspace before and after each.
 */
export class CheckpointKeeper {
  readonly #options: CheckpointKeeperOptions;
  readonly #running = new Set<Running>();
  /** Looks, and what is recorded of them, come one after the other. */
  readonly #turns = new Turns();
  /** Calls that another program runs, by their invocation ids. */
  readonly #elsewhere = new Map<string, { readonly watch: Watched; readonly since: number }>();
  /** Why the last look failed; nothing is known to be in the way where it did not. */
  #fault: { readonly why: Sentence; readonly isSlow: boolean; readonly time: number } | undefined;
  /** True once a look came too late for another program's call, until one does not. */
  #wasLate = false;

  constructor(options: CheckpointKeeperOptions) {
    this.#options = options;
  }

  /** Asks where the call may change files by itself and no look at them can be taken. */
  async judge(call: GateCall): Promise<StepAnswer> {
    const fault = call.actor.type === 'user' ? undefined : await this.#faultOf(call);
    return fault === undefined ? pass('boundaries') : notKeptAnswer(call, this.#options.settings(), fault);
  }

  async undoOf(call: GateCall): Promise<'never' | undefined> {
    return (await this.#faultOf(call)) === undefined ? undefined : 'never';
  }

  /** Throws what refuses the call where nothing can be looked at and nobody let it run so. */
  watch(call: GateCall, mayLose: boolean): Promise<WatchedCall> {
    return this.#watch(call, call.signal, mayLose);
  }

  /** Answers why the call may not run. */
  async watchElsewhere(call: GateCall, mayLose: boolean): Promise<ToolError | undefined> {
    try {
      await this.#watchElsewhere(call, mayLose);
      return undefined;
    } catch (error) {
      return isToolError(error) ? error : notLooked(errorSaid(error));
    }
  }

  async #watchElsewhere(call: GateCall, mayLose: boolean): Promise<void> {
    const { clock, log } = this.#options;
    const begun = this.#watch(call, new AbortController().signal, mayLose);
    let tell = (_late: 'late'): void => undefined;
    const late = new Promise<'late'>((resolve) => (tell = resolve));
    const timer = clock.schedule(() => tell('late'), mostWaitMs);
    const watch = await Promise.race([begun, late]).finally(() => timer.dispose());
    if (watch === 'late') {
      // It goes on, so that the next call finds most of it done; what this one changes was not looked at before.
      log.warn(`what ${call.tool.id} changes in files cannot be taken back: the look before took too long`);
      const fault = { why: tooLate, isSlow: true, time: clock.now() };
      void begun.then(
        (one) => {
          one.forget();
          // A look that is late each time is in the way; the first one is not.
          this.#fault = this.#wasLate ? fault : undefined;
          this.#wasLate = true;
        },
        () => undefined,
      );
      this.#fault = fault;
      if (!this.#mayLose(call, mayLose)) throw notLooked(tooLate);
    } else {
      this.#wasLate = false;
      if (this.#fault?.isSlow === true) this.#fault = undefined;
      // An agent that numbers no calls asks about the same call under the same name.
      this.#elsewhere.get(call.invocationId)?.watch.forget();
      this.#elsewhere.set(call.invocationId, { watch, since: clock.now() });
      this.#forgetOld();
    }
  }

  async endedElsewhere(invocationId: string): Promise<void> {
    const known = this.#elsewhere.get(invocationId);
    this.#elsewhere.delete(invocationId);
    await known?.watch.end();
  }

  /** A call that another program ran after all may never be told to have ended. */
  #forgetOld(): void {
    for (const [id, { watch, since }] of this.#elsewhere) {
      if (this.#elsewhere.size <= mostElsewhere && this.#options.clock.now() - since < mostElsewhereMs) continue;
      this.#elsewhere.delete(id);
      watch.forget();
    }
  }

  /** Why what the call changes could not be looked at. */
  async #faultOf(call: GateCall): Promise<Sentence | undefined> {
    const { checkpoints, files, clock, settings } = this.#options;
    if (worksInSession({ settings: settings() }, call.profile)) return undefined;
    const found = await checkpoints.fault(filesIn(files).map(({ path }) => path));
    if (found !== undefined) return found;
    // Where nobody is asked only trying tells whether it still fails.
    if (settings().get('changes.whenNotKept') === 'deny') return undefined;
    const { why, time } = this.#fault ?? {};
    return time !== undefined && clock.now() - time < mostFaultMs ? why : undefined;
  }

  #mayLose({ actor }: GateCall, mayLose: boolean): boolean {
    return mayLose || actor.type === 'user' || this.#options.settings().get('changes.whenNotKept') === 'allow';
  }

  async #watch(call: GateCall, signal: AbortSignal, mayLose: boolean): Promise<Watched> {
    try {
      const running = await this.#turns.take('looks', () => this.#begin(call, signal));
      if (this.#fault?.isSlow !== true) this.#fault = undefined;
      return { end: () => this.#end(running), forget: () => void this.#running.delete(running) };
    } catch (error) {
      if (signal.aborted) throw error;
      this.#fault = { why: errorSaid(error), isSlow: false, time: this.#options.clock.now() };
      if (!this.#mayLose(call, mayLose)) throw notLooked(errorSaid(error));
      return { end: async () => this.#failed(call, error), forget: () => undefined };
    }
  }

  async #begin(call: GateCall, signal: AbortSignal): Promise<Running> {
    const { store } = this.#options;
    const now = await look(store, () => this.#take(call, this.#running.size === 0, signal));
    const [other] = this.#running;
    // What stands there by now was made by those that run, before this one.
    if (other) await this.#settle(other, now, signal);
    const others = new Set<string>();
    const watch = new CallWatch({ ...this.#options, recorder: () => this.#recorder(call, others) }, now);
    const running: Running = { call, watch, others };
    for (const one of this.#running) {
      one.others.add(call.invocationId);
      others.add(one.call.invocationId);
    }
    this.#running.add(running);
    return running;
  }

  /** Records what calls did until a look, as that of one of them; all of them go on from there. */
  async #settle({ watch }: Running, now: Look, signal: AbortSignal): Promise<void> {
    await watch.record(now, signal);
    for (const one of this.#running) one.watch.goOnFrom(now);
  }

  async #end(running: Running): Promise<FoundByCall> {
    const { call, watch } = running;
    // It is not cancelled with its call: what was done until then is to be found.
    const stop = new AbortController();
    const timer = this.#options.clock.schedule(
      () => stop.abort(new Error(`the look afterwards took longer than ${mostEndMs / 1000} s`)),
      mostEndMs,
    );
    try {
      await this.#turns.take('looks', async () => {
        const now = await look(this.#options.store, () => this.#take(call, false, stop.signal));
        await this.#settle(running, now, stop.signal);
      });
      return { ...watch.counts, warnings: [] };
    } catch (error) {
      return this.#failed(call, error);
    } finally {
      timer.dispose();
      this.#running.delete(running);
    }
  }

  #failed(call: GateCall, error: unknown): FoundByCall {
    const why = messageOf(error);
    this.#options.log.warn(`what ${call.tool.id} changes in files cannot be taken back: ${why}`);
    return { kept: 0, lost: 0, warnings: [`what this call changed in files cannot be taken back: ${why}`] };
  }

  async #take(call: GateCall, mayForget: boolean, signal: AbortSignal): Promise<Checkpoint> {
    const { checkpoints, files, settings } = this.#options;
    const keepsSecrets = settings().get('changes.keepSecrets');
    const folders = filesIn(files);
    const byRoot = new Map(folders.map((folder) => [folder.path, folder]));
    return checkpoints.take({
      roots: folders.map(({ path }) => path),
      isSecret: (root, path) => {
        const folder = byRoot.get(root);
        return !keepsSecrets && folder !== undefined && isSecretFile(pathKeys(accessLabel({ folder, path }, files)));
      },
      mayForget,
      signal,
      onProgress: (done, all) =>
        call.invocation.onProgress?.({
          message: `remembering the files of the workspace, so that changes can be taken back: ${done} of ${all}`,
          fraction: done / all,
        }),
    });
  }

  #recorder(call: GateCall, others: ReadonlySet<string>): CallRecorder {
    const { store, clock, crypto, log } = this.#options;
    return new CallRecorder({
      store,
      clock,
      crypto,
      origin: { ...foundBy(call), ...(others.size === 0 ? {} : { orBy: [...others].slice(0, mostNamed) }) },
      onNotKept: (told, why, words) =>
        log.warn(`a change of \`${told.path}\` cannot be taken back: ${why}${words === '' ? '' : ` (${words})`}`),
    });
  }
}

const filesIn = (files: FileSystem): readonly WorkspaceFolder[] =>
  files.folders().filter(({ scheme }) => scheme === 'file');

const notLooked = (why: Sentence): ToolError => refusal('not_kept', say('not_looked', why), { retryable: true });
