import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { isObject } from '../core/base/json';
import { readJsonDocument } from '../core/base/jsonDocument';
import type { Problem } from '../core/base/problem';
import type { SettingsLayers } from '../core/settings/settings';
import { unreadable } from '../core/settings/settingValues';
import { unreadableFile } from '../core/policy/rules/boundaryFile';
import { ManagedFile, managedPlaces, ownSettings } from '../node/managedFile';
import { readSmallFile } from '../node/regularFile';
import { type CliArgs, settingsFromArgs, UsageError } from './args';

/** The folder that a command works on; `--workspace`, else where it is started. */
export function workspaceFolder(args: CliArgs): string {
  const folder = path.resolve(args.value('workspace') ?? '.');
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new UsageError(`\`--workspace\` must name a folder (got \`${folder}\`)`);
  return folder;
}

/**
 * Reads a settings file of the workspace; one that is not there is empty, and each mistake is a problem with its line.
 * Where rules of ours may have been lost with what cannot be read, they are marked as unreadable, so that they ask
 * instead of letting everything pass.
 */
export function readJsonFile(file: string, problems: Problem[], within?: string): unknown {
  const lostRules = { 'agentCapabilities.policy.boundaries': unreadable };
  const read = readSmallFile(file, within === undefined ? {} : { within });
  if (read.type === 'absent') return undefined;
  if (read.type === 'unreadable') {
    problems.push(unreadableFile(file, read.fault));
    return lostRules;
  }
  const { value, problems: found } = readJsonDocument(read.text, file);
  const errors = found.filter(({ severity }) => severity === 'error');
  problems.push(...errors);
  const mayHoldRules = read.text.includes('agentCapabilities') || errors.some(({ said }) => said?.code === 'file_deep');
  return errors.length > 0 && mayHoldRules ? { ...(isObject(value) ? value : {}), ...lostRules } : value;
}

/**
 * The workspace's settings from `.vscode/settings.json`, the user's from `--set`, the managed ones from the file that
 * `--set` names.
 */
export function readLayers(folder: string, args: CliArgs, problems: Problem[]): SettingsLayers {
  const user = settingsFromArgs(args);
  const named = user['policy.managedFile'];
  const managed = new ManagedFile(managedPlaces(named), () => undefined);
  problems.push(...managed.problems);
  return {
    managed: managed.values,
    user,
    workspace: workspaceSettings(folder, problems),
  };
}

/** Our own settings in `.vscode/settings.json`. */
export function workspaceSettings(folder: string, problems: Problem[]): SettingsLayers['workspace'] {
  return ownSettings(readJsonFile(path.join(folder, '.vscode', 'settings.json'), problems, folder));
}
