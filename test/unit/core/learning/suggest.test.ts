import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { toRecord, shapeOnly } from '../../../../src/core/audit/makeRecord';
import type { AuditRecord } from '../../../../src/core/audit/record';
import { say } from '../../../../src/core/base/sentence';
import { type DecidedCall, decidedCall } from '../../../../src/core/learning/decidedCall';
import { addLearned } from '../../../../src/core/learning/addLearned';
import { examplesOf } from '../../../../src/core/learning/examples';
import { suggestAll, suggestFor, type Suggestion } from '../../../../src/core/learning/suggest';
import { GrantStore } from '../../../../src/core/policy/grants/grants';
import { suggestionLines } from '../../../../src/core/present/suggestionText';
import { plainWords } from '../../../../src/core/base/translate';
import type { Access } from '../../../../src/core/vocabulary/access';
import { permissionReasons, type Reason } from '../../../../src/core/vocabulary/decision';
import { nodeCrypto } from '../../../../src/node/system';
import { runs } from '../../../support/counts';
import { fakeCall } from '../../../support/gateCall';
import { FakeClock, MemoryStore } from '../../../support/toolContext';
import { makeWorkspace } from '../../../support/workspace';

const asking = permissionReasons.agent;

function decided(outcome: DecidedCall['outcome'], ...accesses: readonly Access[]): DecidedCall {
  const { tool } = fakeCall();
  const called = { tool: tool.id, toolName: tool.modelName, actor: 'agent' } as const;
  return { ...called, accesses, refused: [], reasons: [asking], outcome };
}
const write = (resource: string): Access => ({ effect: 'fs.write', resource });
const get = (resource: string): Access => ({ effect: 'network.http', resource, method: 'GET' });

/** The suggestion for the last of these writes, allowed one after the other. */
function afterWrites(paths: readonly string[], denied: readonly string[] = []): Suggestion | undefined {
  const [last = '', ...before] = [...paths].reverse();
  const record = [
    ...before.map((path) => decided('allowed', write(path))),
    ...denied.map((path) => decided('denied', write(path))),
  ];
  return suggestFor(decided('allowed', write(last)), record);
}

const store = (): GrantStore =>
  new GrantStore({ clock: new FakeClock(), crypto: nodeCrypto, workspace: new MemoryStore(), user: new MemoryStore() });

/** Whether a store lets a call of the record through without asking. */
function letsThrough(grants: GrantStore, call: DecidedCall): boolean {
  const reasons = (call.reasons ?? []).map((key): Reason =>
    key === asking ? { said: say(asking) } : { said: say('as_it_is', key), rule: key },
  );
  return grants.covering(fakeCall({ accesses: call.accesses }), call.accesses, reasons) !== undefined;
}

describe('what is learned from the record', () => {
  it('D.questions: is offered from the third question alike, as the smallest pattern that covers them', () => {
    assert.equal(afterWrites(['src/a.ts', 'src/b.ts']), undefined);
    const cases: readonly (readonly [readonly string[], string | undefined])[] = [
      [['src/a.ts', 'src/a.ts', 'src/a.ts'], '=src/a.ts'],
      [['src/a.ts', 'src/b.ts', 'src/c.ts'], 'src/*.ts'],
      [['src/a.ts', 'src/b.md', 'src/c.ts'], 'src/*'],
      [['src/x/a.ts', 'src/b.ts', 'src/c.ts'], 'src/**/*.ts'],
      [['src/x/a.ts', 'src/b.md', 'src/c.ts'], 'src/**/*'],
      [['src/a.ts', 'docs/b.md', 'README.md'], undefined],
      [['a.ts', 'b.ts', 'c.ts'], undefined],
      [['[x]/a.ts', '[x]/b.ts', '[x]/c.ts'], '\\[x\\]/*.ts'],
    ];
    for (const [paths, pattern] of cases) assert.equal(afterWrites(paths)?.pattern, pattern, paths.join());
    const hosts = ['https://a.example.com/1', 'https://a.example.com/2', 'https://a.example.com/3'];
    const [last = '', ...rest] = hosts.map((url) => url);
    const record = rest.map((url) => decided('allowed', get(url)));
    assert.equal(suggestFor(decided('allowed', get(last)), record)?.pattern, 'a.example.com');
    assert.equal(suggestFor(decided('allowed', get('https://b.example.com/')), record), undefined);
  });

  it('D.questions: gives way to what was denied, and is not made where nothing narrower is left', () => {
    assert.equal(afterWrites(['src/x/a.ts', 'src/b.md', 'src/c.ts'], ['src/.env']), undefined);
    assert.equal(afterWrites(['src/a.ts', 'src/b.ts', 'src/c.ts'], ['src/.env'])?.pattern, 'src/*.ts');
    assert.equal(afterWrites(['src/a.ts', 'src/b.ts', 'src/c.ts'], ['src/d.ts']), undefined);
    assert.equal(afterWrites(['src/a.ts', 'src/b.ts', 'src/c.ts'], ['src/x/d.ts'])?.pattern, 'src/*.ts');
  });

  it('D.questions: allows no call that was denied, ever, and saves the questions that it says', () => {
    const folder = fc.constantFrom('src', 'src', 'src/x', 'src/x[1]', 'docs', 'src/*', '.');
    const name = fc.constantFrom('a.ts', 'b.ts', 'c.md', '.env', 'd', '*.ts', 'e.ts');
    const file = fc.tuple(folder, name).map(([above, last]) => `${above}/${last}`);
    const host = fc.constantFrom(
      'a.example.com',
      'a.example.com',
      'b.example.com',
      'A.example.com:443',
      '*.example.com',
    );
    const url = fc.tuple(host, fc.nat(4)).map(([at, page]) => `https://${at}/${page}`);
    const callOf = (access: fc.Arbitrary<Access>): fc.Arbitrary<DecidedCall> =>
      fc
        .tuple(
          fc.constantFrom('allowed', 'allowed', 'allowed', 'allowed', 'allowed', 'denied', 'ran'),
          fc.oneof({ weight: 5, arbitrary: access.map((one) => [one]) }, fc.tuple(access, access)),
          fc.constantFrom([asking], [asking], [asking], ['my-rule'], [asking, 'my-rule'], undefined),
          fc.oneof({ weight: 9, arbitrary: fc.constant([]) }, fc.array(access, { maxLength: 2 })),
        )
        .map(([outcome, accesses, reasons, refused]): DecidedCall => {
          return { ...decided(outcome, ...accesses), reasons, refused };
        });
    const records = fc.oneof(
      fc.array(callOf(file.map(write)), { minLength: 3, maxLength: 16 }),
      fc.array(callOf(url.map(get)), { minLength: 3, maxLength: 16 }),
      fc.array(
        callOf(
          fc.oneof(
            file.map(write),
            file.map((resource): Access => ({ effect: 'fs.delete', resource })),
          ),
        ),
        { minLength: 3, maxLength: 16 },
      ),
    );
    let made = 0;
    fc.assert(
      fc.property(records, (record) => {
        const [now, ...before] = record;
        const one = now && suggestFor({ ...now, outcome: 'allowed' }, before);
        for (const [suggestion, past] of [
          ...suggestAll(record).map((each) => [each, record] as const),
          ...(one ? [[one, before] as const] : []),
        ]) {
          made++;
          const grants = store();
          addLearned(grants, fakeCall().tool, suggestion, 'session');
          for (const denied of past.filter(({ outcome }) => outcome === 'denied'))
            // Whatever asked then, and whatever asks now.
            for (const reasons of [denied.reasons, suggestion.reasons])
              assert.equal(letsThrough(grants, { ...denied, reasons: reasons ?? [asking] }), false);
          for (const each of past)
            for (const place of each.refused)
              assert.equal(letsThrough(grants, { ...each, accesses: [place], reasons: suggestion.reasons }), false);
          const saved = past.filter(
            (each) =>
              each.outcome === 'allowed' &&
              JSON.stringify(each.reasons) === JSON.stringify(suggestion.reasons) &&
              letsThrough(grants, each),
          );
          assert.equal(saved.length, suggestion.saved);
          grants.dispose();
        }
      }),
      { numRuns: runs(200, 2000, 20_000) },
    );
    assert.ok(made > 20, `only ${made} suggestions were made`);
  });

  it('reads what asked and who answered from the record', () => {
    const call = fakeCall();
    const event = {
      invocationId: 'i',
      toolId: call.tool.id,
      toolName: 'write',
      capabilityId: 'c',
      source: 'builtin',
      riskLevel: 'medium',
      actor: { type: 'agent', id: 'x' },
      surface: 'chat',
      profileId: 'p',
      mode: 'execute',
      type: 'invocation.finished',
      time: 0,
      outcome: 'success',
      durationMs: 1,
      accesses: [write('src/a.ts')],
      withheld: 0,
      steps: [
        { step: 'permission', effect: 'ask', reasons: [{ said: say(asking) }] },
        { step: 'boundaries', effect: 'ask', reasons: [{ said: say('as_it_is', 'why'), rule: 'mine' }] },
      ],
      declaredSideEffects: [],
      input: {},
      approvedBy: 'user',
    } as const;
    const read = (record: unknown): DecidedCall | undefined => decidedCall(record as AuditRecord);
    const told = read(toRecord(event, shapeOnly()));
    assert.deepEqual(told, {
      refused: [],
      tool: call.tool.id,
      toolName: 'write',
      actor: 'agent',
      accesses: [write('src/a.ts')],
      reasons: [asking, 'mine'].sort(),
      outcome: 'allowed',
    });
    assert.equal(read(toRecord({ ...event, approvedBy: 'grant g' }, shapeOnly()))?.outcome, 'ran');
  });

  it('knows the permission of a tool by its code, and never by words', () => {
    const ended = { event: 'invocation.finished', tool: 'write', 'approval.by': 'user' };
    const reasons = (...given: readonly object[]): readonly string[] | undefined =>
      decidedCall({ ...ended, steps: [{ step: 'permission', effect: 'ask', reasons: given }] } as never)?.reasons;
    assert.deepEqual(reasons({ code: asking, text: 'worded anew' }), [asking]);
    assert.deepEqual(reasons({ text: 'the tool needs confirmation for agents' }), undefined);
    assert.deepEqual(reasons({ code: 'as_it_is', text: 'the tool needs confirmation for agents' }), undefined);
  });

  it('says what else a grant would allow, and what near it would not be', async () => {
    const ws = makeWorkspace();
    ws.put({ 'src/a.ts': '', 'src/b.ts': '', 'src/c.ts': '', 'src/d.ts': '', 'src/e.md': '', 'README.md': '' });
    const suggestion = afterWrites(['src/a.ts', 'src/b.ts', 'src/c.ts']);
    assert.ok(suggestion);
    const known = new Set(['src/a.ts', 'src/b.ts', 'src/c.ts']);
    const examples = await examplesOf(suggestion, known, ws.files, { aborted: false, reason: undefined });
    ws.dispose();
    assert.deepEqual(examples, { alsoAllows: ['src/d.ts'], files: 4, nearMisses: ['src/e.md', 'README.md'] });
    const lines = suggestionLines(suggestion, examples, plainWords).join('\n');
    assert.match(lines, /questions saved: 2 of 2; denied calls allowed: none of 0/);
    assert.match(lines, /would also allow, of what is there \(files: 4\): src\/d\.ts/);
    assert.match(lines, /would not allow: src\/e\.md, README\.md/);
  });

  it('D.questions: says that nothing else is there only where all of it was looked at', async () => {
    const ws = makeWorkspace();
    ws.put({ 'src/a.ts': '', 'src/b.ts': '', 'src/c.ts': '', 'README.md': '' });
    const told = async (suggestion: Suggestion | undefined, aborted = false): Promise<string> => {
      assert.ok(suggestion);
      const known = new Set(['src/a.ts', 'src/b.ts', 'src/c.ts']);
      const sign = { aborted, reason: undefined };
      const examples = await examplesOf(suggestion, known, ws.files, sign).catch(() => undefined);
      return suggestionLines(suggestion, examples, plainWords).join('\n');
    };
    const nothing = /nothing else that is there now, ignored files aside/;
    const writes = afterWrites(['src/a.ts', 'src/b.ts', 'src/c.ts']);
    assert.match(await told(writes), nothing);
    assert.match(await told(afterWrites(['src/a.ts', 'src/a.ts', 'src/a.ts'])), nothing);
    assert.match(await told(writes, true), /What else it covers was not looked up/);
    const [first, ...rest] = [1, 2, 3].map((page) => decided('allowed', get(`https://a.example.com/${page}`)));
    assert.match(await told(first && suggestFor(first, rest)), /What else it covers was not looked up\./);
    ws.put({ 'src/d.ts': '' });
    const cut = { alsoAllows: ['src/d.ts'], files: undefined, nearMisses: [] };
    assert.ok(writes);
    assert.match(suggestionLines(writes, cut, plainWords).join('\n'), /not all was looked up: src\/d\.ts/);
    ws.dispose();
  });
});
