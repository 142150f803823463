import { strict as assert } from 'node:assert';
import { rmSync } from 'node:fs';
import { runCli, temporaryWorkspace } from '../../support/cli';
import { itSays, seedJson, seedLines } from '../../support/seeds';
import { startServer } from '../../support/web';

const rule = (id: string, match: object, decision: string) => ({ id, severity: 'hard', match, decision, reason: id });

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

  itSays(4, 57, 'S4.resolver S4.boundaries: the verdicts of its table, by the rules of its text', async () => {
    const rules = [
      rule('boundary.no_real_money_outflow_without_ask', { side_effects_any: ['costs-money'] }, 'require_approval'),
      rule('boundary.no_paid_model_calls', { side_effects_any: ['costs-money'], cost_class: 'paid' }, 'deny'),
      {
        ...rule(
          'boundary.brian_only_publisher',
          { id_regex: '^cap\\.(publish|ads)\\..*' },
          'deny_unless_brian_account',
        ),
        exceptions: ['cap.publish.daily_blog'],
      },
    ];
    const example = seedJson(4, 2);
    const capabilities: Record<string, object> = {
      'cap.memory.bloom_recall': { requires: {}, side_effects: [], risk_level: 'low' },
      'cap.publish.fb_page_post': {},
      'cap.publish.linkedin_post': { requires: { resources: ['acc.brian.li'] } },
      'cap.business.stripe_charge': { requires: {}, side_effects: ['costs-money'], cost_class: 'metered' },
      'cap.publish.daily_blog': { requires: { resources: ['host.blog'] } },
    };
    const red = { id: 'acc.brian.li', last_probe: { state: 'red', at: new Date().toISOString() } };
    const { folder, dispose } = temporaryWorkspace({
      '.vscode/capabilities/boundaries.json': JSON.stringify(rules),
      '.vscode/capabilities/requirements.json': JSON.stringify([red]),
      ...Object.fromEntries(
        Object.entries(capabilities).map(([id, more]) => [
          `.vscode/capabilities/${id}.capability.json`,
          JSON.stringify({ ...example, id, ...more }),
        ]),
      ),
    });
    const lines = seedLines(4).slice(58, 73);
    for (const id of Object.keys(capabilities)) {
      const said = lines[lines.findIndex((line) => line.includes(id)) + 1]?.replace(/ \(typically\)|\|/g, '').trim();
      const { verdict } = (await runCli(['resolve', id, '--workspace', folder])).json();
      assert.equal(verdict, said, id);
    }
    dispose();
  });

  itSays(4, 15, 'S4.probes: the state of a dependency comes from its `last_probe`', async () => {
    const example = seedJson(4, 2);
    const requirements = (at: string, state = 'green') =>
      JSON.stringify(example.requires.resources.map((id: string) => ({ id, last_probe: { state, at } })));
    const resolved = async (rows: string) => {
      const { folder, dispose } = temporaryWorkspace({
        [`.vscode/capabilities/${example.id}.capability.json`]: JSON.stringify(example),
        '.vscode/capabilities/requirements.json': rows,
      });
      const { errors, json } = await runCli(['resolve', example.id, '--workspace', folder]);
      dispose();
      assert.doesNotMatch(errors, /invalid_requirement/);
      const { verdict, blocking, warnings } = json();
      return [verdict, blocking.length, warnings.length];
    };
    const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();
    assert.deepEqual(await resolved(requirements(hoursAgo(1))), ['yes', 0, 0]);
    // `freshness_budget_hours` of the example is 24.
    assert.deepEqual(await resolved(requirements(hoursAgo(30))), ['yes-after-probe', 0, 3]);
    assert.deepEqual(await resolved(requirements(new Date().toISOString(), 'red')), ['no', 3, 0]);
    assert.deepEqual(await resolved(requirements(hoursAgo(1), 'unknown')), ['yes-after-probe', 0, 3]);
  });

  itSays(4, 15, 'S4.probes: `resolve` keeps what it found where it has a folder for it', async () => {
    const server = await startServer((_request, response) => void response.end('ok'));
    const probe = { type: 'http', url: `${server.url}/health` };
    const { folder, dispose } = temporaryWorkspace({
      '.vscode/capabilities/cap.x.capability.json': JSON.stringify({
        ...seedJson(4, 2),
        id: 'cap.x',
        requires: ['host.x'],
      }),
      '.vscode/capabilities/requirements.json': JSON.stringify([{ id: 'host.x', probe }]),
    });
    const set = ['--set', 'network.allowedPrivateHosts=["127.0.0.1"]'];
    const resolve = (...more: readonly string[]) =>
      runCli(['resolve', 'cap.x', '--workspace', folder, ...set, ...more]);
    const state = `${folder}-state`;
    assert.equal((await resolve('--state-dir', state)).json().verdict, 'yes');
    assert.equal((await resolve('--state-dir', state)).json().verdict, 'yes');
    assert.equal(server.requests.length, 1);
    await resolve();
    assert.equal(server.requests.length, 2);
    rmSync(state, { recursive: true, force: true });
    dispose();
    await server.close();
  });
});

describe('the expressions of the capability resolver', () => {
  for (const [line, matches, others] of [
    [77, ['cap.mac.drive_chrome', 'cap.mac.run_command'], ['cap.mac.see_screen', 'cap.mac.listen_mic']],
    [78, ['cap.publish.fb_page_post', 'cap.ads.meta_campaign'], ['cap.memory.bloom_recall', 'cap.publish.daily_blog']],
    [79, ['cap.publish.ig_post', 'cap.publish.daily_cross_post'], ['cap.publish.daily_blog', 'cap.ads.other']],
  ] as const)
    itSays(4, line, 'S4.boundaries: match whole ids as the text says', async () => {
      // The last one of a line is the one that counts.
      const expression = [...(seedLines(4)[line - 1] ?? '').matchAll(/\^cap\S*?(?=[\s]|\.$|$)/g)].at(-1)?.[0] ?? '';
      const rules = [
        {
          ...rule('boundary.of_the_text', { id_regex: expression }, 'require_approval'),
          ...(line === 78 ? { exceptions: ['cap.publish.daily_blog'] } : {}),
        },
      ];
      const capability = (id: string) => JSON.stringify({ ...seedJson(4, 2), id, requires: {} });
      const { folder, dispose } = temporaryWorkspace({
        '.vscode/capabilities/boundaries.json': JSON.stringify(rules),
        ...Object.fromEntries(
          [...matches, ...others].map((id) => [`.vscode/capabilities/${id}.capability.json`, capability(id)]),
        ),
      });
      for (const id of [...matches, ...others]) {
        const { verdict } = (await runCli(['resolve', id, '--workspace', folder])).json();
        assert.equal(
          verdict,
          (matches as readonly string[]).includes(id) ? 'yes-after-approval' : 'yes',
          `${id} ${expression}`,
        );
      }
      dispose();
    });
});
