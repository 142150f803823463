import * as vscode from 'vscode';
import { commandId } from './commandId';
import type { ArgumentsOf, CommandId } from './commandTable';

/** An argument that we hand to a command of ours, told apart from what others pass by being this very object. */
export interface OwnArgument<Value = unknown> {
  readonly value: Value;
}

/** Runs a command of ours; what it takes may be marked as our own. */
export function runCommand<Id extends CommandId>(id: Id, ...args: MarkedOrNot<ArgumentsOf<Id>>): Thenable<unknown> {
  return vscode.commands.executeCommand(commandId(id), ...args);
}

type MarkedOrNot<Arguments extends readonly unknown[]> = {
  readonly [Index in keyof Arguments]: Arguments[Index] | OwnArgument<Arguments[Index]>;
};
