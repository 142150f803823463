import { noteChange } from '../audit/noteChange';
import { plainJson } from '../base/json';
import { say } from '../base/sentence';
import type { GateCall, GatePreview, InnerCalls, Invocation } from '../call/gateCall';
import type { CallPreview } from '../capability/tool';
import { notKeptRule, type Reason, type StepAnswer } from '../vocabulary/decision';
import { ToolError } from '../vocabulary/errors';
import type { ToolResult } from '../vocabulary/toolResult';
import { approveCall } from './approve';
import { type GateDependencies, internalFault } from './dependencies';
import { executeCall, mayLose } from './execute';
import { judgeCall, readCall } from './judge';
import { deniedMeanwhile, takeLine } from './meanwhile';
import type { Progress, Ran } from './progress';
import type { Redaction } from './redaction';
import { answerCall, refuseCall, startedRecord } from './records';
import { deny, pass } from '../call/stepAnswer';
import { findTool, openAsks } from './steps';
import { sourceKind } from '../vocabulary/toolSource';
import { admitted, elsewhereRecord, type RanElsewhere } from './elsewhere';

/**
 * THE GATE: the only way to a tool's handler (invariant: one gate). `invoke` judges, approves and executes a call in
 * fourteen steps and answers with a value in every case; `preview` answers what the same steps would say now, without a
 * probe, a count, a question or a record.
 */
export class ToolRouter {
  readonly #gate: GateDependencies;
  /** The signal of all calls that nobody can cancel. What listens to it stops when its call ends. */
  readonly #neverAborted = new AbortController().signal;
  /** Calls within a call are judged by the rules that its own call has just brought up to date. */
  readonly #inner: InnerCalls = {
    preview: (invocation) => this.#preview(invocation),
    invoke: (invocation) => this.invoke(invocation),
  };

  constructor(gate: GateDependencies) {
    this.#gate = gate;
  }

  async invoke(invocation: Invocation): Promise<ToolResult> {
    const { crypto, clock } = this.#gate.ports;
    const progress = this.#start(invocation, invocation.invocationId ?? crypto.randomId(), clock.monotonic());
    try {
      return await this.#run(invocation, progress);
    } catch (error) {
      // Nothing may leave the gate as a throw: what comes here is a fault of the gate itself.
      const answer = deny('run', internalFault(this.#gate.ports, error));
      progress.steps.push(answer);
      return refuseCall(this.#gate, invocation, progress, answer);
    }
  }

  /** Judges a call without running it. Used by the editor's `prepareInvocation`, by `why` and by context keys. */
  async preview(invocation: Invocation): Promise<GatePreview> {
    await this.#gate.refreshPolicy?.();
    return this.#preview(invocation);
  }

  /**
   * What can be seen of a call beforehand, for who would ask a person about it: what it would change, or why it cannot
   * succeed as things are; the latter is left out where only a person may decide whether the caller gets to know.
   * Nothing is changed.
   */
  async foreseen(
    call: GateCall,
    reasons: readonly Reason[] = [],
  ): Promise<{ readonly preview: CallPreview; readonly error?: ToolError }> {
    const { foresee, mayTell } = await import('./foresee');
    const seen = await foresee(this.#gate, call, call.accesses, reasons);
    if (!(seen instanceof ToolError)) return { preview: seen };
    return { preview: {}, ...(mayTell(this.#gate, call) ? { error: seen } : {}) };
  }

  /**
   * A call as rules see it, whatever is on: nothing is judged, run or recorded. Undefined where there is no such tool;
   * throws a ToolError for an input that can never work.
   */
  async describe(invocation: Invocation): Promise<GateCall | undefined> {
    const { profile: active, registry } = this.#gate;
    const profile = active();
    const found = findTool(registry, invocation.tool, profile);
    if (!('tool' in found)) return undefined;
    const { tool } = found;
    const { mode } = profile;
    const signal = invocation.signal ?? this.#neverAborted;
    return readCall(this.#gate, { invocation, invocationId: 'preview', tool, profile, mode, isPreview: true, signal });
  }

  /**
   * Records how a call ended that another program ran after `invoke` let it pass. What it touched is told anew, because
   * no process is there from the one to the other.
   */
  async finishedElsewhere(invocation: Invocation, ran: RanElsewhere): Promise<void> {
    const invocationId = invocation.invocationId ?? this.#gate.ports.crypto.randomId();
    await this.#gate.changes?.endNamed?.(invocationId);
    void this.#gate.changes?.endedElsewhere?.(invocationId);
    const progress = this.#start(invocation, invocationId, 0);
    await judgeCall(this.#gate, invocation, progress, true);
    const { call } = progress;
    if (!call) return;
    // What is told beside a failure is no result: nothing is known to have been written.
    const payload = ran.outcome === 'success' ? (ran.output ?? null) : undefined;
    await this.#gate.flow?.ran(call, call.accesses, payload);
    this.#gate.audit.record(elsewhereRecord(this.#gate, call, ran));
  }

  /** What reaches a model and is no answer of a call, such as a prompt: its secrets are hidden. */
  async hideInText<T extends string | object>(value: T): Promise<T> {
    const redaction = await this.#gate.redaction?.();
    if (!redaction) return value;
    // What is hidden are parts of texts: the shape stays.
    return (await redaction.hideInText(plainJson(value))) as T;
  }

  #start({ signal }: Invocation, invocationId: string, startedAt: number): Progress {
    return {
      invocationId,
      startedAt,
      signal: signal ?? this.#neverAborted,
      steps: [],
      met: [],
      refused: [],
      withheld: 0,
      waitedMs: 0,
      keptChanges: 0,
    };
  }

  /** Judges by the rules that are known. */
  async #preview(invocation: Invocation): Promise<GatePreview> {
    const progress = this.#start(invocation, 'preview', 0);
    const denied = await judgeCall(this.#gate, invocation, progress, true);
    const asks = openAsks(progress.steps);
    const call = progress.call;
    const covered = call !== undefined && asks.length > 0 && (await this.#isCovered(call, asks));
    return {
      effect: denied ? 'deny' : asks.length > 0 && !covered ? 'ask' : 'pass',
      steps: progress.steps,
      reasons: denied ? denied.reasons : asks,
      ...(denied?.error ? { error: denied.error } : {}),
      ...(denied?.said ? { said: denied.said } : {}),
      ...(progress.tool ? { toolId: progress.tool.id } : {}),
      accesses: call?.accesses ?? [],
      ...(call ? { call } : {}),
    };
  }

  /** Tells whether an approval that is remembered answers the call, or it and the one that it consists of. */
  async #isCovered(call: GateCall, asks: readonly Reason[]): Promise<boolean> {
    const { approvals } = this.#gate;
    if (approvals.covering(call, call.accesses, asks) !== undefined) return true;
    const { passedOn } = await import('./foresee');
    const both = await passedOn(this.#gate, this.#inner, call, asks);
    return both !== undefined && approvals.covering(call, both.accesses, both.reasons) !== undefined;
  }

  async #run(invocation: Invocation, progress: Progress): Promise<ToolResult> {
    const gate = this.#gate;
    const denied = await this.#admit(invocation, progress);
    const call = progress.call;
    const redaction = await gate.redaction?.();
    const refuse = async (answer: StepAnswer): Promise<ToolResult> =>
      this.#finish(
        call,
        refuseCall(gate, invocation, progress, (await redaction?.hideInRefusal(call, answer)) ?? answer),
      );
    if (denied || !call) return refuse(denied ?? deny('find', internalFault(gate.ports, 'no call')));
    const { runsElsewhere } = sourceKind(call.tool.source);
    const unlooked = runsElsewhere ? await gate.changes?.watchElsewhere?.(call, mayLose(progress)) : undefined;
    const late =
      (unlooked && deny('boundaries', unlooked, notKeptRule)) ??
      (await deniedMeanwhile(call, progress, gate)) ??
      takeLine(call, progress, gate.plans);
    if (late) return refuse(late);
    gate.audit.record(startedRecord(call, [...progress.steps], gate.ports.clock.now()));
    if (!runsElsewhere) return this.#runHere(call, progress, redaction);
    await gate.changes?.keepNamed?.(call);
    await gate.flow?.ran(call, call.accesses, undefined);
    return this.#finish(call, admitted(call, progress));
  }

  /** Steps 1 to 11: answers the denial. */
  async #admit(invocation: Invocation, progress: Progress): Promise<StepAnswer | undefined> {
    const gate = this.#gate;
    const { coming } = gate.approvals;
    coming?.add(progress.invocationId);
    try {
      if (gate.refreshPolicy) await gate.refreshPolicy();
      const denied = await judgeCall(gate, invocation, progress, false);
      const { call } = progress;
      if (denied || !call) return denied;
      // Nobody is asked about a call whose secrets could not be hidden.
      await gate.redaction?.();
      const asks = openAsks(progress.steps);
      const approval =
        asks.length === 0 ? pass('approval') : await approveCall(gate, this.#inner, call, asks, progress);
      progress.steps.push(approval);
      return approval.effect === 'deny' ? approval : undefined;
    } finally {
      coming?.delete(progress.invocationId);
    }
  }

  /** Runs what was let pass, and answers with what its secrets are hidden in. */
  async #runHere(call: GateCall, progress: Progress, redaction: Redaction | undefined): Promise<ToolResult> {
    const gate = this.#gate;
    if (!progress.foreseen) await redaction?.learnBefore(call);
    progress.hideText = await redaction?.progressHider(call, progress);
    const came: Ran = progress.foreseen ?? (await executeCall(gate, this.#inner, call, progress));
    await gate.flow?.ran(
      call,
      [...call.accesses, ...progress.met],
      'outcome' in came ? came.outcome.payload : undefined,
    );
    const ran = (await redaction?.hide(call, progress, came)) ?? came;
    progress.steps.push(
      'error' in ran
        ? { step: 'run', effect: 'pass', reasons: [{ said: say('as_it_is', ran.error.code) }] }
        : pass('run'),
    );
    const result = answerCall(gate, call, progress, ran);
    const hidden = this.#finish(call, (await redaction?.hideInWarnings(call, result)) ?? result);
    return (await this.#showOnce(call, progress, hidden, redaction)) ?? hidden;
  }

  /** What a person lets the session see stands in the answer alone: it is in no record and no count. */
  async #showOnce(
    call: GateCall,
    progress: Progress,
    hidden: ToolResult,
    redaction: Redaction | undefined,
  ): Promise<ToolResult | undefined> {
    const seen = await redaction?.showOnce(call, progress, hidden);
    if (!seen) return undefined;
    const { audit, flow, ports } = this.#gate;
    for (const placeholder of seen.shown) {
      await flow?.showed(call, placeholder);
      const { actor, tool } = call;
      const shown = say('note_secret_shown', placeholder, tool.modelName);
      noteChange({ audit, clock: ports.clock }, 'secret', actor.id, shown, actor);
    }
    return seen.result;
  }

  #finish(call: GateCall | undefined, result: ToolResult): ToolResult {
    if (call) this.#gate.limits.finished(call, result);
    return result;
  }
}
