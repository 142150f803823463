import { statSync } from 'node:fs';
import { settledMs, stampText } from './fileStamp';
import { readSmallFile } from './regularFile';

/**
 * What is another text once a file has changed: of one at rest its times and size, of one that changed a moment ago,
 * and may again without another time, what stands in it too.
 */
export function restingStamp(file: string): string {
  try {
    const found = statSync(file);
    const stamp = `${file}: ${stampText(found)}`;
    if (Date.now() - Math.max(found.mtimeMs, found.ctimeMs) > settledMs) return stamp;
    const read = readSmallFile(file);
    return `${stamp} ${read.type === 'text' ? read.text : read.type}`;
  } catch {
    return `${file}: none`;
  }
}
