import { strict as assert } from 'node:assert';
import { runCli, temporaryWorkspace } from '../../support/cli';
import { itSays, seedJson } from '../../support/seeds';

const handler = 'module.exports = async ({ location }) => ({ temperature: 21, location });';

function workspace(example: unknown): ReturnType<typeof temporaryWorkspace> {
  return temporaryWorkspace({
    '.vscode/capabilities/agent.actions.json': JSON.stringify(example),
    '.vscode/capabilities/handlers/weather.js': handler,
    '.vscode/capabilities/handlers/notify.js': handler,
  });
}

const profile = (more: object) => [
  ...['--set', `profiles=${JSON.stringify({ p: { capabilities: ['agent'], ...more } })}`],
  ...['--profile', 'p', '--yes'],
];

describe('the examples of the capabilities layer', () => {
  itSays(0, 50, 'S0.config S0.permission: the secure configuration restricts what it says', async () => {
    const example = seedJson(0, 50);
    const { folder, dispose } = workspace(example);
    const weather = async (...more: string[]) => {
      const at = ['call', 'get-weather', '{"location":"Paris"}', '--workspace', folder];
      return (await runCli([...at, ...more])).json();
    };
    try {
      // `requireAuth`: nothing proves who calls on a command line.
      const unproven = await weather(...profile({ scopes: ['weather:read'] }));
      assert.equal(unproven.error.code, 'permission_denied');
      assert.match(unproven.error.message, /^Permission denied: .*`requireAuth`.*`serve --http`/);
    } finally {
      dispose();
    }
  });

  itSays(0, 50, 'S0.permission: `defaultPermissions` names what a profile without scopes may', async () => {
    const example = seedJson(0, 50);
    example.layers.capabilities.security.requireAuth = false;
    const scope = async (defaults: readonly string[] | undefined, more: object): Promise<string> => {
      example.layers.capabilities.security.defaultPermissions = defaults;
      const { folder, dispose } = workspace(example);
      const why = ['why', 'get-weather', '{"location":"Paris"}', '--workspace', folder, '--json'];
      const { steps } = (await runCli([...why, ...profile(more)])).json();
      dispose();
      return steps.find((one: { step: string }) => one.step === 'scopes').effect;
    };
    assert.equal(await scope([], {}), 'deny');
    assert.equal(await scope(['weather:read'], {}), 'pass');
    assert.equal(await scope(undefined, {}), 'pass');
    assert.equal(await scope([], { scopes: ['weather:read'] }), 'pass');
    // What a file names grants nothing where the profile lists its scopes.
    assert.equal(await scope(['weather:read'], { scopes: ['notify:send'] }), 'deny');
  });
});
