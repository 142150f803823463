import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { builtinCapabilities } from '../../src/capabilities/index';
import { offeredTools } from '../../src/core/profiles/offeredTools';
import { parseProfile, resolveProfile, type ResolvedProfile } from '../../src/core/profiles/profile';
import { CapabilityRegistry } from '../../src/core/registry/registry';
import { shippedProfiles } from '../../src/core/profiles/shippedProfiles';
import { contextKey } from '../../src/vscode/manifest/commands/contextKey';
import { runs } from '../support/counts';
import { useEditor } from '../support/editor/person';
import { chooseProfile } from '../support/editor/chooseProfile';
import { until } from '../support/editor/until';

const registry = new CapabilityRegistry();
for (const capability of builtinCapabilities) registry.register(capability);
const view = 'Capabilities';
const ids = ['file_system', 'web_fetch', 'todo_list', 'current_time', 'math'];
const tools = ['read_file', 'write_file', 'grep_files', 'web_fetch', 'read_todos', 'multiply'];
const nameOf = (id: string): string => registry.capability(id)?.name ?? id;

type Action =
  | { do: 'capability'; id: string }
  | { do: 'tool'; name: string }
  | { do: 'move'; id: string; up: boolean }
  | { do: 'switch'; profile: string }
  | { do: 'undo' }
  | { do: 'edit'; capabilities: unknown[] }
  | { do: 'reload' };

const anyAction: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('capability' as const), id: fc.constantFrom(...ids) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('tool' as const), name: fc.constantFrom(...tools) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('move' as const), id: fc.constantFrom(...ids), up: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('switch' as const), profile: fc.constantFrom('default', 'readOnly') }),
  },
  { weight: 3, arbitrary: fc.constant({ do: 'undo' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('edit' as const), capabilities: fc.shuffledSubarray(ids) }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'reload' as const }) },
);

describe('any sequence of actions in the Capabilities view', () => {
  // The hover of the box that was clicked last would lie over its neighbours.
  const editor = useEditor({ viewport: { width: 1280, height: 1700 }, settings: { 'workbench.hover.delay': 10_000 } });
  const file = (): string => join(editor.folder, '.vscode', 'settings.json');
  let active = 'default';

  async function readProfiles(): Promise<Record<string, unknown>> {
    const text = await readFile(file(), 'utf8').catch(() => '{}');
    return (JSON.parse(text || '{}')['agentCapabilities.profiles'] ?? {}) as Record<string, unknown>;
  }

  /**
   * What the settings file says, read by the same rules but without the editor. The user's own settings are the shipped
   * profiles here.
   */
  async function expected(): Promise<ResolvedProfile> {
    const raw = (await readProfiles())[active];
    const profile =
      raw === undefined
        ? shippedProfiles().find((one) => one.id === active)
        : parseProfile(active, raw, 'workspace').value;
    assert.ok(profile);
    return resolveProfile(profile, registry);
  }

  /**
   * The tree as it stands on the screen: each row's name and box, all rows open; other extensions' rows, which follow,
   * are left out.
   */
  async function shown(): Promise<string[]> {
    const known = new Set([
      ...registry.capabilities().map((capability) => capability.name),
      ...registry.tools().map((tool) => tool.definition.name),
    ]);
    const all = await editor.workbench.tree(view).evaluateAll((rows) =>
      rows
        .sort((a, b) => Number(a.getAttribute('data-index')) - Number(b.getAttribute('data-index')))
        .map((row) => {
          const box = row.querySelector('.monaco-checkbox, .custom-view-tree-node-item-checkbox');
          return `${box?.getAttribute('aria-checked') === 'true' ? '☑' : '☐'} ${row.querySelector('.label-name')?.textContent ?? ''}`;
        }),
    );
    return all.filter((row) => known.has(row.slice(2)));
  }

  function rowsOf(profile: ResolvedProfile): string[] {
    const listed = profile.entries.map((one) => one.capability);
    const all = [...listed, ...registry.capabilities().filter((capability) => !listed.includes(capability))];
    const on = new Set(profile.entries.filter((one) => one.entry.enabled).map((one) => one.capability));
    return all.flatMap((capability) => [
      `${on.has(capability) ? '☑' : '☐'} ${capability.name}`,
      ...registry
        .toolsOf(capability.id)
        .map((tool) => `${profile.isToolEnabled(tool) ? '☑' : '☐'} ${tool.definition.name}`),
    ]);
  }

  async function openAll(): Promise<void> {
    await editor.workbench.openContainer('Agent Capabilities');
    await editor.workbench.treeRow(view, nameOf('math')).waitFor();
    await editor.host.execute('agentCapabilities.capabilities.focus');
    for (const capability of registry.capabilities())
      if (capability.tools.length > 0) await editor.workbench.expand(view, capability.name);
  }

  /** A row by exactly its name, because one name can be part of another. */
  const box = (name: string) =>
    editor.workbench
      .tree(view)
      .filter({ has: editor.page.locator('.label-name').getByText(name, { exact: true }) })
      .first()
      .locator('.monaco-checkbox, .custom-view-tree-node-item-checkbox')
      .first();

  async function click(name: string): Promise<void> {
    const before = await box(name).getAttribute('aria-checked');
    // A click that meets a redraw does nothing, which the person is told; so they click again.
    await until(async () => {
      if ((await box(name).getAttribute('aria-checked')) === before) await editor.workbench.clickBox(box(name));
      await until(
        async () => assert.notEqual(await box(name).getAttribute('aria-checked'), before, `${name} changes`),
        4000,
      );
    }, 15_000);
  }

  async function act(action: Action): Promise<void> {
    const { host } = editor;
    switch (action.do) {
      case 'capability':
        return click(nameOf(action.id));
      case 'tool':
        return click(action.name);
      case 'move':
        await host.execute(`agentCapabilities.${action.up ? 'moveUp' : 'moveDown'}`, action.id);
        return;
      case 'switch':
        await chooseProfile(editor, action.profile);
        active = action.profile;
        return;
      case 'undo':
        await host.execute('agentCapabilities.undo');
        return;
      case 'edit': {
        await mkdir(join(editor.folder, '.vscode'), { recursive: true });
        const all = JSON.parse((await readFile(file(), 'utf8').catch(() => '{}')) || '{}');
        const profiles = {
          ...all['agentCapabilities.profiles'],
          [active]: { mode: active === 'readOnly' ? 'plan' : 'execute', capabilities: [] as unknown[] },
        };
        // Only what the shipped profile allows: anything wider would have to be accepted first.
        const own = shippedProfiles().find((one) => one.id === active);
        const scopes = own?.scopes ? { scopes: own.scopes } : {};
        profiles[active] = {
          ...profiles[active],
          ...scopes,
          capabilities: action.capabilities.map((id) => ({
            ref: id,
            tools: own?.capabilities.find((entry) => entry.ref === id)?.tools ?? {},
          })),
        };
        await writeFile(file(), JSON.stringify({ ...all, 'agentCapabilities.profiles': profiles }, null, 2));
        return;
      }
      case 'reload':
        await editor.reload();
        await openAll();
        return;
    }
  }

  it('D.tree: leaves settings, tree, context keys and the tools that the model is sent in exact agreement', async function () {
    this.timeout(1_200_000);
    await openAll();
    const sequences = fc.sample(fc.array(anyAction, { minLength: 1, maxLength: 6 }), {
      numRuns: runs(60, 8),
      seed: 20261121,
    });
    for (const [index, actions] of sequences.entries()) {
      const said = `sequence ${index}: ${JSON.stringify(actions)}`;
      for (const [step, action] of actions.entries()) {
        const at = `step ${step} of ${said}`;
        await act(action).catch((error: unknown) => {
          throw new Error(`${at}: ${String(error)}`, { cause: error });
        });
        // A person, too, looks before the next click.
        await until(async () => assert.deepEqual(await shown(), rowsOf(await expected()), at), 8_000);
      }
      const profile = await expected();
      const wanted = offeredTools(profile)
        .map((tool) => `cap_${tool.definition.name}`)
        .sort();
      await until(async () => {
        await editor.host.script([{ text: 'Nothing.' }]);
        const turn = await editor.host.runAgentTurn({ query: `request ${index}` });
        const sent = (turn.requests[0]?.tools ?? []).map((tool) => tool.name).filter((name) => name.startsWith('cap_'));
        assert.deepEqual(sent.sort(), wanted, said);
      }, 15_000);
      const offered = new Set(offeredTools(profile).map((tool) => tool.id));
      const keys = Object.fromEntries(
        registry.tools().map((tool) => [contextKey(`tool.${tool.definition.name}`), offered.has(tool.id)]),
      );
      assert.deepEqual(await editor.contextKeys('agentCapabilities.tool.'), keys, said);
      const status = await editor.workbench.statusBarItem(/· (plan|execute)/).innerText();
      assert.match(status, new RegExp(`${profile.profile.name} · ${profile.mode}`), said);
      await editor.workbench.openContainer('Agent Capabilities');
    }
  });
});
