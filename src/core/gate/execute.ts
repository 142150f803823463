import type { FoundByCall, GateCall, InnerCalls, KeptCall } from '../call/gateCall';
import { portsOf } from '../files/root';
import { notKeptRule } from '../vocabulary/decision';
import { sourceKind } from '../vocabulary/toolSource';
import { cancelled, isToolError, timedOut } from '../vocabulary/errors';
import type { ToolPorts } from '../ports/toolPorts';
import { CallContext } from './context';
import { type GateDependencies, internalFault } from './dependencies';
import { guardOutput } from './output';
import type { Progress, Ran } from './progress';
import { Retries } from './retries';
import { runHandler } from './run';
import { openAsks } from './steps';

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
    const retries = (): Retries => new Retries(call, gate.ports, (retry) => (progress.retries ??= []).push(retry));
    const { outcome, found } = await watched(gate, call, mayLose(progress), () =>
      runHandler(call, gate.ports.clock, retries, (control) =>
        handler.run(call.input, new CallContext(gate, inner, call, progress, kept.ports, control, retries)),
      ),
    );
    for (const access of outcome.accesses ?? []) progress.met.push(access);
    const guarded = await guardOutput(call.tool, outcome, gate.validator);
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
