import { strict as assert } from 'node:assert';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Ids of requirements, which tests cite in their titles: a reader of the sources cannot look them up. */
const requirement = /\bS\d\.[a-z]/;

/** Pages and lists that stand outside of the repository, so that a reader of a clone cannot look them up. */
const outside =
  /\b(?:design|ux|redesign|seed\d?)\.md\b|\bresearch\/[\w-]+\.md|\(research: |\bseeds? \d\b|\bseed-\d|\b(?:the|a) seed\b|\bseed['’]s\b|\bissue \d+\b/i;

const texts = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|mjs|md|schema\.json)$/.test(entry.name))
    .map((entry) => path.posix.join(entry.parentPath.replaceAll(path.sep, '/'), entry.name));

describe('citations', () => {
  const files = [
    ...['src', 'test', 'tools', 'docs', 'media']
      .flatMap(texts)
      .filter((file) => file !== 'test/meta/citations.test.ts'),
    'esbuild.mjs',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'README.md',
    'SECURITY.md',
  ];

  it('no text cites a page that a clone does not have', () => {
    const found = files.flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, index) => (outside.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
    );
    assert.deepEqual(found, []);
  });

  it('no source cites the id of a requirement instead of saying it', () => {
    const found = ['src', 'tools'].flatMap(texts).filter((file) => requirement.test(readFileSync(file, 'utf8')));
    assert.deepEqual(found, []);
  });

  it('every file that a page names exists', () => {
    const missing = files
      .filter((file) => file.endsWith('.md') && !file.startsWith('test/'))
      .flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(/`((?:src|test|tools|docs)\/[\w./-]+\.(?:ts|mjs|md))`/g)]
          .map((match) => match[1] ?? '')
          .filter((name) => !existsSync(name))
          .map((name) => `${file} names ${name}`),
      );
    assert.deepEqual(missing, []);
  });
});
