import type { ActorType, ToolDefinition } from '../vocabulary/toolDefinition';
import { defined, isObject, type Json, type JsonObject, ownValue, sanitizeJson } from '../base/json';
import { Findings, got, ObjectReader, pointerTo } from '../base/jsonReader';
import { nearestNames, proposal } from '../base/nearest';
import { say } from '../base/sentence';
import type { Capability } from '../capability/capability';
import { isKnownUnfit } from './configurationFit';
import { effectiveConfig } from './promptTemplate';
import { type Parsed, type Problem, problem } from '../base/problem';
import type { CapabilityRegistry, RegisteredTool } from '../registry/registry';
import type { Mode } from '../vocabulary/decision';

type ProfileOrigin = 'shipped' | 'user' | 'workspace';

/** One capability in a profile: its place in the list is its place in the prompt. */
export interface ProfileEntry {
  /** A capability's id or alias. */
  readonly ref: string;
  readonly enabled: boolean;
  /** Tools that differ from their capability, by tool name. */
  readonly tools: Readonly<Record<string, boolean>>;
  readonly config: JsonObject;
}

/** A profile as it is written. */
export interface Profile {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** The base prompt; comes after the capabilities' additions. */
  readonly systemPrompt: string;
  /** A workspace-relative file that holds the base prompt instead. */
  readonly systemPromptFile?: string;
  readonly mode: Mode;
  /** The granted scopes; left out, the profile is granted what its enabled tools need. */
  readonly scopes?: readonly string[];
  readonly capabilities: readonly ProfileEntry[];
  readonly origin: ProfileOrigin;
}

/** A profile held against the registry: what is really on. */
export interface ResolvedProfile {
  readonly profile: Profile;
  readonly id: string;
  readonly entries: readonly ResolvedEntry[];
  /**
   * What of the user's own profile stays in force although this one, which comes from a workspace, leaves it out or has
   * it off: configuration, boundaries and limits, never tools or prompts.
   */
  readonly kept: readonly KeptEntry[];
  /** The capabilities whose boundaries and limits hold: those that are on, and those that are kept. */
  readonly carriers: readonly Capability[];
  /** The tools that are on, in prompt order. */
  readonly tools: readonly RegisteredTool[];
  readonly scopes: ReadonlySet<string>;
  readonly mode: Mode;
  readonly problems: readonly Problem[];
  isToolEnabled(tool: RegisteredTool): boolean;
  config(capabilityId: string): JsonObject;
}

export type KeptEntry = Pick<ResolvedEntry, 'capability' | 'entry'>;

export interface ResolvedEntry {
  readonly capability: Capability;
  readonly entry: ProfileEntry;
  /** True where its configuration is known not to fit: then it is off, whatever the profile says. */
  readonly isUnfit: boolean;
  readonly tools: readonly { readonly tool: RegisteredTool; readonly enabled: boolean }[];
}

/** True for a tool that its definition keeps from people, or from agents. */
export const isHiddenFrom = (
  actor: ActorType,
  { agentVisible, agentOnly }: Pick<ToolDefinition, 'agentVisible' | 'agentOnly'>,
): boolean => (actor === 'agent' ? agentVisible === false : agentOnly === true);

/** The scopes that a tool needs and the profile is not granted. */
export function missingScopes({ definition }: RegisteredTool, { profile, scopes }: ResolvedProfile): readonly string[] {
  const { impliedScopes } = definition;
  // Where nobody listed scopes, what another tool implies does not count for this one.
  const granted = profile.scopes === undefined && impliedScopes ? new Set(impliedScopes) : scopes;
  return definition.scopes.filter((scope) => !granted.has(scope));
}

/** Reads a profile from settings. What cannot be read is left at its default and reported; nothing is guessed. */
export function parseProfile(id: string, raw: unknown, origin: ProfileOrigin): Parsed<Profile> {
  const findings = new Findings({
    code: 'invalid_profile',
    subject: id,
    nullIsWrong: true,
    sentence: (pointer, _key, fault) => say('profile_at', id, pointer, fault),
  });
  if (!isObject(raw)) findings.error('', say('profile_no_object', id, got(raw)));
  const clean = sanitizeJson(raw, 64, (way) => {
    const pointer = way.reduce(pointerTo, '');
    findings.error(pointer, say('forbidden_property', pointer));
  });
  const reader = new ObjectReader(isObject(clean) ? clean : {}, '', findings);
  reader.raw('id');
  const file = reader.text('systemPromptFile') ?? '';
  const name = reader.text('name') ?? id;
  const description = reader.text('description') ?? '';
  const systemPrompt = reader.text('systemPrompt') ?? '';
  const spellings = { planning: 'plan', execution: 'execute' } as const;
  const mode = reader.oneOf('mode', ['plan', 'execute'], spellings, say('plan_is_used'));
  const scopes = reader.has('scopes') ? (reader.texts('scopes', say('no_scope')) ?? []) : undefined;
  const capabilities: ProfileEntry[] = [];
  reader.list('capabilities')?.forEach((item, index) => {
    const pointer = pointerTo(reader.at('capabilities'), index);
    const entry = parseEntry(item, pointer, findings);
    if (!entry) return;
    if (capabilities.some((one) => one.ref === entry.ref))
      findings.error(pointer, say('profile_at', id, pointer, say('named_twice', entry.ref)));
    else capabilities.push(entry);
  });
  reader.finish('error', 'invalid_profile');
  const value = defined({
    id,
    name,
    description,
    systemPrompt,
    systemPromptFile: file === '' ? undefined : file,
    mode: mode ?? (reader.has('mode') ? 'plan' : 'execute'),
    scopes,
    capabilities,
    origin,
  });
  return { value, problems: findings.problems };
}

function parseEntry(item: unknown, pointer: string, findings: Findings): ProfileEntry | undefined {
  if (typeof item === 'string') return { ref: item, enabled: true, tools: {}, config: {} };
  if (!isObject(item)) {
    findings.error(pointer, findings.about(pointer, '', say('must_be', say('id_or_object'), got(item))));
    return undefined;
  }
  const reader = new ObjectReader(item, pointer, findings);
  const ref = reader.raw('ref') ?? reader.raw('id');
  if (typeof ref !== 'string' || ref === '') {
    reader.error('ref', say('must_name_capability'));
    return undefined;
  }
  const off = say('it_is_off');
  const enabled = reader.flag('enabled', off) ?? !reader.has('enabled');
  const [listed, config] = [reader.object('tools', off), reader.object('config', off)];
  // What cannot be read was to say what of the capability is on, and so was a key that is nearly one that does.
  const isLost = (reader.has('tools') && !listed) || (reader.has('config') && !config);
  const isMeant = reader.unasked().some((key) => nearestNames(key, ['enabled', 'tools', 'config'], 1).length > 0);
  const tools: Record<string, boolean> = {};
  for (const [name, on] of Object.entries(listed ?? {})) {
    const at = pointerTo(reader.at('tools'), name);
    const said = say('instead', say('must_be', 'boolean', got(on)), off);
    if (typeof on !== 'boolean') findings.error(at, findings.about(at, name, said));
    tools[name] = on === true;
  }
  reader.finish('error', 'invalid_profile', isMeant ? off : undefined);
  // Settings were sanitised as a whole, so that what stands here is JSON.
  return { ref, enabled: enabled && !isLost && !isMeant, tools, config: (config ?? {}) as JsonObject };
}

/**
 * Writes a profile in its shortest form: what equals the default is left out. `parseProfile` reads it back unchanged.
 */
export function profileToJson(profile: Profile): JsonObject {
  const unless = <T>(isDefault: boolean, value: T): T | undefined => (isDefault ? undefined : value);
  return defined({
    name: unless(profile.name === profile.id, profile.name),
    description: profile.description || undefined,
    systemPrompt: profile.systemPrompt || undefined,
    systemPromptFile: profile.systemPromptFile,
    mode: unless(profile.mode === 'execute', profile.mode),
    scopes: profile.scopes,
    capabilities: profile.capabilities.map(({ ref, enabled, tools, config }): Json => {
      const [sameTools, noConfig] = [Object.keys(tools).length === 0, Object.keys(config).length === 0];
      if (enabled && sameTools && noConfig) return ref;
      return defined({
        ref,
        enabled: enabled ? undefined : false,
        tools: unless(sameTools, tools),
        config: unless(noConfig, config),
      });
    }),
  });
}

/** The same for each registration, which never changes. */
const allAlike = new WeakMap<readonly RegisteredTool[], Partial<Record<'on' | 'off', ResolvedEntry['tools']>>>();

/**
 * A capability's tools, all on or all off. They are made once, because with thousands of tools each change of a profile
 * would be felt.
 */
function alike(registered: readonly RegisteredTool[], enabled: boolean): ResolvedEntry['tools'] {
  const known = allAlike.get(registered) ?? {};
  allAlike.set(registered, known);
  return (known[enabled ? 'on' : 'off'] ??= registered.map((tool) => ({ tool, enabled })));
}

/**
 * Holds a profile against the registry. An unknown capability or tool is a problem with the nearest names; it is never
 * dropped from the profile.
 * @param keeping what of the user's own profile stays in force beside it.
 */
export function resolveProfile(
  profile: Profile,
  registry: CapabilityRegistry,
  keeping: readonly KeptEntry[] = [],
): ResolvedProfile {
  const { value: entries, problems } = resolveEntries(profile, registry);
  const tools: RegisteredTool[] = [];
  for (const entry of entries) for (const one of entry.tools) if (one.enabled) tools.push(one.tool);
  let enabled: ReadonlySet<string> | undefined;
  const on = new Set(entries.filter(({ entry }) => entry.enabled).map(({ capability }) => capability));
  const kept = keeping.filter(({ capability }) => !on.has(capability));
  const configs = configsOf(entries, kept);
  return {
    profile,
    id: profile.id,
    entries,
    kept,
    carriers: [...on, ...kept.map(({ capability }) => capability)],
    tools,
    scopes: scopesOf(profile, tools),
    mode: profile.mode,
    problems: [...problems, ...dependencyProblems(profile, entries, registry)],
    isToolEnabled: (tool) => (enabled ??= new Set(tools.map(({ id }) => id))).has(tool.id),
    config: (capabilityId) => configs.get(capabilityId) ?? {},
  };
}

/** The entries whose capability is there, each capability once, with what is wrong about them and the others. */
function resolveEntries(profile: Profile, registry: CapabilityRegistry): Parsed<readonly ResolvedEntry[]> {
  const problems: Problem[] = [];
  const entries = new Map<string, ResolvedEntry>();
  for (const entry of profile.capabilities) {
    const capability = registry.capability(entry.ref);
    if (!capability) {
      const near = proposal(entry.ref, registry.capabilityIds());
      const said = say('unknown_capability', profile.id, entry.ref, near);
      problems.push(problem({ severity: 'error', said, subject: entry.ref }));
    } else if (entries.has(capability.id)) {
      // Its own id says nothing of how it comes to stand there twice: the alias does.
      const again = profile.capabilities.find(
        ({ ref }) => ref !== capability.id && registry.capability(ref) === capability,
      );
      const said = say('duplicate_capability', profile.id, capability.id, again?.ref ?? entry.ref);
      problems.push(problem({ severity: 'warning', said, subject: capability.id }));
    } else {
      const registered = registry.toolsOf(capability.id);
      entries.set(capability.id, resolveEntry(entry, capability, registered));
      problems.push(...toolProblems(profile, entry, capability, registered));
    }
  }
  return { value: [...entries.values()], problems };
}

function resolveEntry(
  entry: ProfileEntry,
  capability: Capability,
  registered: readonly RegisteredTool[],
): ResolvedEntry {
  // A configuration that does not fit reaches no handler and no prompt.
  const isUnfit = isKnownUnfit(capability, entry.config);
  const isOn = entry.enabled && !isUnfit && capability.status !== 'coming_soon';
  if (Object.keys(entry.tools).length === 0) return { capability, entry, isUnfit, tools: alike(registered, isOn) };
  const tools = registered.map((tool) => ({
    tool,
    enabled: isOn && (ownValue(entry.tools, tool.definition.name) ?? true),
  }));
  return { capability, entry, isUnfit, tools };
}

/** The tools that an entry names and its capability does not have. */
function toolProblems(
  profile: Profile,
  entry: ProfileEntry,
  capability: Capability,
  registered: readonly RegisteredTool[],
): readonly Problem[] {
  const named = Object.keys(entry.tools);
  if (named.length === 0) return [];
  const names = registered.map((tool) => tool.definition.name);
  return named
    .filter((name) => !names.includes(name))
    .map((name) => {
      const said = say('unknown_tool', profile.id, name, capability.id, proposal(name, names));
      return problem({ severity: 'error', said, subject: capability.id });
    });
}

/** The scopes that a profile lists, or else those that its tools need. */
function scopesOf(profile: Profile, tools: readonly RegisteredTool[]): ReadonlySet<string> {
  if (profile.scopes !== undefined) return new Set(profile.scopes);
  return new Set(tools.flatMap(({ definition }) => definition.impliedScopes ?? definition.scopes));
}

/**
 * The configuration of each capability. An entry that is off says less of it than what the user's own profile has on,
 * which therefore comes last.
 */
const configsOf = (entries: readonly ResolvedEntry[], kept: readonly KeptEntry[]): ReadonlyMap<string, JsonObject> =>
  new Map(
    [...entries, ...kept].map(({ capability, entry }) => [capability.id, effectiveConfig(capability, entry.config)]),
  );

function dependencyProblems(
  profile: Profile,
  entries: readonly ResolvedEntry[],
  registry: CapabilityRegistry,
): readonly Problem[] {
  const on = new Set(entries.filter((one) => one.entry.enabled).map((one) => one.capability.id));
  const problems: Problem[] = [];
  for (const { capability, entry } of entries) {
    if (!entry.enabled) continue;
    for (const { id } of capability.dependencies ?? []) {
      const needed = registry.capability(id);
      if (needed && on.has(needed.id)) continue;
      const said = needed
        ? say('dependency_off', capability.id, needed.id, profile.id)
        : say('dependency_missing', capability.id, id, proposal(id, registry.capabilityIds()));
      problems.push(problem({ severity: 'error', said, subject: capability.id }));
    }
  }
  return problems;
}
