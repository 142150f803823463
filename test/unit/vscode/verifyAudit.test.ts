import { strict as assert } from 'node:assert';
import { say } from '../../../src/core/base/sentence';
import type { AuditFault, AuditReader, Verification } from '../../../src/core/audit/reader';
import { auditCommands, type AuditToHandle } from '../../../src/vscode/audit/auditCommands';
import { localTime } from '../../../src/vscode/times';
import { l10n, shownWindow } from '../../support/fakeVscode';
import { inGerman } from '../../support/german';

const found = '2026-11-21T12:00:00.000Z';
const faults: readonly AuditFault[] = [
  { file: 's-0001.jsonl', line: 4, said: say('chain_changed') },
  { file: 's-0002.jsonl', said: say('chain_found_broken', found, 's-0003.jsonl', say('chain_head_missing')) },
  { file: '`[x](command:y)', said: say('chain_missing_named', '[x](command:y) <b>') },
];

const broken: Verification = { ok: false, isEmpty: false, segments: 2, records: 9, removed: 0, faults };

/** What Verify Audit answers and shows of what was found, after a person pressed Show Details. */
async function verified(verification = broken) {
  const pages: string[] = [];
  const verify = (): Promise<Verification> => Promise.resolve(verification);
  const audit: AuditToHandle = {
    reader: { verify } as unknown as AuditReader, // reason: the command asks for nothing else
    showView: assert.fail,
    clear: () => assert.fail(),
    sessionStart: 0,
    undoOf: () => undefined,
    showMarkdown: (_name, text) => pages.push(text),
  };
  const answer = await auditCommands.verifyAudit(audit);
  await new Promise(setImmediate);
  return { answer, page: pages.join('') };
}

describe('Verify Audit', () => {
  const { t } = l10n;
  before(() => {
    l10n.t = (text, ...args) => inGerman(text, ...args.map(String));
    shownWindow.errors = [];
    shownWindow.pressed = inGerman('Show Details');
  });
  after(() => {
    l10n.t = t;
    shownWindow.errors = undefined;
    shownWindow.pressed = undefined;
  });

  it('S1.audit: says in the language of the editor where a chain breaks, and English to programs', async () => {
    const { answer, page } = await verified();
    assert.deepEqual(shownWindow.errors, [
      'Das Audit ist beschädigt: s-0001.jsonl:4 wurde geändert: Der Hash passt nicht zum Text',
    ]);
    assert.match(page, /^- `s-0001\.jsonl:4` wurde geändert/m);
    const { faults: told } = answer as { readonly faults: readonly unknown[] };
    assert.deepEqual(told[0], {
      file: 's-0001.jsonl',
      line: 4,
      message: 'was changed: its hash does not fit its text',
      said: say('chain_changed'),
    });
    assert.equal(told.length, faults.length);
    const plain = page.replaceAll('\\', '');
    assert.ok(plain.includes(localTime(found)) && !plain.includes(found), 'a time as the reader writes it');
  });

  it('S1.audit: says of a log that nobody wrote yet that it has no records, and not that it is whole', async () => {
    shownWindow.told = [];
    const empty = { ok: true, isEmpty: true, segments: 0, records: 0, removed: 0, faults: [] };
    const { answer } = await verified(empty);
    assert.deepEqual(answer, empty);
    assert.deepEqual(shownWindow.told, ['Das Audit hat noch keine Einträge.']);
  });

  it('S1.audit: what a record names becomes no markup in the list', async () => {
    const { page } = await verified();
    const last = page.trimEnd().split('\n').at(-1) ?? '';
    assert.ok(last.startsWith('- `` `[x](command:y) `` '), last);
    assert.doesNotMatch(last.slice(24), /(?<!\\)[[<]/);
  });
});
