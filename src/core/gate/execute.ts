import type { FoundByCall, GateCall, InnerCalls, KeptCall } from '../call/gateCall';
import { portsOf } from '../files/root';
import type { SideEffect } from '../vocabulary/access';
import { adviceOf, notKeptRule, reasonKey } from '../vocabulary/decision';
import { sourceKind } from '../vocabulary/toolSource';
import { cancelled, isToolError, timedOut } from '../vocabulary/errors';
import type { ToolPorts } from '../ports/toolPorts';
import { approveAccess, reviewResponse } from './approve';
import { CallContext, type RunningCall } from './context';
import { answeredAbove } from './answeredAbove';
import { type GateDependencies, internalFault } from './dependencies';
import { guardOutput } from './output';
import { type Progress, type Ran, recordedAccesses } from './progress';
import { Retries } from './retries';
import { runHandler } from './run';
import { checkMode, openAsks } from './steps';

/** Steps 12 and 13. Nothing else calls a handler (invariant: one gate). */
export async function executeCall(
  gate: GateDependencies,
  inner: InnerCalls,
  call: GateCall,
  progress: Progress,
): Promise<Ran> {
  const name = call.tool.modelName;
  try {
    const handler = await call.tool.load();
    const kept = await keptPorts(gate, call, progress);
    const running = runningCall(gate, inner, call, progress, kept.ports);
    const retries = (): Retries => new Retries(call, gate.ports, (retry) => (progress.retries ??= []).push(retry));
    const { outcome, found } = await watched(gate, call, mayLose(progress), () =>
      runHandler(call, gate.ports.clock, retries, (control) =>
        handler.run(call.input, new CallContext(call, control, running, retries)),
      ),
    );
    for (const access of outcome.accesses ?? []) progress.met.push(access);
    const guarded = await guardOutput(call.tool, outcome, gate);
    progress.keptChanges = kept.kept() + (found?.kept ?? 0);
    const lost = kept.lost() + (found?.lost ?? 0);
    const warnings = [...(found?.warnings ?? []), ...(lost === 0 ? [] : [lostWarning(lost)])];
    return {
      outcome: warnings.length === 0 ? guarded : { ...guarded, warnings: [...(guarded.warnings ?? []), ...warnings] },
    };
  } catch (error) {
    if (isToolError(error)) return { error: error.data };
    if (error instanceof Error && error.name === 'TimeoutError')
      return { error: timedOut(name, call.tool.definition.timeoutMs).data };
    if (call.signal.aborted) return { error: cancelled(name).data };
    const mended = internalFault(gate.ports, error);
    const reference = mended.data.details?.['reference'];
    return { error: mended.data, ...(typeof reference === 'string' ? { reference } : {}) };
  }
}

/** Runs work between two looks at the workspace, where the call may change files without our ports. */
async function watched<T>(
  { changes, ports }: GateDependencies,
  call: GateCall,
  isLossAllowed: boolean,
  work: () => Promise<T>,
): Promise<{ readonly outcome: T; readonly found?: FoundByCall | undefined }> {
  // The files of a session go with it.
  const isSession = (): boolean => portsOf(ports, call.profile).files.labelPrefix !== undefined;
  const watch = changes?.watch && !isSession() ? await changes.watch(call, isLossAllowed) : undefined;
  if (!watch) return { outcome: await work() };
  let outcome: T;
  try {
    outcome = await work();
  } catch (error) {
    // What failed may have changed something before.
    await watch.end();
    throw error;
  }
  return { outcome, found: await watch.end() };
}

const lostWarning = (lost: number): string =>
  lost === 1 ? 'one change of this call cannot be taken back' : `${lost} changes of this call cannot be taken back`;

/** The ports of a call, with files that keep what was there before they change it. */
async function keptPorts(
  { ports: all, changes }: GateDependencies,
  call: GateCall,
  progress: Progress,
): Promise<Pick<KeptCall, 'kept' | 'lost'> & { readonly ports: ToolPorts }> {
  const ports = portsOf(all, call.profile);
  // The files of a session go with it.
  if (!changes || ports.files.labelPrefix !== undefined || neverChanges(call)) return { ports, ...nothingKept };
  const kept = await changes.keep(call, ports.files, mayLose(progress));
  // Paths that were resolved while the call was judged are those of these files too.
  for (const [key, known] of call.resolved)
    if (known.files === ports.files) call.resolved.set(key, { ...known, files: kept.files });
  return {
    ports: { ...ports, files: kept.files, changes: kept.changes, crypto: kept.crypto },
    kept: () => kept.kept(),
    lost: () => kept.lost(),
  };
}

/** True where somebody allowed the call although what it changes cannot be taken back. */
export const mayLose = ({ approval, steps }: Progress): boolean =>
  approval !== undefined && openAsks(steps).some(({ rule }) => rule === notKeptRule);

const nothingKept = { kept: (): number => 0, lost: (): number => 0 };

/** True for a built-in tool that only reads; what others declare is not relied on. */
function neverChanges({ tool }: GateCall): boolean {
  const { kind } = tool.definition;
  return sourceKind(tool.source).isOurs === true && (kind === 'data' || kind === 'status');
}

/** What a running handler may ask of the gate. */
function runningCall(
  gate: GateDependencies,
  inner: InnerCalls,
  call: GateCall,
  progress: Progress,
  ports: ToolPorts,
): RunningCall {
  const { actor, mode } = call;
  let answered: ReturnType<typeof answeredAbove> | undefined;
  return {
    ports,
    judge: (access) => {
      const byMode = checkMode(mode, call.tool, [access]);
      if (byMode.effect === 'deny') return byMode;
      const answer = gate.boundaries.judge(call, [access]);
      for (const one of adviceOf([answer])) (progress.advice ??= new Map()).set(reasonKey(one), one);
      return answer;
    },
    isAnswered: (access, reasons) => (answered ??= answeredAbove(call, openAsks(progress.steps)))(access, reasons),
    screen: (effect) => screen(gate, call, effect, progress),
    isCovered: (access, reasons) => gate.approvals.covering(call, [access], reasons) !== undefined,
    ask: (access, reasons) => approveAccess(gate, call, access, reasons, progress),
    review: (response) => reviewResponse(gate, call, response, progress),
    preview: (tool, input) => inner.preview({ tool, input, actor, surface: 'tool', mode }),
    approved: () => progress.approved,
    made: (access) => void progress.met.push(access),
    leftOut: (access) => void (progress.withheld++ < recordedAccesses && progress.refused.push(access)),
    invoke: (tool, input, signal) => {
      const { prompt } = call.invocation;
      const answeredWith = progress.passedOn;
      // It was allowed once.
      progress.passedOn = undefined;
      const of = {
        parentId: call.invocationId,
        ...(prompt === undefined ? {} : { prompt }),
        ...(answeredWith ? { answeredWith } : {}),
      };
      return inner.invoke({ tool, input, actor, surface: 'tool', mode, signal, ...of });
    },
  };
}

/**
 * What passes the judge's screen shares one verdict, which is asked for once; where that is more than a plain pass,
 * nothing passes.
 */
function screen(
  { boundaries }: GateDependencies,
  call: GateCall,
  effect: SideEffect,
  progress: Progress,
): ((resource: string) => boolean) | undefined {
  const passes = boundaries.screen?.(call, effect);
  if (!passes || checkMode(call.mode, call.tool, [{ effect, resource: '' }]).effect === 'deny') return undefined;
  let isAllowed: boolean | undefined;
  return (resource) => {
    if (isAllowed === false || !passes(resource)) return false;
    isAllowed ??= boundaries.judge(call, [{ effect, resource }]).effect === 'pass';
    if (isAllowed) progress.met.push({ effect, resource });
    return isAllowed;
  };
}
