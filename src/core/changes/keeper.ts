import { pathKeys } from '../policy/rules/pathKey';
import { isSecretFile } from '../policy/rules/secretFiles';
import { remembering } from '../base/maps';
import { say } from '../base/sentence';
import { pass } from '../call/stepAnswer';
import type { CallChanges, GateCall, KeptCall } from '../call/gateCall';
import { worksInSession } from '../files/root';
import { accessLabel } from '../ports/accessLabel';
import type { ChangeStore, NotKept } from '../ports/changes';
import type { FileSystem } from '../ports/files';
import type { Clock, Crypto, Log } from '../ports/platform';
import type { Settings } from '../settings/settings';
import { changesFile, isReadOnly } from '../vocabulary/access';
import type { StepAnswer } from '../vocabulary/decision';
import { sourceKind } from '../vocabulary/toolSource';
import { notKeptAnswer } from './notKeptAnswer';
import { originOf } from './originOf';
import { CallRecorder } from './recorder';
import { RecordedFiles } from './recordedFiles';

/**
 * So many places are remembered whose content could not be kept, and so many of which is known whether they are secret.
 */
const mostRemembered = 1000;

export interface KeeperOptions {
  readonly store: ChangeStore;
  readonly settings: () => Settings;
  readonly clock: Clock;
  readonly crypto: Crypto;
  readonly log: Log;
}

/** Has what calls change through our files kept before it happens, and says beforehand where that cannot be. */
export class ChangeKeeper implements CallChanges {
  readonly #options: KeeperOptions;
  readonly #failed = new Map<string, NotKept>();
  /** Asked several times for each call, and most calls are about the files of those before. */
  readonly #isSecret = remembering(mostRemembered, (label) => isSecretFile(pathKeys(label)));

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  async judge(call: GateCall): Promise<StepAnswer> {
    const why = this.#whyNot(call);
    if (why === undefined || call.actor.type === 'user') return pass('boundaries');
    const { settings, store } = this.#options;
    return notKeptAnswer(call, settings(), (why === 'store' && store.fault()) || say(`not_kept_${why}`));
  }

  async undoOf(call: GateCall): Promise<'possible' | 'never' | undefined> {
    if (!this.#isKept(call)) return undefined;
    return this.#whyNot(call) === undefined ? 'possible' : 'never';
  }

  async keep(call: GateCall, files: FileSystem, mayLose: boolean): Promise<KeptCall> {
    const { store, clock, settings, log } = this.#options;
    const crypto = callDigests(this.#options.crypto);
    const recorder = new CallRecorder({
      store,
      clock,
      crypto,
      origin: originOf(call),
      mayLose: () => mayLose || call.actor.type === 'user' || settings().get('changes.whenNotKept') === 'allow',
      onNotKept: (told, why, words) => {
        log.warn(`a change of \`${told.path}\` cannot be taken back: ${why}${words === '' ? '' : ` (${words})`}`);
        if (why !== 'store') for (const { resource } of call.accesses) this.#remember(resource, why);
      },
    });
    const keepsSecrets = settings().get('changes.keepSecrets');
    return {
      files: new RecordedFiles(files, recorder, (path) => !keepsSecrets && this.#isSecret(accessLabel(path, files))),
      changes: {
        store: async () => store,
        reverting: (id, work) => recorder.reverting(id, work),
      },
      crypto,
      kept: () => recorder.kept,
      lost: () => recorder.lost,
    };
  }

  #remember(resource: string, why: NotKept): void {
    if (this.#failed.size >= mostRemembered) this.#failed.clear();
    this.#failed.set(resource, why);
  }

  /** True for a call whose changes all go through our files. */
  #isKept({ tool, profile, accesses }: GateCall): boolean {
    if (!sourceKind(tool.source).isOurs || worksInSession({ settings: this.#options.settings() }, profile))
      return false;
    const changing = accesses.filter((access) => !isReadOnly(access));
    return changing.length > 0 && changing.every(changesFile);
  }

  #whyNot(call: GateCall): NotKept | undefined {
    if (!this.#isKept(call)) return undefined;
    const changing = call.accesses.filter((access) => !isReadOnly(access));
    if (
      !this.#options.settings().get('changes.keepSecrets') &&
      changing.some(({ resource }) => this.#isSecret(resource))
    )
      return 'secret';
    for (const { resource } of changing) {
      const failed = this.#failed.get(resource);
      if (failed !== undefined) return failed;
    }
    return this.#options.store.fault() === undefined ? undefined : 'store';
  }
}

/**
 * The crypto of one call, which hashes the same bytes once: a tool that writes a file and what keeps the file ask for
 * the same digests. The bytes that a call hashes are not written to afterwards.
 */
function callDigests(crypto: Crypto): Crypto {
  const known = new WeakMap<Uint8Array, string>();
  return {
    randomId: () => crypto.randomId(),
    sha256Pieces: () => crypto.sha256Pieces(),
    sha256(data) {
      if (typeof data === 'string') return crypto.sha256(data);
      const found = known.get(data);
      if (found !== undefined) return found;
      const digest = crypto.sha256(data);
      known.set(data, digest);
      return digest;
    },
  };
}
