import { strict as assert } from 'node:assert';
import type { AuditEvent } from '../../../../src/core/audit/event';
import { GrantRecords } from '../../../../src/core/audit/grantRecords';
import { shapeOnly, toRecord } from '../../../../src/core/audit/makeRecord';
import type { AuditRecord } from '../../../../src/core/audit/record';
import { defined } from '../../../../src/core/base/json';
import { readSentence } from '../../../../src/core/base/readSentence';
import { say, type Sentence } from '../../../../src/core/base/sentence';
import { plainWords, type Translate } from '../../../../src/core/base/translate';
import { timedWords, noteAbout, noteDetail } from '../../../../src/core/present/noteWords';
import { inGerman } from '../../../support/german';

const when = (time: string): string => `<${time}>`;
const user = { type: 'user', id: 'editor' } as const;

/** The record of something that is no call, as it is read back from its line; from a text, one without a sentence. */
const recorded = (event: string, detail: string | Sentence): AuditRecord => {
  const [what, state] = event.split('.') as ['server', 'started'];
  const said = typeof detail === 'string' ? say('as_it_is', detail) : detail;
  const made: AuditEvent =
    what === 'server'
      ? { type: 'server', time: 0, server: 's', state, detail: said }
      : { type: 'changed', time: 0, what, id: 'g', detail: said, actor: user };
  const record = JSON.parse(JSON.stringify(toRecord(made, shapeOnly()))) as AuditRecord;
  return typeof detail === 'string' ? defined({ ...record, said: undefined }) : record;
};
const told = (event: string, detail: string | Sentence, t: Translate = plainWords): string =>
  noteDetail(recorded(event, detail), t, when);

/** A language in which every word of ours can be told from what was recorded. */
const marked: Translate = (message, ...values) => `«${plainWords(message, ...values)}»`;

describe('what a record tells that is no call', () => {
  it('S1.audit: says which server and which protocol version, and keeps the fingerprint to be compared', () => {
    assert.equal(
      told('server.started', say('note_protocol', '2025-11-25')),
      'speaks the version 2025-11-25 of the protocol MCP',
    );
    assert.equal(
      told('pin.changed', say('note_pin_approved', '2b001e99cf54')),
      'its tools were approved, fingerprint 2b001e99cf54',
    );
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

  const grant = say('note_grant', say('note_file_changes'), 'src/**', say('note_session'));
  const until = '2026-12-31T00:00:00.000Z';

  it('S1.audit: says where a grant holds and for how long, with its end as the reader writes times', () => {
    assert.equal(
      told('grant.changed', say('note_grant_added', grant)),
      'allowed from now on: file changes (src/** · this session)',
    );
    const ends = say('note_grant_until', 'http_request', 'a · b.example', say('note_always'), until);
    assert.equal(
      told('grant.changed', say('note_grant_used_up', ends)),
      `used up or revoked: http_request (a · b.example · everywhere · until <${until}>)`,
    );
    assert.equal(timedWords(ends, marked, when), `«http_request (a · b.example · «everywhere» · until <${until}>)»`);
  });

  it('S1.audit: is told in the language of whoever reads it, and English in the record itself', () => {
    const rules = say('as_it_is', [say('note_added', say('and_more', 'user/a', 3)), say('note_removed', 'user/b')]);
    assert.equal(recorded('policy.changed', rules).detail, 'added: user/a and 3 more; removed: user/b');
    assert.equal(told('policy.changed', rules, marked), '««added: «user/a and 3 more»»; «removed: user/b»»');
    assert.equal(told('server.failed', 'cannot connect', marked), 'cannot connect');
  });

  it('S1.audit: says how a requirement stood in the language of whoever reads it', () => {
    const probed = (state: string): string => {
      const event: AuditEvent = { type: 'probe', time: 0, requirementId: 'key.x', state, durationMs: 1 };
      return noteDetail(JSON.parse(JSON.stringify(toRecord(event, shapeOnly()))) as AuditRecord, inGerman, when);
    };
    assert.deepEqual(['fresh', 'stale', 'red', 'unknown', 'other'].map(probed), [
      'frisch',
      'veraltet',
      'rot',
      'unbekannt',
      'other',
    ]);
  });

  it('S1.audit: a record that says something else than a sentence of ours stands with its own words', () => {
    const odd: readonly unknown[] = [
      undefined,
      'note_edited',
      { code: 'note_edited', args: ['more than it takes'] },
      { code: 'note_edited', args: Array.from({ length: 300_000 }, () => 'a') },
      { code: 'note_added', args: [] },
      { code: 'note_edited' },
      { code: 'nothing_of_ours', args: [] },
      { code: 'toString', args: [] },
      { code: 'note_added', args: [null] },
      { code: 'note_added', args: [['a', { code: 'note_edited', args: [] }]] },
      { code: 'note_added', args: [{ code: 'note_added', args: [{}] }] },
    ];
    for (const said of odd) {
      const record = { event: 'profile.changed', detail: 'as it stood', said } as unknown as AuditRecord;
      assert.equal(noteDetail(record, marked, when), 'as it stood', JSON.stringify(said));
    }
    let deep: unknown = { code: 'note_edited', args: [] };
    for (let depth = 0; depth < 100_000; depth++) deep = { code: 'note_added', args: [deep] };
    assert.equal(readSentence(deep), undefined);
  });

  it('S1.audit: what others named is cleaned of secrets in the arguments as in the words', () => {
    const key = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    const line = JSON.stringify(recorded('definition.changed', say('note_definition_edited', `x/${key}.json`)));
    assert.ok(!line.includes(key), line);
  });

  it('S1.audit: reads of the log what a grant allows only where an answer names one that is not known', async () => {
    const record = recorded('grant.changed', say('note_grant_added', grant));
    let reads = 0;
    const reader = {
      all: async function* () {
        reads++;
        yield { segment: 's', record };
      },
    };
    const grants = new GrantRecords();
    await grants.find(reader, ['user', undefined]);
    assert.equal(reads, 0);
    await grants.find(reader, ['grant g']);
    await grants.find(reader, ['grant g']);
    assert.deepEqual([reads, grants.madeOf('g')], [1, { args: grant.args, code: grant.code }]);
  });
});
