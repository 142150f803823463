import { renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { isObject, type Json } from '../core/base/json';
import type { KeyValueStore, StoredChange } from '../core/ports/platform';
import { messageOf } from '../core/base/errorText';
import { FileLock } from './fileLock';
import { settledMs, stampText } from './fileStamp';
import { replaceFileSync } from './files/replaceFile';
import { textIn } from './folders/quietly';
import { makeFolder } from './folders/makeFolder';

/**
 * Keeps values in one file of a folder that several processes share: approved MCP servers, grants, limits. The file is
 * read again where another wrote it, and replaced atomically, one process after the other; one that cannot be read is
 * reported, kept beside as `.damaged`, and counts as empty, so that approvals are asked for again.
 */
export function fileStore(folder: string, onProblem: (message: string) => void): KeyValueStore {
  makeFolder(folder);
  const file = path.join(folder, 'state.json');
  const lock = new FileLock(`${file}.lock`);
  let values: Readonly<Record<string, unknown>> = {};
  let known: string | undefined;
  /** Of the file that was read last, once it was at rest: until then it may change without another time. */
  let stamp: string | undefined;
  const read = (): void => {
    const found = statSync(file, { throwIfNoEntry: false });
    const now = found && stampText(found);
    if (now !== undefined && now === stamp) return;
    const text = textIn(file);
    stamp = found && Date.now() - Math.max(found.mtimeMs, found.ctimeMs) > settledMs ? now : undefined;
    if (text !== known) values = parsed((known = text));
  };
  const parsed = (text: string | undefined): Readonly<Record<string, unknown>> => {
    try {
      const value: unknown = JSON.parse(text ?? '{}');
      if (!isObject(value)) throw new Error('it is no object');
      return value;
    } catch (error) {
      // Another process may have put it right by now.
      if (textIn(file) === text) renameSync(file, `${file}.damaged`);
      onProblem(`\`${file}\` cannot be read (${messageOf(error)}); it is kept as .damaged and nothing in it counts`);
      return {};
    }
  };
  // Everything in the file was JSON.
  const valueOf = (key: string): Json | undefined =>
    Object.hasOwn(values, key) ? (values[key] as Json | undefined) : undefined;
  const update = <T>(key: string, change: StoredChange<T>): T =>
    lock.runSync((isHeld) => {
      read();
      const { value, answer } = change(valueOf(key));
      if (value === valueOf(key)) return answer;
      const next = { ...values, [key]: value };
      const text = JSON.stringify(next);
      if (!isHeld()) throw new Error(`\`${file}\` was taken over by another process`);
      replaceFileSync(file, text);
      [values, known, stamp] = [next, text, undefined];
      return answer;
    });
  read();
  return {
    get(key) {
      read();
      return valueOf(key);
    },
    set: async (key, value) => update(key, () => ({ value, answer: undefined })),
    update,
  };
}
