import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What the formatter leaves as it is. */
const comment = /^\s*(?:\/\*\*|\*|\/\/) /;
const longest = 120;

const tooLong = (text: string): readonly number[] =>
  text.split('\n').flatMap((line, at) => (line.length > longest && comment.test(line) ? [at + 1] : []));

describe('lines', () => {
  it('have at most 120 characters in comments too, which the formatter does not break', () => {
    const found = ['src', 'test', 'tools'].flatMap((folder) =>
      readdirSync(folder, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile() && /\.[cm]?[tj]s$/.test(entry.name))
        .map((entry) => path.join(entry.parentPath, entry.name))
        .flatMap((file) => tooLong(readFileSync(file, 'utf8')).map((line) => `${file}:${line}`)),
    );
    assert.deepEqual(found, []);
    const words = 'word '.repeat(30);
    assert.deepEqual(tooLong(`  // ${words}\nconst a = '${words}';\n/** short */\n * ${words}`), [1, 4]);
  });
});
