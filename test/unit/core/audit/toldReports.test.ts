import { strict as assert } from 'node:assert';
import type { AuditEvent } from '../../../../src/core/audit/event';
import { shapeOnly, toRecord } from '../../../../src/core/audit/makeRecord';
import type { AuditRecord } from '../../../../src/core/audit/record';
import type { AuditReport } from '../../../../src/core/audit/report';
import { ReportBuilder } from '../../../../src/core/audit/reportBuilder';
import { say, worded } from '../../../../src/core/base/sentence';
import { reportText } from '../../../../src/core/present/reportText';
import { finished, violation } from '../../../support/auditEvents';
import { inGerman } from '../../../support/german';

const time = Date.UTC(2026, 10, 21, 13);
const until = '2026-12-31T00:00:00.000Z';
const grant = say('note_grant_until', say('note_file_changes'), 'src/**', say('note_session'), until);
const denied = say('not_enabled', 'write_file', 'Writer');

/** One of everything that a report tells in sentences. */
function told(): readonly AuditEvent[] {
  const { invocationId, toolId, toolName, capabilityId, source, riskLevel, actor, surface, profileId, mode } =
    finished();
  const call = { invocationId, toolId, toolName, capabilityId, source, riskLevel, actor, surface, profileId, mode };
  const user = { type: 'user', id: 'editor' } as const;
  return [
    { ...call, type: 'approval.asked', time, accesses: [], reasons: [say('confirmation_for_agents')] },
    violation({ errorMessage: worded(denied), said: denied }),
    finished({ toolId: 'cap:changes:undo_change', toolName: 'undo_change' }),
    { type: 'changed', time, what: 'grant', id: 'g', detail: say('note_grant_added', grant), actor: user },
    { type: 'audit', time, what: 'retired', detail: say('note_retired', say('audit_one_segment'), 90, 5) },
    { type: 'audit', time, what: 'recovered', id: 's', detail: say('chain_head_missing'), isBreak: true },
  ];
}

function reported(change: (record: AuditRecord) => AuditRecord = (record) => record): AuditReport {
  const builder = new ReportBuilder();
  for (const event of told())
    builder.add(change(JSON.parse(JSON.stringify({ ...toRecord(event, shapeOnly()), hash: '' })) as AuditRecord));
  const said = say('chain_found_broken', until, 's', say('chain_head_missing'));
  const proof = {
    ...{ ok: false, alg: 'sha256', records: 6, removed: 0, segments: [] },
    faults: [{ file: 's', message: worded(said), said }],
  };
  return builder.build(until, { to: until }, proof);
}

const page = (report: AuditReport): string =>
  reportText(report, 'markdown', { t: inGerman, when: (one) => `<${one.slice(0, 10)}>` });

describe('an audit report', () => {
  it('D.report: is told whole in the language of its reader, with times as the reader writes them', () => {
    const text = page(reported());
    for (const line of [
      'Warum gefragt wurde: `das Tool braucht bei Agenten eine Bestätigung`',
      'ist im Profil `Writer` ausgeschaltet',
      'Was berührt wurde: `src/app.ts ändern`',
      'von nun an zugelassen: Dateiänderungen (src/** · diese Sitzung · bis <2026-12-31>)',
      '1 Abschnitt über 90 Tage oder 5 MB hinaus',
      'Details: `hat keinen Kopf`',
      'wurde am <2026-12-31> beschädigt vorgefunden, wie s vermerkt: hat keinen Kopf',
    ])
      assert.ok(text.includes(line), `${line}\n${text}`);
    assert.doesNotMatch(text, /UNTRANSLATED|\b(?:the|is|not|change)\b/);
  });

  it('D.report: is English for programs, with the codes beside the words', () => {
    const { questions, denials, takenBack, changes, notGoverned } = reported();
    const words = [
      ...[...changes, ...notGoverned.removed, ...notGoverned.broken].map(({ detail, said }) => [detail, said] as const),
      ...questions.list.map(({ reasons, said }) => [reasons, said] as const),
      ...denials.map(({ message, said }) => [message, said] as const),
    ];
    assert.equal(words.length, 5);
    for (const [text, said] of words) assert.equal(said && worded(said), text);
    assert.deepEqual(takenBack[0]?.touched, ['change src/app.ts']);
  });

  it('D.report: tells records of earlier versions, and those that say what is no sentence, in their own words', () => {
    const none = (record: AuditRecord): AuditRecord => ({ ...record, said: undefined }) as unknown as AuditRecord;
    const odd = (record: AuditRecord): AuditRecord => ({ ...record, said: { code: 7 } }) as unknown as AuditRecord;
    for (const change of [none, odd]) {
      const text = page(reported(change));
      for (const words of ['the tool needs confirmation for agents', worded(denied), 'has no head', '1 segment beyond'])
        assert.ok(text.includes(words), `${words}\n${text}`);
    }
  });
});
