import { strict as assert } from 'node:assert';
import { placeInSettings } from '../../../src/core/settings/settingsPlaces';
import { openSystem } from '../../support/system';

describe('limits of what is not there', () => {
  it('are told at their line, with the nearest name, and those of tools that come and go are not', async () => {
    const limits = {
      tools: { writ_file: '5 per 1h', write_file: '5 per 1h', cap_write_file: '5 per 1h', 'mcp:files:x': '5 per 1h' },
      capabilities: { file_sytem: '5 per 1h', file_system: '5 per 1h' },
    };
    const { core, dispose } = await openSystem({ user: { limits } });
    try {
      const found = core.problems().filter(({ code }) => code === 'invalid_limits');
      assert.deepEqual(
        found.map(({ severity, message }) => `${severity}: ${message}`),
        [
          'warning: the limits: /tools/writ_file no tool is called `writ_file`; did you mean `write_file`, `edit_file`, `stat_file`',
          'warning: the limits: /capabilities/file_sytem no capability is called `file_sytem`; did you mean `file_system`',
        ],
      );
      const text = JSON.stringify({ 'agentCapabilities.limits': limits }, undefined, 1);
      const lines = found.map((one) => placeInSettings(one, text, 'settings.json').line ?? 0);
      assert.deepEqual(
        lines.map((line) => text.split('\n')[line - 1]?.trim().split('"')[1]),
        ['writ_file', 'file_sytem'],
      );
    } finally {
      dispose();
    }
  });

  it('are not told of tools where a server may still bring one of that name', async () => {
    const user = {
      limits: { tools: { greet: '1 per 1h' }, capabilities: { file_sytem: '5 per 1h' } },
      'mcp.servers': { web: { type: 'http', url: 'https://tools.example/mcp' } },
    };
    const { core, dispose } = await openSystem({ user });
    try {
      const found = core.problems().filter(({ code }) => code === 'invalid_limits');
      assert.deepEqual(
        found.map(({ pointer }) => pointer),
        ['/capabilities/file_sytem'],
      );
    } finally {
      dispose();
    }
  });
});
