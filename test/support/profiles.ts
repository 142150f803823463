import fc from 'fast-check';
import type { Capability } from '../../src/core/capability/capability';
import type { JsonObject } from '../../src/core/base/json';
import { ProfileEditor, type ProfileSettings, type SaveTarget } from '../../src/core/profiles/profileEditor';
import { ProfileStore } from '../../src/core/profiles/profileStore';
import { CapabilityRegistry } from '../../src/core/registry/registry';
import { readSettings } from '../../src/core/settings/readSettings';
import type { ToolDefinition } from '../../src/core/vocabulary/toolDefinition';
import { definition } from './gate';
import { fakePorts, MemoryStore } from './toolContext';
import { defineTool } from '../../src/core/capability/tool';

/** A capability with tools of these names, for tests about what is on and in which order. */
export function named(
  id: string,
  tools: readonly (string | Partial<ToolDefinition>)[],
  more: Partial<Capability> = {},
): Capability {
  return {
    id,
    version: '1.0.0',
    name: id.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => ` ${letter.toUpperCase()}`).trim(),
    description: `What ${id} does`,
    status: 'available',
    source: { type: 'builtin' },
    systemPrompt: `Use ${id} well.`,
    tools: tools.map((tool) =>
      defineTool(definition(typeof tool === 'string' ? { name: tool } : tool), async () => ({
        accesses: () => [],
        run: async () => ({ payload: {} }),
      })),
    ),
    ...more,
  };
}

export const fiveCapabilities: readonly Capability[] = [
  named('file_system', [
    { name: 'read_file', kind: 'data', scopes: ['file:read'], sideEffects: ['fs.read'] },
    {
      name: 'write_file',
      scopes: ['file:write'],
      sideEffects: ['fs.write'],
      riskLevel: 'medium',
      permissions: { user: 'allowed', agent: 'confirmation_required' },
    },
  ]),
  named('web_fetch', [{ name: 'web_fetch', kind: 'data', scopes: ['http:read'], sideEffects: ['network.http'] }]),
  named('todo_list', [
    { name: 'write_todos', kind: 'state' },
    { name: 'read_todos', kind: 'data' },
  ]),
  named('current_time', [{ name: 'get_current_time', kind: 'status' }]),
  named('math', [
    { name: 'add', kind: 'data' },
    { name: 'divide', kind: 'data' },
  ]),
];

const noBundle = { name: 'acme', revision: 1, hash: '00', servers: {}, definitions: {}, problems: [] };

/**
 * A registry, settings in memory, the profile store and the editor over them: all of profiles but the editor's window.
 */
export function profileWorld(
  capabilities: readonly Capability[] = fiveCapabilities,
  first: {
    user?: unknown;
    workspace?: unknown;
    workspaceActive?: string;
    bundled?: Readonly<Record<string, unknown>>;
  } = {},
  /** How long the settings take to write or to read anew. */
  work: () => Promise<void> = () => Promise.resolve(),
) {
  const registry = new CapabilityRegistry();
  const registered = capabilities.map((capability) => registry.register(capability));
  const scopes: Record<SaveTarget, unknown> = { user: first.user, workspace: first.workspace };
  const ports = fakePorts();
  const storage = new MemoryStore();
  let { bundled } = first;
  const layers = () => ({
    managed: {},
    user: scopes.user === undefined ? {} : { profiles: scopes.user },
    workspace: {
      ...(scopes.workspace === undefined ? {} : { profiles: scopes.workspace }),
      ...(first.workspaceActive === undefined ? {} : { activeProfile: first.workspaceActive }),
    },
    bundles: bundled === undefined ? [] : [{ ...noBundle, settings: { profiles: bundled } }],
  });
  let settings = readSettings(layers());
  const store = new ProfileStore({ registry, settings: () => settings, storage, crypto: ports.crypto });
  let onDisk: { readonly value: unknown } | undefined;
  const writes: [SaveTarget, JsonObject | undefined][] = [];
  const world = {
    registry,
    store,
    writes,
    storage,
    target: 'workspace' as SaveTarget,
    raw: (target: SaveTarget): any => scopes[target],
    /** What a person does by editing the settings file. */
    edit(target: SaveTarget, value: unknown): void {
      scopes[target] = value;
      settings = readSettings(layers());
      store.refresh();
    },
    /** What a signed bundle says of profiles from now on. */
    bundle(profiles: Readonly<Record<string, unknown>> | undefined): void {
      bundled = profiles;
      settings = readSettings(layers());
      store.refresh();
    },
    /** What another window writes: it is on disk, but this one has not noticed yet. */
    otherWindow(value: unknown): void {
      onDisk = { value };
    },
    /** Makes the editor anew over what was stored, as a reload of the window does. */
    reload(): void {
      world.editor?.dispose();
      world.editor = new ProfileEditor({ store, settings: port, log: ports.log, storage });
    },
    editor: undefined as unknown as ProfileEditor,
    dispose(): void {
      world.editor.dispose();
      store.dispose();
      for (const one of registered) one.dispose();
      registry.dispose();
    },
  };
  const port: ProfileSettings = {
    target: () => world.target,
    read: (target) => structuredClone(scopes[target]),
    async write(target, value) {
      await work();
      writes.push([target, value]);
      world.edit(target, value === undefined ? undefined : structuredClone(value));
    },
    async catchUp(target) {
      await work();
      if (onDisk && target === 'workspace') world.edit(target, onDisk.value);
      onDisk = undefined;
    },
  };
  world.reload();
  return world;
}

/** Any profile as a person might write it, over the ids of `fiveCapabilities`, unknown ones and nonsense. */
export const anyRawProfile = fc.record(
  {
    name: fc.string({ maxLength: 12 }),
    description: fc.string({ maxLength: 12 }),
    system_prompt: fc.string({ maxLength: 12 }),
    mode: fc.constantFrom('plan', 'execute'),
    scopes: fc.array(fc.constantFrom('file:read', 'file:write', 'http:read'), { maxLength: 3 }),
    'x-mine': fc.jsonValue({ maxDepth: 2 }),
    capabilities: fc.array(
      fc.oneof(
        fc.constantFrom('file_system', 'web_fetch', 'todo_list', 'math', 'unknown_one'),
        fc.record(
          {
            ref: fc.constantFrom('file_system', 'current_time', 'math', 'nope'),
            enabled: fc.boolean(),
            tools: fc.dictionary(fc.constantFrom('add', 'divide', 'read_file', 'nothing'), fc.boolean(), {
              maxKeys: 3,
            }),
            config: fc.constant({ focus: 'main' }),
            note: fc.string({ maxLength: 5 }),
          },
          { requiredKeys: ['ref'] },
        ),
        fc.integer(),
      ),
      { maxLength: 6 },
    ),
  },
  { requiredKeys: ['capabilities'] },
);
