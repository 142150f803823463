import { strict as assert } from 'node:assert';
import { existsSync, readFileSync } from 'node:fs';

/** A test that a promise names: its file, and words of its title as they stand there. */
const named = /`(test\/[\w/.-]+\.test\.ts)` "([^"]+)"/g;

describe('SECURITY.md', () => {
  const text = readFileSync('SECURITY.md', 'utf8');

  it('names for each promise a test that exists', () => {
    const tests = [...text.matchAll(named)].map(([, file = '', title = '']) => ({ file, title }));
    assert.ok(tests.length > 20, String(tests.length));
    const missing = tests.filter(({ file, title }) => {
      if (!existsSync(file)) return true;
      const source = readFileSync(file, 'utf8').replace(/\\'/g, "'");
      return !source.includes(title);
    });
    assert.deepEqual(missing, []);
  });

  it('promises nothing without a test', () => {
    const rows = text.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| promise'));
    const bare = rows.filter((line) => ![...line.matchAll(named)].some(([, , title = '']) => title.length >= 10));
    assert.deepEqual(bare, []);
  });
});
