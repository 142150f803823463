import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { toDisposable } from '../../../src/core/base/lifecycle';
import type { ConfirmerAnswer } from '../../../src/core/policy/approvals/approvals';
import { readSettings } from '../../../src/core/settings/readSettings';
import { worded } from '../../../src/core/base/sentence';
import { AuditService } from '../../../src/node/audit/auditService';
import { FolderReader } from '../../../src/node/audit/folderReader';
import { createNodeProber } from '../../../src/node/prober';
import { withFolder } from '../../support/auditEvents';
import { scripted, scriptedUser } from '../../support/mcp/harness';
import { openSystem } from '../../support/system';
import { until } from '../../support/editor/until';
import { MemorySecrets } from '../../support/toolContext';

type Fields = Readonly<Record<string, unknown>>;

/** Everything real but the person, whose answers are given, and the clock of nobody. */
async function withAudited(
  body: (world: {
    readonly system: Awaited<ReturnType<typeof openSystem>>;
    readonly answers: (() => ConfirmerAnswer)[];
    /** What the stored file holds, the oldest first. */
    stored(): Promise<readonly Fields[]>;
  }) => Promise<void>,
): Promise<void> {
  await withFolder(async (dir) => {
    const audit = new AuditService({
      dir,
      settings: () => readSettings({ managed: {}, user: {}, workspace: {} }),
      version: '1',
      onProblem: (said) => assert.fail(worded(said)),
    });
    const answers: (() => ConfirmerAnswer)[] = [];
    const requirements = JSON.stringify([
      { id: 'res.file', critical: true, freshnessBudgetHours: 1, probe: { type: 'file', path: 'README.md' } },
    ]);
    const { user } = scriptedUser();
    const system = await openSystem({
      files: { 'README.md': 'x\n', '.env': 'A=1\n' },
      user: { 'mcp.servers': { tests: scripted() } },
      platform: {
        audit,
        approvals: {
          type: 'person',
          confirmer: {
            confirm: async () => {
              // A person takes a moment, and the record says how long.
              await new Promise((resolve) => setTimeout(resolve, 20));
              return answers.shift()?.() ?? { outcome: 'deny' };
            },
          },
        },
        resolverFiles: {
          read: () => [{ path: '.vscode/capabilities/requirements.json', text: requirements }],
          onDidChange: () => toDisposable(() => undefined),
        },
        approvesProbes: true,
        prober: (http) =>
          createNodeProber({
            http,
            secrets: new MemorySecrets(),
            environment: process.env,
            folder: () => process.cwd(),
            isServerUp: () => true,
            isChannelLoaded: () => true,
          }),
        definitions: {
          watcher: { watch: () => toDisposable(() => undefined) },
          approver: { ask: async () => false },
          trusted: () => true,
        },
        serverUser: user,
        environment: { PATH: process.env['PATH'] },
      },
    });
    try {
      const reader = new FolderReader(dir, { before: () => audit.store.flush(true) });
      await body({
        system,
        answers,
        async stored() {
          const records: Fields[] = [];
          for await (const { record } of reader.all({})) records.push(record as unknown as Fields);
          return records;
        },
      });
      assert.deepEqual((await reader.verify()).faults, []);
    } finally {
      system.dispose();
      audit.dispose();
    }
  });
}

const brief = (records: readonly Fields[], ...keys: readonly string[]): string[] =>
  records.map((record) =>
    [record['event'], ...keys.map((key) => record[key])].filter((one) => one !== undefined).join(' '),
  );

describe('what the composed system records', () => {
  it('S1.audit: a call and who let it through, a rule, a grant or a person, after how long, stand in the stored file', () =>
    withAudited(async ({ system, answers, stored }) => {
      const { core, call } = system;
      await call('cap_read_file', { path: 'README.md' });
      await call('cap_read_file', { path: '.env' });
      answers.push(
        () => ({ outcome: 'deny' }),
        () => ({ outcome: 'allow-once' }),
        () => ({ outcome: 'always', grant: { scope: 'session', cover: 'tool' } }),
      );
      await call('cap_write_file', { path: 'no.txt', content: 'a' });
      for (const file of ['once.txt', 'always.txt', 'again.txt'])
        await call('cap_write_file', { path: file, content: 'b' });
      const records = (await stored()).filter((record) => record['tool'] !== undefined);
      assert.deepEqual(
        brief(records, 'outcome', 'error.type').map((line) => line.trim()),
        [
          'invocation.finished success',
          'policy.violation denied denied_by_policy',
          'approval.asked',
          'approval.answered denied',
          'policy.violation denied declined',
          ...['approval.asked', 'approval.answered allowed', 'invocation.started', 'invocation.finished success'],
          ...['approval.asked', 'approval.answered allowed', 'invocation.started', 'invocation.finished success'],
          ...['invocation.started', 'invocation.finished success'],
        ],
      );
      const [byPerson, answered, byGrant] = [records[8], records[10], records[14]];
      assert.equal(byPerson?.['approval.by'], 'user');
      assert.ok(Number(byPerson['approval.waited_ms']) >= 15, String(byPerson['approval.waited_ms']));
      assert.deepEqual(
        [answered?.['approval.by'], answered?.['approval.grant']],
        ['user', core.policy.grants.list()[0]?.id],
      );
      assert.equal(byGrant?.['approval.by'], `grant ${core.policy.grants.list()[0]?.id}`);
      const rule = records[1];
      assert.ok(Array.isArray(rule?.['rules']) && rule['rules'].length > 0, 'the rule that denied is named');
    }));

  it('S1.audit: changes of profile, policy, definitions, grants and pins, probes, and servers that start and stop stand in the stored file', () =>
    withAudited(async ({ system, answers, stored }) => {
      const { core, folder, call, write } = system;
      await core.gate.resolver.resolver.probe('res.file', new AbortController().signal);
      const file = path.join(folder, '.vscode', 'capabilities', 'notes.capability.json');
      fs.mkdirSync(path.dirname(file), { recursive: true });
      const definition = (text: string): string =>
        JSON.stringify({ id: 'notes', name: 'Notes', description: 'Keeps notes', systemPrompt: text });
      await core.definitions.loader?.reload();
      fs.writeFileSync(file, definition('Keep notes.'));
      await core.definitions.loader?.reload();
      await core.definitions.loader?.approve(core.definitions.loader.pending()[0]?.hash ?? '');
      await core.definitions.loader?.reload();
      fs.writeFileSync(file, definition('Keep short notes.'));
      await core.definitions.loader?.reload();
      fs.rmSync(file);
      await core.definitions.loader?.reload();
      core.tools.profiles.activate('readOnly');
      core.tools.profiles.activate('default');
      write({
        user: {
          'mcp.servers': { tests: scripted() },
          'policy.boundaries': [{ id: 'shut', match: { host: 'a.example' }, decision: 'deny', reason: 'r' }],
        },
      });
      answers.push(() => ({ outcome: 'always', grant: { scope: 'session', cover: 'tool' } }));
      await call('cap_write_file', { path: 'yes.txt', content: 'b' });
      core.policy.grants.revoke(core.policy.grants.list()[0]?.id ?? '');
      await core.servers.list.discover();
      await until(() => assert.equal(core.servers.list.list()[0]?.state, 'running'), 20_000);
      write({ user: {} });
      await until(async () => assert.match(brief(await stored(), 'detail').join('\n'), /server\.stopped/), 5_000);
      const kinds = new Set(brief(await stored()));
      assert.deepEqual(
        ['definition', 'grant', 'pin', 'policy', 'profile'].filter((what) => !kinds.has(`${what}.changed`)),
        [],
      );
      assert.deepEqual(
        ['probe', 'server.started', 'server.stopped', 'audit.opened'].filter((one) => !kinds.has(one)),
        [],
      );
      const definitions = (await stored())
        .filter((record) => record['event'] === 'definition.changed')
        .map((record) => [record['id'], record['detail']]);
      const where = '.vscode/capabilities/notes.capability.json';
      assert.deepEqual(
        definitions.map(([id, detail]) => [id, String(detail).replace(/\S*notes\.capability\.json/, where)]),
        [
          ['notes', `added by ${where}: waits for your approval`],
          ['notes', `${where}: active, before: waits for your approval`],
          ['notes', `${where}: waits for your approval, before: active`],
          ['notes', `removed with ${where}`],
        ],
      );
      const probe = (await stored()).find((record) => record['event'] === 'probe');
      assert.equal(probe?.['id'], 'res.file');
      assert.equal(typeof probe?.['duration_ms'], 'number');
    })).timeout(60_000);
});
