// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { worded } from '../../../../src/core/base/sentence';
import type { Translate } from '../../../../src/core/base/translate';
import type { Capability } from '../../../../src/core/capability/capability';
import type { SettingValues } from '../../../../src/core/settings/settingTable';
import { gitCheckpoints } from '../../../../src/node/changes/checkpoints/checkpoints';
import { makeChanges } from '../../../support/changes';
import type { GateOptions } from '../../../support/gate';
import { capabilityOf, definition } from '../../../support/gate';
import { inGerman } from '../../../support/german';
import { skipBecause } from '../../../support/skip';

/** A tool that writes as a program does, and counts how often it ran. */
function program(run: () => void, source: Capability['source'] = { type: 'definition', file: 'x' }): Capability {
  return capabilityOf(
    definition({ name: 'run_it', sideEffects: ['system.exec'] }),
    {
      accesses: () => [{ effect: 'system.exec', resource: 'make all' }],
      run: async () => {
        run();
        return { payload: {} };
      },
    },
    { id: 'programs', source },
  );
}

interface Started extends Partial<GateOptions> {
  readonly settings?: Partial<SettingValues>;
  readonly environment?: NodeJS.ProcessEnv;
  readonly storage?: string;
  readonly source?: Capability['source'];
}

function start({ settings, environment = process.env, storage, source, ...options }: Started) {
  let ran = 0;
  const made = makeChanges({
    settings: { 'changes.checkpoints': true, ...settings },
    capabilities: [
      program(() => {
        ran++;
        made.workspace.put({ 'a.txt': `written ${ran}` });
      }, source),
    ],
    checkpoints: (own) => gitCheckpoints({ storage: storage ?? own, environment, keepsSecrets: () => false }),
    ...options,
  });
  return Object.assign(made, { ran: () => ran });
}

function mounted(test: Mocha.Context, storage: string, ...options: readonly string[]): void {
  try {
    execFileSync('mount', ['-t', 'tmpfs', ...options, 'tmpfs', storage], { stdio: 'ignore' });
  } catch {
    skipBecause(test, 'a file system of its own can be mounted by root only');
  }
}

const words = (made: ReturnType<typeof start>, translate?: Translate): string =>
  (made.gate.asked.at(-1)?.reasons ?? []).map(({ said }) => worded(said, translate)).join('\n');

/** What is in the way of every look, by what a person then reads of it. */
const faults: Readonly<Record<string, (test: Mocha.Context, base: string) => Started>> = {
  '`git` is not installed': () => ({ environment: { PATH: '' } }),
  '`git` is 2.17, and 2.32 is needed': (_test, base) => {
    const old = path.join(base, 'old');
    mkdirSync(old);
    writeFileSync(path.join(old, 'git'), '#!/bin/sh\necho git version 2.17.1\n');
    chmodSync(path.join(old, 'git'), 0o755);
    return { environment: { PATH: old } };
  },
  '`git` does not tell its version': (_test, base) => {
    const broken = path.join(base, 'broken');
    mkdirSync(broken);
    symlinkSync('/bin/false', path.join(broken, 'git'));
    return { environment: { PATH: broken } };
  },
  'the storage cannot be written to': (test, base) => {
    mounted(test, base, '-o', 'ro');
    return { storage: path.join(base, 'storage') };
  },
  'the disk is full': (test, base) => {
    mounted(test, base, '-o', 'size=64k');
    writeFileSync(path.join(base, 'fill'), Buffer.alloc(60 * 1024));
    return { storage: path.join(base, 'storage') };
  },
};

describe('A look at the workspace that cannot be taken', () => {
  let base: string;
  beforeEach(() => {
    base = mkdtempSync(path.join(tmpdir(), 'agent-capabilities-looks-'));
  });
  afterEach(() => {
    try {
      execFileSync('umount', ['-l', base], { stdio: 'ignore' });
    } catch {
      // Nothing is mounted there.
    }
    rmSync(base, { recursive: true });
  });

  for (const [fault, make] of Object.entries(faults))
    it(`D.undo: because ${fault}, is told before the call is allowed: a no keeps it from running, a yes lets it run and the result says it again`, async function () {
      const given = make(this, base);
      const allowed = start(given);
      const result = await allowed.call('run_it', {});
      assert.ok(result.success, JSON.stringify(result));
      assert.equal(allowed.gate.asked.length, 1);
      const question = allowed.gate.asked[0];
      assert.ok(question?.reasons.some(({ rule }) => rule === 'changes.not-kept'));
      assert.ok(words(allowed).includes(fault), words(allowed));
      assert.doesNotMatch(words(allowed, inGerman), /UNTRANSLATED|\b(is|the|its)\b/);
      assert.equal(question?.preview.undo, 'never');
      assert.match(String(result.warnings), /^what this call changed in files cannot be taken back: /);
      assert.equal(allowed.ran(), 1);
      allowed.dispose();

      const declined = start({ ...given, answer: () => ({ outcome: 'denied', by: 'user', waitedMs: 0 }) });
      const strict = start({ ...given, settings: { 'changes.whenNotKept': 'deny' } });
      for (const made of [declined, strict]) {
        for (let time = 0; time < 2; time++) assert.equal((await made.call('run_it', {})).success, false);
        assert.equal(made.ran(), 0);
        made.dispose();
      }
      assert.equal(strict.gate.asked.length, 0);

      const loose = start({ ...given, settings: { 'changes.whenNotKept': 'allow' } });
      const ran = await loose.call('run_it', {});
      assert.ok(ran.success);
      assert.match(String(ran.warnings), /cannot be taken back/);
      assert.deepEqual([loose.gate.asked.length, loose.ran()], [0, 1]);
      loose.dispose();

      const persons = start({ ...given, settings: { 'changes.whenNotKept': 'deny' } });
      assert.ok((await persons.call('run_it', {}, 'user')).success);
      persons.dispose();
    });

  it('D.undo: because it turns out only while it is taken, refuses the call, asks from then on, and no more once one succeeds', async function () {
    mounted(this, base, '-o', 'size=13m');
    const made = start({ storage: path.join(base, 'storage') });
    made.workspace.put(
      Object.fromEntries([1, 2, 3].map((at) => [`large-${at}`, randomBytes(5_000_000).toString('latin1')])),
    );
    const first = await made.call('run_it', {});
    assert.equal(first.success ? '' : first.error.code, 'not_kept');
    assert.deepEqual([made.ran(), made.gate.asked.length], [0, 0]);
    assert.ok((await made.call('run_it', {})).success);
    assert.deepEqual([made.ran(), made.gate.asked.length], [1, 1]);
    for (const at of [1, 2, 3]) rmSync(made.workspace.at(`large-${at}`));
    rmSync(path.join(base, 'storage'), { recursive: true, force: true });
    assert.ok((await made.call('run_it', {})).success);
    assert.equal(made.gate.asked.length, 2);
    const healed = await made.call('run_it', {});
    assert.ok(healed.success && healed.warnings === undefined, JSON.stringify(healed));
    assert.equal(made.gate.asked.length, 2);
    await made.undo({ call: healed.invocationId });
    made.dispose();
  });

  it('D.undo: asks about what another agent runs after its hook asked, and about nothing that only reads', async () => {
    const made = start({ environment: { PATH: '' }, source: { type: 'host', agent: 'claude' } });
    assert.ok((await made.call('run_it', {})).success);
    const told = () => made.gate.asked.filter(({ reasons }) => reasons.some(({ rule }) => rule === 'changes.not-kept'));
    assert.equal(told().length, 1);
    made.workspace.put({ 'b.txt': 'x' });
    await made.ok('read_file', { path: 'b.txt' });
    await made.ok('write_file', { path: 'c.txt', content: 'kept by our own files' });
    assert.equal(told().length, 1);
    assert.ok(!existsSync(path.join(made.workspace.base, 'checkpoints')));
    made.dispose();
  });
});
