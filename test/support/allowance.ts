import type { Capability } from '../../src/core/capability/capability';
import type { Boundary } from '../../src/core/vocabulary/boundary';
import type { ResolvedProfile } from '../../src/core/profiles/profile';
import { ProfileStore } from '../../src/core/profiles/profileStore';
import { CapabilityRegistry } from '../../src/core/registry/registry';
import { buildRuntimeAgent } from '../../src/core/profiles/runtimeAgent';
import { readSettings } from '../../src/core/settings/readSettings';
import type { SettingsLayers } from '../../src/core/settings/settings';
import { nodeCrypto } from '../../src/node/system';
import { named } from './profiles';
import { MemoryStore } from './toolContext';

const rule = (id: string, path: string): Boundary => ({
  id,
  severity: 'hard',
  match: { accessAny: ['fs.write'], path },
  exceptions: [],
  decision: 'deny',
  reason: `${id} says so`,
  scope: 'user',
});

/**
 * Capabilities with everything that an allowance is about: scopes, ordered and other configuration, boundaries, limits,
 * prompts, aliases.
 */
export const carrying: readonly Capability[] = [
  named(
    'files',
    [
      { name: 'read_it', kind: 'data', scopes: ['file:read'] },
      { name: 'write_it', scopes: ['file:write'] },
    ],
    {
      aliases: ['old_files'],
      configSchema: {
        type: 'object',
        properties: { root: { type: 'string', default: 'workspace' }, note: { type: 'string' } },
      },
      stricterConfig: { root: ['workspace', 'session'] },
    },
  ),
  named('database', [{ name: 'query', kind: 'data', scopes: ['database:read'] }], { systemPrompt: '' }),
  named('guard', [], { aliases: ['old_guard'], boundaries: [rule('guarded', 'src/**')], systemPrompt: '' }),
  named('limited', ['do_it'], { limits: { requests: 3, windowMs: 60_000 }, boundaries: [rule('limited', 'docs/**')] }),
  named('sums', ['add', 'divide'], { aliases: ['old_sums'] }),
  named('templated', [], {
    source: { type: 'definition', file: 't.capability.json' },
    systemPrompt: 'Say ${config.word}.',
    configSchema: { type: 'object', properties: { word: { type: 'string', default: 'no' } } },
  }),
  named('rules', [], { systemPrompt: 'Rules of the house.' }),
  named('writer', [{ name: 'overwrite', scopes: ['file:write'], sideEffects: ['fs.write'] }], {
    aliases: ['old_writer'],
  }),
];

/** A profile of a careful person, of the capabilities of `carrying`. */
export const careful = {
  systemPrompt: 'Never push.',
  capabilities: [{ ref: 'files', config: { root: 'session', note: 'mine' } }, 'guard', 'limited', 'sums'],
};

/** The profile store over any settings, without files or an editor. */
export function storeOver(first: Partial<SettingsLayers>, capabilities: readonly Capability[] = carrying) {
  const registry = new CapabilityRegistry();
  const held = capabilities.map((one) => registry.register(one));
  const read = (layers: Partial<SettingsLayers>) => readSettings({ managed: {}, user: {}, workspace: {}, ...layers });
  let layers = first;
  let settings = read(first);
  const storage = new MemoryStore();
  const crypto = { ...nodeCrypto, randomId: () => 'id' };
  const store = new ProfileStore({ registry, settings: () => settings, storage, crypto });
  return {
    store,
    registry,
    storage,
    write(next: Partial<SettingsLayers>): void {
      layers = { ...layers, ...next };
      settings = read(layers);
      store.refresh();
    },
    dispose(): void {
      store.dispose();
      for (const one of held) one.dispose();
      registry.dispose();
    },
  };
}

/** Whatever a profile has that another has not, worked out without the code that decides about it. */
export function gains(a: ResolvedProfile, b: ResolvedProfile): readonly string[] {
  const out: string[] = [];
  for (const tool of a.tools) if (!b.isToolEnabled(tool)) out.push(`tool ${tool.id}`);
  for (const scope of a.scopes) if (!b.scopes.has(scope)) out.push(`scope ${scope}`);
  if (a.mode !== 'plan' && b.mode === 'plan') out.push('mode');
  const [mine, theirs] = [buildRuntimeAgent(a), buildRuntimeAgent(b)];
  const texts = new Set(theirs.parts.map((part) => part.text));
  for (const part of mine.parts) if (!texts.has(part.text)) out.push(`prompt ${part.text}`);
  const file = a.profile.systemPromptFile;
  if (file !== undefined && file !== b.profile.systemPromptFile) out.push(`prompt file ${file}`);
  const base = theirs.parts.find((part) => part.origin.type === 'profile')?.text;
  if (base !== undefined && !mine.parts.some((part) => part.text === base)) out.push('the base prompt is gone');
  const carriers = new Set(a.carriers.map((one) => one.id));
  for (const { capability, entry } of b.entries) {
    if (!entry.enabled) continue;
    if (((capability.boundaries ?? []).length > 0 || capability.limits) && !carriers.has(capability.id))
      out.push(`without ${capability.id}`);
    const [now, own] = [a.config(capability.id), b.config(capability.id)];
    if (own['root'] === 'session' && now['root'] !== 'session') out.push(`root ${JSON.stringify(now['root'])}`);
    // What a capability that is off would have by default matters to nobody.
    const isOff = !a.entries.some((one) => one.capability === capability && one.entry.enabled);
    const { root: _root, ...rest } = now;
    const { root: _own, ...ownRest } = own;
    if (
      !(isOff && Object.keys(entry.config).length === 0) &&
      JSON.stringify(sorted(rest)) !== JSON.stringify(sorted(ownRest))
    )
      out.push(`configuration of ${capability.id}: ${JSON.stringify(rest)}`);
  }
  return out;
}

const sorted = (value: object): unknown => Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
