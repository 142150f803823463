import type { SideEffect } from '../vocabulary/access';

/** One file of a patch and what is done to it. */
interface PatchedFile {
  readonly path: string;
  readonly effect: SideEffect;
}

/** What an update fits tells what stands in the file. */
const headers: Readonly<Record<string, readonly SideEffect[]>> = {
  'add file': ['fs.write'],
  'update file': ['fs.write', 'fs.read'],
  'delete file': ['fs.delete'],
  'move to': ['fs.write'],
};

/**
 * The files that a patch in the form of `apply_patch` names (`*** Update File: a.ts`). Undefined for a text that is no
 * such patch, and for one with a header that is not known: then nobody can say what it changes.
 */
export function patchedFiles(text: string): readonly PatchedFile[] | undefined {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/);
  const start = lines.findIndex((line) => line.trim() === '*** Begin Patch');
  if (start < 0) return undefined;
  const files: PatchedFile[] = [];
  let isUpdating = false;
  for (const line of lines) {
    const header = /^\s*\*\*\*\s+(.*)$/s.exec(line)?.[1]?.trimEnd();
    if (header === undefined || /^(?:Begin Patch|End Patch|End of File)$/.test(header)) continue;
    const [, verb = '', path] = /^(\w+ \w+):\s*(.+)$/.exec(header) ?? [];
    const effects = Object.hasOwn(headers, verb.toLowerCase()) ? headers[verb.toLowerCase()] : undefined;
    if (!effects || path === undefined) {
      // In a file that is updated a line that begins with a blank is what stands there.
      if (/^\s/.test(line) && isUpdating) continue;
      return undefined;
    }
    isUpdating = ['update file', 'move to'].includes(verb.toLowerCase());
    for (const effect of effects) files.push({ path, effect });
  }
  return files.length === 0 ? undefined : files;
}
