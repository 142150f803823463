import type { Access, SideEffect } from '../vocabulary/access';
import type { AuditSink } from '../audit/event';
import type { SchemaValidator } from '../base/schema';
import {
  approvalTimeout,
  approvalUnavailable,
  cancelled,
  declined,
  internalError,
  invalidInput,
  isToolError,
  timedOut,
  ToolError,
  type ToolErrorData,
} from '../vocabulary/errors';
import { accessVerb } from '../vocabulary/access';
import {
  asksNothing,
  checkEnabled,
  checkMode,
  checkPermission,
  checkScopes,
  deny,
  denyThrown,
  findTool,
  callAccesses,
  pass,
  waivePermission,
} from './steps';
import {
  advisories,
  effectsOf,
  factsOf,
  factsOfUnknown,
  finishedRecord,
  openAsks,
  type Ran,
  startedRecord,
} from './records';
import { answeredAbove } from './recursiveWork';
import { deniedMeanwhile, takeLine } from './meanwhile';
import { guardOutput, type Redactor } from './output';
import { accessContext, CallContext, type ContextDesk } from './context';
import { copyInput } from './input';
import { portsOf } from '../files/root';
import type { Progress } from './progress';
import { runHandler } from './run';
import type {
  ApprovalAnswer,
  ApprovalDesk,
  BoundaryJudge,
  GateCall,
  GatePreview,
  Invocation,
  LimitJudge,
  PlanJudge,
  RequirementJudge,
} from '../call/gateCall';
import type { ResolvedProfile } from '../profiles/profile';
import type { CapabilityRegistry } from '../registry/registry';
import type { ToolResult } from '../vocabulary/toolResult';
import type { CallPreview, ToolHandler } from '../capability/tool';
import type { Mode, Reason, StepAnswer } from '../vocabulary/decision';
import type { ToolPorts } from '../ports/toolPorts';

/** Everything that the gate works with; made in `compose.ts`. */
export interface GateParts {
  readonly registry: CapabilityRegistry;
  readonly ports: ToolPorts;
  readonly validator: SchemaValidator;
  /** The profile that holds for a call now; `mode` of the invocation tightens it. */
  readonly profile: () => ResolvedProfile;
  readonly boundaries: BoundaryJudge;
  /** Brings rules and requirements up to what their files say now; every call and preview waits for it. */
  readonly refreshPolicy?: () => Promise<void>;
  readonly plans: PlanJudge;
  readonly requirements: RequirementJudge;
  readonly limits: LimitJudge;
  readonly approvals: ApprovalDesk;
  readonly audit: AuditSink;
  readonly security: () => { readonly requireAuth: boolean };
  readonly confirmationTimeoutSeconds: () => number;
  readonly redact?: Redactor;
}

/**
 * At most so many accesses met while running are kept for the record; the rest are counted by the tool's own result.
 */
const recordedAccesses = 200;

/**
 * THE GATE: the only caller of a tool's handler (invariant: one gate). `invoke` runs the fourteen steps of design.md 3
 * in order and answers with a value in every case; `preview` answers what the same steps would say now, without a
 * probe, a count, a question or a record.
 */
export class ToolRouter {
  readonly #parts: GateParts;
  /** The signal of all calls that nobody can cancel. What listens to it stops when its call ends. */
  readonly #neverAborted = new AbortController().signal;

  constructor(parts: GateParts) {
    this.#parts = parts;
  }

  async invoke(invocation: Invocation): Promise<ToolResult> {
    const { ports } = this.#parts;
    const progress: Progress = {
      invocationId: invocation.invocationId ?? ports.crypto.randomId(),
      startedAt: ports.clock.monotonic(),
      steps: [],
      met: [],
      withheld: 0,
      waitedMs: 0,
    };
    try {
      return await this.#run(invocation, progress);
    } catch (error) {
      // Nothing may leave the gate as a throw: what comes here is a fault of the gate itself.
      return this.#refuse(invocation, progress, deny('run', this.#internal(error)), true);
    }
  }

  /** Judges a call without running it. Used by the editor's `prepareInvocation`, by `why` and by context keys. */
  async preview(invocation: Invocation): Promise<GatePreview> {
    await this.#parts.refreshPolicy?.();
    return this.#preview(invocation);
  }

  /** The same by the rules that are known, for a call that has just been judged by them. */
  async #preview(invocation: Invocation): Promise<GatePreview> {
    const progress: Progress = { invocationId: 'preview', startedAt: 0, steps: [], met: [], withheld: 0, waitedMs: 0 };
    const denied = await this.#judge(invocation, progress, true);
    const asks = openAsks(progress.steps);
    const call = progress.call;
    const covered =
      call !== undefined && asks.length > 0 && this.#parts.approvals.covering(call, call.accesses, asks) !== undefined;
    return {
      effect: denied ? 'deny' : asks.length > 0 && !covered ? 'ask' : 'pass',
      steps: progress.steps,
      reasons: denied ? denied.reasons : asks,
      ...(denied?.error ? { error: denied.error } : {}),
      ...(progress.tool ? { toolId: progress.tool.id } : {}),
      accesses: call?.accesses ?? [],
      ...(call ? { call } : {}),
    };
  }

  async #run(invocation: Invocation, progress: Progress): Promise<ToolResult> {
    if (this.#parts.refreshPolicy) await this.#parts.refreshPolicy();
    const denied = await this.#judge(invocation, progress, false);
    const call = progress.call;
    if (denied || !call)
      return this.#finish(call, this.#refuse(invocation, progress, denied ?? deny('find', this.#internal('no call'))));
    const approval = await this.#approve(call, progress);
    progress.steps.push(approval);
    if (approval.effect === 'deny') return this.#finish(call, this.#refuse(invocation, progress, approval));
    const late = (await deniedMeanwhile(call, progress, this.#parts)) ?? takeLine(call, progress, this.#parts.plans);
    if (late) return this.#finish(call, this.#refuse(invocation, progress, late));
    this.#parts.audit.record(startedRecord(call, [...progress.steps], this.#parts.ports.clock.now()));
    const ran: Ran = progress.foreseen ? { error: progress.foreseen } : await this.#execute(call, progress);
    progress.steps.push(
      'error' in ran ? { step: 'run', effect: 'pass', reasons: [{ text: ran.error.code }] } : pass('run'),
    );
    return this.#finish(call, this.#answer(call, progress, ran));
  }

  #finish(call: GateCall | undefined, result: ToolResult): ToolResult {
    if (call) this.#parts.limits.finished(call, result);
    return result;
  }

  /** Steps 1 to 10. Answers the denial, or undefined where the call may go on; what asks is in `progress.steps`. */
  async #judge(invocation: Invocation, progress: Progress, isPreview: boolean): Promise<StepAnswer | undefined> {
    const { registry, ports, validator } = this.#parts;
    const add = (answer: StepAnswer): StepAnswer | undefined => {
      progress.steps.push(answer);
      return answer.effect === 'deny' ? answer : undefined;
    };
    const profile = this.#parts.profile();
    const found = findTool(registry, invocation.tool, profile);
    if (!('tool' in found)) return add(found);
    const { tool } = found;
    progress.tool = tool;
    add(found.answer);
    const { actor } = invocation;
    const early =
      add(checkEnabled(tool, profile, actor)) ??
      add(checkPermission(tool, actor, this.#parts.security().requireAuth)) ??
      add(checkScopes(tool, profile));
    if (early) return early;

    let input: unknown;
    const mode: Mode = invocation.mode === 'plan' ? 'plan' : profile.mode;
    const signal = invocation.signal ?? this.#neverAborted;
    const config = profile.config(tool.capability.id);
    let judged: Pick<GateCall, 'accesses' | 'suspects'> = { accesses: [] };
    try {
      input = copyInput(invocation.input);
      const violations = await validator.validate(`input:${tool.id}`, tool.definition.inputSchema, input);
      if (violations.length > 0) throw invalidInput(violations);
      const handler = await tool.load();
      judged = callAccesses(
        tool,
        await handler.accesses(input, accessContext(ports, { profile, config, actor, signal })),
      );
      if (asksNothing(tool, judged.accesses)) waivePermission(progress.steps);
      add(pass('input'));
    } catch (error) {
      return add(denyThrown('input', error, (cause) => this.#internal(cause)));
    }
    const call: GateCall = {
      invocationId: progress.invocationId,
      invocation,
      tool,
      capability: tool.capability,
      profile,
      mode,
      actor,
      input,
      config,
      ...judged,
      isPreview,
      signal,
    };
    progress.call = call;
    try {
      return (
        add(checkMode(mode, tool, call.accesses)) ??
        add(this.#parts.plans.judge(call)) ??
        add(this.#parts.boundaries.judge(call, call.accesses)) ??
        add(await this.#parts.requirements.judge(call)) ??
        add(this.#parts.limits.judge(call))
      );
    } catch (error) {
      return add(denyThrown('boundaries', error, (cause) => this.#internal(cause)));
    }
  }

  /** Step 11. */
  async #approve(call: GateCall, progress: Progress): Promise<StepAnswer> {
    const reasons = openAsks(progress.steps);
    if (reasons.length === 0) return pass('approval');
    if (call.signal.aborted) return deny('approval', cancelled(call.tool.modelName));
    return this.#remembered(call, call.accesses, reasons, progress) ?? (await this.#ask(call, reasons, progress));
  }

  /** Asks a person about the whole call, unless it is already known to fail. */
  async #ask(call: GateCall, reasons: readonly Reason[], progress: Progress): Promise<StepAnswer> {
    const seen = await this.#foresee(call);
    if (seen instanceof ToolError && this.#mayTell(call)) {
      progress.foreseen = seen.data;
      return pass('approval', [{ text: 'cannot succeed' }]);
    }
    return this.#askPerson(call, call.accesses, reasons, progress, seen instanceof ToolError ? {} : seen);
  }

  /**
   * What can be seen of a call beforehand, for who would ask a person about it: what it would change, or why it cannot
   * succeed as things are; the latter is left out where only a person may decide whether the caller gets to know.
   * Nothing is changed.
   */
  async foreseen(call: GateCall): Promise<{ readonly preview: CallPreview; readonly error?: ToolErrorData }> {
    const seen = await this.#foresee(call);
    if (!(seen instanceof ToolError)) return { preview: seen };
    return { preview: {}, ...(this.#mayTell(call) ? { error: seen.data } : {}) };
  }

  /**
   * A failure tells what stands in the files that the call names, so it is told without asking only where the caller
   * may read them anyway.
   */
  #mayTell(call: GateCall): boolean {
    const { accesses } = call;
    return (
      accesses.length > 0 &&
      accesses.every(
        (access) =>
          access.effect.startsWith('fs.') &&
          this.#parts.boundaries.judge(call, [{ ...access, effect: 'fs.read' }]).effect === 'pass',
      )
    );
  }

  async #askFor(
    call: GateCall,
    accesses: readonly Access[],
    reasons: readonly Reason[],
    progress: Progress,
  ): Promise<StepAnswer> {
    const known = this.#remembered(call, accesses, reasons, progress);
    if (known) return known;
    const seen = await this.#foresee(call);
    return this.#askPerson(call, accesses, reasons, progress, seen instanceof ToolError ? {} : seen);
  }

  /** The answer that a person has given already. */
  #remembered(
    call: GateCall,
    accesses: readonly Access[],
    reasons: readonly Reason[],
    progress: Progress,
  ): StepAnswer | undefined {
    const { approvals } = this.#parts;
    const grant = approvals.covering(call, accesses, reasons);
    if (grant) {
      grant.use();
      progress.approval = { outcome: 'allowed', by: 'grant', grantId: grant.id, waitedMs: 0 };
      return pass('approval', [{ text: 'a grant covers the call', rule: grant.id }]);
    }
    if (call.invocation.confirmedInChat === true && !reasons.some((reason) => reason.admin)) {
      progress.approval = { outcome: 'allowed', by: 'user', waitedMs: 0 };
      return pass('approval', [{ text: 'the user confirmed it in the chat' }]);
    }
    return undefined;
  }

  async #askPerson(
    call: GateCall,
    accesses: readonly Access[],
    reasons: readonly Reason[],
    progress: Progress,
    preview: CallPreview,
  ): Promise<StepAnswer> {
    const { approvals, ports } = this.#parts;
    const needsAdmin = reasons.some((reason) => reason.admin);
    const facts = factsOf(call);
    const askedAt = ports.clock.now();
    this.#parts.audit.record({
      ...facts,
      type: 'approval.asked',
      time: askedAt,
      accesses,
      reasons: reasons.map((reason) => reason.text),
    });
    const answer = await approvals.ask(
      { id: ports.crypto.randomId(), call, accesses, reasons, preview, needsAdmin, askedAt },
      call.signal,
    );
    progress.approval = answer;
    progress.basis = preview.basis;
    progress.waitedMs += answer.waitedMs;
    this.#parts.audit.record({
      ...facts,
      type: 'approval.answered',
      time: ports.clock.now(),
      outcome: answer.outcome,
      by: answer.by,
      waitedMs: answer.waitedMs,
      ...(answer.outcome === 'allowed' && answer.grantId ? { grantId: answer.grantId } : {}),
    });
    if (answer.outcome === 'allowed') return pass('approval', [{ text: `allowed by ${answer.by}` }]);
    return deny('approval', this.#denialOf(call, accesses, answer));
  }

  /**
   * Shows text from outside to a person before the model gets it; no grant answers for them, because each text is
   * another.
   */
  async #review(
    call: GateCall,
    response: { readonly title: string; readonly text: string },
    progress: Progress,
  ): Promise<boolean> {
    const { approvals, ports } = this.#parts;
    const answer = await approvals.ask(
      {
        id: ports.crypto.randomId(),
        call,
        accesses: call.accesses,
        reasons: [
          { text: `the answer of ${response.title} has to be reviewed before the agent gets it`, rule: 'review' },
        ],
        preview: { lines: response.text.split('\n') },
        needsAdmin: false,
        askedAt: ports.clock.now(),
      },
      call.signal,
    );
    progress.waitedMs += answer.waitedMs;
    return answer.outcome === 'allowed';
  }

  #denialOf(call: GateCall, accesses: readonly Access[], answer: ApprovalAnswer & { outcome: 'denied' }): ToolError {
    const name = call.tool.modelName;
    switch (answer.by) {
      case 'timeout':
        return approvalTimeout(name, this.#parts.confirmationTimeoutSeconds());
      case 'unavailable':
        return approvalUnavailable(name, answer.why ?? 'nobody can be asked here');
      case 'cancellation':
        return cancelled(name);
      case 'user': {
        const first = accesses[0];
        const more = accesses.length > 1 ? ` and ${accesses.length - 1} more` : '';
        return declined(name, first ? `${accessVerb(first)} ${first.resource || 'what it names'}${more}` : 'run');
      }
    }
  }

  /** What the call would do, for the person who is asked; a ToolError where the tool says that it cannot succeed. */
  async #foresee(call: GateCall): Promise<CallPreview | ToolError> {
    try {
      const handler = await call.tool.load();
      return (await handler.preview?.(call.input, accessContext(this.#parts.ports, call))) ?? {};
    } catch (error) {
      if (isToolError(error)) return error;
      this.#parts.ports.log.warn(`the preview of ${call.tool.id} failed: ${String(error)}`);
      return {};
    }
  }

  /** Steps 12 and 13. */
  async #execute(call: GateCall, progress: Progress): Promise<Ran> {
    const name = call.tool.modelName;
    try {
      const handler: ToolHandler = await call.tool.load();
      const desk = this.#desk(call, progress);
      const outcome = await runHandler(call, this.#parts.ports.clock, (control) =>
        handler.run(call.input, new CallContext(call, control, desk)),
      );
      const guarded = await guardOutput(call.tool, outcome, {
        validator: this.#parts.validator,
        ...(this.#parts.redact ? { redact: this.#parts.redact } : {}),
      });
      progress.met.push(...(outcome.accesses ?? []).slice(0, recordedAccesses));
      return { outcome: guarded };
    } catch (error) {
      if (isToolError(error)) return { error: error.data };
      if (error instanceof Error && error.name === 'TimeoutError')
        return { error: timedOut(name, call.tool.definition.timeoutMs).data };
      if (call.signal.aborted) return { error: cancelled(name).data };
      const mended = this.#internal(error);
      const reference = mended.data.details?.['reference'];
      return { error: mended.data, ...(typeof reference === 'string' ? { reference } : {}) };
    }
  }

  /** What a running handler may ask of the gate. */
  #desk(call: GateCall, progress: Progress): ContextDesk {
    let answered: ReturnType<typeof answeredAbove> | undefined;
    return {
      ports: portsOf(this.#parts.ports, call.profile),
      judge: (access) => {
        if (progress.met.length < recordedAccesses) progress.met.push(access);
        const mode = checkMode(call.mode, call.tool, [access]);
        return mode.effect === 'deny' ? mode : this.#parts.boundaries.judge(call, [access]);
      },
      isAnswered: (access, reasons) => (answered ??= answeredAbove(call, progress.steps))(access, reasons),
      screen: (effect) => this.#screen(call, effect, progress),
      isCovered: (access, reasons) => this.#parts.approvals.covering(call, [access], reasons) !== undefined,
      ask: (access, reasons) => this.#askFor(call, [access], reasons, progress),
      review: (response) => this.#review(call, response, progress),
      preview: (tool, input) => this.#preview({ tool, input, actor: call.actor, surface: 'tool', mode: call.mode }),
      basis: () => progress.basis,
      leftOut: () => void progress.withheld++,
      invoke: (reference, input, signal) =>
        this.invoke({
          tool: reference,
          input,
          actor: call.actor,
          surface: 'tool',
          mode: call.mode,
          signal,
          parentId: call.invocationId,
        }),
    };
  }

  /**
   * What passes the judge's screen shares one verdict, which is asked for once; where that is more than a plain pass,
   * nothing passes.
   */
  #screen(call: GateCall, effect: SideEffect, progress: Progress): ((resource: string) => boolean) | undefined {
    const passes = this.#parts.boundaries.screen?.(call, effect);
    if (!passes || checkMode(call.mode, call.tool, [{ effect, resource: '' }]).effect === 'deny') return undefined;
    let isAllowed: boolean | undefined;
    return (resource) => {
      if (isAllowed === false || !passes(resource)) return false;
      isAllowed ??= this.#parts.boundaries.judge(call, [{ effect, resource }]).effect === 'pass';
      if (isAllowed && progress.met.length < recordedAccesses) progress.met.push({ effect, resource });
      return isAllowed;
    };
  }

  /** Step 14 for a call that ran. */
  #answer(call: GateCall, progress: Progress, ran: Ran): ToolResult {
    const durationMs = this.#duration(progress);
    const accesses = progress.met.length === 0 ? call.accesses : [...call.accesses, ...progress.met];
    const declaredSideEffects = effectsOf(accesses);
    const [invocationId, toolId] = [progress.invocationId, call.tool.id];
    this.#parts.audit.record(
      finishedRecord(call, {
        time: this.#parts.ports.clock.now(),
        durationMs,
        accesses,
        withheld: progress.withheld,
        steps: [...progress.steps],
        declaredSideEffects,
        ran,
        approval: progress.approval,
      }),
    );
    if ('error' in ran)
      return { success: false, invocationId, toolId, declaredSideEffects, durationMs, error: ran.error };
    const { payload, media, parts } = ran.outcome;
    const warnings = [...advisories(progress.steps), ...(ran.outcome.warnings ?? [])];
    return {
      success: true,
      invocationId,
      toolId,
      declaredSideEffects,
      durationMs,
      payload,
      ...(media ? { media } : undefined),
      ...(parts ? { parts } : undefined),
      ...(warnings.length > 0 ? { warnings } : undefined),
    };
  }

  /** Step 14 for a call that was denied. */
  #refuse(invocation: Invocation, progress: Progress, answer: StepAnswer, isFault = false): ToolResult {
    const error = answer.error ?? this.#internal(`the step ${answer.step} denied without an error`).data;
    const durationMs = this.#duration(progress);
    const { call, tool } = progress;
    if (isFault) progress.steps.push(answer);
    this.#parts.audit.record({
      ...(call ? factsOf(call) : factsOfUnknown(invocation, progress.invocationId, tool, this.#parts.profile())),
      type: 'policy.violation',
      time: this.#parts.ports.clock.now(),
      step: answer.step,
      errorCode: error.code,
      errorMessage: error.message,
      rules: answer.reasons.flatMap((reason) => (reason.rule ? [reason.rule] : [])),
      accesses: call?.accesses ?? [],
      steps: [...progress.steps],
      input: invocation.input,
      ...(progress.approval ? { deniedBy: progress.approval.by, approvalWaitMs: progress.approval.waitedMs } : {}),
    });
    return {
      success: false,
      invocationId: progress.invocationId,
      toolId: tool?.id ?? invocation.tool,
      error,
      declaredSideEffects: [],
      durationMs,
    };
  }

  /** The time that the call itself took, in milliseconds: waiting for a person does not count. */
  #duration(progress: Progress): number {
    return Math.max(
      0,
      Math.round((this.#parts.ports.clock.monotonic() - progress.startedAt - progress.waitedMs) * 100) / 100,
    );
  }

  /** Logs a fault with a reference and answers what the model may know of it. */
  #internal(cause: unknown): ToolError {
    const reference = `ref-${this.#parts.ports.crypto.randomId().slice(0, 8)}`;
    const details = cause instanceof Error ? (cause.stack ?? String(cause)) : String(cause);
    this.#parts.ports.log.error(`${reference} ${details}`);
    return internalError(reference);
  }
}
