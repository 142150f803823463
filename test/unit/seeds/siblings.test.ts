import { strict as assert } from 'node:assert';
import { runCli, temporaryWorkspace } from '../../support/cli';
import { itSays, seedJson, seedLiteral } from '../../support/seeds';

const handler = 'module.exports = () => 1;';

/** The tools of a capability in `list --json`, and whether `validate` fails for the file. */
async function load(file: string, definition: unknown): Promise<{ tools: string[]; errors: string[] }> {
  const { folder, dispose } = temporaryWorkspace({
    [`.vscode/capabilities/${file}`]: JSON.stringify(definition),
    '.vscode/capabilities/handlers/weather.js': handler,
    '.vscode/capabilities/handlers/notify.js': handler,
  });
  const listed = (await runCli(['list', '--json', '--yes', '--workspace', folder])).json();
  const validated = (await runCli(['validate', '--json', '--yes', '--workspace', folder])).json();
  dispose();
  const ours = listed.capabilities.find((one: { source: string }) => /^(?:def|chan)/.test(one.source));
  return {
    tools: (ours?.tools ?? []).map((one: { id: string }) => one.id.split(':').at(-1)),
    errors: validated
      .filter((one: { severity: string }) => one.severity === 'error')
      .map((one: { pointer?: string; message: string }) => `${one.pointer ?? ''} ${one.message}`),
  };
}

describe('what is wrong with one of several', () => {
  itSays(0, 50, 'S0.registry: a bad action is refused with its place, and its good siblings load', async () => {
    const example = seedJson(0, 50);
    example.layers.capabilities.actions[0].parameters.location.type = 'town';
    const { tools, errors } = await load('agent.actions.json', example);
    assert.deepEqual(tools, ['send_notification']);
    assert.equal(errors.length, 1);
    assert.match(errors[0] ?? '', /actions\/0\/parameters\/location/);
  });

  itSays(
    2,
    36,
    'S2.manifest: a bad capability of a channel is refused with its place, and its good siblings load',
    async () => {
      const playback = seedJson(2, 56);
      const channel = {
        channel: 'com.example.media',
        baseUrl: 'https://media.example/',
        schemas: { video: { type: 'object' }, playback_state: playback.schema },
        capabilities: [seedJson(2, 36), { ...playback, endpoint: 'https://elsewhere.example/' }, seedJson(2, 79)],
      };
      const { tools, errors } = await load('media.channel.json', channel);
      assert.deepEqual(tools, ['videos', 'play']);
      assert.equal(errors.length, 1);
      assert.match(errors[0] ?? '', /^\/capabilities\/1\/endpoint/);
    },
  );

  itSays(0, 15, 'S0.registry: one action alone in a capability file is told where it belongs', async () => {
    const { tools, errors } = await load('get-weather.capability.json', seedLiteral(0, 15));
    assert.deepEqual(tools, []);
    assert.deepEqual(errors.length, 1, errors.join());
    assert.match(errors[0] ?? '', /one action and no capability; put it into `actions` of a file .*\.actions\.json/);
  });

  it('S3.custom: a bad tool of a capability is refused with its place, and its good siblings load', async () => {
    const tool = (name: string, more: object = {}) => ({
      name,
      description: 'x',
      handler: './handlers/weather.js',
      ...more,
    });
    const definition = { id: 'mine', tools: [tool('good'), tool('bad', { riskLevel: 'none' }), tool('also_good')] };
    const { tools, errors } = await load('mine.capability.json', definition);
    assert.deepEqual(tools, ['good', 'also_good']);
    assert.match(errors.join(), /^\/tools\/1\/riskLevel/);
    // What is wrong with the whole still keeps the whole off.
    assert.deepEqual((await load('mine.capability.json', { ...definition, version: 'new' })).tools, []);
  });
});
