import * as vscode from 'vscode';
import { stackOf } from '../../core/base/errorText';
import { saidToPerson } from '../saidToPerson';
import { type Disposable, toDisposable } from '../../core/base/lifecycle';
import { commandId } from '../manifest/commands/commandId';
import { type ByCommand, commandEntries, type CommandRun } from '../manifest/commands/commandRun';

/**
 * What our commands do. The editor has them from the start, by stand-ins that hand on to this (`standIns.ts`).
 */
export class CommandRuns {
  readonly #runs = new Map<string, CommandRun>();
  readonly #onFailure: (message: string) => void;

  /** @param onFailure takes where a command failed, in one sentence with the stack, which is meant for the log. */
  constructor(onFailure: (message: string) => void) {
    this.#onFailure = onFailure;
  }

  /** Takes commands under their ids in the manifest, until the answer is disposed. */
  add(commands: ByCommand<CommandRun>): Disposable {
    const entries = commandEntries(commands).map(([id, run]) => [commandId(id), run] as const);
    for (const [id, run] of entries) {
      if (this.#runs.has(id)) throw new Error(`the command \`${id}\` is there twice`);
      this.#runs.set(id, run);
    }
    return toDisposable(() => {
      for (const [id] of entries) this.#runs.delete(id);
    });
  }

  /** Runs one by its full id. The editor shows the message of one that fails to the person. */
  async run(id: string, args: readonly unknown[]): Promise<unknown> {
    const run = this.#runs.get(id);
    if (!run) throw new Error(vscode.l10n.t('What this command is about is switched off here.'));
    try {
      return await run(...args);
    } catch (error) {
      this.#onFailure(`the command ${id.replace(/^.*?\./, '')} failed: ${stackOf(error)}`);
      throw new Error(saidToPerson(error), { cause: error });
    }
  }
}
