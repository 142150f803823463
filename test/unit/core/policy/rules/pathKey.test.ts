import { strict as assert } from 'node:assert';
import { pathKeys } from '../../../../../src/core/policy/rules/pathKey';

describe('keys of paths', () => {
  it('a path without dots or strange characters is its own key in lower case', () => {
    const [exact, key] = ['Src/App.ts', 'src/app.ts'];
    assert.deepEqual(pathKeys(exact), { exact, keys: [key], hasShortName: false, counted: key });
    assert.deepEqual(pathKeys('/a//./b/../C').keys, ['/a/c']);
    assert.deepEqual(pathKeys('a/').exact, 'a');
    assert.deepEqual(pathKeys('.g\u200cit/config').keys, ['.git/config']);
  });
});
