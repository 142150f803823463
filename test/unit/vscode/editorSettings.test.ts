import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import type { Uri } from 'vscode';
import type { JsonObject } from '../../../src/core/base/json';
import { switchCapabilities } from '../../../src/core/profiles/profileEdit';
import { ProfileEditor } from '../../../src/core/profiles/profileEditor';
import { ProfileStore } from '../../../src/core/profiles/profileStore';
import { readSettings } from '../../../src/core/settings/readSettings';
import { EditorSettings } from '../../../src/vscode/settings/editorSettings';
import { runs } from '../../support/counts';
import { shownWindow, TabInputText, Uri as FakeUri, window as shown, workspace } from '../../support/fakeVscode';
import { profileWorld } from '../../support/profiles';
import { fakePorts, MemoryStore } from '../../support/toolContext';

const file = '/w/.vscode/settings.json';
/** The user's own, as it is named from where extensions keep what is theirs. */
const ownFile = '/u/User/globalStorage/ours/../../settings.json';
const key = 'agentCapabilities.profiles';
const rulesKey = 'agentCapabilities.policy.boundaries';
const ids = ['file_system', 'web_fetch', 'todo_list', 'current_time', 'math'];
const moment = (): Promise<void> => new Promise((done) => setImmediate(done));

/** A window whose editor reads its settings file when it is told to, and the profiles over it. */
function open(scheme = 'file') {
  let changedAt = 0;
  let stamp: string | undefined;
  const { registry, dispose } = profileWorld();
  const ports = fakePorts();
  shownWindow.scopes = { user: {}, workspace: {} };
  shownWindow.files.clear();
  workspace.workspaceFolders = [{ uri: FakeUri.file('/w'), name: 'w', index: 0 }];
  const settings = new EditorSettings({
    managed: { values: {}, problems: [], refresh: () => false },
    local: {
      stamp: async (place) => {
        const text = shownWindow.files.get(place);
        assert.ok(text !== undefined);
        return { at: changedAt, text: stamp ?? text };
      },
      read: (place) => ({ type: 'text', text: shownWindow.files.get(place) ?? '' }),
    },
    globalStorage: FakeUri.from({ scheme, path: '/u/User/globalStorage/ours' }) as unknown as Uri,
    writeText: async (uri, text) => void shownWindow.files.set(uri.path, text),
    log: ports.log,
  });
  const now = () => readSettings({ ...settings.layers(), bundles: [] });
  const store = new ProfileStore({ registry, settings: now, storage: new MemoryStore(), crypto: ports.crypto });
  const heard = settings.onDidChange(() => store.refresh());
  const editor = new ProfileEditor({ store, settings, log: ports.log });
  return {
    editor,
    store,
    /** When all files changed last. */
    changed: (at: number) => void (changedAt = at),
    /** What all files are known by, whatever they say. */
    stamped: (as: string) => void (stamp = as),
    settings,
    /** What a person writes into the file by hand; the editor reads it later. */
    write: (profiles: JsonObject, more: JsonObject = {}) =>
      void shownWindow.files.set(file, JSON.stringify({ ...more, [key]: profiles }, undefined, 2)),
    text: (): string => shownWindow.files.get(file) ?? '',
    inFile: (): JsonObject => JSON.parse(shownWindow.files.get(file) ?? '{}')[key] ?? {},
    /** The editor reads the file. */
    read(): void {
      shownWindow.scopes.workspace = { profiles: JSON.parse(shownWindow.files.get(file) ?? '{}')[key] };
      shownWindow.changedSettings.fire({ affectsConfiguration: () => true });
    },
    /** What stands in the user's settings; another window may have written it. */
    writeOwn: (profiles: JsonObject, rules: readonly string[] = []) =>
      void shownWindow.files.set(
        ownFile,
        `// mine\n${JSON.stringify({ [key]: profiles, [rulesKey]: rules.map((id) => ({ id })) }, undefined, 2)}`,
      ),
    inOwnFile: (): JsonObject => JSON.parse((shownWindow.files.get(ownFile) ?? '{}').replace('// mine', '')),
    readOwn(): void {
      const all = this.inOwnFile();
      shownWindow.scopes.user = { profiles: all[key], 'policy.boundaries': all[rulesKey] };
      shownWindow.changedSettings.fire({ affectsConfiguration: () => true });
    },
    flipMine: (id: string, on: boolean) => editor.change('mine', id, switchCapabilities(registry, [id], on)),
    flip: (id: string, on: boolean) => editor.change('default', id, switchCapabilities(registry, [id], on)),
    isOn: (id: string): boolean =>
      store.active().profile.capabilities.some((one) => one.ref === id && one.enabled !== false),
    dispose(): void {
      heard.dispose();
      editor.dispose();
      store.dispose();
      settings.dispose();
      dispose();
      workspace.workspaceFolders = [];
      workspace.textDocuments = [];
      shown.tabGroups.all = [];
      shownWindow.told = [];
      shownWindow.files.clear();
      shownWindow.scopes = { user: {}, workspace: {} };
      shownWindow.readSettings = () => undefined;
    },
  };
}

describe('the settings of the editor', () => {
  let window: ReturnType<typeof open>;
  afterEach(() => window.dispose());

  it('D.settings D.tree: a click holds at once, before the editor has read the file, and the rest of the file stays', async () => {
    window = open();
    window.write({ default: { capabilities: ids } }, { 'editor.fontSize': 13 });
    window.read();
    await window.flip('math', false);
    assert.deepEqual(
      [window.isOn('math'), shownWindow.scopes.workspace['profiles']],
      [false, { default: { capabilities: ids } }],
    );
    assert.match(window.text(), /"editor\.fontSize": 13/);
    window.read();
    assert.equal(window.isOn('math'), false);
  });

  it('D.settings: what a person writes by hand at the same moment is never written over, and the click is made on it', async () => {
    window = open();
    window.write({ default: { capabilities: ids } });
    window.read();
    const clicked = window.flip('math', false);
    window.write({ default: { name: 'Mine', capabilities: ['math', 'todo_list'] } });
    await moment();
    window.read();
    await clicked;
    assert.match(window.text(), /"Mine"/);
    assert.deepEqual([window.isOn('math'), window.isOn('todo_list')], [false, true]);
  });

  it('D.settings: a later edit by hand wins over what was ahead of the editor', async () => {
    window = open();
    window.write({ default: { capabilities: ids } });
    window.read();
    await window.flip('math', false);
    window.write({ default: { capabilities: ['math'] } });
    window.read();
    await moment();
    assert.deepEqual([window.isOn('math'), window.isOn('file_system')], [true, false]);
  });

  it('D.settings: an edit by hand that comes before the editor has read the click wins, and nothing older holds', async () => {
    window = open();
    window.write({ default: { capabilities: ids } });
    window.read();
    shownWindow.readSettings = () => {
      shownWindow.readSettings = () => undefined;
      window.write({ default: { capabilities: ['math', 'web_fetch'] } });
      window.read();
    };
    await window.flip('math', false);
    assert.deepEqual([window.isOn('math'), window.isOn('file_system')], [true, false]);
  });

  it('D.settings: a file that the editor itself is writing is waited for, and one that a person left unsaved is asked about', async () => {
    window = open();
    window.write({ default: { capabilities: ids } });
    window.read();
    const unsaved = { isDirty: true, uri: FakeUri.file(file) };
    workspace.textDocuments = [unsaved];
    const clicked = window.flip('math', false);
    await moment();
    unsaved.isDirty = false;
    shownWindow.changedDocuments.fire();
    await clicked;
    assert.deepEqual([window.isOn('math'), shownWindow.told], [false, []]);

    unsaved.isDirty = true;
    shown.tabGroups.all = [{ tabs: [{ input: new TabInputText(FakeUri.file(file)) }] }];
    await assert.rejects(window.flip('math', true), /has changes that are not saved/);
    assert.deepEqual([window.isOn('math'), shownWindow.told], [false, ['Save the settings file first?']]);
  });

  it('D.settings: a change in the user settings is made on what another window wrote there, though nobody watches them', async () => {
    window = open();
    window.writeOwn({ mine: { capabilities: ids } });
    window.readOwn();
    window.writeOwn({ mine: { capabilities: ids.slice(1) }, other: { capabilities: [] } });
    shownWindow.readSettings = () => window.readOwn();
    await window.flipMine('math', false);
    const { mine, other } = window.inOwnFile()[key] as Record<string, { capabilities: unknown[] }>;
    assert.deepEqual(
      [mine?.capabilities, other],
      [[...ids.slice(1, -1), { ref: 'math', enabled: false }], { capabilities: [] }],
    );
  });

  it('S4.boundaries D.settings: a rule is added to what another window wrote, also in the moment of writing, and none is lost', async () => {
    window = open();
    window.writeOwn({}, ['a']);
    window.readOwn();
    window.writeOwn({}, ['a', 'theirs']);
    shownWindow.readSettings = () => window.readOwn();
    let asked = 0;
    await window.settings.changeOwnRules((rules) => {
      if (asked++ === 0) window.writeOwn({}, ['a', 'theirs', 'late']);
      return [...(rules as JsonObject[]), { id: 'mine' }];
    });
    const written = (window.inOwnFile()[rulesKey] as { id: string }[]).map(({ id }) => id);
    assert.deepEqual([written, asked], [['a', 'theirs', 'late', 'mine'], 2]);
  });

  it('S4.boundaries D.settings: before a call the files count as they stand, though nobody told of it, and none is made', async () => {
    window = open();
    let asked = 0;
    shownWindow.readSettings = () => (asked++, window.readOwn());
    const rules = (): unknown => window.settings.layers().user['policy.boundaries'];
    await window.settings.lookAgain();
    assert.deepEqual([asked, shownWindow.files.size], [0, 0]);
    window.writeOwn({}, ['a']);
    await window.settings.lookAgain();
    await window.settings.lookAgain();
    assert.deepEqual([rules(), asked], [[{ id: 'a' }], 1]);
    window.writeOwn({}, ['a', 'b']);
    await window.settings.lookAgain();
    assert.deepEqual([rules(), asked], [[{ id: 'a' }, { id: 'b' }], 2]);
    // What changed just now may change once more within one stamp; the editor is asked once for each text all the same.
    window.changed(Date.now());
    window.stamped('one moment');
    for (const id of ['c', 'd']) {
      window.writeOwn({}, [id]);
      for (let at = 0; at < 3; at++) await window.settings.lookAgain();
      assert.deepEqual(rules(), [{ id }]);
    }
    assert.equal(asked, 4);
    // What went and came back as it was is new to an editor that may have seen it gone.
    shownWindow.files.delete(ownFile);
    await window.settings.lookAgain();
    window.writeOwn({}, ['d']);
    await window.settings.lookAgain();
    assert.equal(asked, 5);
  });

  it('D.settings: a look at the files that fails costs neither this call nor the next', async () => {
    window = open();
    let looks = 0;
    const warned: string[] = [];
    const settings = new EditorSettings({
      managed: {
        values: {},
        problems: [],
        refresh: () => {
          looks++;
          throw new Error('the disk is away');
        },
      },
      local: { stamp: async () => assert.fail(), read: () => assert.fail() },
      globalStorage: FakeUri.file('/u/User/globalStorage/ours') as unknown as Uri,
      writeText: async () => assert.fail(),
      log: { debug() {}, info() {}, error() {}, warn: (text) => warned.push(text) },
    });
    await Promise.all([settings.lookAgain(), settings.lookAgain()]);
    assert.deepEqual([looks, warned.length], [2, 2]);
    settings.dispose();
  });

  it('D.settings: on a desktop, too, which names the folder of the user by a scheme of its own, what else the file says stays', async () => {
    window = open('vscode-userdata');
    window.writeOwn({ mine: { capabilities: ids } });
    window.readOwn();
    shownWindow.readSettings = () => window.readOwn();
    await window.flipMine('math', false);
    assert.match(shownWindow.files.get(ownFile) ?? '', /^\/\/ mine\n[^]*"enabled": false/);
  });

  it('D.settings: where a profile of the editor has settings of its own, those of its default profile stay as they are', async () => {
    window = open();
    window.writeOwn({ mine: { capabilities: ids } });
    window.readOwn();
    const before = window.inOwnFile();
    await window.flipMine('math', false);
    assert.deepEqual(window.inOwnFile(), before);
    assert.match(JSON.stringify(shownWindow.scopes.user['profiles']), /"math","enabled":false/);
    assert.deepEqual(window.settings.read('user'), shownWindow.scopes.user['profiles']);
  });

  it('D.settings: to delete a profile, only a file that holds it is asked to be saved, and before anything is deleted', async () => {
    window = open();
    const unsaved = { isDirty: true, uri: FakeUri.file(ownFile) };
    workspace.textDocuments = [unsaved];
    shown.tabGroups.all = [{ tabs: [{ input: new TabInputText(FakeUri.file(ownFile)) }] }];
    window.writeOwn({});
    window.readOwn();
    window.write({ team: { capabilities: [] }, both: { capabilities: [] } });
    window.read();
    shownWindow.readSettings = () => window.read();
    await window.editor.remove('team', 'delete');
    assert.deepEqual([Object.keys(window.inFile()), shownWindow.told], [['both'], []]);

    window.writeOwn({ both: { capabilities: ids } });
    window.readOwn();
    await assert.rejects(window.editor.remove('both', 'delete'), /has changes that are not saved/);
    assert.deepEqual(Object.keys(window.inFile()), ['both']);
  });

  it('D.settings: whatever comes when, settings, file and profiles agree at the end and each hand-written mark is there', async () => {
    window = open();
    const step = fc.oneof(
      fc.record({ do: fc.constant('click' as const), id: fc.constantFrom(...ids), on: fc.boolean() }),
      fc.record({ do: fc.constantFrom('hand' as const, 'read' as const, 'wait' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), fc.boolean(), async (steps, readsAtOnce) => {
        shownWindow.readSettings = () => readsAtOnce && window.read();
        window.write({ default: { capabilities: ids } });
        window.read();
        await moment();
        const clicks: Promise<void>[] = [];
        let marks = 0;
        for (const one of steps) {
          if (one.do === 'click') clicks.push(window.flip(one.id, one.on));
          else if (one.do === 'read') window.read();
          else if (one.do === 'wait') await moment();
          else {
            const now = window.inFile();
            window.write({ ...now, [`mark${marks++}`]: { capabilities: [] } });
          }
        }
        const ended = Promise.all(clicks).then(() => true);
        while (!(await Promise.race([ended, moment().then(() => false)]))) window.read();
        window.read();
        await moment();
        assert.deepEqual(
          Array.from({ length: marks }, (_, at) => Object.hasOwn(window.inFile(), `mark${at}`)),
          Array.from({ length: marks }, () => true),
        );
        assert.deepEqual(window.settings.read('workspace'), window.inFile());
        const last = new Map(steps.flatMap((one) => (one.do === 'click' ? [[one.id, one.on] as const] : [])));
        for (const [id, on] of last) assert.equal(window.isOn(id), on, id);
      }),
      { numRuns: runs(40, 200, 4000) },
    );
  });
});
