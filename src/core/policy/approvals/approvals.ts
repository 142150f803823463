import { defined } from '../../base/json';
import { say, type Sentence } from '../../base/sentence';
import { type Access, accessHosts } from '../../vocabulary/access';
import { type Event, Emitter } from '../../base/event';
import type { Disposable } from '../../base/lifecycle';
import type { ApprovalAnswer, CallApprover, ApprovalRequest, Coverage, GateCall } from '../../call/gateCall';
import type { Clock } from '../../ports/platform';
import type { AdminAnswer, AdminToken } from './adminToken';
import { ComingCalls } from './comingCalls';
import { type GrantDraft, type GrantStore } from '../grants/grants';
import { type Reason, reasonKey } from '../../vocabulary/decision';

/** What a person answered. `adminToken` comes with a yes where the request needs it. */
export type ConfirmerAnswer =
  | { readonly outcome: 'allow-once'; readonly admin?: AdminEntry }
  | ({ readonly outcome: 'allow-session'; readonly admin?: AdminEntry } & Read)
  | ({ readonly outcome: 'always'; readonly grant: GrantDraft; readonly admin?: AdminEntry } & Read)
  /** Not answered yet: the call waits under Pending approvals. */
  | { readonly outcome: 'parked' }
  | { readonly outcome: 'deny' };

/** True where the person was shown all of the request in an editor before they answered. */
interface Read {
  readonly hasRead?: boolean;
}

/** Why a person's yes did not count. */
export type RefusedYes = { readonly outcome: 'none' } | Exclude<AdminAnswer, { readonly outcome: 'accepted' }>;

/** A token as it was typed, and how long it shall unlock admin approvals; 0 for this call alone. */
export interface AdminEntry {
  readonly token: string;
  readonly lifetimeMs: number;
}

/** Asks a person; the modal of the editor, or a script of a test. It is called for one request at a time. */
export interface Confirmer {
  /** `signal` aborts when the answer is no longer of use; the answer is ignored then. */
  confirm(request: ApprovalRequest, signal: AbortSignal): Promise<ConfirmerAnswer>;
  /** Tells the person that their yes did not count, and why: a wrong admin token. */
  refused?(request: ApprovalRequest, why: RefusedYes): void;
}

/** Something else than a grant that lets a call through without asking, such as a plan that was approved as a batch. */
export interface OtherApproval {
  covering(call: GateCall, accesses: readonly Access[], reasons: readonly Reason[]): Coverage | undefined;
}

/** A call that waits for an answer, as the inbox shows it. */
export interface PendingApproval {
  readonly request: ApprovalRequest;
  readonly state: 'queued' | 'shown' | 'parked';
}

interface ApprovalQueueOptions {
  readonly confirmer: Confirmer;
  readonly grants: GrantStore;
  readonly clock: Clock;
  readonly admin: AdminToken;
  readonly plans?: OtherApproval;
  /** `confirmation.timeoutSeconds`; 0 waits without end. Read anew for each request. */
  readonly timeoutSeconds: () => number;
  /**
   * False where a person could not see all of a request: then a yes holds for this call alone. `hasRead` is true where
   * all of it was shown in an editor.
   */
  readonly isShownWhole: (request: ApprovalRequest, hasRead: boolean) => boolean;
  readonly onError?: (error: unknown) => void;
}

class Waiting {
  state: PendingApproval['state'] = 'queued';
  timer: Disposable | undefined;
  readonly controller = new AbortController();
  readonly request: ApprovalRequest;
  readonly settle: (answer: ApprovalAnswer) => void;
  isSettled = false;

  constructor(request: ApprovalRequest, settle: (answer: ApprovalAnswer) => void) {
    this.request = request;
    this.settle = settle;
  }
}

/**
 * Asks people, one call at a time, and keeps what waits for the inbox. Anything but an explicit yes denies: a timeout,
 * a cancellation, a closed window, an error of the surface. An answer that comes after the call ended allows nothing.
 */
export class ApprovalQueue implements CallApprover, Disposable {
  readonly #options: ApprovalQueueOptions;
  readonly #changed = new Emitter<void>();
  readonly onDidChange: Event<void> = this.#changed.event;
  readonly coming: ComingCalls;
  #waiting = new Map<string, Waiting>();
  readonly #hosts = new Set<string>();
  #showing: Waiting | undefined;
  #disposed = false;

  constructor(options: ApprovalQueueOptions) {
    this.#options = options;
    this.coming = new ComingCalls(options.clock);
  }

  /** The calls that wait, oldest first. */
  pending(): readonly PendingApproval[] {
    return [...this.#waiting.values()].map(({ request, state }) => ({ request, state }));
  }

  covering(call: GateCall, accesses: readonly Access[], reasons: readonly Reason[]): Coverage | undefined {
    const open = reasons.filter((one) => !one.advisory && !this.#hostIsKnown(one, accesses));
    if (open.length === 0 && reasons.some((one) => !one.advisory))
      return { id: 'session-host', by: 'grant', use: () => true };
    return this.#options.plans?.covering(call, accesses, open) ?? this.#options.grants.covering(call, accesses, open);
  }

  #hostIsKnown(reason: Reason, accesses: readonly Access[]): boolean {
    if (reason.oncePer !== 'host') return false;
    const hosts = accesses.flatMap((access): readonly (string | undefined)[] => accessHosts(access) ?? [undefined]);
    const isKnown = (host: string | undefined): boolean =>
      host !== undefined && this.#hosts.has(`${reasonKey(reason)} ${host}`);
    return hosts.length > 0 && hosts.every(isKnown);
  }

  ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    this.coming.delete(request.call.invocationId);
    if (signal.aborted) return Promise.resolve(denied('cancellation'));
    if (this.#disposed) return Promise.resolve(unavailable(say('window_closing')));
    return new Promise((resolve) => {
      const start = this.#options.clock.monotonic();
      const cancel = (): void => this.#finish(waiting, denied('cancellation'));
      const waiting = new Waiting(request, (answer) => {
        signal.removeEventListener('abort', cancel);
        resolve({ ...answer, waitedMs: Math.max(0, this.#options.clock.monotonic() - start) });
      });
      signal.addEventListener('abort', cancel, { once: true });
      this.#waiting.set(request.id, waiting);
      const seconds = this.#options.timeoutSeconds();
      if (seconds > 0)
        waiting.timer = this.#options.clock.schedule(() => this.#finish(waiting, denied('timeout')), seconds * 1000);
      this.#changed.fire();
      this.#showNext();
    });
  }

  /** Brings a parked call back to the person; false where it waits no more. */
  show(id: string): boolean {
    const waiting = this.#waiting.get(id);
    if (!waiting) return false;
    if (waiting.state === 'shown') return true;
    waiting.state = 'queued';
    // The one that was asked for comes first.
    this.#waiting = new Map([[id, waiting], ...this.#waiting]);
    this.#changed.fire();
    this.#showNext();
    return true;
  }

  /** Answers calls from the inbox, several at once. Answers how many were still waiting; the rest allow nothing. */
  async answer(ids: readonly string[], answer: ConfirmerAnswer): Promise<number> {
    let answered = 0;
    for (const id of ids) {
      const waiting = this.#waiting.get(id);
      if (waiting && (await this.#apply(waiting, answer))) answered++;
    }
    return answered;
  }

  #showNext(): void {
    if (this.#showing || this.#disposed) return;
    const next = [...this.#waiting.values()].find((one) => one.state === 'queued');
    if (!next) return;
    // What was allowed meanwhile may cover this call too.
    const { call, accesses, reasons } = next.request;
    const covered = next.request.needsAdmin ? undefined : this.covering(call, accesses, reasons);
    if (covered?.use() === true) {
      this.#finish(next, { outcome: 'allowed', by: covered.by, grantId: covered.id, waitedMs: 0 });
      return;
    }
    this.#showing = next;
    next.state = 'shown';
    this.#changed.fire();
    void this.#confirm(next);
  }

  async #confirm(waiting: Waiting): Promise<void> {
    try {
      await this.#apply(waiting, await this.#options.confirmer.confirm(waiting.request, waiting.controller.signal));
    } catch (error) {
      this.#options.onError?.(error);
      this.#finish(waiting, unavailable(say('question_not_asked')));
    } finally {
      if (this.#showing === waiting) this.#showing = undefined;
      this.#showNext();
    }
  }

  /** Carries out an answer; false where the call has ended. */
  async #apply(waiting: Waiting, answer: ConfirmerAnswer): Promise<boolean> {
    if (waiting.isSettled) return false;
    if (answer.outcome === 'parked') {
      waiting.state = 'parked';
      this.#changed.fire();
    } else if (answer.outcome === 'deny') this.#finish(waiting, denied('user'));
    else return this.#allow(waiting, answer);
    return true;
  }

  async #allow(
    waiting: Waiting,
    answer: Extract<ConfirmerAnswer, { outcome: 'allow-once' | 'allow-session' | 'always' }>,
  ): Promise<boolean> {
    const { request } = waiting;
    const refused = await this.#adminRefusal(request, answer.admin);
    // Checking the token takes time, in which the call can end.
    if (waiting.isSettled) return false;
    if (refused !== undefined) {
      this.#options.confirmer.refused?.(request, refused);
      this.#finish(waiting, denied('user'));
      return true;
    }
    let grantId: string | undefined;
    if (answer.outcome !== 'allow-once' && this.#options.isShownWhole(request, answer.hasRead === true)) {
      const draft: GrantDraft = answer.outcome === 'always' ? answer.grant : { scope: 'session', cover: 'resources' };
      try {
        const grant = this.#options.grants.add(draft, request.call, request.accesses, request.reasons, {
          admin: request.needsAdmin,
        });
        grantId = grant.id;
        // This call is the first that the grant lets through.
        this.#options.grants.covering(request.call, request.accesses, request.reasons)?.use();
      } catch (error) {
        // The person said yes to this call; only the memory of it failed.
        this.#options.onError?.(error);
      }
    }
    for (const reason of request.reasons)
      if (reason.oncePer === 'host')
        for (const host of request.accesses.flatMap((access) => accessHosts(access) ?? []))
          this.#hosts.add(`${reasonKey(reason)} ${host}`);
    this.#finish(waiting, defined({ outcome: 'allowed', by: 'user', grantId, waitedMs: 0 }));
    return true;
  }

  async #adminRefusal(request: ApprovalRequest, entry: AdminEntry | undefined): Promise<RefusedYes | undefined> {
    if (!request.needsAdmin || this.#options.admin.isUnlocked) return undefined;
    if (!entry) return { outcome: 'none' };
    const answer = await this.#options.admin.unlock(entry.token, entry.lifetimeMs);
    return answer.outcome === 'accepted' ? undefined : answer;
  }

  #finish(waiting: Waiting, answer: ApprovalAnswer): void {
    if (waiting.isSettled) return;
    waiting.isSettled = true;
    waiting.timer?.dispose();
    this.#waiting.delete(waiting.request.id);
    waiting.settle(answer);
    waiting.controller.abort();
    if (this.#showing === waiting) this.#showing = undefined;
    if (this.#disposed) return;
    this.#changed.fire();
    this.#showNext();
  }

  dispose(): void {
    this.#disposed = true;
    for (const waiting of [...this.#waiting.values()]) this.#finish(waiting, unavailable(say('window_closing')));
    this.#changed.dispose();
  }
}

/** `#finish` says how long the call waited. */
const denied = (by: 'user' | 'timeout' | 'cancellation'): ApprovalAnswer => ({ outcome: 'denied', by, waitedMs: 0 });

const unavailable = (why: Sentence): ApprovalAnswer => ({ outcome: 'denied', by: 'unavailable', why, waitedMs: 0 });
