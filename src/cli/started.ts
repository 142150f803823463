import path from 'node:path';
import type { CliIo } from './args';

/** What our texts call the command line. */
const command = 'agent-capabilities';

/**
 * How a command line whose program is `file` is typed again. Nothing puts the command on the path, so mostly it is Node
 * with the file; a link of its name is the command itself.
 */
export function typedAgain(file: string | undefined): string {
  if (file === undefined || path.basename(file) === command) return command;
  if (/^[\w./:\\@-]+$/.test(file)) return `node ${file}`;
  // In double quotes a POSIX shell would run what stands behind `$` or in backticks.
  const isPosix = file.startsWith('/');
  return `node ${isPosix ? `'${file.replaceAll("'", "'\\''")}'` : `"${file}"`}`;
}

/** A text with the commands in it as they are typed here. */
export const asTyped = (text: string, { started = command }: Pick<CliIo, 'started'>): string =>
  text.replaceAll(`\`${command} `, () => `\`${started} `);
