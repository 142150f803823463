import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { itWithShared, readJson } from '../support/shared';

/** The titles of all tests, in which requirement ids are cited. */
function titles(): string {
  return readdirSync('test', { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
    .flatMap((text) =>
      [
        ...text.matchAll(/\b(?:it|describe|itWithShared|itWithEditor)(?:\.\w+)?\(\s*(?:'[^']*',\s*)?[`'"]([^\n]*)/g),
      ].map((match) => match[1] ?? ''),
    )
    .join('\n');
}

describe('requirements', () => {
  itWithShared(
    'requirements.json',
    'every id that a test cites exists, and those that nobody proves yet are named',
    (file) => {
      const rows = (readJson(file) as { requirements: { id: string }[] }).requirements.map((row) => row.id);
      const text = titles();
      const cited = new Set([...text.matchAll(/\b(?:S[0-4]|D)\.[a-z][a-z0-9-]*/g)].map((match) => match[0]));
      assert.deepEqual(
        [...cited].filter((id) => !rows.includes(id)),
        [],
        'ids that are no requirement',
      );
      const missing = rows.filter((id) => !cited.has(id));
      if (missing.length > 0)
        console.log(`      not proven by any test yet (${missing.length} of ${rows.length}): ${missing.join(' ')}`);
      assert.ok(cited.size > 0);
    },
  );
});
