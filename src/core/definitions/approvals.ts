import { canonicalJson } from '../base/json';
import { messageOf } from '../base/errorText';
import { say } from '../base/sentence';
import type { Crypto, KeyValueStore, Log } from '../ports/platform';
import {
  type BoundChange,
  type DefinitionApproval,
  type DefinitionApprover,
  type DefinitionSubject,
  hashOf,
  identityOf,
} from './approval';
import { ApprovedDefinitions } from './approvedDefinitions';
import { type ChannelSetting, manifestFile } from './channels';
import type { DefinitionSpec } from './spec';

export interface ApprovalOptions {
  readonly storage: KeyValueStore;
  /** Kept for this user in every workspace: what the channels of the user's own settings said. */
  readonly userStorage: KeyValueStore;
  readonly crypto: Crypto;
  readonly log: Log;
  readonly approver: DefinitionApprover;
}

/** Knows which definitions may act, and asks the person about the others. */
export class DefinitionApprovals {
  readonly #options: ApprovalOptions;
  readonly #ofWorkspace: ApprovedDefinitions;
  readonly #ofUser: ApprovedDefinitions;
  /** What was asked since the start, by hash: a yes is for exactly this. */
  readonly #asked = new Map<string, DefinitionApproval>();

  constructor(options: ApprovalOptions) {
    this.#options = options;
    this.#ofWorkspace = new ApprovedDefinitions(options.storage);
    this.#ofUser = new ApprovedDefinitions(options.userStorage);
  }

  /** Where a yes is kept: one about a channel of the user's own settings holds wherever those do. */
  #keeper(isOwn: boolean): ApprovedDefinitions {
    return isOwn ? this.#ofUser : this.#ofWorkspace;
  }

  /**
   * The definition as it may act, or the question that has to be answered first. Of a channel of the user's own
   * settings the first manifest is taken, because the user named its address; another one later is asked about like any
   * other change.
   */
  async judge<T extends DefinitionSpec>(
    subject: DefinitionSubject & { readonly spec: T },
  ): Promise<DefinitionApproval | { readonly spec: T }> {
    const { origin, file, spec } = subject;
    const { crypto } = this.#options;
    const identity = identityOf(origin, file);
    const hash = hashOf(subject, crypto);
    const keeper = this.#keeper(origin.by === 'user');
    const known = keeper.get(identity);
    if (!known?.hashes.includes(hash)) {
      const { approvalOf } = await import('./approvalText');
      const approval = approvalOf(subject, crypto, known?.lines);
      if (origin.by === 'workspace' || known) return approval;
      await keeper.add(approval);
    }
    return {
      spec: { ...spec, capability: { ...spec.capability, provenance: { by: origin.by, from: identity, hash } } },
    };
  }

  /**
   * The question about the address of a channel, which is not even contacted before; undefined for one that the user
   * named or approved.
   */
  addressQuestion({ name, url, origin }: ChannelSetting): DefinitionApproval | undefined {
    if (origin === 'user') return undefined;
    const identity = canonicalJson(['address', name]);
    const hash = this.#options.crypto.sha256(canonicalJson({ format: 2, channel: name, url }));
    const known = this.#ofWorkspace.get(identity);
    if (known?.hashes.includes(hash)) return undefined;
    const line = say('bound_address', JSON.stringify(url));
    return {
      hash,
      identity,
      isOwn: false,
      capabilityId: name,
      name,
      file: manifestFile(name),
      tools: [{ name, does: say('does_read_manifest', url), riskLevel: 'low', secrets: [] }],
      outsideSandbox: [],
      lines: [line],
      changes: (known?.lines ?? []).flatMap((before): readonly BoundChange[] => [
        { sign: '-', line: before },
        { sign: '+', line },
      ]),
    };
  }

  /**
   * Asks for each new approval once; `onYes` is called with its hash whenever the person allows it.
   * @param isWaiting whether what has this hash waits at the moment.
   */
  ask(
    pending: readonly DefinitionApproval[],
    isWaiting: (hash: string) => boolean,
    onYes: (hash: string) => Promise<void>,
  ): void {
    const { approver, log } = this.#options;
    for (const approval of pending) {
      if (this.#asked.has(approval.hash)) continue;
      this.#asked.set(approval.hash, approval);
      void approver
        .ask(approval, () => isWaiting(approval.hash))
        .then((yes) => (yes ? onYes(approval.hash) : undefined))
        .catch((error: unknown) => log.error(`asking for \`${approval.capabilityId}\` failed: ${messageOf(error)}`));
    }
  }

  /** Remembers the yes to what was asked under this hash; false where nothing was. */
  async allow(hash: string): Promise<boolean> {
    const approval = this.#asked.get(hash);
    if (approval) await this.#keeper(approval.isOwn).add(approval);
    return approval !== undefined;
  }
}
