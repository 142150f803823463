import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { cut } from '../../../../src/core/base/figures';
import { cutAt, cutEnd } from '../../../../src/core/base/text';

describe('texts that are cut', () => {
  it('never end in half of a character', () => {
    const faces = '😀'.repeat(4);
    assert.deepEqual([cutAt(faces, 3), cutAt(faces, 4)], ['😀', '😀😀']);
    assert.deepEqual([cutEnd(faces, 4), cutEnd(faces, 5)], ['😀…', '😀😀…']);
    assert.deepEqual([cutEnd(faces, 8), cutEnd('', 0)], [faces, '']);
    assert.equal(cut(faces, 3), '😀… 6 more characters');
  });

  it('are cut by these functions alone where `…` says that something is missing', () => {
    const cutByHand = /\.slice\(0, [^()]*\)\}…/;
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const found = files.filter((name) => cutByHand.test(readFileSync(path.join('src', name), 'utf8')));
    assert.deepEqual(found, []);
    assert.match('`${text.slice(0, 79)}…`', cutByHand);
  });
});
