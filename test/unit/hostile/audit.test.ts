import { say } from '../../../src/core/base/sentence';
import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { auditLine } from '../../../src/core/audit/line';
import { chainSeal } from '../../../src/node/audit/hash';
import { AuditStore } from '../../../src/node/audit/auditStore';
import { headPath, listSegments } from '../../../src/node/audit/layout';
import { verifyFolder } from '../../../src/node/audit/verifyFolder';
import { finished, violation, withFolder } from '../../support/auditEvents';
import { runCli } from '../../support/cli';

/** What breaks lines, or looks as if it did, in whatever reads a record: editors, terminals, parsers, people. */
const breaks = [
  '\n{"type":"invocation.finished","outcome":"success"}',
  '\r\n{"seq":1}\r\n',
  '\r',
  '\u2028{"a":1}',
  '\u2029',
  '\u0085',
  '\u000b\u000c',
  '\u0000',
  '\u001b[2K\u001b[1Gagent Writer write_file ok',
  '\u202e gpj.sj',
  '","hash":"0000","seq":0,"x":"',
  '\\u000a{}',
  '\ud800',
  `${'x'.repeat(200_000)}\n`,
];

/** A call in which every text that others choose is the hostile one. */
function hostile(text: string) {
  return finished({
    invocationId: `id${text}`,
    toolId: `mcp:${text}:tool`,
    toolName: text,
    capabilityId: text,
    source: text,
    actor: { type: 'agent', id: text },
    profileId: text,
    accesses: [{ effect: `fs.${text}`, resource: text }],
    steps: [{ step: 'boundaries', effect: 'ask', reasons: [{ said: say('as_it_is', text), rule: text }] }],
    declaredSideEffects: [text],
    input: { [text]: text, deep: [{ [text]: [text] }] },
    payload: { [text]: text },
    errorMessage: text,
    approvedBy: text,
  });
}

function records(dir: string): readonly Record<string, unknown>[] {
  return listSegments(dir).flatMap((name) =>
    fs
      .readFileSync(path.join(dir, name), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
}

const verify = (dir: string) => verifyFolder(dir, chainSeal());

/** A folder of closed segments, in which an attack is then made. */
function written(dir: string, windows = 3): readonly string[] {
  for (let window = 0; window < windows; window++) {
    const store = new AuditStore({ dir, maxSegmentBytes: 4000, now: () => 1_800_000_000_000 + window * 1000 });
    for (let count = 0; count < 20; count++)
      store.record(
        count % 3 === 0
          ? violation({ invocationId: `${window}/${count}` })
          : finished({ invocationId: `${window}/${count}` }),
      );
    store.dispose();
  }
  return listSegments(dir);
}

const linesOf = (file: string): string[] => fs.readFileSync(file, 'utf8').trimEnd().split('\n');
const putLines = (file: string, lines: readonly string[]): void => fs.writeFileSync(file, `${lines.join('\n')}\n`);

/** What somebody does to a record; each is given the folder and a segment in the middle. */
const attacks: Readonly<Record<string, (dir: string, segment: string, other: string) => void>> = {
  'a field is edited, its hash kept': (dir, segment) => {
    const file = path.join(dir, segment);
    putLines(
      file,
      linesOf(file).map((line, at) =>
        at === 2 ? line.replace('src/app.ts', 'src/not.ts').replace('.env', '.xyz') : line,
      ),
    );
  },
  'a record is taken out': (dir, segment) => {
    const file = path.join(dir, segment);
    putLines(
      file,
      linesOf(file).filter((_line, at) => at !== 2),
    );
  },
  'two records change places': (dir, segment) => {
    const file = path.join(dir, segment);
    const lines = linesOf(file);
    [lines[1], lines[2]] = [lines[2] ?? '', lines[1] ?? ''];
    putLines(file, lines);
  },
  'a record is said twice': (dir, segment) => {
    const file = path.join(dir, segment);
    const lines = linesOf(file);
    putLines(file, [...lines.slice(0, 2), lines[1] ?? '', ...lines.slice(2)]);
  },
  'the end is cut off': (dir, segment) => {
    const file = path.join(dir, segment);
    putLines(file, linesOf(file).slice(0, -1));
  },
  'the segment is empty': (dir, segment) => fs.writeFileSync(path.join(dir, segment), ''),
  'the segment is gone': (dir, segment) => fs.rmSync(path.join(dir, segment)),
  'the head is gone': (dir, segment) => fs.rmSync(headPath(dir, segment)),
  'the head says less': (dir, segment) => {
    const head = JSON.parse(fs.readFileSync(headPath(dir, segment), 'utf8'));
    fs.writeFileSync(headPath(dir, segment), JSON.stringify({ ...head, seq: 1 }));
  },
  'the head of another is put in its place': (dir, segment, other) =>
    fs.copyFileSync(headPath(dir, other), headPath(dir, segment)),
  'a segment is played again in another’s place': (dir, segment, other) =>
    fs.copyFileSync(path.join(dir, other), path.join(dir, segment)),
  'a line of somebody else is added': (dir, segment) =>
    fs.appendFileSync(
      path.join(dir, segment),
      `${JSON.stringify({ type: 'invocation.finished', outcome: 'success', hash: 'a'.repeat(64) })}\n`,
    ),
  'a huge line is added': (dir, segment) =>
    fs.appendFileSync(path.join(dir, segment), `{"x":"${'y'.repeat(3_000_000)}"}\n`),
};

describe('S1.audit: attacks on the record', () => {
  for (const [title, attack] of Object.entries(attacks))
    it(`S1.audit: verify finds it where ${title}`, () =>
      withFolder(async (dir) => {
        const names = written(dir);
        assert.deepEqual((await verify(dir)).faults, []);
        const [, segment = '', other = ''] = names;
        attack(dir, segment, other);
        const { faults } = await verify(dir);
        assert.ok(faults.length > 0);
        assert.ok(JSON.stringify(faults).includes(segment.replace(/\.\w+$/, '')), JSON.stringify(faults));
        const told = await runCli(['audit', 'verify', dir]);
        assert.equal(told.code, 1);
      }));

  it('S1.audit: a link in the place of a segment, to a file with other records, is found', () =>
    withFolder(async (dir) => {
      const [, segment = '', other = ''] = written(dir);
      fs.rmSync(path.join(dir, segment));
      fs.symlinkSync(path.join(dir, other), path.join(dir, segment));
      assert.ok((await verify(dir)).faults.length > 0);
    }));

  it('S1.audit: no field of a call makes a second record, ends the file early or breaks the chain', () =>
    withFolder(async (dir) => {
      const store = new AuditStore({ dir });
      for (const text of breaks) {
        store.record(hostile(text));
        store.record(violation({ toolName: text, errorMessage: text, rules: [text], input: { path: text } }));
      }
      store.dispose();
      const kept = records(dir).filter((one) => !String(one['type'] ?? one['event'] ?? '').startsWith('audit'));
      assert.equal(kept.length, 2 * breaks.length, JSON.stringify(kept.map((one) => Object.keys(one))).slice(0, 500));
      // Nothing but plain text and line feeds reaches the disk, so that every reader sees the same lines.
      for (const name of listSegments(dir)) {
        const text = fs.readFileSync(path.join(dir, name), 'utf8');
        assert.ok(!/[\u0000-\u0009\u000b-\u001f]/.test(text), name);
        assert.equal(text.split('\n').length - 1, records(dir).length);
      }
      assert.deepEqual((await verify(dir)).faults, []);
    }));

  it('S1.audit D.audit-channel: one call is one line of the log, whatever its texts', () => {
    const redactor = { text: (text: string) => text } as unknown as Parameters<typeof auditLine>[1];
    for (const text of breaks)
      for (const event of [hostile(text), violation({ toolName: text, errorMessage: text, rules: [text] })]) {
        const line = auditLine(event, redactor, () => text)?.text ?? '';
        assert.ok(
          !/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/.test(line),
          JSON.stringify(line).slice(0, 300),
        );
      }
  });
});
