import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

describe('a skipped test', () => {
  it('says why on its own line: skipBecause, or a title that ends in (skipped: …)', () => {
    const silent = readdirSync('test', { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
      .map((entry) => path.join(entry.parentPath, entry.name))
      .flatMap((file) =>
        readFileSync(file, 'utf8')
          .split('\n')
          .flatMap((line, index) =>
            /\bthis\.skip\(|\b(?:it|describe)\.skip\b/.test(line) && !line.includes('(skipped: ')
              ? [`${file}:${index + 1}`]
              : [],
          ),
      )
      .filter((place) => !place.startsWith(path.join('test', 'meta', 'skips')));
    assert.deepEqual(silent, []);
  });
});
