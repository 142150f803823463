import { randomUUID } from 'node:crypto';
import { rmSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The names of which who watches a folder hears while something is done, in their order, each once in a row. */
export async function heardNames(folder: string, work: () => Promise<unknown>): Promise<readonly string[]> {
  // Another watch of the folder may hear of what came before it.
  const end = `.end-${randomUUID()}`;
  const heard: string[] = [];
  let ended = (): void => undefined;
  const whole = new Promise<void>((resolve) => (ended = resolve));
  const watcher = watch(folder, (_what, name) => {
    if (name === end) ended();
    else if (name !== heard.at(-1) && !name?.startsWith('.end-')) heard.push(String(name));
  });
  try {
    await work();
    // The system tells of changes in their order.
    writeFileSync(path.join(folder, end), '');
    await whole;
  } finally {
    watcher.close();
    rmSync(path.join(folder, end), { force: true });
  }
  return heard;
}
