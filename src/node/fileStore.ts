import { renameSync } from 'node:fs';
import path from 'node:path';
import { isObject, type Json } from '../core/base/json';
import type { KeyValueStore } from '../core/ports/platform';
import { messageOf } from '../core/base/errorText';
import { replaceFileSync } from './files/replaceFile';
import { textIn } from './folders/quietly';
import { makeFolder } from './folders/makeFolder';

/**
 * Keeps values in one file of a folder, for commands that are told where: approved MCP servers, grants, limits. The
 * file is replaced atomically; one that cannot be read is reported, kept beside as `.damaged`, and counts as empty, so
 * that approvals are asked for again.
 */
export function fileStore(folder: string, onProblem: (message: string) => void): KeyValueStore {
  makeFolder(folder);
  const file = path.join(folder, 'state.json');
  let values: Record<string, unknown> = {};
  const text = textIn(file);
  if (text !== undefined) {
    try {
      const parsed: unknown = JSON.parse(text);
      if (!isObject(parsed)) throw new Error('it is no object');
      values = { ...parsed };
    } catch (error) {
      renameSync(file, `${file}.damaged`);
      onProblem(`\`${file}\` cannot be read (${messageOf(error)}); it is kept as .damaged and nothing in it counts`);
    }
  }
  return {
    get: (key) => {
      const value = Object.hasOwn(values, key) ? values[key] : undefined;
      // Everything in the file was JSON.
      return value as Json | undefined;
    },
    async set(key, value) {
      if (value === undefined) delete values[key];
      else values[key] = value;
      replaceFileSync(file, JSON.stringify(values));
    },
  };
}
