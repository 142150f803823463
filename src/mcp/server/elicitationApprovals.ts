import { plainWords } from '../../core/base/translate';
import { say, type Sentence } from '../../core/base/sentence';
import { canonicalJson } from '../../core/base/json';
import type { Access } from '../../core/vocabulary/access';
import type { ApprovalAnswer, CallApprover, ApprovalRequest, Coverage, GateCall } from '../../core/call/gateCall';
import { describeApproval } from '../../core/present/approvalText';
import type { Clock } from '../../core/ports/platform';
import { decideByPages, mostPages, pagesOf } from './pages';
import type { ClientConnection, RunningCall, RunningCalls } from './runningCalls';
import type { Reason } from '../../core/vocabulary/decision';

const approvalForm = (mayRemember: boolean) => ({
  choices: [
    { const: 'allow_once', title: 'Allow once' },
    ...(mayRemember ? [{ const: 'allow_session', title: 'Allow for this session' }] : []),
    { const: 'deny', title: 'Deny' },
  ],
  description: 'What the agent may do',
});

interface ElicitationApproverOptions {
  readonly calls: RunningCalls;
  readonly clock: Clock;
  /** `confirmation.timeoutSeconds`; 0 waits without end. */
  readonly timeoutSeconds: () => number;
  /**
   * True where the command was started with `--yes`: every confirmation is given, with `isAdmin` where it needs that.
   */
  readonly yes: boolean;
  /** True where the command was started with the admin token. */
  readonly isAdmin: () => boolean;
}

/**
 * Confirmations through the MCP client's own elicitation, for `serve`. A client that cannot ask its user gets a denial.
 * What was allowed for the session covers this tool as it was approved, on exactly these accesses, or with exactly
 * these arguments where it has none, for exactly these reasons, and for the client alone that asked, until it goes.
 */
export class ElicitationApprover implements CallApprover {
  readonly #options: ElicitationApproverOptions;

  constructor(options: ElicitationApproverOptions) {
    this.#options = options;
  }

  covering(call: GateCall, accesses: readonly Access[], reasons: readonly Reason[]): Coverage | undefined {
    if (reasons.some((reason) => reason.admin === true)) return undefined;
    const allowed = this.#runningCall(call)?.connection?.allowed.get(sessionKey(call, accesses));
    return allowed && reasons.every((reason) => allowed.has(reasonKey(reason)))
      ? { id: 'session', by: 'grant', use: () => true }
      : undefined;
  }

  #runningCall({ invocationId, invocation }: GateCall): RunningCall | undefined {
    return this.#options.calls.of(invocationId, invocation.parentId);
  }

  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    const { clock, yes } = this.#options;
    const unavailable = (why: Sentence): ApprovalAnswer => ({ outcome: 'denied', by: 'unavailable', why, waitedMs: 0 });
    if (request.needsAdmin && !this.#options.isAdmin()) return unavailable(say('admin_token_missing'));
    if (yes) return { outcome: 'allowed', by: 'command-line', waitedMs: 0 };
    const running = this.#runningCall(request.call);
    if (!running) return unavailable(say('nobody_for_call'));
    if (!running.canAsk) return unavailable(say('client_cannot_ask'));
    const text = describeApproval(request, plainWords);
    const { connection } = running;
    // Here nothing else can show what the short text leaves out, so all of it is shown.
    const pages = pagesOf((text.truncated ? text.full : `${text.title}\n\n${text.detail}`).split('\n'));
    if (pages.length > mostPages) return unavailable(say('too_many_pages', pages.length));
    const mayRemember = connection !== undefined && text.lasting === 'now';
    const since = clock.monotonic();
    const late = new AbortController();
    const seconds = this.#options.timeoutSeconds();
    const timer = seconds > 0 ? clock.schedule(() => late.abort(), seconds * 1000) : undefined;
    const stop = AbortSignal.any([signal, late.signal]);
    try {
      const decided = await decideByPages(pages, approvalForm(mayRemember), clock, (message, schema) =>
        running.ask({ message, schema }, stop),
      );
      const waitedMs = Math.max(0, clock.monotonic() - since);
      if ('nobody' in decided) return { ...unavailable(decided.nobody), waitedMs };
      const decision = decided.choice;
      if (decision === 'allow_session') remember(connection, request);
      const isAllowed = decision === 'allow_once' || decision === 'allow_session';
      return { outcome: isAllowed ? 'allowed' : 'denied', by: 'user', waitedMs };
    } catch {
      const waitedMs = Math.max(0, clock.monotonic() - since);
      return { outcome: 'denied', by: late.signal.aborted ? 'timeout' : 'cancellation', waitedMs };
    } finally {
      timer?.dispose();
    }
  }
}

function remember(connection: ClientConnection | undefined, { call, accesses, reasons }: ApprovalRequest): void {
  const key = sessionKey(call, accesses);
  connection?.allowed.set(key, new Set([...(connection.allowed.get(key) ?? []), ...reasons.map(reasonKey)]));
}

function reasonKey({ rule, said }: Reason): string {
  // The count goes on with every call, and the reason stays the same.
  return canonicalJson([rule ?? null, said.code, said.code === 'same_call_again' ? [] : said.args]);
}

function sessionKey(call: GateCall, accesses: readonly Access[]): string {
  const { capability, profile, tool, input } = call;
  return canonicalJson([profile.id, tool.id, capability.provenance ?? null, accesses.length > 0 ? accesses : input]);
}
