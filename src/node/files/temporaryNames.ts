import { randomBytes } from 'node:crypto';

const temporaryName = /^\.([0-9a-f]{8})?[0-9a-f]{12}\.agent-capabilities-tmp$/;

/** True for the names of temporary files, which no listing shows and a sweep removes. */
export function isTemporaryName(name: string): boolean {
  return temporaryName.test(name);
}

/**
 * The run that a temporary file's name says it was made by; undefined for other names and for files of no known run.
 */
export function temporaryRunOf(name: string): string | undefined {
  return temporaryName.exec(name)?.[1];
}

/** A new name for a temporary file; `run` is eight hexadecimal digits that tell whose it is. */
export function newTemporaryName(run = ''): string {
  return `.${run}${randomBytes(6).toString('hex')}.agent-capabilities-tmp`;
}

/**
 * A name for something on its way to another: after a kill it is still there and seen, so no sweep may take it for a
 * temporary file.
 */
export function newMovingName(name: string): string {
  return `${name.slice(0, 60)}.${randomBytes(4).toString('hex')}.agent-capabilities-moving`;
}
