import { strict as assert } from 'node:assert';
import { capabilityFaults } from '../../../../src/core/registry/registry';
import { isVersion } from '../../../../src/core/vocabulary/version';
import { weather } from '../../../../src/capabilities/weather/weather';
import { parseDefinition } from '../../../../src/core/definitions/parse';

const valid =
  '1.0.0 0.0.4 10.20.30 1.0.0+b5 2.0.0-beta+exp.sha 1.0.0-alpha.1 1.0.0-0A.is.legal 1.2.3----R-S.12.9.1--.12+meta 1.0.0+01'.split(
    ' ',
  );
const invalid = [
  ...'1 1.0 01.0.0 1.00.0 1.0.0-01 1.0.0-a..b 1.0.0+ 1.0.0- v1.0.0 =1.0.0 1.0.0+a+b 1.0.0.0 new'.split(' '),
  ...['', ' 1.0.0', '1.0.0\n', `1.0.0-${'a'.repeat(300)}`],
];

describe('semantic versions', () => {
  it('are those of semver.org, and nothing else', () => {
    assert.deepEqual([valid.filter((one) => !isVersion(one)), invalid.filter(isVersion)], [[], []]);
  });

  it('are the same in a definition, in a channel and for whoever registers a capability', () => {
    const refused = (file: string, content: Record<string, unknown>) => (version: string) =>
      parseDefinition(JSON.stringify({ ...content, version }), file).problems.some(
        ({ pointer }) => pointer === '/version',
      );
    for (const isRefused of [
      (version: string) => capabilityFaults({ ...weather, version }).length > 0,
      refused('one.capability.json', { id: 'one', name: 'One', description: 'd', tools: [] }),
      refused('one.channel.json', { channel: 'one', capabilities: [] }),
    ])
      assert.deepEqual([valid.filter(isRefused), invalid.filter((one) => !isRefused(one))], [[], []]);
  });
});
