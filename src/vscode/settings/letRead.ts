import * as vscode from 'vscode';

/** A setting that there is none of. */
const nothing = 'agentCapabilities.nothing';

/**
 * Has the editor read the settings of a scope now. Not every editor watches the user's file, and none is told at once;
 * to take out what is not there it reads it. Answers whether it did: a file with changes that are not saved it leaves.
 */
export async function letRead(target: vscode.ConfigurationTarget): Promise<boolean> {
  try {
    await vscode.workspace.getConfiguration().update(nothing, undefined, target);
    return true;
  } catch {
    return false;
  }
}
