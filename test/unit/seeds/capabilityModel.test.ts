import { strict as assert } from 'node:assert';
import { runCli, temporaryWorkspace } from '../../support/cli';
import { itSays, seedJson } from '../../support/seeds';

const list = async (files: Readonly<Record<string, unknown>>) => {
  const { folder, dispose } = temporaryWorkspace(
    Object.fromEntries(
      Object.entries(files).map(([name, value]) => [`.vscode/capabilities/${name}`, JSON.stringify(value)]),
    ),
  );
  const listed = (await runCli(['list', '--json', '--yes', '--workspace', folder])).json();
  dispose();
  return listed;
};

describe('the examples of the capability model', () => {
  for (const [line, kind, name] of [
    [36, 'data', 'videos'],
    [56, 'state', 'playback_state'],
    [79, 'action', 'play'],
    [111, 'control', 'volume'],
    [133, 'status', 'connection_status'],
  ] as const)
    itSays(2, line, `S2.kinds: the ${kind} capability loads as it is written`, async () => {
      const listed = await list({
        'media.channel.json': {
          channel: 'com.example.media',
          baseUrl: 'https://media.example/',
          schemas: { video: { type: 'object' }, playback_state: { type: 'object' } },
          capabilities: [seedJson(2, line)],
        },
      });
      const channel = listed.capabilities.find((one: { id: string }) => one.id === 'com.example.media');
      assert.deepEqual(
        channel.tools.map((one: { id: string; kind: string }) => [one.id.split(':').at(-1), one.kind]),
        [[name, kind]],
      );
      assert.deepEqual(
        listed.problems.filter((one: { severity: string }) => one.severity === 'error'),
        [],
      );
    });
});

describe('the example of the capability resolver', () => {
  itSays(4, 2, 'S4.capability: the composed capability loads unchanged and is resolved', async () => {
    const example = seedJson(4, 2);
    const { folder, dispose } = temporaryWorkspace({
      [`.vscode/capabilities/${example.id}.capability.json`]: JSON.stringify(example),
    });
    const { code, text } = await runCli(['resolve', example.id, '--workspace', folder]);
    dispose();
    assert.equal(code, 0, text);
    assert.equal(JSON.parse(text).verdict, 'yes-after-probe');
  });
});
