import { strict as assert } from 'node:assert';
import { unreadable } from '../../../src/core/settings/settingValues';
import { openSystem } from '../../support/system';
import { entriesInForce } from '../../../src/core/settings/entriesInForce';
import { readSettings } from '../../../src/core/settings/readSettings';
import type { Problem } from '../../../src/core/base/problem';

describe('a managed table of servers or channels', () => {
  it('S1.policy: replaces what the user and the workspace say, also where it is empty or cannot be read, and what is off is told', () => {
    for (const key of ['mcp.servers', 'channels'] as const)
      for (const managed of [{}, { mine: { command: 5 } }, unreadable, 'none']) {
        const own = { [key]: { mine: { command: 'node' } } };
        const problems: Problem[] = [];
        const settings = readSettings({ managed: { [key]: managed }, user: own, workspace: { [key]: { w: {} } } });
        const { user, workspace } = entriesInForce(settings, key, problems);
        assert.deepEqual([user, workspace], [undefined, undefined]);
        assert.match(
          problems[0]?.message ?? '',
          /^the managed file alone says what `agentCapabilities\.\S+` holds; .*mine.*w/,
        );
        assert.deepEqual(
          entriesInForce(readSettings({ managed: {}, user: own, workspace: {} }), key, []).user,
          own[key],
        );
      }
  });

  it('S1.policy: no channel of the user is asked for where the managed file closes them', async () => {
    const channels = { media: 'http://127.0.0.1:9/manifest.json' };
    const system = await openSystem({});
    const named = (managed: Record<string, unknown>) => {
      system.write({ managed, user: { channels }, workspace: {} });
      return system.core.definitions.channelState('media');
    };
    assert.equal(named({}), false);
    assert.equal(named({ channels: {} }), undefined);
    system.dispose();
  });
});
