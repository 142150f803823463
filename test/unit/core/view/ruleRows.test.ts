import { plainWords } from '../../../../src/core/base/translate';
import { strict as assert } from 'node:assert';
import type { Translate } from '../../../../src/core/base/translate';
import { inGerman } from '../../../support/german';
import type { AuditEvent } from '../../../../src/core/audit/event';
import { RecentCalls } from '../../../../src/core/audit/recentCalls';
import { bareInput } from '../../../../src/core/registry/bareInput';
import { parseBoundaries } from '../../../../src/core/policy/rules/parse';
import { presetBoundaries } from '../../../../src/core/policy/rules/presets';
import { parsePlannedCalls } from '../../../../src/core/policy/plans/plans';
import { planRows } from '../../../../src/core/present/planRows';
import { ruleRows } from '../../../../src/core/present/ruleRows';
import type { TreeRow } from '../../../../src/core/present/treeRow';

const sketch = (rows: readonly TreeRow[]): string[] =>
  rows.flatMap((row) => [`${row.label} | ${row.description}`, ...sketch(row.children()).map((line) => `  ${line}`)]);

const own = (raw: unknown) => parseBoundaries([raw], 'user').value;

describe('the rules in the tree', () => {
  const rows = (rules: Parameters<typeof ruleRows>[0]['rules'], hits = 0): readonly TreeRow[] =>
    ruleRows({
      t: plainWords,
      rules,
      preset: 'balanced',
      hitsOf: () => hits,
      fileName: (path) => `./${path}`,
    });

  it('D.tree: stand below where they come from, each with its effect, its hits and its reason', () => {
    const mine = own({ id: 'no-docs', match: { path: 'docs/**' }, decision: 'deny', reason: 'docs are closed' });
    const file = parseBoundaries(
      [{ id: 'ask-src', match: { path: 'src/**' }, decision: 'ask', reason: 'see us' }],
      'workspace',
    );
    const theirs = file.value.map((rule) => ({ ...rule, file: 'boundaries.json', line: 3 }));
    assert.deepEqual(sketch(rows([...mine, ...theirs], 2)), [
      'Rules in force | 1 denies, 1 asks',
      '  Your settings | 1',
      '    no-docs | denies · 2 hits · docs are closed',
      '  ./boundaries.json | 1',
      '    ask-src | asks · 2 hits · words of the workspace: "see us"',
    ]);
  });

  it('S1.policy: list a preset rule by rule, with its patterns as code', () => {
    const [group] = rows(presetBoundaries('balanced'));
    const [preset] = group?.children() ?? [];
    assert.equal(preset?.label, 'Preset balanced');
    const secrets = preset?.children().find(({ label }) => label === 'preset.secrets');
    assert.equal(secrets?.description, 'denies · this file usually holds secrets');
    assert.match(secrets?.tooltip() ?? '', /`path`: `\*\*\/\.env\*`/);
    assert.equal(secrets?.contextValue, 'rule.edit');
  });

  it('D.tree: show what hides in a name, and mark a rule that could not be read whole', () => {
    const [group] = rows(
      own({ id: 'a\u202eb\nc', match: { path: '**' }, decision: 'forbid', reason: '[x](command:y)' }),
    );
    const row = group?.children()[0]?.children()[0];
    assert.deepEqual([row?.label, row?.icon, row?.warns], ['a⟨U+202E⟩b⟨U+000A⟩c', 'warning', true]);
    assert.doesNotMatch(row?.tooltip() ?? '', /[^\\]\]\(command/);
  });
});

describe('the frozen plan in the tree', () => {
  it('S1.spec-freeze: says what is left, call by call', () => {
    const { value: calls } = parsePlannedCalls([
      { tool: 'write_file', arguments: { path: { glob: 'src/**' } }, count: 2 },
      { tool: 'add' },
    ]);
    const plan = { hash: 'h', title: 'Two notes', calls, frozenAt: 0, isApproved: true, used: [1, 1] };
    assert.deepEqual(sketch(planRows(plan, plainWords)), [
      'Frozen plan: Two notes | calls left: 1 of 3 · approved as a whole',
      '  write_file with path like src/** | 1 of 2 ran',
      '  add | 1 of 1 ran',
    ]);
    assert.deepEqual(planRows(undefined, plainWords), []);
  });

  it('S1.spec-freeze: says how each argument must be in the language of the person', () => {
    const { value: calls } = parsePlannedCalls([
      {
        tool: 'write_file',
        arguments: {
          path: { glob: 'src/**', regex: 'a$' },
          content: { exists: true },
          mode: { oneOf: ['a', 'b'] },
          size: { minimum: 1, maximum: 2 },
          force: { exists: false },
        },
      },
    ]);
    const plan = { hash: 'h', title: 'x', calls, frozenAt: 0, isApproved: false, used: [0] };
    const line = (t: Translate = plainWords): string => planRows(plan, t)[0]?.children()[0]?.label ?? '';
    assert.equal(
      line(),
      'write_file with path like src/** and matching a$, content given, mode one of ["a","b"], size >= 1 and <= 2, force left out',
    );
    assert.equal(
      line(inGerman),
      'write_file mit path wie src/** und passend zu a$, content angegeben, mode eines von ["a","b"], size >= 1 und <= 2, force weggelassen',
    );
  });
});

describe('the last calls of a window', () => {
  const event = (id: string, rules: readonly string[], outcome = 'success'): AuditEvent =>
    ({
      type: 'invocation.finished',
      time: 7,
      invocationId: id,
      toolId: 't',
      toolName: 't',
      actor: { type: 'agent', id: 'a' },
      accesses: [],
      outcome,
      steps: [
        { step: 'boundaries', effect: 'pass', reasons: rules.map((rule) => ({ said: { code: 'x', args: [] }, rule })) },
      ],
    }) as never;

  it('D.tree: are bounded, newest first, and count each rule once a call', () => {
    const recent = new RecentCalls();
    let told = 0;
    const listening = recent.onDidHit(() => told++);
    for (let at = 0; at < 60; at++) recent.record(event(String(at), at % 2 === 0 ? ['r', 'r'] : [], 'tool_error'));
    assert.deepEqual(
      [recent.list().length, recent.list()[0]?.invocationId, recent.list()[0]?.outcome],
      [50, '59', 'failed'],
    );
    assert.deepEqual([recent.hitsOf('r'), recent.hitsOf('s'), told], [30, 0, 30]);
    listening.dispose();
  });
});

describe('an input that a person types', () => {
  const schema = { properties: { path: { type: 'string' }, depth: { type: 'integer' } }, required: ['path'] };

  it('D.commands: is one bare value, an object, or nothing', () => {
    const input = (text: string, of: object = schema) => {
      const read = bareInput(of, text);
      return read.ok ? read.input : read.problem.code;
    };
    assert.deepEqual(
      [
        input('.env'),
        input(' "a b.txt" '),
        input('42'),
        input('{"path":"x","depth":1}'),
        input(''),
        input('{"path":'),
        input('3', { properties: { a: { type: 'number' } } }),
        input('x', { properties: { p: { type: 'string' }, c: { type: 'string' } }, required: ['p', 'c'] }),
        input('x', { properties: { p: { type: 'string' }, c: { type: 'array' } }, required: ['p', 'c'] }),
        input('x', {}),
        input('a', { properties: { paths: { type: 'array' } }, required: ['paths'] }),
      ],
      [
        { path: '.env' },
        { path: 'a b.txt' },
        { path: '42' },
        { path: 'x', depth: 1 },
        {},
        'typed_input_no_json',
        { a: 3 },
        { p: 'x', c: '' },
        'typed_input_object',
        'typed_input_object',
        { paths: ['a'] },
      ],
    );
  });
});
