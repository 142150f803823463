import { strict as assert } from 'node:assert';
import { readSettings } from '../../../src/core/settings/readSettings';

describe('settings', () => {
  it('D.settings: the user decides, a workspace only tightens, and what does not fit is reported and not used', () => {
    const settings = readSettings({
      managed: {},
      user: {
        'policy.preset': 'strict',
        'fileSystem.deleteToTrash': false,
        'webFetch.maxBytes': 5000,
        'agentCapabilities.saveTo': 'user',
      },
      workspace: {
        'policy.preset': 'open',
        fileSystem: { deleteToTrash: true, root: 'session' },
        'webFetch.maxLenght': 1,
        activeProfile: 7,
        'definitions.enabled': false,
      },
    });
    assert.deepEqual(
      (
        [
          'policy.preset',
          'fileSystem.deleteToTrash',
          'fileSystem.root',
          'webFetch.maxBytes',
          'saveTo',
          'activeProfile',
          'definitions.enabled',
        ] as const
      ).map((key) => settings.get(key)),
      ['strict', true, 'session', 5000, 'user', 'default', false],
    );
    assert.deepEqual(settings.problems.map((problem) => problem.code).sort(), [
      'invalid_setting',
      'setting_ignored',
      'unknown_setting',
    ]);
    assert.equal(
      readSettings({ managed: { 'policy.preset': 'open' }, user: { 'policy.preset': 'strict' }, workspace: {} }).get(
        'policy.preset',
      ),
      'open',
    );
  });
});
