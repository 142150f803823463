import * as vscode from 'vscode';

/** A system that is made behind the editor's start. */
interface Startable {
  /** Keeps what is still in memory. */
  save(): Promise<void>;
  dispose(): void;
}

/** One run of the extension in a window. */
export interface Started<System> extends vscode.Disposable {
  /** The system, once everything of it is there. Fails with words for a person where it did not start. */
  readonly system: Promise<System>;
  /** Keeps what is in memory, where there is anything yet. Called before `dispose`. */
  save(): Promise<void>;
}

/** Set when everything is there, beside the marks of the editor around an extension's code and its activation. */
const readyMark = 'agentCapabilities/ready';

/**
 * Has the system made once the activation is over, so that the editor waits for none of it. What fails is shown to the
 * person, never swallowed, and told to everybody who waits. Disposing it meanwhile ends that, too.
 *
 * Loaded with the entry: nothing may be imported here but types.
 * @param compose makes the system; with the signal it lets go of what it made and gives up.
 */
export function startBehind<System extends Startable>(
  compose: (signal: AbortSignal) => Promise<System>,
): Started<System> {
  const ending = new AbortController();
  let made: System | undefined;
  const start = async (): Promise<System> => {
    await new Promise<void>((resolve) => setImmediate(resolve));
    ending.signal.throwIfAborted();
    const composed = await compose(ending.signal);
    // It ended in the very moment in which it was ready.
    if (ending.signal.aborted) composed.dispose();
    ending.signal.throwIfAborted();
    performance.mark(readyMark);
    return (made = composed);
  };
  const system = start().catch((error: unknown) => {
    if (!ending.signal.aborted) void showFailure(error);
    throw new Error(failureText(error), { cause: error });
  });
  // Nobody may wait for it.
  system.catch(() => undefined);
  return {
    system,
    save: async () => made?.save(),
    dispose() {
      ending.abort(new Error(vscode.l10n.t('the window closed meanwhile')));
      made?.dispose();
    },
  };
}

const failureText = (error: unknown): string =>
  vscode.l10n.t('Agent Capabilities did not start: {0}', error instanceof Error ? error.message : String(error));

async function showFailure(error: unknown): Promise<void> {
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const show = vscode.l10n.t('Show Details');
  // The editor would make a link of it; `notices.ts` may be what cannot be loaded.
  const text = failureText(error).replaceAll('](', '] (');
  const picked = await vscode.window.showErrorMessage(text, show);
  if (picked === show)
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: details }));
}
