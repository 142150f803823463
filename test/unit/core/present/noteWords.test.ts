import { strict as assert } from 'node:assert';
import { GrantRecords } from '../../../../src/core/audit/grantRecords';
import type { AuditRecord } from '../../../../src/core/audit/record';
import { plainWords, type Translate } from '../../../../src/core/base/translate';
import { grantMade, noteAbout, noteDetail } from '../../../../src/core/present/noteWords';

const when = (time: string): string => `<${time}>`;
const told = (event: string, detail: string, t: Translate = plainWords): string =>
  noteDetail({ event, detail }, t, when);

/** A language in which every word of ours can be told from what was recorded. */
const marked: Translate = (message, ...values) => `«${plainWords(message, ...values)}»`;

describe('what a record tells that is no call', () => {
  it('S1.audit: says which server and which protocol version, and keeps the fingerprint to be compared', () => {
    assert.equal(told('server.started', '2025-11-25'), 'speaks the version 2025-11-25 of the protocol MCP');
    assert.equal(told('pin.changed', 'approved 2b001e99cf54'), 'its tools were approved, fingerprint 2b001e99cf54');
    const about = (event: string, id: string) => noteAbout({ event, id }, plainWords, (one) => `profile ${one}`);
    assert.deepEqual(about('server.started', 'stock'), { value: 'MCP server stock' });
    assert.deepEqual(about('pin.changed', 'mcp:stock'), { value: 'MCP server stock' });
    assert.deepEqual(about('settings.changed', 'protection:codex'), { value: 'Agent codex' });
    assert.deepEqual(about('profile.changed', 'x'), { value: 'profile x' });
    assert.deepEqual(about('plan.changed', '0123456789abcdef'), { value: '0123456789ab', isCode: true });
    assert.deepEqual(
      [about('grant.changed', 'grant-1'), about('policy.changed', 'boundaries')],
      [undefined, undefined],
    );
  });

  it('S1.audit: says where a grant holds and for how long, also of one whose record is older', () => {
    const added = 'added for file changes: src/** · session';
    assert.equal(told('grant.changed', added), 'allowed from now on: file changes (src/** · this session)');
    assert.equal(
      told('grant.changed', 'added for http_request: a · b.example · always until 2026-12-31T00:00:00.000Z'),
      'allowed from now on: http_request (a · b.example · everywhere · until <2026-12-31T00:00:00.000Z>)',
    );
    assert.equal(told('grant.changed', 'added for edit_file'), 'allowed from now on: edit_file');
    assert.equal(told('grant.changed', 'used up or revoked for edit_file'), 'used up or revoked: edit_file');
    assert.equal(grantMade('nothing of ours', plainWords, when), undefined);
  });

  it('S1.audit: is told in the language of whoever reads it, in every form that is recorded', () => {
    const forms: readonly (readonly [string, string])[] = [
      ['server.started', '2025-11-25'],
      ['server.stopped', 'by the user'],
      ['server.stopped', 'with its settings or the window'],
      ...['not as pinned', 'changed', 'withdrawn', 'hints confirmed', 'hints not confirmed', 'approved 0a'].map(
        (detail) => ['pin.changed', detail] as const,
      ),
      ...['added', 'expired', 'revoked', 'used up or revoked'].map(
        (verb) => ['grant.changed', `${verb} for x`] as const,
      ),
      ['policy.changed', 'added user/a and 3 more'],
      ['policy.changed', 'removed user/a'],
      ['policy.changed', 'changed user/a'],
      ['profile.changed', 'edited'],
      ['profile.changed', 'switched from x'],
      ['plan.changed', 'frozen with 1 line'],
      ['plan.changed', 'frozen with 1,200 lines'],
      ['plan.changed', 'approved as a batch'],
      ['plan.changed', 'revoked'],
      ['plan.changed', 'ended'],
      ['definition.changed', 'added by a.ts, pending'],
      ['definition.changed', 'active, pending before, in a.ts'],
      ['definition.changed', 'edited in a.ts'],
      ['definition.changed', 'removed with a.ts'],
    ];
    for (const [event, detail] of forms) assert.match(told(event, detail, marked), /^«[^]*»$/, `${event}: ${detail}`);
    assert.equal(
      told('policy.changed', 'added user/a, user/b and 3 more; removed user/c'),
      'added: user/a, user/b and 3 more; removed: user/c',
    );
    assert.equal(told('server.failed', 'cannot connect'), 'cannot connect');
  });

  it('S1.audit: reads of the log what a grant allows only where an answer names one that is not known', async () => {
    const record = { event: 'grant.changed', id: 'g', detail: 'added for edit_file: a.ts · session' };
    let reads = 0;
    const reader = {
      // reason: a record has more, of which nothing is read
      all: async function* () {
        reads++;
        yield { segment: 's', record: record as unknown as AuditRecord };
      },
    };
    const grants = new GrantRecords();
    await grants.find(reader, ['user', undefined]);
    assert.equal(reads, 0);
    await grants.find(reader, ['grant g']);
    await grants.find(reader, ['grant g']);
    assert.deepEqual([reads, grants.detailOf('g')], [1, record.detail]);
  });
});
