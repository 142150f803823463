import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Where the kinds of sources declare their properties, and where each is named in words for people. */
const exempt = new Set(['src/core/vocabulary/toolSource.ts', 'src/core/present/sourceWords.ts']);

/** A question about the type of a tool's source, in each form that compiles, or about how its key or an id begins. */
const question =
  /\bsource\)?\??\.type\s*[!=]==|[!=]==\s*[\w.?]*\bsource\??\.type\b|switch \([\w.?]*\bsource\??\.type\)|\.startsWith\(['"`](?:builtin|cap|chan|definition|ext|host|mcp):/;

describe('the sources of tools', () => {
  it('no shared code asks which kind a source is: a kind declares a property, and the property is asked', () => {
    const files = readdirSync('src', { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => path.posix.join(entry.parentPath.replaceAll(path.sep, '/'), entry.name));
    const asking = files.filter((file) => question.test(readFileSync(file, 'utf8')));
    assert.deepEqual(
      asking.filter((file) => !exempt.has(file)),
      [],
    );
    assert.deepEqual(asking.sort(), [...exempt].sort());
  });

  it('the check itself finds each form of the question', () => {
    for (const text of [
      "tool.source.type === 'mcp'",
      "foreign?.source.type !== 'builtin'",
      "'mcp' === one.source.type",
      'switch (capability.source.type) {',
      "call.tool?.source?.type === 'mcp'",
      "source?.startsWith('host:')",
    ])
      assert.match(text, question);
    for (const text of ['source: tool.source.type,', 'filter.sources.includes(tool.source.type)', "type: 'mcp'"])
      assert.doesNotMatch(text, question);
  });
});
