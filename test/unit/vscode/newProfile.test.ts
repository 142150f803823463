import { strict as assert } from 'node:assert';
import { newProfile } from '../../../src/vscode/commands/manageProfiles';
import { shownWindow, workspace, Uri } from '../../support/fakeVscode';
import { fiveCapabilities, profileWorld } from '../../support/profiles';

describe('a new profile', () => {
  const isShown = { isShown: () => true };
  /** Makes one while a workspace is open, as the person answers what is asked after its start. */
  const made = async (place: 'first' | 'last' | 'none', pressed?: string) => {
    const world = profileWorld(fiveCapabilities, { user: { own: { name: 'Own' } } });
    world.store.activate('own');
    const offered: string[][] = [];
    shownWindow.typed = 'Review';
    shownWindow.pressed = pressed;
    shownWindow.told.length = 0;
    shownWindow.answer = (items) => {
      offered.push(items.map(({ label }) => label));
      if (offered.length === 1) return items.find(({ label }) => label === 'Empty');
      return place === 'none' ? undefined : place === 'first' ? items[0] : items.at(-1);
    };
    const { store: profiles, registry, editor } = world;
    const id = await newProfile({ profiles, registry, editor, view: isShown } as never);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const told = [...shownWindow.told];
    const stands = { user: world.raw('user')?.review, workspace: world.raw('workspace')?.review };
    const active = profiles.activeId;
    world.dispose();
    return { id, offered, told, stands, active };
  };

  beforeEach(() => {
    workspace.workspaceFolders = [{ uri: Uri.file('/work'), name: 'work', index: 0 }];
  });
  afterEach(() => {
    workspace.workspaceFolders = [];
    workspace.isTrusted = true;
    shownWindow.answer = () => undefined;
    shownWindow.typed = undefined;
    shownWindow.pressed = undefined;
  });

  it('D.commands S3.profiles: is the person’s own where they do not choose otherwise, wherever the tree writes', async () => {
    const { offered, told, stands, active } = await made('first');
    assert.deepEqual(offered[1], ['$(account) Yours', "$(organization) This Workspace's"]);
    assert.deepEqual([stands.user?.name, stands.workspace, active], ['Review', undefined, 'review']);
    assert.deepEqual(told, ['The profile "Review" is made and active. It stands in your user settings.']);
    const shared = await made('last');
    assert.deepEqual([shared.stands.user, shared.stands.workspace?.name], [undefined, 'Review']);
  });

  it('S3.profiles: none is made by leaving the question, and its notice takes it back', async () => {
    const left = await made('none');
    assert.deepEqual([left.id, left.stands.user, left.active, left.told], [undefined, undefined, 'own', []]);
    const undone = await made('first', 'Undo');
    assert.deepEqual([undone.stands.user, undone.active], [undefined, 'own']);
  });

  it('D.tightens: a workspace that is not trusted is not offered, nor one that is not there', async () => {
    workspace.isTrusted = false;
    const restricted = await made('last');
    assert.deepEqual([restricted.offered.length, restricted.stands.workspace], [1, undefined]);
    workspace.workspaceFolders = [];
    workspace.isTrusted = true;
    const alone = await made('last');
    assert.deepEqual([alone.offered.length, alone.stands.user?.name], [1, 'Review']);
  });
});
