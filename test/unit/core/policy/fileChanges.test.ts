import { plainWords } from '../../../../src/core/base/translate';
import { strict as assert } from 'node:assert';
import { say } from '../../../../src/core/base/sentence';
import { grantableFolders } from '../../../../src/core/policy/grants/fileChanges';
import { GrantStore } from '../../../../src/core/policy/grants/grants';
import { briefGrant, explainGrant } from '../../../../src/core/present/grantWords';
import type { Access } from '../../../../src/core/vocabulary/access';
import type { Reason } from '../../../../src/core/vocabulary/decision';
import { type FakeCall, fakeCall } from '../../../support/gateCall';
import { FakeClock, fakePorts, MemoryStore } from '../../../support/toolContext';

const permission: Reason = { said: say('confirmation_for_agents'), waivable: true };
const write = (resource: string): Access => ({ effect: 'fs.write', resource });
const remove = (resource: string, more: Partial<Access> = {}): Access => ({ effect: 'fs.delete', resource, ...more });
const changing = { changesFiles: true } as const;
const call = (accesses: readonly Access[], more: FakeCall = {}) =>
  fakeCall({ accesses, tool: 'edit_file', definition: changing, ...more });

function setUp() {
  const stores = { workspace: new MemoryStore(), user: new MemoryStore() };
  const grants = new GrantStore({ clock: new FakeClock(), crypto: fakePorts().crypto, ...stores });
  const allow = (made = call([write('src/format.ts')]), folder = 'src') =>
    grants.add({ scope: 'session', cover: 'files', folder }, made, made.accesses, [permission]);
  const covers = (of: ReturnType<typeof call>, reasons: readonly Reason[] = [permission]): boolean =>
    grants.covering(of, of.accesses, reasons) !== undefined;
  return { grants, stores, allow, covers };
}

describe('a yes to all file changes below a folder', () => {
  it('D.modal: covers write, edit, move and delete to the trash below it together, whichever of them it was given to', () => {
    const { allow, covers, grants } = setUp();
    const grant = allow();
    assert.deepEqual(
      [
        call([write('src/other.ts')], { tool: 'write_file' }),
        call([write('src/deep/er/x.ts')]),
        call([remove('src/a.ts'), write('src/deep/b.ts')], { tool: 'move_file' }),
        call([remove('src/a.ts')], { tool: 'delete_file', definition: { ...changing, riskLevel: 'high' } }),
      ].map((one) => covers(one)),
      [true, true, true, true],
    );
    assert.equal(briefGrant(grant, plainWords), 'all below src/ · this session');
    assert.equal(
      explainGrant(grant, 0, plainWords),
      'Agents may use every tool that changes files: write, edit, move and delete to the trash below src/. Holds until the window is reloaded. It answers: the tool needs confirmation for agents.',
    );
    assert.equal(grants.revoke(grant.id), true);
    assert.equal(covers(call([write('src/other.ts')])), false);
    grants.dispose();
  });

  it('D.modal: covers nothing else: other paths, links that lead out, whole folders, what goes past the trash, other tools and callers', () => {
    const { allow, covers, grants } = setUp();
    allow();
    const uncovered: Record<string, ReturnType<typeof call>> = {
      'another folder': call([write('docs/a.md')]),
      'the folder itself': call([remove('src')]),
      'a folder whose name begins alike': call([write('src2/a.ts')]),
      'another case': call([write('SRC/a.ts')]),
      'a way out': call([write('src/../package.json')]),
      'a short name': call([write('src/GIT~1/x')]),
      'an absolute path': call([write('/src/a.ts')]),
      'a link that leads out': call([write('src/link.ts'), write('docs/real.ts')]),
      'a move out': call([remove('src/a.ts'), write('docs/a.ts')]),
      'a move in': call([remove('docs/a.ts'), write('src/a.ts')]),
      'a folder with its content': call([remove('src/deep', { recursive: true })]),
      'past the trash': call([remove('src/a.ts', { permanent: true })]),
      permissions: call([{ effect: 'fs.chmod', resource: 'src/a.ts' }]),
      'another effect beside': call([write('src/a.ts'), { effect: 'network.http', resource: 'https://x.test' }]),
      'no access at all': call([]),
      'a tool that does not only change files': call([write('src/a.ts')], { definition: {} }),
      'a tool of others that says so of itself': call([write('src/a.ts')], {
        source: { type: 'mcp', server: 'files' } as never,
      }),
      'a person': call([write('src/a.ts')], { actor: { type: 'user', id: 'u' } }),
    };
    for (const [name, one] of Object.entries(uncovered)) assert.equal(covers(one), false, name);
    grants.dispose();
  });

  it('D.modal: answers the permission of the tools alone, so that every rule that asks goes on asking', () => {
    const { allow, covers, grants } = setUp();
    const rule: Reason = { said: say('as_it_is', 'ask the owner'), rule: 'careful' };
    const asked = (reasons: readonly Reason[]) =>
      grantableFolders({ tool: call([]).tool, actor: 'agent', accesses: [write('src/a/b.ts')], reasons });
    assert.deepEqual(
      [
        asked([permission]),
        asked([permission, rule]),
        asked([rule]),
        asked([{ ...permission, admin: true }]),
        asked([permission, { ...rule, advisory: true }]),
      ],
      [['src/a', 'src'], [], [], [], ['src/a', 'src']],
    );
    allow();
    const inside = call([write('src/a.ts')]);
    assert.deepEqual([covers(inside), covers(inside, [permission, rule])], [true, false]);
    const made = call([write('src/a.ts')]);
    const draft = { scope: 'session', cover: 'files', folder: 'src' } as const;
    assert.throws(() => grants.add(draft, made, made.accesses, [permission, rule]), /does not cover this call/);
    grants.dispose();
  });

  it('D.modal: is offered for folders that hold everything that the call changes, by name and not by pattern', () => {
    const folders = (...accesses: readonly Access[]) =>
      grantableFolders({ tool: call([]).tool, actor: 'agent', accesses, reasons: [permission] });
    assert.deepEqual(
      [
        folders(write('readme.md')),
        folders(write('src/a/x.ts'), remove('src/b/y.ts')),
        folders(write('src/a.ts'), write('docs/a.ts')),
        folders(write('/etc/passwd')),
        folders(write('a*b/[c]/d.ts')),
        folders(remove('src/a.ts', { permanent: true })),
      ],
      [[], ['src'], [], [], ['a*b/[c]', 'a*b'], []],
    );
    const { allow, covers, grants } = setUp();
    allow(call([write('a*b/d.ts')]), 'a*b');
    assert.deepEqual([covers(call([write('a*b/e.ts')])), covers(call([write('axxb/e.ts')]))], [true, false]);
    grants.dispose();
  });

  it('D.modal: is gone with the session and is never written down', () => {
    const { allow, grants, stores } = setUp();
    const made = call([write('src/a.ts')]);
    for (const scope of ['workspace', 'always', 'once'] as const)
      assert.throws(() => grants.add({ scope, cover: 'files', folder: 'src' }, made, made.accesses, [permission]));
    allow();
    assert.deepEqual([stores.workspace.values.size, stores.user.values.size], [0, 0]);
    grants.dispose();
  });
});
