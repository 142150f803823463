import { strict as assert } from 'node:assert';
import { chmodSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { runs } from '../../support/counts';
import { openSystem } from '../../support/system';

const files = { 'src/a.ts': 'a', '.env': 'SECRET', 'docs/b.md': 'b', 'docs/deep/c.md': 'c' };

type Spoken = 'allowed' | 'asked' | 'denied';

/** What a permission of stat_file says. */
function spoken(permission: string): Spoken {
  if (permission === 'allowed') return 'allowed';
  return permission.startsWith('only with a confirmation by the user: ') ? 'asked' : 'denied';
}

interface Compared {
  /** What stat_file says of reading, writing and deleting; undefined where rules close stat_file itself. */
  readonly said: readonly string[] | undefined;
  readonly done: readonly Spoken[];
}

/**
 * What stat_file says of a path, and what the gate then does with calls that read, write and delete it, in a system
 * where nobody allows anything.
 */
async function compared(name: string, user: Record<string, unknown>): Promise<Compared> {
  const system = await openSystem({ files, user });
  try {
    symlinkSync('.env', path.join(system.folder, 'link.txt'));
    const stat = await system.call('stat_file', { path: name });
    if (!stat.success) {
      assert.match(stat.error.code, /^(?:denied_by_policy|approval_unavailable)$/);
      return { said: undefined, done: [] };
    }
    const {
      read = '',
      write = '',
      delete: remove = '',
    } = (stat.payload as { permissions: Record<string, string> }).permissions;
    const done: Spoken[] = [];
    for (const [tool, input] of [
      ['read_file', { path: name }],
      ['write_file', { path: name, content: '' }],
      ['delete_file', { path: name }],
    ] as const) {
      const result = await system.call(tool, input);
      const code = result.success ? 'success' : result.error.code;
      done.push(code === 'success' ? 'allowed' : code === 'approval_unavailable' ? 'asked' : 'denied');
    }
    return { said: [read, write, remove], done };
  } finally {
    system.dispose();
  }
}

const fileSystem = (more: object = {}): object => ({ ref: 'file_system', enabled: true, ...more });

/** A profile of the user's that is active. */
const profile = (more: object): Record<string, unknown> => ({
  activeProfile: 'p',
  profiles: { p: { name: 'P', capabilities: [fileSystem()], ...more } },
});

describe('stat_file: the effective permission', () => {
  it('is what the gate does with a call: permissions of tools, tools that are off, scopes, the mode, and rules about tools', async () => {
    const rule = (more: object): Record<string, unknown> => ({
      'policy.boundaries': [{ id: 'r', decision: 'deny', reason: 'a rule', ...more }],
    });
    const cases: readonly (readonly [string, Record<string, unknown>, readonly Spoken[], RegExp?])[] = [
      ['src/a.ts', {}, ['allowed', 'asked', 'asked']],
      ['.env', {}, ['denied', 'denied', 'denied'], /preset\.secrets/],
      ['link.txt', {}, ['denied', 'denied', 'asked']],
      ['src/a.ts', profile({ mode: 'plan' }), ['allowed', 'denied', 'denied'], /plan/],
      ['src/a.ts', profile({ scopes: ['file:read'] }), ['allowed', 'denied', 'denied'], /scope/],
      [
        'src/a.ts',
        profile({ capabilities: [fileSystem({ tools: { read_file: false } })] }),
        ['denied', 'asked', 'asked'],
        /read_file/,
      ],
      ['src/a.ts', rule({ match: { tool: 'cap:file_system:write_file' } }), ['allowed', 'denied', 'asked'], /a rule/],
      [
        'src/a.ts',
        rule({ match: { accessAny: ['fs.*'], path: 'src/**' }, exceptions: ['cap:file_system:stat_file'] }),
        ['denied', 'denied', 'denied'],
      ],
    ];
    for (const [name, user, expected, reason] of cases) {
      const { said, done } = await compared(name, user);
      assert.deepEqual([said?.map(spoken), done], [expected, expected], JSON.stringify([name, user, said]));
      if (reason) assert.match(said?.join('\n') ?? '', reason);
    }
  });

  it('is what the gate does with a call, whatever rules there are', async () => {
    const clause = fc.record(
      {
        tool: fc.constantFrom(
          'cap:file_system:*',
          'cap:file_system:write_file',
          'cap:file_system:stat_file',
          'cap:*:read_*',
        ),
        accessAny: fc.subarray(['fs.read', 'fs.write', 'fs.delete', 'fs.*'], { minLength: 1 }),
        path: fc.constantFrom('src/**', '**/*.md', '.env', 'docs/deep/**', '**'),
        riskAtLeast: fc.constantFrom('low', 'medium', 'high'),
      },
      { requiredKeys: [] },
    );
    const rules = fc.array(
      fc.record({
        match: clause,
        decision: fc.constantFrom('deny', 'require_approval', 'allow', 'advise'),
        severity: fc.constantFrom('hard', 'hard', 'soft'),
        exceptions: fc.subarray(['cap:file_system:stat_file', 'cap:file_system:read_file']),
      }),
      { maxLength: 4 },
    );
    const user = fc.record({
      mode: fc.constantFrom('plan', 'execute'),
      preset: fc.constantFrom('strict', 'balanced', 'open'),
      rules,
    });
    const name = fc.constantFrom('src/a.ts', '.env', 'docs/b.md', 'docs/deep/c.md', 'link.txt', 'new/file.txt');
    await fc.assert(
      fc.asyncProperty(user, name, async ({ mode, preset, rules: some }, at) => {
        const boundaries = some.map((rule, index) => ({ id: `r${index}`, reason: `rule ${index}`, ...rule }));
        const { said, done } = await compared(at, {
          ...profile({ mode }),
          'policy.preset': preset,
          'policy.boundaries': boundaries,
        });
        fc.pre(said !== undefined);
        // What is not there can neither be read nor deleted, which is no matter of permission.
        const compare = at.startsWith('new/') ? [1] : [0, 1, 2];
        assert.deepEqual(
          compare.map((index) => spoken(said[index] ?? '')),
          compare.map((index) => done[index]),
          JSON.stringify(said),
        );
      }),
      { numRuns: runs(8, 120, 300) },
    );
  });

  it('records nothing but the call itself, and tells of what stands there before it tells who has to confirm', async () => {
    const system = await openSystem({ files });
    chmodSync(path.join(system.folder, 'src/a.ts'), 0o444);
    const result = await system.call('stat_file', { path: 'src/a.ts' });
    const permissions = result.success ? (result.payload as { permissions: Record<string, string> }).permissions : {};
    assert.equal(permissions['write'], 'the file is read-only');
    assert.deepEqual(
      system.events.map((event) => event.type),
      ['invocation.started', 'invocation.finished'],
    );
    const root = await system.call('stat_file', { path: '/' });
    assert.match(JSON.stringify(root), /"delete":"a workspace folder itself cannot be deleted"/);
    system.dispose();
  });
});
