import { strict as assert } from 'node:assert';
import { FlowPlaces } from '../../../../src/core/flow/places';

describe('where something lies', () => {
  it('D.flow: what lies outside is told in the spellings of every system', () => {
    const places = new FlowPlaces({ privatePaths: [], publicPaths: [], trustedHosts: [] });
    const outside = [
      '/home/ada/tax.txt',
      '~/tax.txt',
      'C:\\Users\\ada\\tax.txt',
      '\\\\?\\C:\\Users\\ada\\tax.txt',
      '/tmp/../home/ada/tax.txt',
      'C:\\Windows.old\\Users\\ada\\tax.txt',
      'file:///home/ada/tax.txt',
    ];
    const impersonal = [
      '/tmp/a',
      '/private/var/folders/x/T/a',
      '/private/tmp/a',
      'c:/Windows/win.ini',
      '\\\\?\\C:\\Program Files (x86)\\a\\b.dll',
      'C:\\Users\\ada\\AppData\\Local\\Temp\\a',
      'src/a.ts',
    ];
    for (const path of outside) assert.ok(places.isOutside(path), path);
    for (const path of impersonal) assert.ok(!places.isOutside(path), path);
    const shared = ['\\\\server\\share\\a', '\\\\?\\UNC\\server\\share\\a', '/Users/ada/Library/Mobile Documents/a'];
    for (const path of shared) assert.ok(places.isPublic(path), path);
    assert.ok(!places.isPublic('\\\\?\\C:\\work\\a'));
  });

  it('D.flow: a glob that cannot be read means everything where it guards, also beside one that can', () => {
    for (const broken of ['src/[ab', '{a,b', 'a/../*/..', 'https://example.com/x', '', '!x']) {
      const patterns = ['contracts/**', broken];
      const places = new FlowPlaces({ privatePaths: patterns, publicPaths: [...patterns], trustedHosts: [] });
      assert.deepEqual([places.isChosen('other.txt'), places.isPublic('other.txt')], [true, true], broken);
    }
  });
});
