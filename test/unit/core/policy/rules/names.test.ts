import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import type { ToolSource } from '../../../../../src/core/vocabulary/toolSource';
import type { RegisteredTool } from '../../../../../src/core/registry/registry';
import { CapabilityRegistry } from '../../../../../src/core/registry/registry';
import { subjectOf } from '../../../../../src/core/policy/rules/subject';
import { hostTools } from '../../../../../src/core/hooks/hostTools';
import { RateWindows } from '../../../../../src/core/policy/limits/rates';
import { parseLimits } from '../../../../../src/core/policy/limits/limitSettings';
import { sketchSubject } from '../../../../../src/core/policy/cases/sketchSubject';
import { policyDifference } from '../../../../../src/core/policy/cases/difference';
import { capabilityOf, definition } from '../../../../support/gate';
import { runs } from '../../../../support/counts';
import { engine, read } from '../../../../support/policy';

const ours = capabilityOf(
  definition({ name: 'read_file', aliases: ['file-read', 'file_read'] }),
  {},
  { id: 'file_system', aliases: ['session_file_system'], source: { type: 'builtin' } },
);

/** What others can bring whose names are spelled as ours are, each with the id of its capability. */
const brought: readonly (readonly [ToolSource, id: string, tool: string])[] = [
  [{ type: 'mcp', server: 'evil' }, 'mcp_evil', 'read_file'],
  [{ type: 'mcp', server: 'read' }, 'mcp_read', 'file'],
  [{ type: 'mcp', server: 'file' }, 'mcp_file', 'read'],
  [{ type: 'mcp', server: 'file-read' }, 'mcp_file_read', 'file-read'],
  [{ type: 'mcp', server: 'cap' }, 'mcp_cap', 'read_file'],
  [{ type: 'extension', extensionId: 'read' }, 'ext_read', 'file'],
  [{ type: 'extension', extensionId: 'evil.read' }, 'ext_evil', 'read_file'],
  [{ type: 'definition', file: 'a.json' }, 'file', 'read'],
  [{ type: 'definition', file: 'a.json' }, 'evil', 'read_file'],
  [{ type: 'channel', channel: 'read' }, 'read', 'file'],
];

/** Our tool and one of others in one registry, in either order, and the names by which it finds ours. */
function both(which: (typeof brought)[number], isFirst: boolean, aliases: readonly string[]) {
  const registry = new CapabilityRegistry();
  const [source, id, name] = which;
  const theirs = capabilityOf(definition({ name, aliases }), {}, { id, source, aliases: ['session_file_system'] });
  const held = (isFirst ? [theirs, ours] : [ours, theirs]).map((one) => registry.register(one));
  const [own, other] = ['builtin', source.type].map((type) => registry.tools().find((one) => one.source.type === type));
  assert.ok(own && other);
  const names = registry.toolNames().filter((name) => registry.tool(name) === own);
  const shown = { id: other.id, modelName: other.modelName };
  for (const one of held) one.dispose();
  registry.dispose();
  return { own, other: { ...other, ...shown }, names };
}

const actor = { type: 'agent', id: 'a' } as const;
const effectOf = (policy: ReturnType<typeof engine>, tool: RegisteredTool): string =>
  policy.decide(subjectOf({ tool, capability: tool.capability, actor, input: {} }, [read('secret/a')])).effect;
const excepting = (name: string) =>
  engine([{ id: 'r', match: { path: 'secret/**' }, decision: 'deny', exceptions: [name] }]);
const requests = (of: RegisteredTool, tools: Record<string, string>, perTool: string): number => {
  const windows = new RateWindows([parseLimits({ perTool, tools }).value]);
  let passed = 0;
  for (; passed < 50 && !windows.denial(of, passed); passed++) windows.count(of, passed);
  return passed;
};

describe('names that others give their tools', () => {
  const someone = fc.record({
    which: fc.constantFrom(...brought),
    isFirst: fc.boolean(),
    aliases: fc.subarray(['read_file', 'file_read']),
  });

  it('what loosens for a name of ours never loosens for a tool of others, however that is called', () => {
    fc.assert(
      fc.property(someone, ({ which, isFirst, aliases }) => {
        const { own, other, names } = both(which, isFirst, aliases);
        assert.ok(names.includes('read_file') && names.includes('cap_read_file'));
        for (const name of [...names, own.id, 'file_system', 'session_file_system']) {
          assert.equal(effectOf(excepting(name), own), 'pass', name);
          assert.equal(effectOf(excepting(name), other), 'deny', `${name} for ${other.id}`);
        }
        for (const match of [...names.map((tool) => ({ tool })), { capability: 'session_file_system' }]) {
          const policy = engine([{ id: 'a', match, decision: 'allow' }], 'user', 'strict');
          const subject = (tool: RegisteredTool) => ({
            ...subjectOf({ tool, capability: tool.capability, actor, input: {} }, []),
            riskLevel: 'high' as const,
          });
          assert.deepEqual(
            [own, other].map((tool) => policy.decide(subject(tool)).effect),
            ['pass', 'ask'],
            JSON.stringify([match, other.id]),
          );
        }
        for (const name of names) assert.equal(requests(other, { [name]: '40 per 1h' }, '3 per 1h'), 3, name);
      }),
      { numRuns: runs(30, 300) },
    );
  });

  it('what restricts holds for every tool of that name, and what loosens for the one that it names exactly', () => {
    for (const which of brought) {
      const { own, other } = both(which, false, []);
      for (const name of [other.definition.name, other.modelName, other.id, ...(other.knownAs ?? [])]) {
        const deny = engine([{ id: 'r', match: { tool: name.toUpperCase() }, decision: 'deny' }]);
        assert.equal(effectOf(deny, other), 'deny', name);
        assert.equal(requests(other, { [name]: '2 per 1h' }, '9 per 1h'), 2, name);
      }
      for (const name of [other.id, other.modelName]) {
        assert.deepEqual(
          [own, other].map((tool) => effectOf(excepting(name), tool)),
          ['deny', 'pass'],
          name,
        );
        assert.equal(requests(other, { [name]: '12 per 1h' }, '9 per 1h'), 12, name);
      }
    }
    const { own } = both(brought[0]!, false, []);
    assert.equal(effectOf(engine([{ id: 'r', match: { tool: 'cap_read_file' }, decision: 'deny' }]), own), 'deny');
    assert.equal(requests(own, { cap_read_file: '2 per 1h' }, '9 per 1h'), 2);
  });

  it('an exception of an allow restricts it, so it holds for every name', () => {
    const { other } = both(brought[0]!, false, []);
    const rule = { id: 'a', match: { tool: 'mcp:evil:*' }, decision: 'allow', exceptions: ['read_file'] };
    const subject = {
      ...subjectOf({ tool: other, capability: other.capability, actor, input: {} }, []),
      riskLevel: 'high' as const,
    };
    assert.equal(engine([rule], 'user', 'strict').decide(subject).effect, 'ask');
  });

  it('a tool that another agent only knows from a server is loosened by its id alone', () => {
    const find = hostTools(
      () => assert.fail('no file is asked for'),
      () => Promise.resolve(false),
      () => assert.fail('no skill is asked for'),
    );
    const effects = (id: string, name: string) => effectOf(excepting(name), find(id) ?? assert.fail(id));
    assert.equal(effects('host:claude:read_file', 'read_file'), 'deny');
    assert.equal(effects('host:opencode:read_file', 'read_file'), 'deny');
    assert.equal(effects('host:claude:read_file', 'host:claude:read_file'), 'pass');
    assert.equal(effects('host:claude:Bash', 'Bash'), 'pass');
  });

  it('a case that names a tool of others is judged by the bare name where that restricts, and not where it loosens', async () => {
    const world = { tool: () => undefined, describe: async () => undefined };
    const subject = await sketchSubject({ tool: 'mcp:evil:read_file', accesses: [read('secret/a')] }, world);
    assert.equal(engine([{ id: 'r', match: { tool: 'read_file' }, decision: 'deny' }]).decide(subject).effect, 'deny');
    assert.equal(excepting('read_file').decide(subject).effect, 'deny');
  });

  it('the difference of two policies has a call of others where only that tells them apart', () => {
    const difference = policyDifference(
      excepting('read_file'),
      engine([
        { id: 'r', match: { path: 'secret/**' }, decision: 'deny', exceptions: ['read_file', 'mcp:other:read_file'] },
      ]),
    );
    assert.deepEqual(
      difference.witnesses.map(({ subject }) => subject.tool?.id),
      ['mcp:other:read_file'],
    );
  });
});
