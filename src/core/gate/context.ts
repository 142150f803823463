import { worded } from '../base/sentence';
import type { Access, SideEffect } from '../vocabulary/access';
import type { JsonObject } from '../base/json';
import type { StopSign } from '../base/stopSign';
import { portsOf } from '../files/root';
import type { Actor } from '../vocabulary/toolDefinition';
import type { ToolResult } from '../vocabulary/toolResult';
import type { Retries } from './retries';
import type { RunControl } from './run';
import type { GateCall, GatePreview } from '../call/gateCall';
import type { AccessContext, AccessVerdict, CallPreview, ToolContext } from '../capability/tool';
import type { Effect, Reason, StepAnswer } from '../vocabulary/decision';
import type { HttpRequest, HttpResponse } from '../ports/http';
import type { ToolPorts } from '../ports/toolPorts';
import type { ResolvedPaths } from '../ports/files';
import { openAsks } from './steps';

/** What a handler may know while it only tells what a call would touch. */
export function accessContext(
  ports: ToolPorts,
  {
    profile,
    config,
    actor,
    signal,
    resolved,
    invocation: { cwd, folders },
  }: Pick<GateCall, 'profile' | 'config' | 'actor' | 'signal' | 'resolved' | 'invocation'>,
): AccessContext {
  const known = { ports: portsOf(ports, profile), config, actor, profileId: profile.id, signal, resolved };
  const scopes = [...profile.scopes];
  return { ...known, scopes, ...(cwd === undefined ? {} : { cwd }), ...(folders ? { folders } : {}) };
}

/** What a running handler's requests are answered with; the gate itself. */
export interface RunningCall {
  readonly ports: ToolPorts;
  /** Judges an access that was met while running. */
  judge(access: Access): StepAnswer;
  /** Keeps an access that the handler is let make. */
  made(access: Access): void;
  /** Tells whether the approval of this very call answers the reasons: it was for everything below a folder. */
  isAnswered(access: Access, reasons: readonly Reason[]): boolean;
  /** The quick test of `ToolContext.screen`; what passes is kept for the record like what is judged. */
  screen(effect: SideEffect): ((resource: string) => boolean) | undefined;
  /** Tells whether an approval that is remembered answers the reasons. */
  isCovered(access: Access, reasons: readonly Reason[]): boolean;
  ask(access: Access, reasons: readonly Reason[]): Promise<StepAnswer>;
  review(response: { readonly title: string; readonly text: string }): Promise<boolean>;
  preview(reference: string, input: unknown): Promise<GatePreview>;
  /** What the person who allowed the call was shown. */
  approved(): CallPreview | undefined;
  /** Counts an access that was left out, and keeps it for the record. */
  leftOut(access: Access): void;
  invoke(reference: string, input: unknown, signal: AbortSignal): Promise<ToolResult>;
}

/**
 * What a running handler gets. One object for each call; what only some handlers ask for is made when they do.
 * Its functions are fields, because handlers take them out of it: `run: (input, { report }) => …`.
 */
export class CallContext implements ToolContext {
  readonly #call: GateCall;
  readonly #control: RunControl;
  readonly #running: RunningCall;
  readonly #retries: () => Retries;

  constructor(call: GateCall, control: RunControl, running: RunningCall, retries: () => Retries) {
    this.#call = call;
    this.#control = control;
    this.#running = running;
    this.#retries = retries;
  }

  get ports(): ToolPorts {
    return this.#running.ports;
  }

  get config(): JsonObject {
    return this.#call.config;
  }

  get actor(): Actor {
    return this.#call.actor;
  }

  get profileId(): string {
    return this.#call.profile.id;
  }

  get invocationId(): string {
    return this.#call.invocationId;
  }

  get approvedBasis(): string | undefined {
    return this.#running.approved()?.basis;
  }

  get approvedPlan(): object | undefined {
    return this.#running.approved()?.plan;
  }

  get resolved(): ResolvedPaths {
    return this.#call.resolved;
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
    if (asks.length === 0 || this.#running.isAnswered(access, asks)) return this.#allow(access);
    return this.#verdict(access, await this.#control.pause(this.#running.ask(access, asks)));
  };

  readonly accessAll = async (accesses: readonly Access[]): Promise<readonly AccessVerdict[]> =>
    accesses.map((access) => {
      const { answer, asks } = this.#judge(access);
      if (answer.effect !== 'ask') return this.#verdict(access, answer);
      if (asks.length === 0 || this.#running.isAnswered(access, asks) || this.#running.isCovered(access, asks))
        return this.#allow(access);
      return this.#verdict(access, answer);
    });

  readonly screen = (effect: SideEffect): ((resource: string) => boolean) | undefined => this.#running.screen(effect);

  readonly report = (progress: { readonly message: string; readonly fraction?: number }): void => {
    this.#call.invocation.onProgress?.(progress);
  };

  readonly review = (response: { readonly title: string; readonly text: string }): Promise<boolean> =>
    this.#control.pause(this.#running.review(response));

  readonly judgeCall = async (reference: string, input: unknown): Promise<AccessVerdict> => {
    const { effect, error, reasons } = await this.#running.preview(reference, input);
    return effect === 'pass' ? allowed : refused(effect, error?.message, reasons);
  };

  readonly invokeTool = (reference: string, input: unknown): Promise<ToolResult> =>
    this.#running.invoke(reference, input, this.signal);

  #judge(access: Access): { readonly answer: StepAnswer; readonly asks: readonly Reason[] } {
    const answer = this.#running.judge(access);
    return { answer, asks: answer.effect === 'ask' ? openAsks([answer]) : [] };
  }

  #allow(access: Access): AccessVerdict {
    this.#running.made(access);
    return allowed;
  }

  #verdict(access: Access, answer: StepAnswer): AccessVerdict {
    if (answer.effect === 'pass') return this.#allow(access);
    this.#running.leftOut(access);
    return refused(answer.effect, answer.error?.message, answer.reasons);
  }
}

function refused(effect: Effect, message: string | undefined, reasons: readonly Reason[]): AccessVerdict {
  const reason = message ?? reasons.map((one) => worded(one.said)).join('; ');
  return { allowed: false, reason, ...(effect === 'ask' ? { asks: true } : {}) };
}

const allowed: AccessVerdict = { allowed: true };
