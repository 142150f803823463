import { plainWords } from '../../../../src/core/base/translate';
import { strict as assert } from 'node:assert';
import { utimesSync } from 'node:fs';
import { worded } from '../../../../src/core/base/sentence';
import { AuditService } from '../../../../src/node/audit/auditService';
import { readSettings, unreadableSettings } from '../../../../src/core/settings/readSettings';
import { listSegments, segmentPath } from '../../../../src/node/audit/layout';
import { FolderReader } from '../../../../src/node/audit/folderReader';
import { withCollector } from '../../../support/auditCollector';
import { explainMarkdown } from '../../../../src/core/present/recordText';
import { finished, violation, withFolder } from '../../../support/auditEvents';

describe('the audit of a window', () => {
  it('reads its settings; what is of another type is the default, and a bound that cannot be read bounds nothing', () => {
    const user = {
      'audit.content': 'redacted',
      'audit.retentionDays': -3,
      'audit.maxMegabytes': 5,
      'audit.otlpEndpoint': 7,
    };
    const settings = readSettings({ managed: {}, user, workspace: {} });
    assert.deepEqual(
      [
        settings.get('audit.content'),
        settings.get('audit.retentionDays'),
        settings.get('audit.maxMegabytes'),
        settings.get('audit.otlpEndpoint'),
      ],
      ['redacted', Infinity, 5, ''],
    );
  });

  it('S5.audit: a time or size that cannot be read removes nothing, whoever wrote it', () => {
    const keys = [
      'audit.retentionDays',
      'audit.maxMegabytes',
      'changes.retentionDays',
      'changes.maxMegabytes',
    ] as const;
    const none = { managed: {}, user: {}, workspace: {} };
    for (const key of keys) {
      const layers = [
        { user: { [key]: '365' } },
        { user: { [key]: 30 }, managed: { [key]: '365' } },
        { user: { [key]: 30 }, managed: unreadableSettings() },
        { user: { audit: 5, changes: null } },
      ];
      for (const one of layers) assert.equal(readSettings({ ...none, ...one }).get(key), Infinity, key);
      const told = readSettings({ managed: {}, user: { [key]: '365' }, workspace: {} }).problems;
      assert.match(
        told.map(({ message }) => message).join(),
        /got string\); until it is mended nothing is removed by it$/,
      );
      assert.equal(readSettings({ managed: { [key]: 365 }, user: { [key]: '30' }, workspace: {} }).get(key), 365);
    }
  });

  it('S5.audit: with a mistyped time records of last year stay, with a right one they go', () =>
    withFolder((dir) => {
      const removed = (days: unknown): number => {
        const settings = readSettings({ managed: { 'audit.retentionDays': days }, user: {}, workspace: {} });
        const audit = new AuditService({ dir, settings: () => settings, version: '1', onProblem: () => undefined });
        audit.record(finished());
        audit.store.rotate();
        const old = Date.now() / 1000 - 400 * 86400;
        for (const name of listSegments(dir)) utimesSync(segmentPath(dir, name), old, old);
        const { segments } = audit.store.retire({
          retentionDays: settings.get('audit.retentionDays'),
          maxMegabytes: settings.get('audit.maxMegabytes'),
        });
        audit.dispose();
        return segments.length;
      };
      assert.equal(removed('365'), 0);
      assert.ok(removed(365) > 0);
    }));

  it('sends every record to a collector and keeps on logging where the collector fails', () =>
    withFolder(async (dir) => {
      await withCollector(async ({ url, bodies, fail }) => {
        const problems: string[] = [];
        const user = { 'audit.content': 'redacted', 'audit.otlpEndpoint': url };
        const settings = readSettings({ managed: {}, user, workspace: {} });
        const audit = new AuditService({
          dir,
          settings: () => settings,
          version: '1',
          onProblem: (said) => problems.push(worded(said)),
        });
        await audit.loadRules();
        fail(true);
        audit.record(finished({ accesses: [], input: { q: 'words', token: 'abc12345' } }));
        await audit.flush();
        audit.record(violation());
        await audit.flush();
        fail(false);
        await audit.flush();
        audit.dispose();
        assert.deepEqual(problems, ['the audit could not be sent to the collector: it answered 503']);
        const sent = bodies.flatMap((body) => body.resourceLogs[0].scopeLogs[0].logRecords);
        assert.deepEqual(
          sent.map((record: { eventName: string; severityText: string }) => [record.eventName, record.severityText]),
          [
            ['invocation.finished', 'INFO'],
            ['policy.violation', 'WARN'],
          ],
        );
        assert.doesNotMatch(JSON.stringify(bodies), /abc12345/);
        const found = await new FolderReader(dir).page({ tool: ['write_file'] }, { limit: 10 });
        assert.deepEqual(found.found[1]?.record['gen_ai.tool.call.arguments'], {
          q: 'words',
          token: '[hidden: secret name]',
        });
      });
    }));

  it('finds one record by its place and explains how it was decided', () =>
    withFolder(async (dir) => {
      const audit = new AuditService({
        dir,
        settings: () => readSettings({ managed: {}, user: {}, workspace: {} }),
        version: '1',
        onProblem: (said) => assert.fail(worded(said)),
      });
      audit.record(finished());
      const reader = new FolderReader(dir, { before: () => audit.store.flush() });
      const [first] = (await reader.page({}, { limit: 1 })).found;
      assert.ok(first);
      const record = await reader.find(first.segment, first.record.seq);
      audit.dispose();
      assert.deepEqual(record, first.record);
      assert.deepEqual(
        [await reader.find(first.segment, 99), await reader.find('../../etc/passwd', 1)],
        [undefined, undefined],
      );
      const text = explainMarkdown(first.record, String, plainWords);
      assert.match(text, /# `write_file`: done\n\nagent \(`copilot`\), profile `Writer`, mode `execute`, risk medium/);
      assert.match(
        text,
        /1\. \*\*The tool exists\*\*: passed\n2\. \*\*Who may call it\*\*: asks\n {3}- the tool needs confirmation for agents\n3\. \*\*Rules\*\*: passed\n {3}- only advises by `source-code`, on trial only/,
      );
      assert.match(text, /Allowed by you after 2\.1 s\./);
    }));

  it('names the rule behind a reason that does not name it, whatever its words are', () => {
    const told = (reason: object): string =>
      explainMarkdown(
        {
          ...{ event: 'policy.violation', time: '2026-11-21T12:00:00Z', hash: '', prev: '', seq: 1, v: 1 },
          steps: [{ step: 'boundaries', effect: 'deny', reasons: [{ rule: 'keep', ...reason } as never] }],
        },
        String,
        plainWords,
      );
    assert.match(told({ code: 'boundary_says', text: 'the rule «keep» says no' }), /- the rule «keep» says no\n/);
    assert.match(told({ code: 'as_it_is', text: 'no "keep"' }), /- no "keep" by `keep`\n/);
    assert.match(told({ text: 'boundary "keep": no' }), /- boundary "keep"\\: no\n/);
  });
});
