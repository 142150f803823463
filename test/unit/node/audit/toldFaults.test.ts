import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { chainLine, chainStart } from '../../../../src/core/audit/chain';
import { sealHead } from '../../../../src/core/audit/head';
import { parseRecord } from '../../../../src/core/audit/record';
import { worded } from '../../../../src/core/base/sentence';
import { reportText } from '../../../../src/core/present/reportText';
import { FolderReader } from '../../../../src/node/audit/folderReader';
import { chainSeal } from '../../../../src/node/audit/hash';
import { headBytes, headPath, listSegments, readHead } from '../../../../src/node/audit/layout';
import { verifyFolder } from '../../../../src/node/audit/verifyFolder';
import { rewrite, writeLog } from '../../../support/auditAttacks';
import { withFolder } from '../../../support/auditEvents';
import { inGerman } from '../../../support/german';

const seal = chainSeal();

/** What verify tells of a folder in German, with what differs from run to run written as signs. */
const told = async (dir: string, options: Parameters<typeof verifyFolder>[1] = seal): Promise<readonly string[]> =>
  (await verifyFolder(dir, options)).faults.map(({ said }) =>
    worded(said, inGerman)
      .replace(/\d{8}T\w+-\w+-\d{4}\.jsonl/g, '…')
      .replace(/\d{4}-\S+Z/g, '<time>')
      .replace(/\d+/g, 'N'),
  );

/** A segment without a head, which the next window notes in its own chain. */
function foundBroken(dir: string): string {
  writeLog(dir, 9);
  const [name = ''] = listSegments(dir);
  fs.rmSync(headPath(dir, name));
  writeLog(dir, 1);
  return name;
}

/** Writes the segments anew as versions did that kept words alone. */
function withoutCodes(dir: string): void {
  for (const name of listSegments(dir)) {
    let place = { seq: 0, hash: chainStart };
    const lines = fs.readFileSync(path.join(dir, name), 'utf8').trimEnd().split('\n');
    const text = lines
      .map((line) => {
        const { hash: _hash, said: _said, ...body } = parseRecord(line) ?? assert.fail(line);
        const linked = chainLine(body, place.seq + 1, place.hash, seal.hash);
        place = { seq: place.seq + 1, hash: linked.hash };
        return `${linked.line}\n`;
      })
      .join('');
    fs.writeFileSync(path.join(dir, name), text);
    const head = readHead(dir, name);
    if (head)
      fs.writeFileSync(
        headPath(dir, name),
        headBytes(sealHead({ ...head, ...place, bytes: Buffer.byteLength(text) }, seal)),
      );
  }
}

describe('what is wrong with a chain', () => {
  it('S1.audit: is told in the language of whoever reads it, with what it names', () =>
    withFolder(async (dir) => {
      writeLog(dir, 60);
      const [first = ''] = listSegments(dir);
      const [file, at] = [path.join(dir, first), headPath(dir, first)];
      const [segment, kept, head] = [fs.readFileSync(file), fs.readFileSync(at), readHead(dir, first)];
      assert.ok(head);
      const after = async (
        attack: () => void,
        options?: Parameters<typeof verifyFolder>[1],
      ): Promise<string | undefined> => {
        attack();
        const [fault] = await told(dir, options);
        fs.writeFileSync(file, segment);
        fs.writeFileSync(at, kept);
        return fault;
      };
      assert.deepEqual(
        [
          await after(() => rewrite(file, (data) => Buffer.from(data.toString().replace('success', 'succes5')))),
          await after(() => fs.rmSync(file)),
          await after(() => fs.writeFileSync(at, 'no head')),
          await after(() => fs.writeFileSync(at, headBytes(sealHead({ ...head, seq: head.seq + 90 }, seal)))),
          await after(() => fs.writeFileSync(at, headBytes(sealHead({ ...head, state: 'cleared' }, seal)))),
          await after(() => undefined, { ...seal, heads: [{ ...head, segment: 'gone.jsonl' }] }),
        ],
        [
          'wurde geändert: Der Hash passt nicht zum Text',
          'fehlt, und kein Eintrag sagt, dass er entfernt wurde',
          'ist kein Kopf dieses Protokolls',
          'wurde gekürzt: der eigene Kopf steht bei Eintrag N, der letzte ist N',
          'wurde geleert und ist wieder da',
          'fehlt mitsamt dem Kopf, obwohl ein anderswo aufbewahrter Kopf darauf verweist',
        ],
      );
    }));

  it('S1.audit: that a window noted is told in the language of whoever reads it, and English for programs', () =>
    withFolder(async (dir) => {
      const name = foundBroken(dir);
      const broken = 'wurde am <time> beschädigt vorgefunden, wie … vermerkt: hat keinen Kopf';
      assert.deepEqual(await told(dir), [broken, 'hat keinen Kopf']);
      const report = await new FolderReader(dir).report({ to: '9999' });
      assert.deepEqual(
        report.proof.faults.map(({ file, message, said }) => [file, message, worded(said)]),
        (await verifyFolder(dir, seal)).faults.map(({ said }) => [name, worded(said), worded(said)]),
      );
      assert.match(reportText(report, 'markdown', { t: inGerman }), /Fehler: `hat keinen Kopf`/);
    }));

  it('S1.audit: that an earlier version noted in words alone is told in these words', () =>
    withFolder(async (dir) => {
      foundBroken(dir);
      withoutCodes(dir);
      assert.deepEqual(await told(dir), [
        'wurde am <time> beschädigt vorgefunden, wie … vermerkt: has no head',
        'hat keinen Kopf',
      ]);
    }));

  it('S1.audit: is told also where a line of somebody else names it in fields of any kind', () =>
    withFolder(async (dir) => {
      const name = foundBroken(dir);
      const honest = await told(dir);
      const by = '20200101T000000000Z-evil-0001.jsonl';
      const odd: readonly unknown[] = [
        null,
        {},
        { toString: 1 },
        [],
        [{}],
        7,
        true,
        { code: 'note_added', args: [null] },
      ];
      for (const value of odd)
        for (const event of [
          { event: 'audit.recovered', id: name, 'error.type': 'chain_broken', detail: value, said: value },
          { event: 'audit.recovered', id: value, 'error.type': 'chain_broken', time: 'never' },
          { event: 'audit.witnessed', id: name, 'head.seq': value, 'head.hash': value },
        ]) {
          const line = JSON.stringify({ time: '2020-01-01T00:00:00.000Z', hash: '', ...event });
          fs.writeFileSync(path.join(dir, by), `${line}\n`);
          const faults = await told(dir);
          for (const fault of honest) assert.ok(faults.includes(fault), `${line}: ${faults.join('; ')}`);
          assert.ok(faults.length > honest.length, line);
          const report = await new FolderReader(dir).report({ to: '9999' });
          assert.ok(report.proof.faults.length >= faults.length, line);
          for (const format of ['markdown', 'html'] as const) reportText(report, format, { t: inGerman });
        }
      fs.rmSync(path.join(dir, by));
    }));
});
