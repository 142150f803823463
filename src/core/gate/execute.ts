import type { FoundByCall, GateCall, InnerCalls, KeptCall } from '../call/gateCall';
import { portsOf } from '../files/root';
import { notKeptRule } from '../vocabulary/decision';
import { sourceKind } from '../vocabulary/toolSource';
import { cancelled, isToolError, timedOut } from '../vocabulary/errors';
import type { FileSystem } from '../ports/files';
import { CallContext } from './context';
import { type GateDependencies, internalFault } from './dependencies';
import { guardOutput } from './output';
import { failedWith, type Progress, type Ran } from './progress';
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
  try {
    const handler = await call.tool.load();
    const plain = portsOf(gate.ports, call.profile);
    const kept = await keptCall(gate, call, plain.files, progress);
    const ports = kept ? { ...plain, files: kept.files, changes: kept.changes, crypto: kept.crypto } : plain;
    const retries = (): Retries => new Retries(call, gate.ports, (retry) => (progress.retries ??= []).push(retry));
    const { outcome, found } = await watched(gate, call, plain.files, progress, () =>
      runHandler(call, gate.ports.clock, retries, (control) =>
        handler.run(call.input, new CallContext(gate, inner, call, progress, ports, control, retries)),
      ),
    );
    for (const access of outcome.accesses ?? []) progress.met.push(access);
    const guarded = await guardOutput(call.tool, outcome, gate.validator);
    progress.keptChanges = (kept?.kept() ?? 0) + (found?.kept ?? 0);
    const lost = (kept?.lost() ?? 0) + (found?.lost ?? 0);
    const warnings = [...(found?.warnings ?? []), ...(lost === 0 ? [] : [lostWarning(lost)])];
    return {
      outcome: warnings.length === 0 ? guarded : { ...guarded, warnings: [...(guarded.warnings ?? []), ...warnings] },
    };
  } catch (error) {
    return failureOf(gate, call, error);
  }
}

/** What a call answers whose handler threw: its own error, that its time is over, that it was stopped, or our fault. */
function failureOf(gate: GateDependencies, { tool, signal }: GateCall, error: unknown): Ran {
  if (isToolError(error)) return failedWith(error);
  if (error instanceof Error && error.name === 'TimeoutError')
    return failedWith(timedOut(tool.modelName, tool.definition.timeoutMs));
  if (signal.aborted) return failedWith(cancelled(tool.modelName));
  const mended = internalFault(gate.ports, error);
  const reference = mended.data.details?.['reference'];
  return { ...failedWith(mended), ...(typeof reference === 'string' ? { reference } : {}) };
}

/** Runs work between two looks at the workspace, where the call may change files without our ports. */
async function watched<T>(
  { changes }: GateDependencies,
  call: GateCall,
  files: FileSystem,
  progress: Progress,
  work: () => Promise<T>,
): Promise<{ readonly outcome: T; readonly found?: FoundByCall | undefined }> {
  // The files of a session go with it.
  const isLasting = changes?.watch !== undefined && files.labelPrefix === undefined;
  const watch = isLasting ? await changes.watch?.(call, mayLose(progress)) : undefined;
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

/** The files of a call that keep what was there before they change it; undefined where nothing is to be kept. */
async function keptCall(
  { changes }: GateDependencies,
  call: GateCall,
  files: FileSystem,
  progress: Progress,
): Promise<KeptCall | undefined> {
  // The files of a session go with it.
  if (!changes || files.labelPrefix !== undefined || neverChanges(call)) return undefined;
  const kept = await changes.keep(call, files, mayLose(progress));
  // Paths that were resolved while the call was judged are those of these files too.
  for (const [key, known] of call.resolved)
    if (known.files === files) call.resolved.set(key, { ...known, files: kept.files });
  return kept;
}

/** True where somebody allowed the call although what it changes cannot be taken back. */
export const mayLose = ({ approval, steps }: Progress): boolean =>
  approval !== undefined && openAsks(steps).some(({ rule }) => rule === notKeptRule);

/** True for a built-in tool that only reads; what others declare is not relied on. */
function neverChanges({ tool }: GateCall): boolean {
  const { kind } = tool.definition;
  return sourceKind(tool.source).isOurs === true && (kind === 'data' || kind === 'status');
}
