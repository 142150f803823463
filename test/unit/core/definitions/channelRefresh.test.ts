import { strict as assert } from 'node:assert';
import { say } from '../../../../src/core/base/sentence';
import { ChannelPoller, failureSaid, type RefreshResult } from '../../../../src/core/definitions/channelPoller';
import { examine } from '../../../../src/core/explain/doctor';
import { refreshThrough } from '../../../../src/core/gate/channelRefresh';
import type { GatePreview } from '../../../../src/core/call/gateCall';
import { channelRows } from '../../../../src/core/present/channelRows';
import { deniedByPolicy, toolError } from '../../../../src/core/vocabulary/errors';
import { reasonWords } from '../../../../src/core/vocabulary/reasonWords';
import { inGerman } from '../../../support/german';
import { FakeClock } from '../../../support/toolContext';

const common = { invocationId: 'i', toolId: 't', declaredSideEffects: [], durationMs: 1 };
const because = say('words_of_workspace', '"closed"');
const { data: error, said } = deniedByPolicy('no_hosts', because, undefined);
const asks = { effect: 'ask', steps: [], reasons: [], accesses: [] } as const;

/** What a channel comes to that is refreshed once. */
async function refreshed(preview: GatePreview): Promise<RefreshResult> {
  const clock = new FakeClock();
  const unreachable = toolError('network_error', 'the connection was refused');
  const invoke = refreshThrough(() => ({
    preview: async () => preview,
    invoke: async () => ({ ...common, success: false, error: unreachable.data }),
  }));
  const poller = new ChannelPoller({ clock, invoke, polling: () => [{ channel: 'c', tool: 's', intervalSeconds: 5 }] });
  const watching = poller.watch();
  clock.advance(5000);
  await new Promise((resolve) => setImmediate(resolve));
  const [value] = poller.values();
  watching.dispose();
  poller.dispose();
  assert.ok(value);
  return value.result;
}

/** The words of the tree and of *Doctor*. */
function told(result: RefreshResult): readonly (string | undefined)[] {
  const values = [{ channel: 'c', tool: 's', result, at: 0 }];
  const [group] = channelRows({ values, when: () => 'now', t: inGerman });
  const checks = examine({
    ...{ version: '1', missingParts: [], profile: 'p', mode: 'execute', capabilities: 1, tools: 1, isTrusted: true },
    ...{ problems: [], servers: [], definitions: 0, pendingDefinitions: 0, preset: 'x', rules: 0, meters: [] },
    channels: [{ name: 'c', ...(result.success ? {} : { error: failureSaid(result) }) }],
  });
  const ours = checks.filter(({ area }) => area === 'reachable').map((one) => reasonWords(one.said, inGerman));
  return [group?.children()[0]?.description, ...ours];
}

describe('a channel that did not answer', () => {
  it('S2.metadata: is told in the language of the person where the gate kept it from being asked', async () => {
    const [deny, ask] = [await refreshed({ ...asks, effect: 'deny', error, said }), await refreshed(asks)];
    assert.deepEqual(told(deny), [
      'abgelehnt durch die Regel „no_hosts“: Worte des Arbeitsbereichs: "closed" · now',
      'der Kanal c hat nicht geantwortet: abgelehnt durch die Regel „no_hosts“: Worte des Arbeitsbereichs: "closed"',
    ]);
    assert.deepEqual(told(ask), [
      '"chan:c:s" braucht eine Bestätigung und wird abgelehnt, denn für etwas, das sic… · now',
      'der Kanal c hat nicht geantwortet: `chan:c:s` braucht eine Bestätigung und wird abgelehnt, denn für etwas, das sich von selbst auffrischt, wird niemand gefragt',
    ]);
  });

  it('S2.metadata: is told in the words of the tool that failed', async () => {
    assert.deepEqual(told(await refreshed({ ...asks, effect: 'pass' })), [
      'the connection was refused · now',
      'der Kanal c hat nicht geantwortet: the connection was refused',
    ]);
  });
});
