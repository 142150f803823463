import fs from 'node:fs';
import path from 'node:path';
import { isRunning } from '../processes/isRunning';

/**
 * Does something with a segment that no living window writes, unless another window does so just now; answers undefined
 * then.
 */
export function withSegmentLock<T>(dir: string, segment: string, body: () => T): T | undefined {
  const file = path.join(dir, 'heads', `${segment}.lock`);
  if (!takeLock(file)) return undefined;
  try {
    return body();
  } finally {
    fs.rmSync(file, { force: true });
  }
}

/** A lock whose owner died is taken over. */
function takeLock(file: string): boolean {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      fs.writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 });
      return true;
    } catch {
      let owner = 0;
      try {
        owner = Number(fs.readFileSync(file, 'utf8'));
      } catch {
        return false;
      }
      if (!(owner > 0) || isRunning(owner)) return false;
      fs.rmSync(file, { force: true });
    }
  }
  return false;
}
