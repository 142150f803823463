import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { main } from '../../../../src/cli/main';
import { say } from '../../../../src/core/base/sentence';
import { type AuditFilter, parseFilter } from '../../../../src/core/audit/query';
import { shapeOnly } from '../../../../src/core/audit/makeRecord';
import { recordsOfCall } from '../../../../src/core/audit/recordsOfCall';
import { detailsOf } from '../../../../src/core/present/auditDetails';
import { plainWords } from '../../../../src/core/base/translate';
import type { AuditRecord } from '../../../../src/core/audit/record';
import { indexLine } from '../../../../src/core/audit/blockIndex';
import { AuditStore } from '../../../../src/node/audit/auditStore';
import { FolderReader } from '../../../../src/node/audit/folderReader';
import { chainSeal } from '../../../../src/node/audit/hash';
import { listSegments } from '../../../../src/node/audit/layout';
import { AuditQuery } from '../../../../src/node/audit/queryFolder';
import { verifyFolder } from '../../../../src/node/audit/verifyFolder';
import { finished, violation, withFolder } from '../../../support/auditEvents';
import { runs } from '../../../support/counts';

const plain = chainSeal();
const start = Date.UTC(2026, 10, 21);

/** Three windows that write by turns; every record has a time of its own. */
function fill(dir: string, records: number): void {
  const stores = [1, 2, 3].map(() => new AuditStore({ dir, maxSegmentBytes: 30_000, now: () => start }));
  for (let at = 0; at < records; at++) {
    const store = stores[at % 3];
    const time = start + (at + 1) * 1000;
    const toolName = at % 97 === 0 ? 'delete_file' : at % 2 === 0 ? 'read_file' : 'write_file';
    const actor = at % 5 === 0 ? ({ type: 'user', id: 'ann' } as const) : ({ type: 'agent', id: 'copilot' } as const);
    const facts = {
      time,
      toolName,
      toolId: `cap:file_system:${toolName}`,
      actor,
      invocationId: `n${at}`,
      riskLevel: at % 97 === 0 ? ('high' as const) : ('low' as const),
    };
    store?.record(
      at % 11 === 0 ? violation(facts) : finished({ ...facts, outcome: at % 13 === 0 ? 'tool_error' : 'success' }),
    );
    if (at % 9 === 0) store?.flush();
  }
  for (const store of stores) store.dispose();
}

async function pages(dir: string, filter: AuditFilter, limit: number): Promise<AuditRecord[]> {
  const audit = new AuditQuery(dir, chainSeal());
  const all: AuditRecord[] = [];
  let next: string | undefined;
  do {
    const page = await audit.page(filter, { limit, ...(next === undefined ? {} : { next }) });
    assert.ok(page.found.length <= limit);
    all.push(...page.found.map((one) => one.record));
    next = page.next;
  } while (next !== undefined);
  return all;
}

describe('querying the audit', () => {
  it('S1.audit: answers any filter page by page from the end as a full scan does', () =>
    withFolder(async (dir) => {
      fill(dir, 900);
      assert.ok(listSegments(dir).length > 6);
      const everything: AuditRecord[] = listSegments(dir)
        .flatMap((name) => fs.readFileSync(path.join(dir, name), 'utf8').trimEnd().split('\n'))
        .map((line) => JSON.parse(line));
      const some = <T>(...values: T[]) => fc.option(fc.subarray(values, { minLength: 1 }), { nil: undefined });
      const time = fc.option(
        fc.nat({ max: 900 }).map((at) => new Date(start + at * 1000).toISOString()),
        { nil: undefined },
      );
      const filters = fc.record({
        tool: some('read_file', 'cap:*:delete_file', 'none', 'w*_f*e'),
        actor: some('user', 'copilot', 'ann'),
        outcome: some('success', 'denied', 'denied_by_policy', 'tool_error'),
        rule: some('no-secrets', 'source-code', 'nothing'),
        risk: some('low', 'high'),
        since: time,
        until: time,
      });
      const glob = (pattern: string) => new RegExp(`^${pattern.replace(/[.]/g, '\\.').replace(/\*/g, '.*')}$`);
      const has = (wanted: readonly string[] | undefined, ...values: (string | undefined)[]) =>
        wanted === undefined ||
        wanted.some((one) => values.some((value) => value !== undefined && glob(one).test(value)));
      await fc.assert(
        fc.asyncProperty(filters, fc.integer({ min: 7, max: 400 }), async (raw, limit) => {
          const filter = Object.fromEntries(
            Object.entries(raw).filter(([, value]) => value !== undefined),
          ) as AuditFilter;
          const expected = everything
            .filter(
              (record) =>
                has(filter.tool, record.tool, record['gen_ai.tool.name']) &&
                has(filter.actor, record.actor, record['gen_ai.agent.id'], record['user.id']) &&
                has(filter.outcome, record.outcome, record['error.type']) &&
                has(filter.rule, ...(record.rules ?? [])) &&
                has(filter.risk, record.risk) &&
                (filter.since === undefined || record.time >= filter.since) &&
                (filter.until === undefined || record.time < filter.until),
            )
            .map((record) => record.hash);
          const found = await pages(dir, filter, limit);
          assert.deepEqual(found.map((record) => record.hash).sort(), expected.sort());
          const times = found.map((record) => record.time);
          assert.deepEqual(times, [...times].sort().reverse());
        }),
        { numRuns: runs(12, 150, 300) },
      );
      const forward: string[] = [];
      for await (const { record } of new AuditQuery(dir, chainSeal()).all({})) forward.push(record.time);
      assert.equal(forward.length, everything.length);
      assert.deepEqual(forward, [...forward].sort());
    }));

  it('D.audit-channel: reads of a segment that grows what is new, and nothing for a line that is not finished yet', () =>
    withFolder(async (dir) => {
      const store = new AuditStore({ dir });
      const record = (from: number, count: number): void => {
        for (let at = from; at < from + count; at++) store.record(finished({ invocationId: `n${at}` }));
        store.flush();
      };
      record(0, 200);
      const audit = new AuditQuery(dir, chainSeal());
      const [name = ''] = listSegments(dir);
      const file = path.join(dir, name);
      const from: number[] = [];
      const { createReadStream } = fs;
      fs.createReadStream = ((where: string, options: { start?: number }) => {
        from.push(options.start ?? 0);
        return createReadStream(where, options);
      }) as typeof createReadStream;
      const calls = async (): Promise<number> => (await audit.page({}, { limit: 1000 })).found.length;
      try {
        const first = await calls();
        assert.equal(await calls(), first);
        assert.deepEqual(from, [0]);
        const { size } = fs.statSync(file);
        record(200, 50);
        assert.deepEqual(await Promise.all([calls(), calls()]), [first + 50, first + 50]);
        assert.deepEqual(from, [0, size]);
        // Another window is in the midst of a line.
        const { size: end } = fs.statSync(file);
        fs.appendFileSync(file, '{"v":1,"seq"');
        assert.deepEqual([await calls(), await calls(), await calls()], [first + 50, first + 50, first + 50]);
        assert.deepEqual(from, [0, size, end]);
        fs.truncateSync(file, end);
      } finally {
        fs.createReadStream = createReadStream;
        store.dispose();
      }
    }));

  it('D.audit-channel: finds words in paths, messages, reasons and kept arguments, whatever their case, here and on the command line', () =>
    withFolder(async (dir) => {
      const store = new AuditStore({ dir, recording: () => ({ ...shapeOnly(), content: 'redacted' }) });
      store.record(
        finished({
          invocationId: 'a',
          toolName: 'http_get',
          accesses: [{ effect: 'network.http', resource: 'https://Ferries.example/timetable' }],
          input: { query: 'Harbour "north"\nGate' },
        }),
      );
      store.record(violation({ invocationId: 'b' }));
      store.dispose();
      const calls = async (text: string): Promise<readonly string[]> => {
        const parsed = parseFilter({ text }, 0);
        assert.ok(parsed.ok);
        return (await pages(dir, parsed.filter, 10)).flatMap((record) => record['gen_ai.tool.call.id'] ?? []);
      };
      assert.deepEqual(await calls('ferries.EXAMPLE/time'), ['a']);
      assert.deepEqual(await calls('  harbour   "NORTH" '), ['a']);
      assert.deepEqual(await calls('.env'), ['b']);
      assert.deepEqual(await calls('hold secrets'), ['b']);
      assert.deepEqual(await calls('secrets ferries'), []);
      assert.equal((await calls('')).length, 2);
      const lines: string[] = [];
      const io = { out: (line: string) => void lines.push(line), error: assert.fail, environment: {} };
      assert.equal(
        await main(['audit', 'query', dir, '--json', '--text', 'Ferries', '--text', 'timetable'], io as never),
        0,
      );
      assert.match(lines.join('\n'), /Ferries\.example/);
      assert.doesNotMatch(lines.join('\n'), /no-secrets/);
    }));

  it('S1.audit: gathers the question, the answer and the end of one call, however others came between', () =>
    withFolder(async (dir) => {
      const store = new AuditStore({ dir });
      const facts = { riskLevel: 'medium', accesses: [{ effect: 'fs.write', resource: 'src/app.ts' }] } as const;
      for (const invocationId of ['one', 'other']) {
        const call = finished({ ...facts, invocationId, time: start + 3000, durationMs: 14, approvalWaitMs: 1900 });
        const { toolId, toolName, capabilityId, source, actor, surface, profileId, mode, riskLevel } = call;
        const of = { invocationId, toolId, toolName, capabilityId, source, actor, surface, profileId, mode, riskLevel };
        store.record({
          ...of,
          type: 'approval.asked',
          time: start + 1000,
          accesses: facts.accesses,
          reasons: [say('as_it_is', 'why')],
        });
        store.record({
          ...of,
          type: 'approval.answered',
          time: start + 2900,
          outcome: 'allowed',
          by: 'user',
          waitedMs: 1900,
        });
        store.record(call);
      }
      store.dispose();
      const reader = new AuditQuery(dir, chainSeal());
      const { found } = await reader.page({}, { limit: 100 });
      for (const { record } of found) {
        const call = record['gen_ai.tool.call.id'];
        const all = await recordsOfCall(reader, record);
        assert.deepEqual(
          all.map((one) => [one['gen_ai.tool.call.id'], one.event]),
          call === undefined
            ? [[undefined, record.event]]
            : [
                [call, 'approval.asked'],
                [call, 'approval.answered'],
                [call, 'invocation.finished'],
              ],
        );
        if (call === undefined) continue;
        const details = detailsOf('key', all, plainWords, (id) => `${id}!`);
        assert.deepEqual(
          details?.happened.map(({ said }) => said),
          ['asked for an answer', 'allowed by you after 1.9 s', 'done after 14 ms'],
        );
        assert.equal(details?.title, 'write_file done');
        const facts = Object.fromEntries((details?.facts ?? []).map(({ name, value }) => [name, value]));
        assert.deepEqual([facts['Who'], facts['Profile'], facts['Risk']], ['agent (copilot)', 'Writer!', 'medium']);
        assert.deepEqual(details?.accesses, [{ text: 'change src/app.ts', path: 'src/app.ts' }]);
        assert.deepEqual([details?.canUndo, details?.canRedo, facts['Changed']], [false, false, undefined]);
      }
    }));

  it('sees what a window writes between two queries, and builds an index that is missing or wrong', () =>
    withFolder(async (dir) => {
      const store = new AuditStore({ dir });
      const audit = new AuditQuery(dir, chainSeal());
      const count = async () => (await audit.page({ tool: ['write_file'] }, { limit: 100 })).found.length;
      const counts: number[] = [];
      store.record(finished());
      store.flush();
      counts.push(await count());
      store.record(violation());
      store.flush();
      counts.push(await count());
      store.dispose();
      const [index = ''] = fs.readdirSync(path.join(dir, 'index'));
      fs.writeFileSync(path.join(dir, 'index', index), '{');
      counts.push((await new AuditQuery(dir, chainSeal()).page({ tool: ['write_file'] }, { limit: 100 })).found.length);
      assert.deepEqual(counts, [1, 2, 2]);
    }));

  const changedIndexes: readonly [string, (index: any) => unknown][] = [
    ['without its blocks', (index) => ({ ...index, blocks: [] })],
    ['without its terms', (index) => ({ ...index, terms: {} })],
    ['without its last block', (index) => ({ ...index, blocks: index.blocks.slice(0, -1) })],
    ['with other times', (index) => ({ ...index, blocks: index.blocks.map((one: any) => ({ ...one, max: '1' })) })],
  ];
  for (const [how, change] of changedIndexes)
    it(`D.report: an index that somebody changed hides no record: ${how}, of a log with a key and without`, () =>
      withFolder(async (dir) => {
        for (const key of [undefined, Buffer.from('a key')]) {
          const folder = path.join(dir, key ? 'signed' : 'plain');
          const options = key ? { key } : {};
          const store = new AuditStore({ dir: folder, ...options });
          for (let at = 0; at < 5; at++) store.record(finished());
          store.record(violation());
          store.dispose();
          const ask = { tool: ['write_file'], since: '2000-01-01T00:00:00.000Z' };
          const found = async (): Promise<number[]> => {
            const reader = new FolderReader(folder, options);
            const report = await reader.report({ to: '2100-01-01T00:00:00.000Z' });
            let handedOn = 0;
            for await (const _one of reader.whole({})) handedOn++;
            return [(await reader.page(ask, { limit: 100 })).found.length, report.records, handedOn];
          };
          const before = await found();
          const [index = ''] = fs.readdirSync(path.join(folder, 'index'));
          const file = path.join(folder, 'index', index);
          const kept = JSON.parse(fs.readFileSync(file, 'utf8'));
          fs.writeFileSync(file, JSON.stringify(change(kept)));
          assert.deepEqual([before, await found()], [before, before]);
          assert.deepEqual(before, [6, 7, 7]);
          // Who can make the seal of a log without a key again still takes nothing out of reports and exports.
          const { check: _check, ...forged } = change(kept) as any;
          fs.writeFileSync(file, indexLine(forged, chainSeal().hash));
          assert.deepEqual((await found()).slice(1), [7, 7]);
          if (key) assert.equal((await found())[0], 6);
        }
      }));

  it('what another key, or none, seals is not kept beside a log with a key', () =>
    withFolder(async (dir) => {
      const store = new AuditStore({ dir, key: Buffer.from('a key') });
      store.record(finished());
      store.dispose();
      const count = async (options: { key?: Uint8Array }): Promise<number> =>
        (await new FolderReader(dir, options).page({ tool: ['write_file'] }, { limit: 9 })).found.length;
      for (const name of fs.readdirSync(path.join(dir, 'index'))) fs.rmSync(path.join(dir, 'index', name));
      assert.equal(await count({}), 1);
      assert.deepEqual(fs.readdirSync(path.join(dir, 'index')), []);
      assert.equal(await count({ key: Buffer.from('a key') }), 1);
      const kept = fs.readdirSync(path.join(dir, 'index'));
      assert.equal(kept.length, 1);
      const text = fs.readFileSync(path.join(dir, 'index', kept[0] ?? ''), 'utf8');
      assert.equal(await count({}), 1);
      assert.equal(fs.readFileSync(path.join(dir, 'index', kept[0] ?? ''), 'utf8'), text);
    }));

  it('keeps within age and size by removing the oldest segments with a record of it, and verify agrees', () =>
    withFolder(async (dir) => {
      let now = start;
      const store = new AuditStore({ dir, maxSegmentBytes: 5000, now: () => now });
      for (let at = 0; at < 100; at++) {
        store.record(finished({ time: now }));
        store.flush();
        now += 1000;
      }
      const before = listSegments(dir);
      const removed = store.retire({ retentionDays: 0, maxMegabytes: 0.02 });
      store.flush();
      assert.deepEqual(
        listSegments(dir).slice(0, before.length - removed.segments.length),
        before.slice(removed.segments.length),
      );
      assert.ok(removed.segments.length > 3 && removed.records > 30, JSON.stringify(removed));
      assert.deepEqual([...removed.segments], [...removed.segments].sort());
      const verified = await verifyFolder(dir, plain);
      assert.deepEqual([verified.faults, verified.removed], [[], removed.segments.length]);
      now = Date.now() + 100 * 86_400_000;
      assert.ok(store.retire({ retentionDays: 90, maxMegabytes: 0 }).segments.length > 0);
      store.dispose();
      assert.deepEqual((await verifyFolder(dir, plain)).faults, []);
    }));

  it('clears with a reason that stays in the record', () =>
    withFolder(async (dir) => {
      const store = new AuditStore({ dir });
      store.record(finished());
      store.flush();
      const removed = store.clear('the trial is over', { type: 'user', id: 'ann' });
      store.dispose();
      const [name = ''] = listSegments(dir);
      const records: AuditRecord[] = fs
        .readFileSync(path.join(dir, name), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.deepEqual(
        [
          removed.segments.length,
          removed.records,
          records.map((record) => [record.event, record['user.id'], record.detail])[1],
        ],
        [1, 2, ['audit.cleared', 'ann', '1 segment: the trial is over']],
      );
      assert.deepEqual((await verifyFolder(dir, plain)).faults, []);
    }));
});
