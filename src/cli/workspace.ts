import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parse, type ParseError, printParseErrorCode } from 'jsonc-parser';
import { isObject } from '../core/base/json';
import type { Problem } from '../core/problem';
import type { SettingsLayers } from '../core/settings';
import { type CliArgs, settingsFromArgs, UsageError } from './args';

/** The folder that a command works on; `--workspace`, else where it is started. */
export function workspaceFolder(args: CliArgs): string {
  const folder = path.resolve(args.value('workspace') ?? '.');
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new UsageError(`\`--workspace\` must name a folder (got \`${folder}\`)`);
  return folder;
}

/** Reads a JSON file with comments; a file that is not there is empty, and each mistake is a problem with its line. */
export function readJsonFile(file: string, problems: Problem[]): unknown {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8').replace(/^\ufeff/, '');
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  for (const error of errors) {
    const before = text.slice(0, error.offset).split('\n');
    problems.push({
      severity: 'error',
      code: 'invalid_json',
      message: `the file is not valid JSON: ${printParseErrorCode(error.error)}`,
      file,
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
    });
  }
  return value;
}

function own(value: unknown): Record<string, unknown> {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key === 'agentCapabilities' || key.startsWith('agentCapabilities.'))
      .flatMap(([key, item]) =>
        key === 'agentCapabilities' && isObject(item) ? Object.entries(item) : [[key.slice('agentCapabilities.'.length), item]],
      ),
  );
}

/** The workspace's settings from `.vscode/settings.json`, the user's from `--set`, the managed ones from the file that `--set` names. */
export function readLayers(folder: string, args: CliArgs, problems: Problem[]): SettingsLayers {
  const user = settingsFromArgs(args);
  const managedFile = user['policy.managedFile'];
  const managed = typeof managedFile === 'string' && managedFile !== '' ? own(readJsonFile(managedFile, problems)) : {};
  return { managed, user, workspace: own(readJsonFile(path.join(folder, '.vscode', 'settings.json'), problems)) };
}
