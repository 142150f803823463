import { strict as assert } from 'node:assert';
import type { PolicyFile } from '../../../../src/core/policy/rules/boundaryFile';
import { isResolverFile, readWorkspaceRows, crossChecks } from '../../../../src/core/resolver/workspace';

const folder = '.vscode/capabilities';

/** A workspace without a fault: the spellings of the tables, one row of everything. */
function clean(): Record<string, unknown> {
  return {
    'requirements.json': [
      {
        id: 'acc.ada.page',
        kind: 'account',
        critical: true,
        freshness_budget_hours: 12,
        probe: { type: 'http', url: 'https://api.example.com/me', headers: { Authorization: 'Bearer ${secret:page}' } },
      },
      { id: 'key.page_token', kind: 'key', critical: true, probe: { type: 'secret', name: 'page' } },
      { id: 'chan.agency_pipeline', kind: 'channel' },
      { id: 'bin.git', kind: 'binary', probe: { type: 'command', command: 'git', args: ['--version'] } },
      { id: 'key.bank', kind: 'key' },
    ],
    'grants.json': [{ from_party: 'ada', to_party: 'agency', scope_account: 'acc.ada.page' }],
    'boundaries.json': [
      {
        id: 'money',
        severity: 'hard',
        match: { side_effects_any: ['costs-money', 'payments'] },
        decision: 'require_approval',
        exceptions: [],
        reason: 'money asks',
      },
      {
        id: 'paid',
        severity: 'hard',
        match: { side_effects_any: ['costs-money'], cost_class: 'paid' },
        decision: 'deny',
        exceptions: [],
        reason: 'off',
      },
      {
        id: 'only-ada',
        severity: 'hard',
        match: { id_regex: '^cap\\.publish\\..*' },
        decision: 'deny_unless_ada_account',
        exceptions: ['cap.publish.blog'],
        reason: 'only Ada',
      },
      {
        id: 'watch',
        severity: 'soft',
        match: { side_effects_any: ['publishes-public'] },
        decision: 'deny',
        reason: 'trial',
      },
      { id: 'look-twice', severity: 'hard', match: { risk_level: 'high' }, decision: 'advise', reason: 'look' },
      {
        id: 'secrets',
        match: { access_any: ['fs.read'], path: '**/*.secret' },
        decision: 'deny',
        reason: 'secrets',
        steer: 'ask',
      },
    ],
    'cap.publish.page.capability.json': {
      id: 'cap.publish.page',
      requires: { resources: ['acc.ada.page', 'key.page_token', 'chan.agency_pipeline'] },
      side_effects: ['writes-external', 'publishes-public'],
      risk_level: 'high',
      cost_class: 'free',
      idempotency: 'non-idempotent',
      approval_required: false,
      freshness_budget_hours: 24,
    },
    'cap.publish.blog.capability.json': {
      id: 'cap.publish.blog',
      requires: { resources: ['bin.git'] },
      side_effects: [],
      risk_level: 'low',
      cost_class: 'free',
    },
    'cap.shop.charge.capability.json': {
      id: 'cap.shop.charge',
      requires: { resources: ['key.bank'] },
      side_effects: ['costs-money'],
      risk_level: 'critical',
      cost_class: 'metered',
    },
  };
}

const files = (contents: Record<string, unknown>): readonly PolicyFile[] =>
  Object.entries(contents).map(([name, value]) => ({
    path: `${folder}/${name}`,
    text: typeof value === 'string' ? value : JSON.stringify(value, null, 2),
  }));

const problemsOf = async (contents: Record<string, unknown>) => {
  const rows = readWorkspaceRows(files(contents));
  return [...rows.ruleProblems, ...rows.problems, ...(await crossChecks(rows, { registered: [] }))];
};

type Rows = { [key: string]: any };
const row = (contents: Record<string, unknown>, file: string, index: number): Rows =>
  (contents[file] as Rows[])[index]!;

describe('validate', () => {
  it('S4.validate: finds nothing in a clean set', async () => {
    assert.deepEqual(await problemsOf(clean()), []);
    assert.ok(files(clean()).every((file) => isResolverFile(file.path)));
  });

  const faults: [name: string, code: string, inject: (contents: Record<string, unknown>) => void, line?: RegExp][] = [
    [
      'a critical requirement loses its probe',
      'critical_without_probe',
      (c) => delete row(c, 'requirements.json', 0)['probe'],
      /"id": "acc.ada.page"/,
    ],
    [
      'a delegation from nobody',
      'unknown_delegation',
      (c) => (row(c, 'grants.json', 0)['from_party'] = 'ghost'),
      /"from_party": "ghost"/,
    ],
    [
      'a delegation to nobody',
      'unknown_delegation',
      (c) => (row(c, 'grants.json', 0)['to_party'] = 'ghost'),
      /"to_party": "ghost"/,
    ],
    [
      'a delegation of no account',
      'unknown_delegation',
      (c) => (row(c, 'grants.json', 0)['scope_account'] = 'acc.ada.other'),
      /"scope_account"/,
    ],
    ['a delegation without a field', 'invalid_delegation', (c) => delete row(c, 'grants.json', 0)['to_party']],
    [
      'money that no boundary covers',
      'money_without_boundary',
      (c) => (row(c, 'boundaries.json', 0)['exceptions'] = ['cap.shop.charge']),
    ],
    ['a capability that requires an orphan', 'unknown_requirement', (c) => (c['requirements.json'] as unknown[]).pop()],
    [
      'an exception for nothing',
      'unknown_exception',
      (c) => row(c, 'boundaries.json', 2)['exceptions'].push('cap.publish.bolg'),
      /"exceptions"|"id": "only-ada"/,
    ],
    [
      'an account that nothing names',
      'unknown_account',
      (c) => (row(c, 'boundaries.json', 2)['decision'] = 'deny_unless_ghost_account'),
      /deny_unless_ghost/,
    ],
    [
      'an unknown clause',
      'invalid_boundary',
      (c) => (row(c, 'boundaries.json', 1)['match']['colour'] = 'red'),
      /"colour"|red/,
    ],
    [
      'an unknown decision',
      'invalid_boundary',
      (c) => (row(c, 'boundaries.json', 1)['decision'] = 'forbid'),
      /"decision": "forbid"/,
    ],
    ['an unknown severity', 'invalid_boundary', (c) => (row(c, 'boundaries.json', 1)['severity'] = 'medium')],
    ['an unknown risk', 'invalid_boundary', (c) => (row(c, 'boundaries.json', 4)['match']['risk_level'] = 'extreme')],
    [
      'a malformed expression',
      'invalid_boundary',
      (c) => (row(c, 'boundaries.json', 2)['match']['id_regex'] = '^cap\\.(publish'),
    ],
    ['a malformed glob', 'invalid_boundary', (c) => (row(c, 'boundaries.json', 5)['match']['path'] = 'src/[a-')],
    [
      'a glob of too many braces',
      'invalid_boundary',
      (c) => (row(c, 'boundaries.json', 5)['match']['path'] = '{a,b}'.repeat(20)),
    ],
    ['a boundary without an id', 'invalid_boundary', (c) => delete row(c, 'boundaries.json', 1)['id']],
    [
      'a boundary that is there twice',
      'duplicate_boundary',
      (c) =>
        (c['boundaries.json'] as unknown[]).push({ ...row(c, 'boundaries.json', 4), match: { risk_level: 'medium' } }),
    ],
    [
      'an expression that matches no id',
      'never_matches',
      (c) => (row(c, 'boundaries.json', 2)['match']['id_regex'] = 'cap\\.publish'),
    ],
    [
      'a rule that another one shadows',
      'shadowed',
      (c) =>
        (c['boundaries.json'] as unknown[]).push({
          id: 'needless',
          match: { side_effects_any: ['payments'] },
          decision: 'require_approval',
        }),
    ],
    [
      'clauses that exclude each other',
      'contradictory',
      (c) => (row(c, 'boundaries.json', 5)['match']['host'] = 'example.com'),
    ],
    [
      'a rule whose exceptions are all that it matches',
      'dead',
      (c) =>
        (c['boundaries.json'] as unknown[]).push({
          id: 'd',
          match: { capability: 'cap.shop.charge' },
          exceptions: ['cap.shop.charge'],
          decision: 'deny',
        }),
    ],
    [
      'an allow from the workspace',
      'cannot_loosen',
      (c) => (c['boundaries.json'] as unknown[]).push({ id: 'a', match: { path: 'src/**' }, decision: 'allow' }),
    ],
    [
      'a probe of an unknown type',
      'invalid_requirement',
      (c) => (row(c, 'requirements.json', 3)['probe']['type'] = 'telepathy'),
    ],
    [
      'a probe that would change something',
      'invalid_requirement',
      (c) => (row(c, 'requirements.json', 0)['probe']['method'] = 'POST'),
    ],
    [
      'a freshness budget of nothing',
      'invalid_requirement',
      (c) => (row(c, 'requirements.json', 0)['freshness_budget_hours'] = -1),
    ],
    [
      'a requirement that is there twice',
      'duplicate_requirement',
      (c) => (c['requirements.json'] as unknown[]).push({ id: 'bin.git', kind: 'binary' }),
    ],
    [
      'a misspelled key of a requirement',
      'invalid_requirement',
      (c) => (row(c, 'requirements.json', 0)['freshnes'] = 3),
    ],
    [
      'a capability of unknown risk',
      'invalid_capability',
      (c) => ((c['cap.publish.blog.capability.json'] as Rows)['risk_level'] = 'extreme'),
    ],
    [
      'a capability without an id',
      'invalid_capability',
      (c) => delete (c['cap.publish.blog.capability.json'] as Rows)['id'],
    ],
    [
      'a file that is no JSON',
      'json_syntax',
      (c) => (c['requirements.json'] = `${JSON.stringify(clean()['requirements.json'], null, 2).slice(0, -1)}`),
    ],
    ['a file that holds null', 'invalid_file', (c) => (c['grants.json'] = 'null')],
    ['an empty file', 'json_syntax', (c) => (c['grants.json'] = '')],
    ['a file of comments alone', 'json_syntax', (c) => (c['requirements.json'] = '// nothing')],
    ['a row that is no object', 'invalid_file', (c) => (c['grants.json'] as unknown[]).push(5)],
    [
      'a delegation that is there twice',
      'duplicate_delegation',
      (c) => (c['grants.json'] as unknown[]).push(row(c, 'grants.json', 0)),
    ],
    [
      'a misspelled key of a delegation',
      'unknown_property',
      (c) => (row(c, 'grants.json', 0)['scope_acount'] = 'x'),
      /"scope_acount"/,
    ],
    [
      'a key that a probe of this type does not have',
      'invalid_requirement',
      (c) => (row(c, 'requirements.json', 3)['probe']['arguments'] = []),
      /"arguments"/,
    ],
    [
      'a command line where a program belongs',
      'invalid_requirement',
      (c) => (row(c, 'requirements.json', 3)['probe']['command'] = 'git --version && rm x'),
      /"command": "git --version/,
    ],
    [
      'a probe of no address',
      'invalid_requirement',
      (c) => (row(c, 'requirements.json', 0)['probe']['url'] = 'https://'),
      /"url"/,
    ],
    ['a kind that is no word', 'invalid_requirement', (c) => (row(c, 'requirements.json', 4)['kind'] = 7), /"kind": 7/],
    [
      'an account beside a decision that names another',
      'invalid_boundary',
      (c) => (row(c, 'boundaries.json', 2)['account'] = 'bob'),
      /"account": "bob"/,
    ],
    [
      'a look-ahead, which no linear engine knows',
      'invalid_boundary',
      (c) => (row(c, 'boundaries.json', 2)['match']['id_regex'] = '(?=a)'),
      /"id_regex"/,
    ],
    ['a file that is no array', 'invalid_boundary', (c) => (c['boundaries.json'] = { boundaries: [] })],
  ];
  it('S4.validate: reads what a person may write: a byte order mark, comments, trailing commas, line ends of Windows, every spelling of a decision', async () => {
    const contents = clean();
    const text = JSON.stringify(contents['boundaries.json'], null, 2);
    contents['boundaries.json'] = `\ufeff// rules\r\n${text.replaceAll('\n', '\r\n').slice(0, -1)}, /* the end */ ]`;
    assert.deepEqual(await problemsOf(contents), []);
    for (const decision of [
      'deny_unless_ADA_account',
      'deny-unless-ada-account',
      'denyUnlessAdaAccount',
      'DENY_UNLESS_ADA_ACCOUNT',
    ]) {
      const spelled = clean();
      row(spelled, 'boundaries.json', 2)['decision'] = decision;
      assert.deepEqual(await problemsOf(spelled), [], decision);
    }
    for (const decision of [
      'deny_unless__account',
      'deny_unless_account',
      'denyUnlessAccount',
      'deny_unless-ada_account',
      'denyunlessadaaccount',
    ]) {
      const spelled = clean();
      row(spelled, 'boundaries.json', 2)['decision'] = decision;
      assert.notDeepEqual(await problemsOf(spelled), [], decision);
    }
  });

  it('S4.validate: a file that cannot be read is one problem, not one for everything that would have stood in it', async () => {
    for (const [name, text] of [
      ['boundaries.json', '['],
      ['boundaries.json', '{}'],
      ['requirements.json', ''],
      ['requirements.json', '"x"'],
    ] as const) {
      const contents = clean();
      contents[name] = text;
      const found = (await problemsOf(contents)).filter((one) => one.severity === 'error');
      assert.deepEqual([...new Set(found.map((one) => one.file))], [`${folder}/${name}`], JSON.stringify(found));
    }
  });

  for (const [name, code, inject, line] of faults) {
    it(`S4.validate: finds ${name}`, async () => {
      const contents = clean();
      inject(contents);
      const found = (await problemsOf(contents)).filter((one) => one.code === code);
      assert.ok(found.length > 0, JSON.stringify(await problemsOf(contents)));
      for (const problem of found) {
        assert.match(problem.file ?? '', /^\.vscode\/capabilities\//);
        assert.ok(problem.line !== undefined && problem.line >= 1 && problem.column !== undefined);
      }
      if (line) {
        const text = files(contents).find((file) => file.path === found[0]?.file)?.text ?? '';
        const lines = text.split('\n').slice((found[0]?.line ?? 1) - 1, (found[0]?.line ?? 1) + 1);
        assert.match(lines.join('\n'), line);
      }
    });
  }
});
