import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { loadLinearRegex } from '../../../src/core/base/linearRegex';
import { parseComposed } from '../../../src/core/capability/composed';
import { CompiledRule } from '../../../src/core/policy/rules/compile';
import { parseBoundaries } from '../../../src/core/policy/rules/parse';
import { resolve as found } from '../../../src/core/resolver/resolve';
import { resolutionLines } from '../../../src/core/resolver/resolutionLines';
import type { RequirementState } from '../../../src/core/vocabulary/requirement';
import { runs } from '../../support/counts';
import { itSays, seedLines } from '../../support/seeds';

interface Row {
  readonly id: string;
  readonly severity: string;
  readonly decision: string;
  readonly exceptions: readonly string[];
  readonly match: {
    readonly side_effects_any?: readonly string[];
    readonly cost_class?: string;
    readonly risk_level?: string;
    readonly id_regex?: string;
  };
}

const resources = ['acc.brian.page', 'key.token', 'host.blog'] as const;

interface Cap {
  readonly id: string;
  readonly requires: { readonly resources: readonly (typeof resources)[number][] };
  readonly side_effects: readonly string[];
  readonly cost_class: string;
  readonly risk_level: string;
}

type States = Readonly<Record<string, RequirementState>>;

/** The statements of the document as they stand there, from line 16, each beside what does the same here. */
const statements = [
  'def resolve(cap_id):',
  'cap = load_capability(cap_id)',
  'blocking, warnings, required_actions = [], [], []',
  '# 1. Walk deps',
  'for dep_id in flatten(cap.requires):',
  'state = atom_state(dep_id) # fresh / stale / red / unknown',
  "if state == 'red':",
  'blocking.append(f"{dep_id}: red")',
  "elif state == 'stale':",
  'warnings.append(f"{dep_id}: stale")',
  'required_actions.append(f"probe:{dep_id}")',
  "elif state == 'unknown':",
  'warnings.append(f"{dep_id}: unknown")',
  'required_actions.append(f"probe:{dep_id}")',
  '# 2. Apply policy',
  'policy_blocks, policy_approvals, policy_advisories = check_policies(cap)',
  'blocking.extend(policy_blocks)',
  'if policy_approvals:',
  'required_actions.append("approval:jonah")',
  'required_actions.extend(policy_approvals)',
  'warnings.extend(policy_advisories)',
  '# 3. Decide verdict',
  'if blocking:',
  'if any(b.startswith("policy:") for b in blocking):',
  'return "blocked-by-policy"',
  'return "no"',
  'if required_actions:',
  'if any(a.startswith("approval:") for a in required_actions):',
  'return "yes-after-approval"',
  'return "yes-after-probe"',
  'return "yes"',
  'check_policies(cap) walks boundaries.json rows where severity: hard. For each rule:',
  'fired = (',
  '(m_se specified) ⇒ (m_se ∩ cap.side_effects ≠ ∅)',
  '∧ (m_cost specified) ⇒ (m_cost == cap.cost_class)',
  '∧ (m_risk specified) ⇒ (m_risk == cap.risk_level)',
  '∧ (m_id_re specified) ⇒ (re.fullmatch(m_id_re, cap.id))',
  ')',
];

/** `resolve` of the document, statement by statement. */
function asWritten(cap: Cap, states: States, rows: readonly Row[]) {
  const blocking: string[] = [];
  const warnings: string[] = [];
  const required_actions: string[] = [];
  for (const dep_id of cap.requires.resources) {
    const state = states[dep_id] ?? 'unknown';
    if (state === 'red') blocking.push(`${dep_id}: red`);
    else if (state === 'stale') {
      warnings.push(`${dep_id}: stale`);
      required_actions.push(`probe:${dep_id}`);
    } else if (state === 'unknown') {
      warnings.push(`${dep_id}: unknown`);
      required_actions.push(`probe:${dep_id}`);
    }
  }
  const policies = checkPolicies(cap, rows);
  blocking.push(...policies.blocks);
  // `docs/names.md`: who is there approves, so that nobody is named beside the rules that ask.
  required_actions.push(...policies.approvals);
  warnings.push(...policies.advisories);
  const verdict = (): string => {
    if (blocking.length > 0) return blocking.some((b) => b.startsWith('policy:')) ? 'blocked-by-policy' : 'no';
    if (required_actions.length > 0)
      return required_actions.some((a) => a.startsWith('approval:')) ? 'yes-after-approval' : 'yes-after-probe';
    return 'yes';
  };
  return { verdict: verdict(), blocking, required_actions, warnings };
}

function checkPolicies(cap: Cap, rows: readonly Row[]) {
  const found = { blocks: [] as string[], approvals: [] as string[], advisories: [] as string[] };
  for (const { id, severity, match, decision, exceptions } of rows) {
    if (severity !== 'hard' || exceptions.includes(cap.id)) continue;
    const fired =
      (match.side_effects_any === undefined || match.side_effects_any.some((one) => cap.side_effects.includes(one))) &&
      (match.cost_class === undefined || match.cost_class === cap.cost_class) &&
      (match.risk_level === undefined || match.risk_level === cap.risk_level) &&
      (match.id_regex === undefined || new RegExp(`^(?:${match.id_regex})$`).test(cap.id));
    if (!fired) continue;
    if (decision === 'deny') found.blocks.push(`policy:${id}`);
    else if (decision === 'require_approval') found.approvals.push(`approval:${id}`);
    else if (JSON.stringify(cap.requires).toLowerCase().includes('brian')) found.advisories.push(`${id}: advisory`);
    else found.blocks.push(`policy:${id}: no brian account in requirements`);
  }
  return found;
}

const ids = ['cap.publish.post', 'cap.publish.daily_blog', 'cap.mac.see_screen'];
const effects = ['writes-external', 'costs-money', 'publishes-public'];
const costs = ['free', 'metered', 'paid'];
const risks = ['low', 'medium', 'high'];
const states: readonly RequirementState[] = ['fresh', 'stale', 'red', 'unknown'];

const anyCap: fc.Arbitrary<Cap> = fc.record({
  id: fc.constantFrom(...ids),
  requires: fc.record({ resources: fc.subarray([...resources]) }),
  side_effects: fc.subarray(effects),
  cost_class: fc.constantFrom(...costs),
  risk_level: fc.constantFrom(...risks),
});

const anyRow = fc.record({
  severity: fc.constantFrom('hard', 'hard', 'soft'),
  decision: fc.constantFrom('deny', 'require_approval', 'deny_unless_brian_account'),
  exceptions: fc.subarray(ids, { maxLength: 1 }),
  match: fc.record(
    {
      side_effects_any: fc.subarray(effects, { minLength: 1 }),
      cost_class: fc.constantFrom(...costs),
      risk_level: fc.constantFrom(...risks),
      id_regex: fc.constantFrom('cap\\.publish\\..*', 'cap\\.mac', 'publish', 'cap\\.mac\\.(see_screen|listen_mic)'),
    },
    { requiredKeys: [] },
  ),
});

const resolve = (...args: Parameters<typeof found>) => resolutionLines(found(...args));

const sorted = (one: ReturnType<typeof asWritten> | ReturnType<typeof resolve>) => ({
  verdict: one.verdict,
  blocking: [...one.blocking].sort(),
  required_actions: [...one.required_actions].sort(),
  warnings: [...one.warnings].sort(),
});

describe('the code of the capability resolver', () => {
  itSays(
    4,
    15,
    'S4.resolver S4.boundaries: the same answer as its statements give, for whatever is asked',
    async () => {
      const lines = seedLines(4).map((line) => line.trim());
      assert.deepEqual(lines.slice(15, 15 + statements.length), statements);
      const regex = await loadLinearRegex();
      fc.assert(
        fc.property(
          anyCap,
          fc.array(anyRow, { maxLength: 4 }),
          fc.tuple(...resources.map(() => fc.constantFrom(...states))),
          (cap, drawn, found) => {
            const rows = drawn.map((row, index) => ({ ...row, id: `boundary.${index}`, reason: 'x' }));
            const known: States = Object.fromEntries(resources.map((id, index) => [id, found[index] ?? 'unknown']));
            const { value } = parseComposed({ name: 'x', idempotency: 'idempotent', approval_required: false, ...cap });
            assert.ok(value);
            const rules = parseBoundaries(rows, 'workspace').value.map((row) => new CompiledRule(row, regex));
            assert.deepEqual(
              sorted(resolve(value, (id) => known[id], rules)),
              sorted(asWritten(cap, known, rows)),
              JSON.stringify({ cap, rows, known }),
            );
          },
        ),
        { numRuns: runs(50, 3000, 20_000) },
      );
    },
  );

  itSays(4, 54, 'S4.boundaries: what the text says of exceptions, of rules together and of an account', async () => {
    const [together, excepted, account] = seedLines(4).slice(53, 56);
    assert.match(
      together ?? '',
      /^AND across clauses within a rule, OR across rules\..*the most restrictive verdict wins\.$/,
    );
    assert.match(excepted ?? '', /^If cap\.id ∈ rule\.exceptions, the rule is skipped entirely\.$/);
    assert.match(account ?? '', /substring "brian" \(case-insensitive\)\. If yes → advisory\. If no → block/);
    const regex = await loadLinearRegex();
    const of = (requires: object, rows: readonly object[]) => {
      const { value } = parseComposed({ id: 'cap.publish.post', name: 'x', requires, side_effects: ['costs-money'] });
      assert.ok(value);
      const rules = parseBoundaries(rows, 'workspace').value.map((row) => new CompiledRule(row, regex));
      return resolve(value, () => 'fresh', rules);
    };
    const row = { id: 'r', severity: 'hard', match: { id_regex: 'cap\\.publish\\..*' }, reason: 'x' };
    const brian = { ...row, decision: 'deny_unless_brian_account' };
    assert.deepEqual(of({ any: { deep: ['acc.BRIAN.li'] } }, [brian]).warnings, ['r: advisory']);
    assert.equal(of({ any: ['acc.other'] }, [brian]).verdict, 'blocked-by-policy');
    assert.equal(of({}, [{ ...brian, exceptions: ['cap.publish.post'] }]).verdict, 'yes');
    const asks = { ...row, id: 'asks', decision: 'require_approval' };
    const one = { ...row, id: 'one', decision: 'deny', match: { ...row.match, cost_class: 'paid' } };
    const other = { ...row, id: 'other', decision: 'deny', match: { side_effects_any: ['costs-money'] } };
    assert.equal(of({}, [asks, one]).verdict, 'yes-after-approval');
    assert.equal(of({}, [asks, one, other]).verdict, 'blocked-by-policy');
  });
});
