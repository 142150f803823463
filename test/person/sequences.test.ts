import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { builtinCapabilities } from '../../src/capabilities/index';
import { offeredTools } from '../../src/core/profiles/offeredTools';
import type { ResolvedProfile } from '../../src/core/profiles/profile';
import type { Capability } from '../../src/core/capability/capability';
import { CapabilityRegistry } from '../../src/core/registry/registry';
import { contextKey } from '../../src/vscode/manifest/commands/contextKey';
import { useEditor } from '../support/editor/person';
import { chooseProfile } from '../support/editor/chooseProfile';
import { until } from '../support/editor/until';
import {
  anySequence,
  editedByHand,
  everyPair,
  expectedProfile,
  expectedRows,
  type TreeAction,
} from '../support/treeSequences';

const registry = new CapabilityRegistry();
for (const capability of builtinCapabilities) registry.register(capability);
const view = 'Capabilities';
/** What is for developers of extensions alone is no row in an installed one. */
const isOffered = (capability: Capability): boolean => capability.forDevelopers !== true;
const nameOf = (id: string): string => registry.capability(id)?.name ?? id;

/**
 * The same steps as in test/unit/vscode/capabilityView.test.ts, where hundreds of sequences meet an editor that is made
 * up. In the real one each kind of step follows each, a reload comes between changes of all kinds, and the last is the
 * sequence that once left an open row behind.
 */
const sequences: TreeAction[][] = [
  ...everyPair(fc.sample(anySequence, { numRuns: 1000, seed: 20261121 })),
  [
    { do: 'capability', id: 'math' },
    { do: 'move', id: 'math', up: true },
    { do: 'reload' },
    { do: 'undo' },
    { do: 'tool', name: 'read_file' },
    { do: 'undo' },
  ],
  [
    { do: 'edit', capabilities: ['math', 'file_system', 'todo_list'] },
    { do: 'switch', profile: 'readOnly' },
    { do: 'reload' },
    { do: 'capability', id: 'todo_list' },
    { do: 'switch', profile: 'default' },
  ],
  ...fc.sample(anySequence, { numRuns: 60, seed: 20261121 }).slice(53, 54),
];

describe('any sequence of actions in the Capabilities view', () => {
  // The hover of the box that was clicked last would lie over its neighbours.
  const editor = useEditor({ viewport: { width: 1280, height: 1730 }, settings: { 'workbench.hover.delay': 10_000 } });
  const file = (): string => join(editor.folder, '.vscode', 'settings.json');
  let active = 'default';
  let isSwitched = false;

  async function readProfiles(): Promise<Record<string, unknown>> {
    const text = await readFile(file(), 'utf8').catch(() => '{}');
    return (JSON.parse(text || '{}')['agentCapabilities.profiles'] ?? {}) as Record<string, unknown>;
  }

  const expected = async (): Promise<ResolvedProfile> =>
    expectedProfile((await readProfiles())[active], active, registry);

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

  async function openAll(): Promise<void> {
    await editor.workbench.openContainer('Agent Capabilities');
    await editor.workbench.treeRow(view, nameOf('math')).waitFor();
    await editor.host.execute('agentCapabilities.capabilities.focus');
    const names = registry
      .capabilities()
      .filter((capability) => capability.tools.length > 0 && isOffered(capability))
      .map(({ name }) => name);
    // The editor closes a row again that was opened between its asking for the rows anew and its drawing them.
    await until(async () => {
      for (const name of names) await editor.workbench.expand(view, name);
      const closed = await editor.workbench
        .tree(view)
        .evaluateAll((rows) =>
          rows
            .filter((row) => row.getAttribute('aria-expanded') === 'false')
            .map((row) => row.querySelector('.label-name')?.textContent ?? ''),
        );
      assert.deepEqual(
        names.filter((name) => closed.includes(name)),
        [],
      );
    }, 60_000);
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

  async function act(action: TreeAction): Promise<void> {
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
        isSwitched = true;
        return;
      case 'undo':
        await host.execute('agentCapabilities.undo');
        return;
      case 'edit': {
        await mkdir(join(editor.folder, '.vscode'), { recursive: true });
        const all = JSON.parse((await readFile(file(), 'utf8').catch(() => '{}')) || '{}');
        const profiles = { ...all['agentCapabilities.profiles'], [active]: editedByHand(active, action.capabilities) };
        await writeFile(file(), JSON.stringify({ ...all, 'agentCapabilities.profiles': profiles }, null, 2));
        return;
      }
      case 'reload':
        // A browser's window is not asked before it goes, and writes what it is to remember some seconds later.
        if (isSwitched) await editor.stored(`"id":"${active}"`);
        await editor.reload();
        await openAll();
        return;
    }
  }

  it('D.tree: leaves settings, tree, context keys and the tools that the model is sent in exact agreement', async function () {
    this.timeout(600_000);
    await openAll();
    for (const [index, actions] of sequences.entries()) {
      const said = `sequence ${index}: ${JSON.stringify(actions)}`;
      for (const [step, action] of actions.entries()) {
        const at = `step ${step} of ${said}`;
        await act(action).catch((error: unknown) => {
          throw new Error(`${at}: ${String(error)}`, { cause: error });
        });
        // A person, too, looks before the next click.
        await until(
          async () => assert.deepEqual(await shown(), expectedRows(await expected(), registry, isOffered), at),
          20_000,
        );
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
