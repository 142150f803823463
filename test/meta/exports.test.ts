import { strict as assert } from 'node:assert';
import { exportedNames } from '../support/exports';

/** What the bundles begin with, the types that other extensions are given, and what the build makes. */
const entries = new Set(['src/extension.ts', 'src/app/api.ts', 'src/virtual.d.ts']);

/** What tests alone call, with the reason. */
const forTests: Readonly<Record<string, string>> = {
  setDisposableTracker: 'finds what a suite does not dispose of',
  CommandArguments: 'is imported by a text that a test compiles',
};

describe('exports', () => {
  const names = exportedNames().filter(({ file }) => !entries.has(file));
  const told = (found: typeof names): readonly string[] =>
    found.map(({ file, line, name }) => `${file}:${line} ${name}`);

  it('are imported by another file', () => {
    assert.ok(names.length > 1000, String(names.length));
    const idle = names.filter(({ name, users }) => users.length === 0 && forTests[name] === undefined);
    assert.deepEqual(told(idle), [], 'take `export` away, or the whole where nothing uses it');
  });

  it('serve the product, not its tests alone', () => {
    const tested = names.filter(
      ({ isUsedInside, users }) => !isUsedInside && users.length > 0 && users.every((user) => user.startsWith('test/')),
    );
    const needed = [...tested, ...names.filter(({ users }) => users.length === 0)].map(({ name }) => name);
    assert.deepEqual(
      Object.keys(forTests).filter((name) => !needed.includes(name)),
      [],
      'these exceptions are no longer needed',
    );
    assert.deepEqual(
      told(tested.filter(({ name }) => forTests[name] === undefined)),
      [],
      'what only a test uses goes with the test',
    );
  });
});
