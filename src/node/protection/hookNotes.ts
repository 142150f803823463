import { statSync } from 'node:fs';
import path from 'node:path';
import { parsedJson } from '../../core/base/json';
import type { Agent } from '../../core/protection/agents';
import { launcherName, unansweredName } from '../../core/protection/entryCommand';
import type { UnansweredCall } from '../../core/protection/meter';
import { replaceFileSync } from '../files/replaceFile';
import { isRunning } from '../processes/isRunning';
import { namesIn, textIn } from '../folders/quietly';
import { makeFolder } from '../folders/makeFolder';

/** Whether an editor of this user answers what hooks ask. */
export function isGateOpen(privateFolder: string): boolean {
  return namesIn(path.join(privateFolder, 'gates')).some((name) => {
    const pid = /^(\d+)-.*\.json$/.exec(name)?.[1];
    return pid !== undefined && isRunning(Number(pid));
  });
}

/**
 * Writes the small file that entries start. They keep its path, and the extension's folder has another name after each
 * update.
 * @returns its path.
 */
export function writeHookLauncher(privateFolder: string, hook: string): string {
  const file = path.join(privateFolder, launcherName);
  const text = launcherText(hook);
  if (textIn(file) === text) return file;
  makeFolder(privateFolder);
  replaceFileSync(file, text);
  return file;
}

/** The program that the launcher starts; undefined where there is no launcher. */
export function launchedHook(privateFolder: string): string | undefined {
  const text = textIn(path.join(privateFolder, launcherName));
  return text === undefined ? undefined : launchedProgram(text);
}

const launcherText = (program: string): string => `require(${JSON.stringify(program)});\n`;

/**
 * The program that a launcher's text loads; undefined where it does anything besides, for whoever added a line before
 * it could end the launcher or start something else first.
 */
export function launchedProgram(text: string): string | undefined {
  const program = parsedJson(/^require\((".*")\);\n$/.exec(text)?.[1]);
  return typeof program === 'string' ? program : undefined;
}

/** The last call that an agent's hook did not answer at all, as its entry noted it. */
export function unansweredCall(privateFolder: string, agent: Agent): UnansweredCall | undefined {
  const file = path.join(privateFolder, unansweredName(agent));
  const status = textIn(file)?.trim().slice(0, 20);
  if (status === undefined) return undefined;
  try {
    return { at: Math.round(statSync(file).mtimeMs), status };
  } catch {
    return undefined;
  }
}
