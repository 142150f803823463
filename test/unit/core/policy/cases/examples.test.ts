import { strict as assert } from 'node:assert';
import { exampleProblems } from '../../../../../src/core/policy/cases/examples';
import { noTools } from '../../../../../src/core/policy/cases/sketchSubject';
import { parseBoundaries } from '../../../../../src/core/policy/rules/parse';
import { examplesOf } from '../../../../../src/core/policy/rules/presetExamples';
import { presetBoundaries, presetNames } from '../../../../../src/core/policy/rules/presets';
import { runCli, temporaryWorkspace } from '../../../../support/cli';
import { engine } from '../../../../support/policy';

const rule = (examples: unknown, more: object = {}) => [
  { id: 'no-keys', match: { accessAny: ['fs.*'], path: 'keys/**' }, decision: 'deny', examples, ...more },
];

const wrong = async (raw: unknown): Promise<readonly string[]> =>
  (await exampleProblems(engine(raw).rules(), noTools)).map(({ message }) => message);

describe('examples in rules', () => {
  it('D.policy-tests: every rule of every preset carries examples for and against, and keeps them', async () => {
    for (const preset of presetNames) {
      const policy = engine([], 'user', preset);
      for (const { boundary } of policy.rules()) {
        const answers = new Set(examplesOf(boundary).map(({ expect }) => expect === 'pass'));
        assert.equal(answers.size, 2, `${preset} ${boundary.id}`);
      }
      assert.deepEqual(await exampleProblems(policy.rules(), noTools), [], preset);
    }
    assert.ok(presetBoundaries('strict').length >= 10);
  });

  it('D.policy-tests: are asked of their own rule alone; a wrong one names the call, both answers and the clause', async () => {
    const right = [
      { accesses: ['fs.read keys/a'], expect: 'deny' },
      { accesses: [{ effect: 'fs.read', resource: 'src/a' }], expect: 'pass' },
    ];
    assert.deepEqual(await wrong(rule(right)), []);
    assert.deepEqual(await wrong([...rule(right), { id: 'all', match: {}, decision: 'deny' }]), []);
    assert.deepEqual(await wrong(rule([{ accesses: ['fs.read key/a'], expect: 'deny' }])), [
      'the boundary `no-keys` has a wrong example 1 (fs.read key/a): expected deny, but the rule says pass, because of `path`',
    ]);
    assert.deepEqual(await wrong(rule([{ accesses: ['fs.read keys/a'], expect: 'pass' }], { severity: 'soft' })), [
      'the boundary `no-keys` has a wrong example 1 (fs.read keys/a): expected pass, but the rule says deny',
    ]);
  });

  it('D.policy-tests: what cannot be read of an example is a problem at its place and changes nothing of its rule', () => {
    const bad = [
      { accesses: ['fs.read'], expect: 'deny' },
      { accesses: ['fs.read a'], expect: 'no' },
      { tol: 'read_file', expect: 'deny' },
      { expect: 'deny' },
      7,
    ];
    const { value, problems } = parseBoundaries(rule(bad), 'user');
    assert.deepEqual(
      problems.map(({ code, pointer }) => `${code} ${pointer}`),
      ['0/accesses', '1/expect', '2/tol', '3', '4'].map((at) => `invalid_example /0/examples/${at}`),
    );
    assert.equal(value[0]?.faults, undefined);
    assert.deepEqual(value[0]?.examples, []);
    assert.equal(parseBoundaries(rule('none'), 'user').problems.length, 1);
  });

  it('D.policy-tests S4.validate: `validate` asks the tools what an example touches, and says the line of a wrong one', async () => {
    const text = JSON.stringify(
      [
        {
          id: 'no-keys',
          match: { accessAny: ['fs.write'], path: 'keys/**' },
          decision: 'deny',
          examples: [
            { tool: 'write_file', input: { path: './src/../keys/a', content: '' }, expect: 'deny' },
            { tool: 'read_file', input: { path: 'keys/a' }, expect: 'deny' },
            { tool: 'mcp:gone:tool', input: {}, expect: 'deny' },
          ],
        },
      ],
      undefined,
      1,
    );
    const { folder, dispose } = temporaryWorkspace({ '.vscode/capabilities/boundaries.json': text });
    const { code, text: said } = await runCli(['validate', '--workspace', folder]);
    dispose();
    const line = text.split('\n').findIndex((one) => one.includes('read_file'));
    assert.equal(code, 1);
    const rows = said.split('\n').map((one) => one.slice(one.indexOf('boundaries.json')));
    assert.equal(rows.length, 2, said);
    assert.match(
      rows[0] ?? '',
      new RegExp(`^boundaries.json:${line}:\\d+: error: .*example 2 \\(read_file .*\\[wrong_example\\]`),
    );
    assert.match(rows[1] ?? '', /information: .*there is no tool `mcp:gone:tool` here.*\[unchecked_example\]/);
  });
});
