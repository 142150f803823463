import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import type { Json } from '../../../../src/core/base/json';
import { loadLinearRegex } from '../../../../src/core/base/linearRegex';
import type { LinearRegexEngine } from '../../../../src/core/base/linearRegex';
import { exportedRules } from '../../../../src/core/exchange/exportRules';
import { formatNames, ruleFormat } from '../../../../src/core/exchange/formats';
import { importedRules } from '../../../../src/core/exchange/importRules';
import { Notes } from '../../../../src/core/exchange/statement';
import { PolicyEngine } from '../../../../src/core/policy/rules/engine';
import { parseBoundaries } from '../../../../src/core/policy/rules/parse';
import { presetBoundaries } from '../../../../src/core/policy/rules/presets';
import { accessFacts } from '../../../../src/core/policy/rules/subject';
import type { Access } from '../../../../src/core/vocabulary/access';
import { full, runs } from '../../../support/counts';
import {
  claudeSays,
  codexSays,
  cursorSays,
  folder,
  geminiSays,
  type PlainCall,
  type Said,
  vscodeSays,
  weSay,
} from '../../../support/otherPolicies';
import { type FormatName, theirFiles, ourRule } from '../../../support/drawnPolicies';

const models: Readonly<Record<FormatName, (file: string, call: PlainCall) => Said>> = {
  vscode: vscodeSays,
  claude: claudeSays,
  codex: codexSays,
  gemini: geminiSays,
  cursor: cursorSays,
};

/** What the documentation says of calls that no rule speaks of: true where they run without a question. */
const passesUnsaid = (name: FormatName, call: PlainCall): boolean => {
  if (name === 'codex') return false;
  if (call.act === 'run') return name === 'claude' && /^(?:cat|ls|grep|git status)\b/.test(call.command);
  if (call.act === 'write') return name === 'vscode';
  return call.act === 'read';
};

/** Cursor's patterns count in one case alone, which every export to it says. */
const callsOf = (name: FormatName): readonly PlainCall[] =>
  name === 'cursor'
    ? calls.filter((call) => !('path' in call) || call.path === call.path.replace('ENV', 'env'))
    : calls;
const rank: Readonly<Record<Said, number>> = { deny: 0, ask: 1, default: 2, allow: 3 };

const paths = [
  '.env',
  'a/.env',
  '.ENV',
  'src/a.ts',
  'src/b/c.ts',
  'src/b/.env',
  'keys',
  'keys/k.pem',
  'README.md',
  'x/src/a.ts',
];
const commands = [
  'git push',
  'git push origin main',
  'git status',
  'git pushx',
  'npmx run',
  'npm run build',
  'npm run',
  'npm run x > out',
  'npm test && rm -rf keys',
  'cat .env',
  'cat src/a.ts',
  'ls',
  'rm -rf keys',
  'bash -c "git push"',
  'timeout 5 npm run build',
  '/usr/bin/git push',
  'FOO=1 npm run build',
  'GIT push',
  'npm  run build',
  'npm run build | tee .env',
  'npm run $(cat .env)',
  'curl https://x.test/',
];
const urls = ['https://x.test/', 'https://sub.x.test/a', 'http://x.test/b', 'https://y.test/', 'http://127.0.0.1/'];
const calls: readonly PlainCall[] = [
  ...paths.flatMap((path) => [{ act: 'read', path } as const, { act: 'write', path } as const]),
  ...commands.map((command) => ({ act: 'run', command }) as const),
  ...urls.map((url) => ({ act: 'fetch', url }) as const),
];
const list = <T>(entry: fc.Arbitrary<T>) => fc.array(entry, { maxLength: 4 });

describe('rules of other tools', () => {
  let regex: LinearRegexEngine;
  before(async () => {
    regex = await loadLinearRegex();
  });

  const engineOf = async (raw: unknown): Promise<PolicyEngine> => {
    const engine = new PolicyEngine(parseBoundaries(raw, 'user').value, () => Promise.resolve(regex));
    await engine.ready;
    return engine;
  };

  for (const name of formatNames) {
    it(`what is imported from ${name} never allows more than that file did`, async () => {
      const format = await ruleFormat(name);
      await fc.assert(
        fc.asyncProperty(theirFiles[name], async (file) => {
          const rows = importedRules(format.read(file, { folder, home: '/home/me' }, new Notes()), format);
          const engine = await engineOf(JSON.parse(JSON.stringify(rows)));
          assert.deepEqual(
            engine.boundaries.flatMap(({ faults }) => faults ?? []),
            [],
          );
          for (const call of calls) {
            const theirs = models[name](file, call);
            const ours = weSay(engine, format.agent, format.tools[call.act]?.[0] ?? 'x', call);
            const most = theirs === 'default' && passesUnsaid(name, call) ? rank.allow : rank[theirs];
            // Words are made for what fails alone: making them for every call took a third of the time.
            if (rank[ours] > most)
              assert.fail(`${JSON.stringify(call)}: here ${ours}, there ${theirs}\n${file}\n${JSON.stringify(rows)}`);
          }
          engine.dispose();
        }),
        { numRuns: runs(10, 200, 4000) },
      );
    });

    it(`what is exported to ${name} never allows more than the rules here do`, async () => {
      const format = await ruleFormat(name);
      await fc.assert(
        fc.asyncProperty(list(ourRule), fc.boolean(), async (rules, strict) => {
          const engine = await engineOf(rules.map((one, index) => ({ id: `r${index}`, ...one })));
          const file = exportedRules(engine.boundaries, format, new Notes(), { strict, regex });
          for (const call of callsOf(name)) {
            const theirs = models[name](file, call);
            // One entry there is about all tools of the act.
            for (const tool of format.tools[call.act] ?? []) {
              const ours = weSay(engine, format.agent, tool, call);
              const told = (): string =>
                `${tool} ${JSON.stringify(call)}: here ${ours}, there ${theirs}\n${file}\n${JSON.stringify(rules)}`;
              if (theirs === 'allow' && ours !== 'allow') assert.fail(told());
              if (theirs === 'default' && passesUnsaid(name, call) && rank[ours] < rank.default) assert.fail(told());
            }
          }
          engine.dispose();
        }),
        { numRuns: runs(10, 200, 4000) },
      );
    });
  }

  it('what another tool allows plainly is allowed here, and the other way round', async () => {
    const file = JSON.stringify({
      permissions: {
        allow: ['Bash(npm run *)', 'Edit(/src/**)', 'WebFetch(domain:x.test)'],
        deny: ['Bash(rm *)'],
        ask: ['Read(keys)'],
      },
    });
    const format = await ruleFormat('claude');
    const notes = new Notes();
    const engine = await engineOf(importedRules(format.read(file, { folder }, notes), format));
    const said = (call: PlainCall): Said => weSay(engine, 'claude', format.tools[call.act]?.[0] ?? '', call);
    assert.equal(said({ act: 'run', command: 'npm run build' }), 'allow');
    assert.equal(said({ act: 'run', command: 'npm run build; rm -rf keys' }), 'deny');
    assert.equal(said({ act: 'write', path: 'src/b/c.ts' }), 'allow');
    assert.equal(said({ act: 'fetch', url: 'https://x.test/' }), 'allow');
    assert.equal(said({ act: 'read', path: 'a/keys/k.pem' }), 'ask');
    assert.deepEqual(notes.problems, []);

    const ours = await engineOf([
      { id: 'src', match: { accessAny: ['fs.read', 'fs.write'], path: 'src/**' }, decision: 'allow' },
    ]);
    for (const name of ['claude', 'cursor'] as const) {
      const text = exportedRules(ours.boundaries, await ruleFormat(name), new Notes(), { strict: false, regex });
      assert.equal(models[name](text, { act: 'write', path: 'src/a.ts' }), 'allow', text);
    }
  });

  it('an entry that is about several tools is only as wide as a rule here about all of them', async () => {
    const written = async (name: FormatName, rule: object): Promise<string> => {
      const engine = await engineOf([{ id: 'one', ...rule }]);
      return exportedRules(engine.boundaries, await ruleFormat(name), new Notes(), { strict: false, regex });
    };
    const write = { act: 'write', path: 'a.txt' } as const;
    for (const [tool, said] of [
      ['{Edit,Write,MultiEdit,NotebookEdit}', 'allow'],
      ['Edit', 'default'],
      ['{Write,MultiEdit,NotebookEdit}', 'default'],
    ] as const)
      assert.equal(claudeSays(await written('claude', { match: { tool }, decision: 'allow' }), write), said);
    for (const [tool, said] of [
      ['Edit', 'deny'],
      ['Write', 'ask'],
      ['Read', 'default'],
    ] as const)
      assert.equal(claudeSays(await written('claude', { match: { tool }, decision: 'deny' }), write), said);
    const read = { act: 'read', path: 'a.txt' } as const;
    assert.equal(geminiSays(await written('gemini', { match: { tool: 'glob' }, decision: 'deny' }), read), 'ask');
  });

  it('what is imported about commands holds whatever the agent calls the line, and patches are edits', async () => {
    const permissions = { deny: ['Bash(git push:*)'], allow: ['Bash(npm run x)', 'Read', 'Edit(/src/**)'] };
    const format = await ruleFormat('claude');
    const rows = importedRules(format.read(JSON.stringify({ permissions }), { folder }, new Notes()), format);
    const engine = await engineOf(rows);
    const said = (tool: string, input: Json, ...accesses: readonly Access[]): Said => {
      const { effect, waivedBy } = engine.decide({
        capabilityId: 'host_codex',
        capabilityAliases: [],
        tool: { id: `host:codex:${tool}`, names: [tool] },
        sideEffects: [],
        costClass: 'free',
        riskLevel: 'medium',
        source: 'host',
        actor: 'agent',
        input,
        accesses: accesses.map((access) => accessFacts(access)),
        requires: [],
      });
      return effect !== 'pass' ? effect : waivedBy.length > 0 ? 'allow' : 'default';
    };
    const reads = { effect: 'fs.read', resource: 'a.txt' } as const;
    for (const name of ['command', 'cmd', 'script', 'input']) {
      assert.equal(said('shell', { [name]: 'x; git push origin' }, reads), 'deny', name);
      assert.equal(said('shell', { [name]: 'cat a.txt' }, reads), 'default', name);
    }
    const runs = { effect: 'system.exec', resource: 'npm run x' } as const;
    assert.equal(said('exec_command', { cmd: 'npm run x' }, runs), 'allow');
    assert.equal(said('exec_command', { cmd: 'npm run x', script: 'y' }, runs), 'default');
    const writes = ['fs.read', 'fs.write'].map((effect) => ({ effect, resource: 'src/a.ts' }) as Access);
    assert.equal(said('apply_patch', { input: '*** Begin Patch' }, ...writes), 'allow');
    assert.equal(said('other_tool', { input: 'git push' }, reads), 'default');
  });

  it('what an expression asks about may go on within its last word', async () => {
    const settings = { 'chat.tools.terminal.autoApprove': { '/^rm/': false } };
    const format = await ruleFormat('vscode');
    const rows = importedRules(format.read(JSON.stringify(settings), { folder }, new Notes()), format);
    const engine = await engineOf(rows);
    for (const command of ['rm a', 'rmdir a', 'rm'])
      assert.equal(weSay(engine, 'vscode', 'run_in_terminal', { act: 'run', command }), 'ask', command);
    assert.equal(weSay(engine, 'vscode', 'run_in_terminal', { act: 'run', command: 'ls' }), 'default');
    assert.deepEqual(rows[0]?.match.command, ['rm*', '*/rm*']);
  });

  it('what cannot be said on the other side is told, entry by entry', async () => {
    const read = async (name: FormatName, text: string): Promise<readonly string[]> => {
      const notes = new Notes();
      (await ruleFormat(name)).read(text, { folder, home: '/home/me' }, notes);
      return notes.problems.map(({ code, message }) => `${code}: ${/`[^`]*`/.exec(message)?.[0] ?? ''}`);
    };
    assert.deepEqual(
      await read(
        'claude',
        JSON.stringify({
          permissions: { allow: ['Bash', 'Read(!x)', 'Agent(x)'], ask: ['Read(!x)'], defaultMode: 'auto' },
        }),
      ),
      [
        'import_no_rule: `permissions.defaultMode`',
        'import_widened: `Read(!x)`',
        'import_dropped: `Bash`',
        'import_dropped: `Read(!x)`',
        'import_dropped: `Agent(x)`',
      ],
    );
    assert.deepEqual(await read('codex', 'prefix_rule(pattern = ["a b"])\nhost_executable(name = "git")'), [
      'import_no_rule: `host_executable`',
      'import_dropped: `prefix_rule([["a b"]])`',
    ]);
    assert.deepEqual(
      await read(
        'vscode',
        '{ "chat.tools.urls.autoApprove": { "https://x.test": true }, "chat.tools.global.autoApprove": true }',
      ),
      ['import_no_rule: `chat.tools.global.autoApprove`', 'import_dropped: `https://x.test`'],
    );
    for (const [name, text] of [
      ['claude', '{'],
      ['claude', '{"permissions":{"deny":"Bash"}}'],
      ['codex', 'for x in y: prefix_rule(pattern = ["a"])'],
      ['codex', 'prefix_rule(pattern = ["a" + "b"])'],
      ['gemini', '[[rule'],
      ['vscode', '[]'],
    ] as const)
      await assert.rejects(read(name, text), /cannot be read as rules of/, `${name} ${text}`);
  });

  it('a denial that another tool can say is a denial there', async () => {
    const engine = await engineOf([
      { id: 'env', match: { accessAny: ['fs.*'], path: '**/.env' }, decision: 'deny' },
      { id: 'host', match: { accessAny: ['network.*'], host: 'x.test' }, decision: 'deny' },
      { id: 'push', match: { command: 'git push*' }, decision: 'deny' },
    ]);
    for (const name of ['claude', 'gemini', 'cursor', 'codex'] as const) {
      const format = await ruleFormat(name);
      const file = exportedRules(engine.boundaries, format, new Notes(), { strict: false, regex });
      const denied: PlainCall[] = [{ act: 'run', command: 'git push origin main' }];
      if (name !== 'codex')
        denied.push(
          { act: 'read', path: 'a/.env' },
          { act: 'write', path: '.env' },
          { act: 'fetch', url: 'https://x.test/' },
        );
      for (const call of denied)
        assert.equal(models[name](file, call), 'deny', `${name} ${JSON.stringify(call)}\n${file}`);
    }
  });

  it('the presets can be written for every tool, and each says what cannot be said there', async () => {
    for (const preset of full ? (['strict', 'balanced', 'open'] as const) : (['balanced'] as const))
      for (const name of formatNames) {
        const notes = new Notes();
        const format = await ruleFormat(name);
        const rules = presetBoundaries(preset);
        const engine = new PolicyEngine(rules);
        const file = exportedRules(rules, format, notes, { strict: false, regex });
        for (const call of callsOf(name)) {
          const [tool] = format.tools[call.act] ?? [];
          if (tool === undefined || !passesUnsaid(name, call) || models[name](file, call) !== 'default') continue;
          assert.equal(weSay(engine, format.agent, tool, call), 'default', `${preset} ${name} ${JSON.stringify(call)}`);
        }
        assert.ok(notes.problems.length > 0, `${preset} ${name}`);
        engine.dispose();
      }
  });
});
