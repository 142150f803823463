import { strict as assert } from 'node:assert';
import { worded } from '../../../../src/core/base/sentence';
import { errorSaid } from '../../../../src/core/vocabulary/errors';
import { fileError, swapped } from '../../../../src/node/files/errors';
import { inGerman } from '../../../support/german';

describe('an error of the file system', () => {
  it('is told to a model in its words, and to a person in the own language', () => {
    const codes = ['ENOENT', 'EISDIR', 'EEXIST', 'EACCES', 'EROFS', 'ELOOP', 'ENOSPC', 'EXDEV', 'EMFILE', 'EIO'];
    const errors = codes.map((code) => fileError(Object.assign(new Error('raw'), { code }), 'src/a.txt'));
    for (const error of [...errors, swapped('src/a.txt')]) {
      assert.ok(error instanceof Error);
      assert.equal(worded(errorSaid(error)), error.message);
      assert.match(error.message, /^`src\/a\.txt`/);
      assert.doesNotMatch(worded(errorSaid(error), inGerman), /UNTRANSLATED|\b(is|the|it)\b/);
    }
    const unknown = new Error('raw');
    assert.equal(fileError(unknown, 'src/a.txt'), unknown);
  });
});
