import * as vscode from 'vscode';
import { stackOf } from '../../core/base/errorText';
import { saidToPerson } from '../saidToPerson';
import { type Disposable, toDisposable } from '../../core/base/lifecycle';
import { commandId } from '../manifest/commands/commandId';
import { type ByCommand, commandEntries, type CommandRun, mapCommands } from '../manifest/commands/commandRun';
import type { OutsideCalls } from '../confirm/outsideCalls';

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

/** Adds commands, each of which gets what they all work with before what the editor passes, behind the wall. */
export function addWithParts<Parts extends { readonly outside: OutsideCalls }>(
  commands: CommandRuns,
  handlers: ByCommand<(parts: Parts, ...args: unknown[]) => unknown>,
  parts: Parts,
): Disposable {
  const own = mapCommands(
    handlers,
    (run) =>
      (...args) =>
        run(parts, ...args),
  );
  return commands.add(parts.outside.guard(own));
}

type Late<Run> = Run extends (...args: infer Arguments) => infer Result
  ? (...args: Arguments) => Promise<Awaited<Result>>
  : never;

/**
 * The named functions of a module, which is loaded when one of them is called: most commands are never used in a
 * session, and the start would wait for all.
 */
export function loadedFrom<Name extends string, Module extends Readonly<Record<Name, (...args: never) => unknown>>>(
  load: () => Promise<Module>,
  ...names: readonly Name[]
): { readonly [Each in Name]: Late<Module[Each]> } {
  const runs = names.map((name) => [name, async (...args: never) => (await load())[name](...args)] as const);
  // Safe: each name has the function of the module that has this name.
  return Object.fromEntries(runs) as { readonly [Each in Name]: Late<Module[Each]> };
}
