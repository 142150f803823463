import { pathKeys } from '../policy/rules/pathKey';
import { isSecretFile } from '../policy/rules/secretFiles';
import { messageOf } from '../base/errorText';
import { SaidError, say, type Sentence } from '../base/sentence';
import type { GateCall } from '../call/gateCall';
import { pass } from '../call/stepAnswer';
import { accessLabel } from '../ports/accessLabel';
import type { BegunCalls, EndedCall } from '../ports/begunCalls';
import type { Change, ChangeRecord, ChangeStore } from '../ports/changes';
import type { Checkpoint, Checkpoints } from '../ports/checkpoints';
import type { FileSystem } from '../ports/files';
import type { KeptLook, KeptLooks } from '../ports/keptLooks';
import type { Clock, Crypto, Log } from '../ports/platform';
import type { WorkspaceFolder } from '../ports/workspacePath';
import type { Settings } from '../settings/settings';
import type { StepAnswer } from '../vocabulary/decision';
import { errorSaid, refusal, type ToolError } from '../vocabulary/errors';
import { CallWatch, look, type Look } from './callWatch';
import { actionOf, withoutMove } from './changePlace';
import { notKeptAnswer } from './notKeptAnswer';
import { agentOf, foundBy } from './originOf';
import { CallRecorder } from './recorder';

/** Of a call whose end is not told nobody takes a second look after so long, in milliseconds. */
const forgetsAfterMs = 30 * 60_000;
/** So many calls of one folder are waited for, and so many that ran at the same time are named with a change. */
const mostRunning = 20;
const mostNamed = 5;

interface LooksBetweenOptions {
  readonly looks: KeptLooks;
  readonly checkpoints: Checkpoints;
  /** Where what was found waits for who takes it in; and what calls keep of the files that they name. */
  readonly begun: BegunCalls;
  /** The one folder that is looked at, and the files in it. */
  readonly folder: WorkspaceFolder;
  readonly files: Pick<FileSystem, 'folders'>;
  readonly settings: Pick<Settings, 'get'>;
  /** So long a look may take, in milliseconds. */
  readonly mostMs: number;
  readonly clock: Clock;
  readonly crypto: Crypto;
  readonly log: Log;
}

/**
 * Finds what calls of other agents change, where no process is there from the beginning of a call to its end: the look
 * before is kept, and whoever is told the end compares. All calls that run in a folder go on from its last look.
 */
export class LooksBetween {
  readonly #options: LooksBetweenOptions;

  constructor(options: LooksBetweenOptions) {
    this.#options = options;
  }

  /** Says what the setting says where no look can be taken. */
  async judge(call: GateCall): Promise<StepAnswer> {
    const { checkpoints, folder, settings } = this.#options;
    const fault = await checkpoints.fault([folder.path]);
    return fault === undefined ? pass('boundaries') : notKeptAnswer(call, settings, fault);
  }

  /** Looks before the call; answers why the call may not run where that cannot be done. Never throws. */
  async begin(call: GateCall, mayLose: boolean): Promise<ToolError | undefined> {
    const { looks, clock, settings } = this.#options;
    const agent = agentOf(call);
    if (agent === undefined) return undefined;
    const asked = clock.now();
    const failed = await this.#inTurn(async (signal) => {
      // An agent that numbers no calls asks about the same call under the same name: the one before is over.
      const { checkpoint, running } = await this.#goOn(call.invocationId, asked, signal);
      const origin = foundBy(call);
      const others = running.map(({ id }) => id).slice(0, mostNamed);
      for (const one of running) looks.put({ ...one, others: named(one, call.invocationId) });
      looks.put({ id: call.invocationId, time: clock.now(), agent, origin, others, checkpoint });
    });
    if (failed === undefined || mayLose || settings.get('changes.whenNotKept') === 'allow') return undefined;
    return refusal('not_kept', say('not_looked_for_hook', failed), { retryable: true });
  }

  /** Records what a call did. Never throws. */
  async end(id: string): Promise<void> {
    const { looks, log, clock } = this.#options;
    try {
      const asked = clock.now();
      const mine = looks.all().find((one) => one.id === id);
      if (!mine) return;
      const failed = await this.#inTurn(async (signal) => void (await this.#goOn(id, asked, signal)));
      // The next look of any call records it.
      if (failed !== undefined) looks.put({ ...(looks.all().find((one) => one.id === id) ?? mine), isOver: true });
    } catch (error) {
      log.warn(`what another agent changed cannot be recorded: ${messageOf(error)}`);
    }
  }

  /** Answers why it could not be done. */
  async #inTurn(work: (signal: AbortSignal) => Promise<void>): Promise<Sentence | undefined> {
    const { clock, looks, mostMs, log } = this.#options;
    const stop = new AbortController();
    const timer = clock.schedule(() => stop.abort(new SaidError(say('look_slow', mostMs / 1000))), mostMs);
    try {
      await looks.inTurn(stop.signal, () => work(stop.signal));
      return undefined;
    } catch (error) {
      log.warn(`the workspace could not be looked at: ${messageOf(error)}`);
      return errorSaid(error);
    } finally {
      timer.dispose();
    }
  }

  /**
   * Takes a look, records what was done since the last one, and has all calls but those that are over go on from it.
   * @param asked when the call began or ended, and began to wait for its turn.
   */
  async #goOn(
    over: string,
    asked: number,
    signal: AbortSignal,
  ): Promise<{ readonly checkpoint: Checkpoint; readonly running: readonly KeptLook[] }> {
    const { looks, clock } = this.#options;
    const known = this.#known();
    const others = known.filter(({ id }) => id !== over);
    // Of many that wait at once the first looks for all: what is asked of each is a look since it asked, not its own.
    const last = others.some(({ isOver }) => isOver) ? undefined : known[0]?.checkpoint;
    if (last && last.time > asked && last.time <= clock.now()) {
      looks.remove(over);
      return { checkpoint: last, running: others };
    }
    const isOver = (one: KeptLook): boolean => one.id === over || one.isOver === true;
    // What is over, else what began first, is who did it; all others that ran may as well have.
    const doer = known.find(isOver) ?? known[0];
    const store = new WaitingChanges(this.#options, doer, known);
    const now = await look(store, () => this.#take(known.length === 0, signal));
    if (doer) await this.#record(doer, now, store, signal);
    const { checkpoint } = now;
    for (const one of known) if (isOver(one)) looks.remove(one.id);
    // Of one that gave up waiting meanwhile the end was told, and part of what it did may have come after this look.
    const gaveUp = new Set(looks.all().flatMap(({ id, isOver: isTold }) => (isTold ? [id] : [])));
    const running = known
      .filter((one) => !isOver(one))
      .map((one) => ({ ...one, checkpoint, ...(gaveUp.has(one.id) ? { isOver: true as const } : {}) }));
    for (const one of running) looks.put(one);
    return { checkpoint, running };
  }

  /** Those whose end may still be told. */
  #known(): readonly KeptLook[] {
    const { looks, clock, folder } = this.#options;
    const all = looks.all();
    const known = all
      .filter(({ time, checkpoint }) => {
        const since = clock.now() - time;
        return since < forgetsAfterMs && since > -forgetsAfterMs && checkpoint.folders[0]?.root === folder.path;
      })
      .slice(-mostRunning);
    for (const one of all) if (!known.includes(one)) looks.remove(one.id);
    return known;
  }

  async #record({ checkpoint }: KeptLook, now: Look, store: WaitingChanges, signal: AbortSignal): Promise<void> {
    const { checkpoints, crypto, begun } = this.#options;
    // What calls kept of the files that they name they record themselves when their end is told.
    const kept = begun.begun().flatMap(({ call }) => call.places.map(({ root, path }) => `${root}/${path}`));
    const isKept = new Set(kept);
    const plain: Pick<Checkpoints, 'stateAt' | 'contents' | 'between'> = {
      stateAt: (...about) => checkpoints.stateAt(...about),
      contents: (...about) => checkpoints.contents(...about),
      between: async (...about) =>
        (await checkpoints.between(...about))
          // What waits names places.
          .flatMap(withoutMove)
          .filter(({ root, path }) => !isKept.has(`${root}/${path}`)),
    };
    const recorder = (): CallRecorder => store.recorder();
    const before: Look = { checkpoint, settled: new Set() };
    await new CallWatch({ checkpoints: plain, store, crypto, recorder }, before).record(now, signal);
  }

  #take(mayForget: boolean, signal: AbortSignal): Promise<Checkpoint> {
    const { checkpoints, settings, folder, files } = this.#options;
    const keepsSecrets = settings.get('changes.keepSecrets');
    return checkpoints.take({
      roots: [folder.path],
      isSecret: (_root, path) => !keepsSecrets && isSecretFile(pathKeys(accessLabel({ folder, path }, files))),
      mayForget,
      signal,
    });
  }
}

const named = ({ others }: KeptLook, id: string): readonly string[] =>
  [...new Set([...others, id])].slice(0, mostNamed);

/** What was recorded since a look and waits to be taken in, as the store of changes into which more of it goes. */
class WaitingChanges implements Omit<ChangeStore, 'fault'> {
  readonly #options: LooksBetweenOptions;
  readonly #doer: KeptLook | undefined;
  readonly #orBy: readonly string[];

  constructor(options: LooksBetweenOptions, doer: KeptLook | undefined, known: readonly KeptLook[]) {
    this.#options = options;
    this.#doer = doer;
    const others = known.filter(({ id }) => id !== doer?.id).map(({ id }) => id);
    this.#orBy = [...new Set([...others, ...(doer?.others ?? [])])].slice(0, mostNamed);
  }

  get mostBytes(): number {
    return this.#options.begun.mostBytes;
  }

  recorder(): CallRecorder {
    const { clock, crypto, log } = this.#options;
    if (!this.#doer) throw new Error('nothing was looked at before');
    return new CallRecorder({
      store: this,
      clock,
      crypto,
      origin: this.#doer.origin,
      onNotKept: ({ path }, why) => log.warn(`a change of \`${path}\` cannot be taken back: ${why}`),
    });
  }

  append(records: readonly ChangeRecord[], images: Parameters<ChangeStore['append']>[1] = []): void {
    const { begun, clock } = this.#options;
    const doer = this.#doer;
    const changes = records.flatMap((one) => (one.type === 'change' ? [one] : []));
    if (!doer || changes.length === 0) return;
    const places = changes.map(({ id, root, path, before, after, notKept }) => ({
      ...{ id, root, path, before, after },
      ...(notKept === undefined ? {} : { notKept }),
    }));
    const { id, time, agent, origin } = doer;
    const orBy = this.#orBy.length === 0 ? {} : { orBy: this.#orBy };
    begun.end({ id, time, agent, origin, endedAt: clock.now(), places, ...orBy }, images);
  }

  read(): Promise<readonly ChangeRecord[]> {
    return Promise.resolve(
      this.#since().flatMap(({ call }) =>
        changesOf(call).flatMap((one): ChangeRecord[] => [
          { type: 'change', ...one },
          { type: 'ended', id: one.id },
        ]),
      ),
    );
  }

  image(hash: string): Promise<Uint8Array | undefined> {
    const holds = ({ call }: { readonly call: EndedCall }): boolean =>
      call.places.some(({ before, after }) => [before, after].some((one) => one.kind === 'file' && one.hash === hash));
    for (const entry of this.#since().filter(holds))
      for (const one of entry.images()) if (one.hash === hash) return Promise.resolve(one.bytes);
    return Promise.resolve(undefined);
  }

  #since() {
    const from = this.#doer?.checkpoint.time;
    if (from === undefined) return [];
    return this.#options.begun.ended(new Set()).filter(({ call }) => call.endedAt >= from);
  }
}

const changesOf = ({ origin, endedAt, places }: EndedCall): readonly Change[] =>
  places.map(({ id, root, path, before, after }) => ({
    ...origin,
    ...{ id, time: endedAt, scheme: 'file', root, path, before, after },
    action: actionOf(after),
  }));
