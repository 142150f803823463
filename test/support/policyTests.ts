import { readCaseFile } from '../../src/core/policyTests/caseFile';
import { type CaseWorld, hasPassed, judgeCase, type JudgedCase } from '../../src/core/policyTests/judgeCase';
import { noTools } from '../../src/core/policy/cases/sketchSubject';
import { PolicyEngine } from '../../src/core/policy/rules/engine';
import type { Boundary } from '../../src/core/vocabulary/boundary';

/** Judges cases that say themselves what they touch by rules alone. */
export async function judgeCases(cases: unknown, rules: readonly Boundary[]): Promise<readonly JudgedCase[]> {
  const { value, problems } = readCaseFile(
    typeof cases === 'string' ? cases : JSON.stringify(cases),
    'x.policy-test.json',
  );
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('\n'));
  const policy = new PolicyEngine(rules);
  await policy.ready;
  const preview: CaseWorld['preview'] = async () => {
    throw new Error('these cases need no gate');
  };
  const judged: JudgedCase[] = [];
  for (const one of value) judged.push(await judgeCase(one, { ...noTools, policy, preview }));
  policy.dispose();
  return judged;
}

export const failedNames = (judged: readonly JudgedCase[]): readonly string[] =>
  judged.filter((one) => !hasPassed(one)).map((one) => one.case.name);

const areas = Array.from({ length: 10 }, (_none, index) => `area${index}`);

/** A policy of fifty rules of five shapes, and the cases that its author would write for it. */
export const samplePolicy: readonly object[] = areas.flatMap((area, index) => [
  {
    id: `${area}-write`,
    match: { accessAny: ['fs.write', 'fs.delete'], path: `${area}/locked/**`, pathNot: `${area}/locked/notes/**` },
    decision: 'deny',
  },
  {
    id: `${area}-host`,
    match: { accessAny: ['network.http'], host: [`${area}.example.com`, `${area}.test`] },
    decision: 'require_approval',
  },
  { id: `${area}-command`, match: { actor: 'agent', command: `${area} deploy*` }, decision: 'deny' },
  { id: `${area}-tool`, match: { tool: `mcp:${area}:*`, riskAtLeast: 'medium' }, decision: 'require_approval' },
  {
    id: `${area}-argument`,
    match: { tool: `pay_${area}`, argument: { '/amount': { minimum: 100 + index } } },
    decision: 'deny',
  },
]);

const by = (effect: string, rule: string) => ({ effect, rule });

export const sampleCases: readonly object[] = areas.flatMap((area, index) => {
  const deny = (rule: string) => by('deny', `${area}-${rule}`);
  const ask = (rule: string) => by('ask', `${area}-${rule}`);
  const touch = (name: string, access: string, expect: unknown, more: object = {}) => ({
    name: `${area} ${name}`,
    accesses: [access],
    expect,
    ...more,
  });
  const pay = { tool: `pay_${area}`, accesses: [] };
  const server = { tool: `mcp:${area}:read`, accesses: [] };
  return [
    touch('locked write', `fs.write ${area}/locked/a`, deny('write')),
    touch('locked delete', `fs.delete ${area}/locked/a`, deny('write')),
    touch('locked read', `fs.read ${area}/locked/a`, 'pass'),
    touch('notes', `fs.write ${area}/locked/notes/a`, 'pass'),
    touch('open', `fs.write ${area}/open/a`, 'pass'),
    touch('host', `network.http https://${area}.example.com/`, ask('host')),
    touch('second host', `network.http https://${area}.test/`, ask('host')),
    touch('other host', `network.http https://other.example.com/`, 'pass'),
    touch('other top', `network.http https://other.test/`, 'pass'),
    touch('look up', `network.dns ${area}.example.com`, 'pass'),
    touch('deploy', `system.exec ${area} deploy all`, deny('command')),
    touch('test', `system.exec ${area} test`, 'pass'),
    touch('own deploy', `system.exec ${area} deploy all`, 'pass', { actor: 'user' }),
    { name: `${area} server`, ...server, risk: 'medium', expect: ask('tool') },
    { name: `${area} harmless`, ...server, risk: 'low', expect: 'pass' },
    { name: `${area} other server`, tool: 'mcp:other:read', accesses: [], risk: 'medium', expect: 'pass' },
    { name: `${area} pays`, ...pay, input: { amount: 100 + index }, expect: deny('argument') },
    { name: `${area} pays less`, ...pay, input: { amount: 99 + index }, expect: 'pass' },
    { name: `${area} other pays`, tool: 'pay', accesses: [], input: { amount: 1000 }, expect: 'pass' },
    { name: `${area} nearly pays`, tool: 'pay_nobody', accesses: [], input: { amount: 1000 }, expect: 'pass' },
  ];
});
