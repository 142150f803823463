import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { hostAccesses } from '../../../src/core/hooks/hostAccesses';
import { hostToolRow } from '../../../src/core/hooks/hostToolTable';
import { callAccesses } from '../../../src/core/gate/steps';
import { CompiledRule } from '../../../src/core/policy/rules/compile';
import { accessFacts } from '../../../src/core/policy/rules/subject';
import { PolicyEngine } from '../../../src/core/policy/rules/engine';
import { parseBoundaries } from '../../../src/core/policy/rules/parse';
import { placesOf } from '../../../src/core/policy/rules/placedPatterns';
import { checkSetting } from '../../../src/core/settings/settingChecks';
import { SessionRoots } from '../../../src/node/files/sessionRoots';
import { NodeFileSystem } from '../../../src/node/nodeFileSystem';
import { fakeCall } from '../../support/gateCall';
import { openSystem } from '../../support/system';

const rules = (...paths: readonly string[]) =>
  paths.map((one, at) => ({ id: `r${at}`, match: { path: one }, decision: 'deny' }));

/** What rules say about a call where the places lie as the files say. */
function effectOf(raw: unknown, files: NodeFileSystem, call: ReturnType<typeof fakeCall>): string {
  const policy = new PolicyEngine(parseBoundaries(raw, 'user').value, undefined, placesOf(files));
  const { effect } = policy.judge(call, call.accesses);
  policy.dispose();
  return effect;
}

describe('a rule about a place holds for every spelling of it', () => {
  let base = '';
  before(() => {
    base = realpathSync(mkdtempSync(path.join(tmpdir(), 'spellings-')));
    for (const folder of ['prod/secret', 'two/secret']) mkdirSync(path.join(base, folder), { recursive: true });
    for (const file of ['prod/secret/a.txt', 'prod/b.txt', 'two/secret/c.txt'])
      writeFileSync(path.join(base, file), 'content');
    symlinkSync('prod', path.join(base, 'link'));
  });
  after(() => rmSync(base, { recursive: true, force: true }));

  const filesOf = (...names: readonly string[]) =>
    new NodeFileSystem({
      folders: () => names.map((name) => ({ name, path: path.join(base, name), scheme: 'file' })),
      sessionStorage: new SessionRoots(path.join(base, 'sessions')),
    });
  const outcome = async (user: Record<string, unknown>, folders: readonly string[], named: string): Promise<string> => {
    const system = await openSystem({ approve: true, user, platform: { files: filesOf(...folders) } });
    try {
      const result = await system.call('read_file', { path: named });
      return result.success ? 'read' : result.error.code;
    } finally {
      await system.dispose();
    }
  };
  const deniedIn = async (pattern: string, folders: readonly string[], ...named: readonly string[]): Promise<void> => {
    for (const one of named)
      assert.equal(
        await outcome({ 'policy.boundaries': rules(pattern) }, folders, one),
        'denied_by_policy',
        `${pattern} in ${folders.join()}: ${one}`,
      );
  };

  it('by the absolute path of a folder that is open, alone or with another one', async () => {
    const file = path.join(base, 'prod/secret/a.txt');
    await deniedIn(`${base}/prod/secret/**`, ['prod'], 'secret/a.txt', file);
    await deniedIn(`${base}/prod/**`, ['prod'], 'secret/a.txt', file);
    await deniedIn(`${base}/*/secret/*.txt`, ['prod', 'two'], '/prod/secret/a.txt', file);
    assert.equal(await outcome({ 'policy.boundaries': rules(`${base}/two/**`) }, ['prod'], 'secret/a.txt'), 'read');
  });

  it('by the absolute path of what a link to the folder leads to, and of the link', async () => {
    await deniedIn(`${base}/prod/secret/**`, ['link'], 'secret/a.txt');
    await deniedIn(`${base}/link/secret/**`, ['link'], 'secret/a.txt');
  });

  it('by the path within a folder and with the name of the folder before it, however many are open', async () => {
    for (const pattern of ['secret/**', 'prod/secret/**', '/secret/**', '../prod/secret/**']) {
      await deniedIn(pattern, ['prod'], 'secret/a.txt');
      await deniedIn(pattern, ['prod', 'two'], '/prod/secret/a.txt');
    }
    assert.equal(await outcome({ 'policy.boundaries': rules('two/secret/**') }, ['prod'], 'secret/a.txt'), 'read');
  });

  it('while what allows means no more than it says', () => {
    const allows = (pattern: string, folders: readonly string[], resource: string): boolean => {
      const [rule] = parseBoundaries([{ id: 'r', match: { path: pattern }, decision: 'allow' }], 'user').value;
      assert.ok(rule);
      const compiled = new CompiledRule(rule, undefined, placesOf(filesOf(...folders))());
      return compiled.matchesAccess(accessFacts({ effect: 'fs.read', resource }));
    };
    assert.equal(allows('secret/**', ['prod'], 'secret/a.txt'), true);
    assert.equal(allows(`${base}/prod/secret/**`, ['prod'], 'secret/a.txt'), false);
    assert.equal(allows('secret/**', ['prod', 'two'], 'prod/secret/a.txt'), false);
    assert.equal(allows('prod/secret/**', ['prod'], 'secret/a.txt'), false);
  });

  it('by the home folder and by its absolute path, for the tools of another agent', async () => {
    const home = homedir();
    const files = filesOf('prod');
    const judge = async (pattern: string, tool: string, input: unknown): Promise<string> => {
      const row = hostToolRow('claude', tool);
      assert.ok(row);
      const found = await hostAccesses({ agent: 'claude', tool, row, input, files, cwd: path.join(base, 'prod') });
      const template = fakeCall({ source: { type: 'host', agent: 'claude' }, capability: 'host_claude', tool });
      const call = { ...template, input, ...callAccesses(template.tool, found) };
      return effectOf(rules(pattern), files, call);
    };
    for (const pattern of ['~/finance/**', `${home}/finance/**`])
      for (const file of ['~/finance/a', `${home}/finance/a`]) {
        assert.equal(await judge(pattern, 'Read', { file_path: file }), 'deny', `${pattern} ${file}`);
        assert.equal(await judge(pattern, 'Bash', { command: `cat ${file}` }), 'deny', `${pattern} cat ${file}`);
      }
    assert.equal(await judge('~/finance/**', 'Read', { file_path: `${home}/other/a` }), 'pass');
  });

  it('and tells of what is never filled in, in rules and in the settings about private and public places', () => {
    for (const pattern of ['$HOME/finance/**', '${userHome}/finance/**', '%USERPROFILE%/x', '~root/x', ' finance/**']) {
      const told = parseBoundaries(rules(pattern), 'user').problems.map(({ message }) => message);
      assert.equal(told.length, 1, `${pattern}: ${told.join()}`);
      for (const key of ['flow.privatePaths', 'flow.publicPaths'] as const) {
        const [problem, ...more] = checkSetting(key, ['docs/**', pattern]);
        assert.deepEqual([problem?.pointer, problem?.severity, more], ['/1', 'warning', []], `${key} ${pattern}`);
      }
    }
    for (const plain of ['~/finance/**', 'app/routes/$id.tsx', '$RECYCLE.BIN/**', '**/*~'])
      assert.deepEqual(
        [parseBoundaries(rules(plain), 'user').problems, checkSetting('flow.privatePaths', [plain])],
        [[], []],
        plain,
      );
  });
});
