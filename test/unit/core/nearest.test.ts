import { strict as assert } from 'node:assert';
import { didYouMean, nearestNames } from '../../../src/core/base/nearest';

describe('nearest names', () => {
  it('puts near spellings before names that contain the word and says nothing where nothing is near', () => {
    assert.deepEqual(nearestNames('read_fil', ['write_file', 'read_file', 'read_files', 'add']), [
      'read_file',
      'read_files',
    ]);
    assert.equal(didYouMean('zzz', ['read_file']), '');
    assert.equal(didYouMean('mth', ['math']), '; did you mean `math`');
  });
});
