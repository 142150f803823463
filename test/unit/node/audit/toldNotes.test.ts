import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import type { AuditRecord } from '../../../../src/core/audit/record';
import { readSentence } from '../../../../src/core/base/readSentence';
import { worded } from '../../../../src/core/base/sentence';
import { noteDetail } from '../../../../src/core/present/noteWords';
import { type AuditFs, nodeAuditFs } from '../../../../src/node/audit/auditFs';
import { AuditStore } from '../../../../src/node/audit/auditStore';
import { listSegments } from '../../../../src/node/audit/layout';
import { finished, withFolder } from '../../../support/auditEvents';
import { inGerman } from '../../../support/german';

const user = { type: 'user', id: 'ann' } as const;

/** What the log notes about itself, each kind once: the event, its English words, and the German ones. */
function told(dir: string): readonly (readonly [string, string, string])[] {
  const signs = (text: string): string => text.replace(/\d{8}T\w+-\w+-\d{4}\.jsonl/g, '…').replace(/\d{3,}/g, 'N');
  const notes = listSegments(dir)
    .flatMap((name) => fs.readFileSync(path.join(dir, name), 'utf8').trimEnd().split('\n'))
    .map((line): AuditRecord => JSON.parse(line))
    .filter(({ event }) => event.startsWith('audit.'))
    .map((record) => {
      const said = readSentence(record.said) ?? assert.fail(record.event);
      assert.equal(worded(said), record.detail, 'the words and the code say the same');
      return [record.event, signs(record.detail ?? ''), signs(noteDetail(record, inGerman, String))] as const;
    });
  return [...new Map(notes.map((note) => [note.join(), note])).values()].sort();
}

describe('what the log notes about itself', () => {
  it('S1.audit: stands in English in the record, and is told in the language of whoever reads it', () =>
    withFolder(async (dir) => {
      let isFull = false;
      const write: AuditFs['write'] = (...all) => {
        if (isFull) throw new Error('ENOSPC');
        return nodeAuditFs.write(...all);
      };
      const first = new AuditStore({ dir });
      first.record(finished());
      first.dispose();
      const problems: string[] = [];
      const store = new AuditStore({
        dir,
        fs: { ...nodeAuditFs, write },
        maxWaiting: 1,
        onProblem: (said) => problems.push(worded(said, inGerman)),
      });
      for (let turn = 0; turn < 2; turn++) {
        store.record(finished());
        store.rotate();
      }
      isFull = true;
      for (let at = 0; at < 3; at++) store.record(finished());
      store.flush(true);
      store.flush(true);
      isFull = false;
      store.record(finished());
      store.flush(true);
      store.rotate();
      const before = told(dir);
      store.retire({ retentionDays: 7, maxMegabytes: 0.001 });
      const retired = told(dir);
      store.clear('a new start', user);
      store.dispose();
      assert.deepEqual(problems, [
        'das Audit kann nicht geschrieben werden (ENOSPC); Aufrufe gehen weiter, bis zu 1 Einträge warten, und was verloren geht, wird gezählt',
        'das Audit kann wieder geschrieben werden; verloren: 2 Einträge',
      ]);
      const follows = ['audit.opened', 'follows …', 'folgt auf …'];
      assert.deepEqual(before, [
        [
          'audit.lost',
          'records did not fit while the log could not be written',
          'Einträge hatten keinen Platz, während das Protokoll nicht geschrieben werden konnte',
        ],
        ['audit.opened', 'first segment of its window', 'der erste Abschnitt dieses Fensters'],
        follows,
        [
          'audit.witnessed',
          'the end of a segment of another window',
          'das Ende eines Abschnitts eines anderen Fensters',
        ],
      ]);
      assert.deepEqual(retired, [
        follows,
        ['audit.retired', '4 segments beyond 7 days or 0.N MB', '4 Abschnitte über 7 Tage oder 0.N MB hinaus'],
      ]);
      assert.deepEqual(told(dir), [['audit.cleared', '1 segment: a new start', '1 Abschnitt: a new start'], follows]);
    }));

  it('S1.audit: keeps no secret that the reason of a clearing names, in the code neither', () =>
    withFolder(async (dir) => {
      const key = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
      const store = new AuditStore({ dir });
      store.clear(`it held ${key}`, user);
      store.dispose();
      const text = listSegments(dir)
        .map((name) => fs.readFileSync(path.join(dir, name), 'utf8'))
        .join('');
      assert.match(text, /"detail":"0 segments: it held /);
      assert.ok(!text.includes(key), text);
    }));
});
