import { type Stats, statSync } from 'node:fs';

/**
 * What changed less than so many milliseconds ago may change again without another time or size: some disks count in
 * whole seconds.
 */
export const settledMs = 2500;

/** Of a file's times and size; another text is another file or another content. */
export const stampText = ({ mtimeMs, ctimeMs, size }: Pick<Stats, 'mtimeMs' | 'ctimeMs' | 'size'>): string =>
  `${mtimeMs}:${ctimeMs}:${size}`;

/** The same of the file at a path, of one too that is not there or may not be looked at. */
export function fileStamp(file: string): string {
  try {
    return stampText(statSync(file));
  } catch {
    return 'unreadable';
  }
}
