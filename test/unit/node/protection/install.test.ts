import { strict as assert } from 'node:assert';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { worded } from '../../../../src/core/base/sentence';
import { type Agent, agents } from '../../../../src/core/protection/agents';
import { foundEntries, hasOwnFile } from '../../../../src/core/protection/entries';
import { entryPath, trustPath } from '../../../../src/core/protection/plan';
import { Protection } from '../../../../src/node/protection/protection';
import { agentSettings, codexConfig } from '../../../support/agentSettings';
import { runs } from '../../../support/counts';

interface Setting {
  readonly home: string;
  readonly protection: Protection;
}

/** A home folder of its own; nothing of the real one is read or written. */
function withHome(run: (setting: Setting) => void): void {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'h-')));
  const home = path.join(root, 'home');
  mkdirSync(home);
  mkdirSync(path.join(root, 'private'));
  try {
    run({ home, protection: protectionAt(root, home) });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function protectionAt(root: string, home: string): Protection {
  return new Protection({
    user: { home },
    privateFolder: path.join(root, 'private'),
    folders: () => [],
    program: { node: process.execPath, isEditor: false, hook: "/opt/it's here/hook.cjs", platform: 'linux' },
    searchPath: '',
    ownPrograms: [],
    lastAnswer: () => undefined,
    isEditorOpen: () => true,
    knownTools: () => [],
    ourTools: () => [],
    now: () => 0,
  });
}

/** Everything below a folder: names, permissions, where links lead, and bytes. */
function listing(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const file = path.join(folder, name);
      const stat = lstatSync(file);
      const content = stat.isSymbolicLink() ? readlinkSync(file) : stat.isFile() ? readFileSync(file, 'base64') : '';
      return `${name} ${stat.isDirectory() ? '' : stat.mode.toString(8)} ${content}`;
    });
}

function install({ protection }: Setting, agent: Agent): string | undefined {
  const plan = protection.planInstall(agent);
  if ('refused' in plan) return `${plan.path}: ${worded(plan.refused)}`;
  protection.install(agent, plan.changes);
  return undefined;
}

function uninstall({ protection }: Setting, agent: Agent): void {
  const plan = protection.planUninstall(agent);
  assert.ok('changes' in plan, JSON.stringify(plan));
  protection.uninstall(agent, plan.changes);
}

const valueOf = (text: string): any => parse(text.replace(/^\ufeff/, ''), [], { allowTrailingComma: true });

/** What stands in a file beside our hook; lists and objects that hold nothing count as not there. */
function withoutOurs(agent: Agent, text: string): unknown {
  const value = structuredClone(valueOf(text));
  for (const { event, index } of [...foundEntries(agent, text)].reverse()) value.hooks[event].splice(index, 1);
  for (const event of Object.keys(Object(value.hooks))) if (value.hooks[event]?.length === 0) delete value.hooks[event];
  if (Object.keys(Object(value.hooks)).length === 0) delete value.hooks;
  return value;
}

function put(file: string, text: string | undefined, kind: string): void {
  const folder = path.dirname(file);
  if (kind === 'folderLink') {
    mkdirSync(path.join(path.dirname(folder), 'elsewhere'), { recursive: true });
    symlinkSync('elsewhere', folder);
  } else if (text !== undefined) mkdirSync(folder, { recursive: true });
  if (text === undefined) return;
  if (kind === 'link') {
    writeFileSync(`${file}.target`, text);
    symlinkSync(`${path.basename(file)}.target`, file);
  } else writeFileSync(file, text);
  if (kind === 'hardLink') linkSync(file, `${file}.other`);
  if (kind === 'readOnly') chmodSync(file, 0o444);
}

describe('the hook in another agent’s settings', () => {
  for (const agent of agents.filter((one) => !hasOwnFile(one)))
    it(`D.hooks: of ${agent.name} goes into whatever stands there, and comes out byte for byte`, () => {
      let installed = 0;
      fc.assert(
        fc.property(
          agentSettings(agent.events),
          agent.form === 'codex' ? codexConfig : fc.constant(undefined),
          (settings, config) => {
            withHome((setting) => {
              const { home, protection } = setting;
              const file = entryPath(agent, { home });
              put(file, settings.text, settings.kind);
              const trust = trustPath(agent, { home });
              if (trust !== undefined && config !== undefined && settings.kind !== 'folderLink') {
                mkdirSync(path.dirname(trust), { recursive: true });
                writeFileSync(trust, config);
              }
              const before = listing(home);
              const refused = install(setting, agent);
              if (refused !== undefined) {
                assert.ok(refused.startsWith(home), refused);
                assert.deepEqual(listing(home), before, 'left alone');
                const isSound =
                  settings.kind === 'plain' &&
                  Array.isArray(Object(valueOf(settings.text ?? '{}')).hooks?.[agent.events[0] ?? ''] ?? []);
                if (isSound && trust === undefined) assert.match(refused, /is no object|is no list|no valid JSON/);
                return;
              }
              installed++;
              assert.equal(settings.kind, 'plain', 'what is broken, linked or read-only is left alone');
              const after = readFileSync(file, 'utf8');
              assert.deepEqual(
                foundEntries(agent, after).map(({ event }) => event),
                agent.events,
              );
              if (settings.text !== undefined) {
                assert.deepEqual(withoutOurs(agent, after), withoutOurs(agent, settings.text));
                for (const line of settings.text.match(/\/[/*] note|a line of its own/g) ?? [])
                  assert.ok(after.includes(line));
              }
              assert.deepEqual(protection.planInstall(agent), { changes: [] }, 'a second time changes nothing');
              const { faults } = protection.status(agent);
              assert.deepEqual(
                faults.map(({ said }) => said.code),
                ['fault_program_moved'],
              );
              uninstall(setting, agent);
              assert.deepEqual(listing(home), before);
            });
          },
        ),
        { numRuns: runs(40, 200, 2000) },
      );
      assert.ok(installed > 10, `${installed} were installed`);
    });

  for (const agent of agents.filter(hasOwnFile))
    it(`D.hooks: of ${agent.name} is a file of its own, beside whatever stands there, and goes with its folders`, () => {
      const settings = agentSettings(agent.events);
      const neighbours = fc.dictionary(fc.constantFrom('aaa.json', 'zzz.json', 'note.md'), settings, { maxKeys: 2 });
      let installed = 0;
      fc.assert(
        fc.property(neighbours, fc.option(settings), (beside, own) => {
          withHome((setting) => {
            const { home, protection } = setting;
            const file = entryPath(agent, { home });
            for (const [name, { text }] of Object.entries(beside)) put(path.join(file, '..', name), text, 'plain');
            const isLeft = own !== null && (own.text !== undefined || own.kind === 'folderLink');
            const isThere = existsSync(path.dirname(file));
            if (own) put(file, own.text, own.kind === 'folderLink' && isThere ? 'plain' : own.kind);
            const before = listing(home);
            const refused = install(setting, agent);
            const isLinked = own?.kind === 'folderLink' && !isThere;
            if (refused !== undefined) {
              assert.ok(isLeft, refused);
              assert.ok(refused.startsWith(home), refused);
              assert.deepEqual(listing(home), before, 'left alone');
              return;
            }
            installed++;
            assert.ok(!isLinked && own?.text === undefined, 'what is linked or somebody else’s is left alone');
            assert.deepEqual(protection.planInstall(agent), { changes: [] }, 'a second time changes nothing');
            uninstall(setting, agent);
            assert.deepEqual(listing(home), before);
          });
        }),
        { numRuns: runs(40, 200, 2000) },
      );
      assert.ok(installed > 10, `${installed} were installed`);
      withHome((setting) => {
        put(entryPath(agent, setting), 'mine', 'plain');
        assert.match(install(setting, agent) ?? '', /agent-capabilities\.js.*somebody else’s file/);
      });
    });

  it('D.hooks: comes out of a file that others changed since, and what they wrote stays', () => {
    const texts = ['{}', '{"a": 1}', '{\n  // note\n  "hooks": { "Stop": [] },\n  "a": 1 // why\n}\n', undefined];
    for (const agent of agents.filter((one) => !hasOwnFile(one)))
      for (const text of texts)
        withHome((setting) => {
          const file = entryPath(agent, setting);
          put(file, text, 'plain');
          assert.equal(install(setting, agent), undefined);
          const value = valueOf(readFileSync(file, 'utf8'));
          value.hooks[agent.events[0] ?? ''].unshift({ command: 'theirs' });
          value.model = 'new';
          writeFileSync(file, JSON.stringify(value));
          uninstall(setting, agent);
          const left = readFileSync(file, 'utf8');
          assert.deepEqual(foundEntries(agent, left), []);
          assert.deepEqual(valueOf(left).hooks[agent.events[0] ?? ''], [{ command: 'theirs' }]);
          assert.equal(valueOf(left).model, 'new');
        });
  });

  it('D.hooks: is not written over a file that changed while the difference was looked at', () => {
    const agent = agents.find(({ id }) => id === 'claude');
    assert.ok(agent);
    withHome(({ home, protection }) => {
      const plan = protection.planInstall(agent);
      assert.ok('changes' in plan);
      put(entryPath(agent, { home }), '{"model": "x"}', 'plain');
      assert.throws(() => protection.install(agent, plan.changes), /changed while/);
      assert.equal(readFileSync(entryPath(agent, { home }), 'utf8'), '{"model": "x"}');
    });
  });

  it('D.hooks: of Codex is trusted where Codex looks, and by the hash that it computes', () => {
    const agent = agents.find(({ id }) => id === 'codex');
    assert.ok(agent);
    withHome((setting) => {
      const other = { hooks: [{ type: 'command', command: 'other' }] };
      put(entryPath(agent, setting), JSON.stringify({ hooks: { PreToolUse: [other] } }), 'plain');
      assert.equal(install(setting, agent), undefined);
      const config = readFileSync(path.join(setting.home, '.codex/config.toml'), 'utf8');
      assert.match(config, /^\[hooks\.state\."[^"]*\/\.codex\/hooks\.json:pre_tool_use:1:0"\]$/m);
      assert.match(config, /^\[hooks\.state\."[^"]*:post_tool_use:0:0"\]$/m);
      assert.equal(config.match(/^trusted_hash = "sha256:[0-9a-f]{64}"$/gm)?.length, 2);
      // Somebody puts a hook before ours: Codex would skip ours, so the meter says so, and a new installation mends it.
      const file = entryPath(agent, setting);
      const value = valueOf(readFileSync(file, 'utf8'));
      value.hooks.PreToolUse.unshift(other);
      writeFileSync(file, JSON.stringify(value));
      const codes = setting.protection.status(agent).faults.map(({ said }) => said.code);
      assert.ok(codes.includes('fault_untrusted'), codes.join());
      assert.equal(install(setting, agent), undefined);
      assert.ok(!setting.protection.status(agent).faults.some(({ said }) => said.code === 'fault_untrusted'));
    });
  });
});
