import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The folder of test data that stands beside the project on the team's machines; a plain clone does not have it. */
export const sharedFolder = path.resolve(process.cwd(), '../shared');

/** A test that reads shared data: without the folder it is skipped, and its line says why. */
export function itWithShared(
  file: string,
  title: string,
  body: (this: Mocha.Context, absolute: string) => void | Promise<void>,
): void {
  const absolute = path.join(sharedFolder, file);
  if (existsSync(absolute))
    it(title, function () {
      return body.call(this, absolute);
    });
  else it.skip(`${title} (skipped: ../shared/${file} is not here)`);
}

export function readJson(absolute: string): unknown {
  return JSON.parse(readFileSync(absolute, 'utf8'));
}
