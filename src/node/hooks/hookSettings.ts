import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isObject } from '../../core/base/json';
import { replaceFileSync } from '../files/replaceFile';
import { checkPrivate } from './privateFolder';
import { errnoOf } from '../errors/errno';

/** What an editor leaves for hooks that run while none is open. */
export interface HookSettings {
  /** The user's settings, by key without `agentCapabilities.`. */
  readonly user: Readonly<Record<string, unknown>>;
  /** The mode of each workspace folder that was open. */
  readonly modes: Readonly<Record<string, string>>;
}

const fileName = 'settings.json';

/** Reads it; nothing is there before the first editor ran. Throws for a file that cannot be believed or read. */
export function readHookSettings(folder: string): HookSettings {
  const file = path.join(folder, fileName);
  let text: string;
  try {
    checkPrivate(file, false);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { user: {}, modes: {} };
    throw error;
  }
  const value: unknown = JSON.parse(text);
  if (!isObject(value) || !isObject(value['user'])) throw new Error(`\`${file}\` is no file of settings`);
  const modes = isObject(value['modes']) ? value['modes'] : {};
  return {
    user: value['user'],
    modes: Object.fromEntries(
      Object.entries(modes).flatMap(([key, mode]) => (typeof mode === 'string' ? [[key, mode]] : [])),
    ),
  };
}

/** Replaces what is said of the user and of these folders; other folders keep their modes. */
export function writeHookSettings(folder: string, { user, modes }: HookSettings): void {
  let before: HookSettings = { user: {}, modes: {} };
  try {
    before = readHookSettings(folder);
  } catch {
    // What cannot be read is replaced.
  }
  const settings = { version: 1, user, modes: { ...before.modes, ...modes } };
  replaceFileSync(path.join(folder, fileName), JSON.stringify(settings));
}
