import { plainWords } from '../../../../src/core/base/translate';
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { lexer, type Token } from 'marked';
import { main } from '../../../../src/cli/main';
import type { AuditEvent } from '../../../../src/core/audit/event';
import type { AuditReport } from '../../../../src/core/audit/report';
import { say } from '../../../../src/core/base/sentence';
import { ReportBuilder } from '../../../../src/core/audit/reportBuilder';
import { reportText } from '../../../../src/core/present/reportText';
import { AuditStore } from '../../../../src/node/audit/auditStore';
import { listSegments } from '../../../../src/node/audit/layout';
import { anyCharacter } from '../../../support/anyCharacter';
import { rewrite } from '../../../support/auditAttacks';
import { finished, violation, withFolder } from '../../../support/auditEvents';
import { writeSample } from '../../../support/auditSample';
import { runs } from '../../../support/counts';

const program = path.resolve('tools/verify-audit.mjs');

const undo = { toolId: 'cap:changes:undo_change', toolName: 'undo_change', capabilityId: 'changes' } as const;

/** Something of everything that a report tells. */
function everything(): readonly AuditEvent[] {
  const [start, asked] = [finished(), finished({ time: Date.UTC(2026, 10, 21, 13), invocationId: 'call-2' })];
  const {
    type: _type,
    outcome: _outcome,
    durationMs: _ms,
    withheld: _left,
    declaredSideEffects: _all,
    ...facts
  } = asked;
  const { payload: _payload, approvedBy: _by, approvalWaitMs: _waited, ...call } = facts;
  const changed = { type: 'changed', time: Date.UTC(2026, 10, 21, 14), actor: { type: 'user', id: 'editor' } } as const;
  return [
    { ...call, type: 'invocation.started', riskLevel: 'high', invocationId: 'never-ended' },
    start,
    violation(),
    { ...call, type: 'approval.asked', reasons: [say('as_it_is', 'confirmation for agents')] },
    { ...call, type: 'approval.answered', outcome: 'denied', by: 'user', waitedMs: 1500 },
    violation({
      time: Date.UTC(2026, 10, 21, 13, 1),
      invocationId: 'call-2',
      deniedBy: 'user',
      approvalWaitMs: 1500,
      rules: [],
      steps: [],
    }),
    finished({ ...undo, time: Date.UTC(2026, 10, 21, 14), actor: { type: 'user', id: 'me' }, steps: [] }),
    finished({
      source: 'host:claude',
      toolId: 'host:claude:Bash',
      toolName: 'Bash',
      surface: 'host',
      outcome: 'tool_error',
      steps: [],
    }),
    finished({ approvedBy: 'editor-skipped' }),
    finished({ steps: [{ step: 'boundaries', effect: 'pass', reasons: [], waivedBy: ['my-allow'] }] }),
    { ...changed, what: 'policy', id: 'boundaries', detail: say('as_it_is', 'added user/x') },
    { type: 'audit', time: Date.UTC(2026, 10, 21, 15), what: 'lost', detail: say('note_lost'), count: 3 },
  ];
}

async function report(dir: string, ...args: readonly string[]) {
  const out: string[] = [];
  const errors: string[] = [];
  const io = { out: (text: string) => void out.push(text), error: (text: string) => void errors.push(text) };
  const home = fs.mkdtempSync(path.join(dir, '..', 'home-'));
  const code = await main(['audit', 'report', dir, '--home', home, ...args], { ...io, environment: {} });
  fs.rmSync(home, { recursive: true });
  return { code, text: `${out.join('\n')}\n`, errors: errors.join('\n') };
}

const json = async (dir: string, ...args: readonly string[]): Promise<AuditReport> =>
  JSON.parse((await report(dir, '--format', 'json', ...args)).text);

interface Checked {
  readonly ok: boolean;
  readonly faults: readonly { readonly file: string; readonly message: string }[];
}

async function check(dir: string, told: unknown): Promise<{ ok: boolean; text: string }> {
  const { verifyReport } = (await import(program)) as { verifyReport: (folder: string, report: unknown) => Checked };
  const { ok, faults } = verifyReport(dir, told);
  return { ok, text: faults.map(({ file, message }) => `${file}: ${message}`).join('\n') };
}

const withLog = (body: (dir: string) => Promise<void>): Promise<void> =>
  withFolder(async (root) => {
    const dir = path.join(root, 'audit');
    const store = new AuditStore({ dir });
    for (const event of everything()) store.record(event);
    store.dispose();
    await body(dir);
  });

describe('audit report', () => {
  it('D.report: counts calls, decisions by rule and person, questions, changes taken back, changes of the policy, and what was not governed', () =>
    withLog(async (dir) => {
      const { calls, rules, answers, questions, denials, takenBack, changes, notGoverned, proof, agents } =
        await json(dir);
      assert.deepEqual(calls, { total: 7, succeeded: 4, denied: 2, failed: 1, byAgents: 6, byUsers: 1, unfinished: 1 });
      assert.deepEqual(rules, [
        { rule: 'source-code', denied: 0, asked: 0, advised: 2, waived: 0 },
        { rule: 'my-allow', denied: 0, asked: 0, advised: 0, waived: 1 },
        { rule: 'no-secrets', denied: 1, asked: 0, advised: 0, waived: 0 },
      ]);
      assert.deepEqual(answers, [
        { by: 'user', allowed: 4, denied: 1 },
        { by: 'editor-skipped', allowed: 1, denied: 0 },
      ]);
      const { list, ...numbers } = questions;
      assert.deepEqual(numbers, { asked: 1, allowed: 0, denied: 1 });
      assert.deepEqual(
        list.map(({ tool, reasons, answer, by, waitedMs }) => [tool, reasons, answer, by, waitedMs]),
        [['write_file', 'confirmation for agents', 'denied', 'user', 1500]],
      );
      assert.deepEqual(
        denials.map(({ call, rules: by }) => [call?.slice(-6), by]),
        [
          ['a81f3c', ['no-secrets']],
          ['call-2', []],
        ],
      );
      assert.deepEqual(
        takenBack.map(({ actor, touched }) => [actor, touched]),
        [['me', ['change src/app.ts']]],
      );
      assert.deepEqual(
        changes.map(({ what, detail }) => [what, detail]),
        [['policy.changed', 'added user/x']],
      );
      assert.deepEqual(notGoverned, {
        hooked: [{ source: 'host:claude', calls: 1 }],
        skippedQuestions: 1,
        lost: 3,
        removed: [],
        broken: [],
      });
      assert.equal(proof.ok, true);
      assert.deepEqual(
        proof.segments.map(({ segment }) => segment),
        listSegments(dir),
      );
      assert.deepEqual(agents, []);
    }));

  it('D.report: counts what happened from the one time on and before the other', () =>
    withLog(async (dir) => {
      const { calls, from, to } = await json(dir, '--from', '2026-11-21T13:00:00Z', '--to', '2026-11-21T14:00:00Z');
      assert.deepEqual(
        [calls.total, calls.denied, from, to],
        [1, 1, '2026-11-21T13:00:00.000Z', '2026-11-21T14:00:00.000Z'],
      );
      const wrong = await report(dir, '--from', 'yesterday');
      assert.equal(wrong.code, 2);
      assert.match(wrong.errors, /^--from must be a date/);
    }));

  it('D.report: the separate verifier counts the same, and finds a report that says otherwise', () =>
    withLog(async (dir) => {
      writeSample(dir, 400);
      const told = await json(dir);
      const file = path.join(dir, '..', 'report.json');
      fs.writeFileSync(file, JSON.stringify(told));
      const { stdout, stderr } = spawnSync(process.execPath, [program, dir, '--report', file], { encoding: 'utf8' });
      assert.equal(stdout, `ok: ${told.proof.records} records in 2 segments, and the report fits them\n`, stderr);
      for (const [name, wrong] of Object.entries<unknown>({
        calls: { calls: { ...told.calls, denied: 0 } },
        rules: { rules: told.rules.slice(1) },
        answers: { answers: [] },
        questions: { questions: { ...told.questions, asked: 7 } },
        denials: { denials: told.denials.slice(1) },
        takenBack: { takenBack: [] },
        changes: { changes: [] },
        tools: { tools: [...told.tools, { tool: 'x', calls: 1, denied: 0, failed: 0 }] },
        hooked: { notGoverned: { ...told.notGoverned, hooked: [] } },
        lost: { notGoverned: { ...told.notGoverned, lost: 0 } },
      })) {
        const { ok, text } = await check(dir, { ...told, ...(wrong as object) });
        assert.equal(ok, false, name);
        assert.match(text, new RegExp(`report: ${name}: the report says`));
      }
      const [first] = told.proof.segments;
      const moved = await check(dir, {
        ...told,
        proof: { ...told.proof, segments: [{ ...first, hash: '0'.repeat(64) }] },
      });
      assert.match(moved.text, /was rebuilt: record \d+ is not the one that a head that was kept elsewhere names/);
      // What is written after the report changes nothing of it.
      const later = new AuditStore({ dir });
      later.record(violation());
      later.dispose();
      assert.equal((await check(dir, told)).ok, true);
    }));

  it('D.report: says that the record is broken, and exits with 1', () =>
    withLog(async (dir) => {
      rewrite(path.join(dir, listSegments(dir)[0] ?? ''), (data) =>
        Buffer.from(data.toString().replace('success', 'succes5')),
      );
      const { code, text, errors } = await report(dir);
      assert.equal(code, 1);
      assert.match(text, /The record is broken[\s\S]*was changed: its hash does not fit its text/);
      assert.match(errors, /the record is broken/);
    }));

  const hostile = fc.oneof(
    fc.constantFrom(
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      '</code></bdi><h1>x',
      '`` ` [x](javascript:alert(1)) ![y](https://e.example/p.png)',
      '\n\n# heading\n\n<b>x</b>',
      'a|b\\|c`|`',
      '\u202egpj.exe\u0007\u001b[2J',
      '&lt;b&gt; &#60;',
      '- [ ] x\r\n1. y\r\n***z***',
    ),
    fc.string({ unit: anyCharacter, maxLength: 40 }),
    fc.string({
      unit: fc.constantFrom('`', '<', '>', '|', '\\', '[', ']', '(', ')', '!', '*', '_', '\n', ' ', 'x', '&', '"', "'"),
      maxLength: 30,
    }),
  );

  /** A report in which one text stands wherever strangers can write. */
  function spoken(text: string): AuditReport {
    const builder = new ReportBuilder();
    const names = { 'gen_ai.tool.name': text, tool: text, 'gen_ai.agent.id': text, 'gen_ai.tool.call.id': text };
    const all = {
      ...names,
      prev: '',
      seq: 1,
      hash: '',
      v: 1,
      time: '2026-11-21T12:00:00.000Z',
      detail: text,
      id: text,
      policy: text,
    };
    const steps = [{ step: 'boundaries', effect: 'deny', reasons: [{ rule: text, text }] }];
    const said = { rules: [text], 'error.message': text, 'approval.by': text, source: `host:${text}`, steps };
    for (const event of ['approval.asked', 'policy.violation', 'policy.changed', `${text}.changed`, 'audit.cleared'])
      builder.add({ ...all, ...said, event });
    const touched = { effect: text, resource: text };
    builder.add({
      ...all,
      event: 'invocation.finished',
      outcome: 'success',
      tool: 'cap:changes:undo_change',
      accesses: [touched],
    });
    builder.add({ ...all, event: 'audit.recovered', 'error.type': 'chain_broken' });
    builder.add({ ...all, event: 'grant.changed', said: say('note_added', [text]) });
    const faults = [{ file: text, line: 1, message: text, said: say('chain_missing_named', text) }];
    const proof = {
      ok: false,
      alg: 'sha256',
      key: text,
      records: 1,
      removed: 1,
      faults,
      segments: [{ segment: text, seq: 1, hash: text }],
    };
    return builder.build('2026-11-21T12:00:00.000Z', { to: '2026-11-21T12:00:00.000Z' }, proof, [
      { name: text, state: text, faults: [text] },
    ]);
  }

  const tagsOf = (page: string): readonly string[] => page.match(/<[^>]*>?/g) ?? [];
  const kindsOf = (tokens: readonly Token[]): readonly string[] =>
    tokens.flatMap((token) => [
      token.type,
      ...('tokens' in token && token.tokens ? kindsOf(token.tokens) : []),
      ...(token.type === 'list' ? kindsOf((token as { items: Token[] }).items) : []),
    ]);

  it('D.report: nothing in a record becomes markup of the page or hides in it, in HTML and in markdown', () => {
    // Spaces alone are shown as a dash in markdown and leave their cell empty nowhere.
    const tags = tagsOf(reportText(spoken('plain'), 'html', { t: plainWords }));
    const kinds = new Set(kindsOf(lexer(reportText(spoken('plain'), 'markdown', { t: plainWords }))));
    fc.assert(
      fc.property(hostile, (text) => {
        fc.pre(text.trim() !== '' && text !== 'user');
        const page = reportText(spoken(text), 'html', { t: plainWords });
        assert.deepEqual(tagsOf(page), tags);
        const written = reportText(spoken(text), 'markdown', { t: plainWords });
        const others = kindsOf(lexer(written)).filter((kind) => !kinds.has(kind) && kind !== 'escape');
        assert.deepEqual(others, [], written);
        for (const one of [page, written])
          assert.doesNotMatch(one, /[\u202a-\u202e\u2066-\u2069\u0000-\u0008\u000b\u000c\u000e-\u001f]/);
      }),
      { numRuns: runs(24, 1000, 5000) },
    );
    assert.ok(!kinds.has('html') && !kinds.has('link') && !kinds.has('image'));
  });

  it('D.report: names each revision of the policy that records name, with how many and when', () => {
    const time = '2026-11-21T12:00:00.000Z';
    assert.deepEqual(spoken('abc').policies, [{ revision: 'abc', records: 8, first: time, last: time }]);
  });

  it('D.report: the page fetches nothing, runs nothing and takes light or dark from its reader', () => {
    const page = reportText(spoken('x'), 'html', { t: plainWords, language: 'de' });
    assert.match(page, /<html lang="de">/);
    assert.match(page, /Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/);
    assert.match(page, /color-scheme: light dark/);
    assert.doesNotMatch(page, /<script|<link|<img|<a |url\(|#[0-9a-f]{3,6};/);
  });
});
