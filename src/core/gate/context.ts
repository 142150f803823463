import { worded } from '../base/sentence';
import { type Access, familyOf, type SideEffect } from '../vocabulary/access';
import type { JsonObject } from '../base/json';
import type { StopSign } from '../base/stopSign';
import type { Actor } from '../vocabulary/toolDefinition';
import type { ToolResult } from '../vocabulary/toolResult';
import type { GateCall, InnerCalls } from '../call/gateCall';
import type { AccessVerdict, ToolContext } from '../capability/tool';
import { adviceOf, type Effect, type Reason, reasonKey, type StepAnswer } from '../vocabulary/decision';
import type { HttpRequest, HttpResponse } from '../ports/http';
import type { ToolPorts } from '../ports/toolPorts';
import type { ResolvedPaths } from '../ports/files';
import { answeredAbove } from './answeredAbove';
import { approveAccess, reviewResponse } from './approve';
import type { GateDependencies } from './dependencies';
import { askedAnew } from './meanwhile';
import type { Progress } from './progress';
import { recordedAccesses } from '../audit/event';
import type { Retries } from './retries';
import type { RunControl } from './run';
import { checkMode, openAsks } from './steps';

/**
 * What a running handler gets. One object for each call; what only some handlers ask for is made when they do.
 * Its functions are fields, because handlers take them out of it: `run: (input, { report }) => …`.
 */
export class CallContext implements ToolContext {
  readonly #gate: GateDependencies;
  readonly #inner: InnerCalls;
  readonly #call: GateCall;
  readonly #progress: Progress;
  readonly #control: RunControl;
  readonly #retries: () => Retries;
  readonly ports: ToolPorts;
  readonly config: JsonObject;
  readonly actor: Actor;
  readonly profileId: string;
  readonly invocationId: string;
  readonly resolved: ResolvedPaths;
  #answered: ReturnType<typeof answeredAbove> | undefined;

  /** @param ports those of the call, with files that keep what was there. */
  constructor(
    gate: GateDependencies,
    inner: InnerCalls,
    call: GateCall,
    progress: Progress,
    ports: ToolPorts,
    control: RunControl,
    retries: () => Retries,
  ) {
    this.#gate = gate;
    this.#inner = inner;
    this.#call = call;
    this.#progress = progress;
    this.#control = control;
    this.#retries = retries;
    this.ports = ports;
    this.config = call.config;
    this.actor = call.actor;
    this.profileId = call.profile.id;
    this.invocationId = call.invocationId;
    this.resolved = call.resolved;
  }

  get approvedBasis(): string | undefined {
    return this.#progress.approved?.basis;
  }

  get approvedPlan(): object | undefined {
    return this.#progress.approved?.plan;
  }

  get scopes(): readonly string[] {
    return [...this.#call.profile.scopes];
  }

  get signal(): AbortSignal {
    return this.#control.signal;
  }

  get stopped(): StopSign {
    return this.#control.stopped;
  }

  readonly pause = <T>(wait: Promise<T>): Promise<T> => this.#control.pause(wait);

  readonly send = (request: HttpRequest, withinMs: number): Promise<HttpResponse> =>
    this.#retries().send(this.ports.http, request, Math.min(withinMs, this.#control.left()), this.signal);

  readonly access = async (access: Access): Promise<AccessVerdict> => {
    const { answer, asks } = this.#judge(access);
    if (answer.effect !== 'ask') return this.#verdict(access, answer);
    if (this.#isAnswered(access, asks)) return this.#allow(access);
    const rules = this.#gate.boundaries.revision;
    const said = await this.#control.pause(approveAccess(this.#gate, this.#call, access, asks, this.#progress));
    return this.#verdict(access, (said.effect === 'pass' && (await this.#meanwhile(access, asks, rules))) || said);
  };

  /** What denies a place by rules that came while a person was asked about it; undefined where none does. */
  async #meanwhile(access: Access, answered: readonly Reason[], rules?: number): Promise<StepAnswer | undefined> {
    await this.#gate.refreshPolicy?.();
    if (rules !== undefined && rules === this.#gate.boundaries.revision) return undefined;
    const { answer, asks } = this.#judge(access);
    return answer.effect === 'deny' ? answer : askedAnew(this.#call, asks, answered);
  }

  readonly accessAll = async (accesses: readonly Access[]): Promise<readonly AccessVerdict[]> =>
    accesses.map((access) => {
      const { answer, asks } = this.#judge(access);
      if (answer.effect !== 'ask') return this.#verdict(access, answer);
      const isAllowed =
        this.#isAnswered(access, asks) || this.#gate.approvals.covering(this.#call, [access], asks) !== undefined;
      if (isAllowed) return this.#allow(access);
      return this.#verdict(access, answer);
    });

  /**
   * What passes the judge's screen shares one verdict, which is asked for once; where that is more than a plain pass,
   * nothing passes.
   */
  readonly screen = (effect: SideEffect): ((resource: string) => boolean) | undefined => {
    const { boundaries } = this.#gate;
    const passes = boundaries.screen?.(this.#call, effect);
    if (!passes || this.#byMode({ effect, resource: '' }).effect === 'deny') return undefined;
    let isAllowed: boolean | undefined;
    return (resource) => {
      if (isAllowed === false || !passes(resource)) return false;
      isAllowed ??= boundaries.judge(this.#call, [{ effect, resource }]).effect === 'pass';
      if (isAllowed) this.#progress.met.push({ effect, resource });
      return isAllowed;
    };
  };

  readonly report = (progress: { readonly message: string; readonly fraction?: number }): void => {
    const { onProgress } = this.#call.invocation;
    const { hideText } = this.#progress;
    onProgress?.(hideText ? { ...progress, message: hideText(progress.message) } : progress);
  };

  readonly learn = (text: string): void => {
    (this.#progress.cutFrom ??= []).push(text);
  };

  readonly review = (response: { readonly title: string; readonly text: string }): Promise<boolean> =>
    this.#control.pause(reviewResponse(this.#gate, this.#call, response, this.#progress));

  readonly judgeCall = async (reference: string, input: unknown): Promise<AccessVerdict> => {
    const { actor, mode } = this.#call;
    const preview = await this.#inner.preview({ tool: reference, input, actor, surface: 'tool', mode });
    const { effect, error, reasons } = preview;
    return effect === 'pass' ? allowed : refused(effect, error?.message, reasons);
  };

  readonly invokeTool = async (reference: string, input: unknown): Promise<ToolResult> => {
    const { actor, mode, invocation, invocationId: parentId } = this.#call;
    const { prompt } = invocation;
    const answeredWith = this.#progress.passedOn;
    // It was allowed once.
    this.#progress.passedOn = undefined;
    const result = await this.#inner.invoke({
      ...{ tool: reference, input, actor, surface: 'tool', mode, signal: this.signal, parentId },
      ...(prompt === undefined ? {} : { prompt }),
      ...(answeredWith ? { answeredWith } : {}),
    });
    const { declaredSideEffects: effects, touchedFilesWithin } = result;
    if (touchedFilesWithin || effects.some((one) => familyOf(one) === 'fs')) this.#progress.touchedFilesWithin = true;
    return result;
  };

  #judge(access: Access): { readonly answer: StepAnswer; readonly asks: readonly Reason[] } {
    const byMode = this.#byMode(access);
    if (byMode.effect === 'deny') return { answer: byMode, asks: [] };
    const answer = this.#gate.boundaries.judge(this.#call, [access]);
    for (const one of adviceOf([answer])) (this.#progress.advice ??= new Map()).set(reasonKey(one), one);
    return { answer, asks: answer.effect === 'ask' ? openAsks([answer]) : [] };
  }

  #byMode(access: Access): StepAnswer {
    return checkMode(this.#call.mode, this.#call.tool, [access]);
  }

  /** Whether the approval of this very call answers what is asked: it was for everything below a folder. */
  #isAnswered(access: Access, asks: readonly Reason[]): boolean {
    if (asks.length === 0) return true;
    this.#answered ??= answeredAbove(this.#call, openAsks(this.#progress.steps));
    return this.#answered(access, asks);
  }

  #allow(access: Access): AccessVerdict {
    this.#progress.met.push(access);
    return allowed;
  }

  #verdict(access: Access, answer: StepAnswer): AccessVerdict {
    if (answer.effect === 'pass') return this.#allow(access);
    // The record tells some of them, the result counts all.
    if (this.#progress.withheld++ < recordedAccesses) this.#progress.refused.push(access);
    return refused(answer.effect, answer.error?.message, answer.reasons);
  }
}

function refused(effect: Effect, message: string | undefined, reasons: readonly Reason[]): AccessVerdict {
  const reason = message ?? reasons.map((one) => worded(one.said)).join('; ');
  return { allowed: false, reason, ...(effect === 'ask' ? { asks: true } : {}) };
}

const allowed: AccessVerdict = { allowed: true };
