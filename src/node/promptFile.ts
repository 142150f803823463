import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { Emitter } from '../core/base/event';
import { isInsideWorkspace, type PromptSource, type PromptText, promptTextOf } from '../core/promptText';

/** Base prompts from files of one folder, for the command line: read once, when they are asked for. */
export function promptFilesIn(folder: string): PromptSource {
  const known = new Map<string, PromptText>();
  return {
    read(file) {
      const before = known.get(file);
      if (before) return before;
      const text = readPrompt(folder, file);
      known.set(file, text);
      return text;
    },
    onDidChange: new Emitter<void>().event,
  };
}

function readPrompt(folder: string, file: string): PromptText {
  if (!isInsideWorkspace(file)) return { type: 'unreadable', reason: 'is not a path inside the workspace' };
  try {
    const root = realpathSync(folder);
    const real = realpathSync(path.join(root, file));
    if (!real.startsWith(root + path.sep)) return { type: 'unreadable', reason: 'leads out of the workspace' };
    return promptTextOf(readFileSync(real, 'utf8').replace(/^\ufeff/, ''));
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return {
      type: 'unreadable',
      reason: missing ? 'does not exist' : `cannot be read (${error instanceof Error ? error.message : String(error)})`,
    };
  }
}
