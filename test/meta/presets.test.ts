import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { presetPage } from '../../tools/manifest/presetTable';

describe('docs/presets.md', () => {
  it('is what the rules say; `UPDATE=1 npm test` writes it anew', () => {
    const page = presetPage();
    if (process.env['UPDATE']) writeFileSync('docs/presets.md', page);
    assert.equal(readFileSync('docs/presets.md', 'utf8'), page);
  });
});
