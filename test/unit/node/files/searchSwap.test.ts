import { strict as assert } from 'node:assert';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { RipgrepSearch } from '../../../../src/node/files/search/ripgrep';
import { installedRipgrep } from '../../../support/ripgrep';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace';

const binary = installedRipgrep();

/**
 * A ripgrep to which the folders of the workspace are swapped while it reads: it searches another place and tells what
 * it finds there.
 */
function swapped(ws: TestWorkspace): string {
  const script = path.join(ws.base, 'swapped-rg');
  writeFileSync(script, `#!/bin/sh\ncd '${ws.outside}' && exec '${binary}' "$@"\n`);
  chmodSync(script, 0o755);
  return script;
}

describe('a folder that is swapped while ripgrep searches it', () => {
  const title = 'gives no line, place or count of what lies outside, in any order of search';
  if (binary === undefined || process.platform === 'win32') {
    it.skip(`${title} (skipped: needs a shell and ripgrep 14 or newer)`);
    return;
  }
  it(title, async () => {
    for (const matches of [3, 4000]) {
      let fake = '';
      const ws = makeWorkspace({ search: async () => new RipgrepSearch({ binary: fake, smallFolder: 0 }) });
      fake = swapped(ws);
      const outside = {
        'd/same.txt': 'needle outside\n'.repeat(matches),
        'd/other.txt': `${'needle outside\n'.repeat(matches)}`,
        'd/gone.txt': 'needle outside\n',
        'd/alike.txt': 'needle alike\n',
      };
      for (const [file, text] of Object.entries(outside)) {
        mkdirSync(path.dirname(path.join(ws.outside, file)), { recursive: true });
        writeFileSync(path.join(ws.outside, file), text);
      }
      ws.put({
        'd/same.txt': 'nothing\nneedle inside\n',
        'd/other.txt': 'nothing here\n',
        'd/alike.txt': 'needle alike\n',
      });
      const got = await ws.ok('grep_files', { pattern: 'needle' });
      // What is told is what the files inside hold now, as the other engine would find it.
      assert.deepEqual(
        got['matches'].map((one: any) => `${one.path}:${one.line} ${one.text}`),
        ['/d/alike.txt:1 needle alike', '/d/same.txt:2 needle inside'],
      );
      assert.ok(!JSON.stringify(got).includes('outside'));
      ws.dispose();
    }
  });
});
