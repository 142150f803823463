import { type Event, Emitter } from '../base/event';
import { forbiddenKeys } from '../base/json';
import { type Disposable, toDisposable } from '../base/lifecycle';
import { nearestNames } from '../base/nearest';
import type { Capability } from '../capability/capability';
import { ToolError } from '../vocabulary/errors';
import { isCapabilityId, modelNames, toolId } from '../vocabulary/names';
import type { ToolDefinition } from '../vocabulary/toolDefinition';
import type { Tool } from '../capability/tool';
import { sourceKey, sourceKind, type ToolSource } from '../vocabulary/toolSource';
import { isVersion } from '../vocabulary/version';

/** A tool in the registry, with its stable id and the name under which models see it. */
export interface RegisteredTool {
  readonly id: string;
  readonly modelName: string;
  /** Every name that models may have seen it under: rules about it hold whichever it has now. */
  readonly knownAs?: readonly string[] | undefined;
  /** True where a server of another agent may have chosen the model's name: what loosens has to name the id. */
  readonly isNamedByOthers?: boolean;
  readonly definition: ToolDefinition;
  readonly source: ToolSource;
  readonly capability: Capability;
  load: Tool['load'];
}

const namePattern = /^[a-z][a-z0-9_]{0,63}$/;
/** Names that were chosen elsewhere keep their spelling, so that an id says what the server calls the tool. */
const foreignNamePattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$/;

/** Says what is wrong with a capability, with the path of each fault; empty where it may be registered. */
export function capabilityFaults(capability: Capability): readonly string[] {
  const faults: string[] = [];
  if (!isCapabilityId(capability.id))
    faults.push(`/id must be letters, digits, \`_\`, \`-\` and dots, at most 64 (got \`${capability.id}\`)`);
  // A profile that names one of these means what its server or extension offers, also while that is away.
  const names = [
    ['/id', capability.id] as const,
    ...(capability.aliases ?? []).map((one) => ['/aliases', one] as const),
  ];
  for (const [at, name] of names) {
    const reserved = /^(mcp|ext)_/.exec(name)?.[1];
    if (reserved !== undefined && sourceKind(capability.source).idPrefix !== reserved)
      faults.push(`${at} must not begin with \`${reserved}_\`, which is kept for others (got \`${name}\`)`);
  }
  if (!isVersion(capability.version))
    faults.push(`/version must be a semantic version such as 1.0.0 (got \`${capability.version}\`)`);
  if (capability.name.trim() === '') faults.push('/name must not be empty');
  const seen = new Set<string>();
  const { keepsNames } = sourceKind(capability.source);
  capability.tools.forEach(({ definition }, index) => {
    const at = `/tools/${index}`;
    if (!(keepsNames ? foreignNamePattern : namePattern).test(definition.name))
      faults.push(`${at}/name must be snake_case, at most 64 characters (got \`${definition.name}\`)`);
    if (forbiddenKeys.has(definition.name))
      faults.push(`${at}/name must not be \`${definition.name}\`, which no profile can switch; choose another`);
    if (seen.has(definition.name)) faults.push(`${at}/name \`${definition.name}\` is there twice`);
    seen.add(definition.name);
    if (definition.inputSchema.type !== 'object') faults.push(`${at}/inputSchema/type must be \`object\``);
    if (definition.rateLimit && !(definition.rateLimit.requests > 0 && definition.rateLimit.windowMs > 0))
      faults.push(`${at}/rateLimit must have positive requests and window`);
    if (!(definition.timeoutMs > 0)) faults.push(`${at}/timeoutMs must be positive`);
  });
  return faults;
}

/** How many tools would be called by one readable name, or go by it where it is one of ours; all of them look at it. */
interface NameSharing {
  tools: number;
}

/** A class, so that thousands of tools have one shape: what is read of each for every row and search stays quick. */
class OneTool implements RegisteredTool {
  readonly id: string;
  readonly knownAs: readonly string[] | undefined;
  readonly definition: ToolDefinition;
  readonly source: ToolSource;
  readonly capability: Capability;
  readonly load: Tool['load'];
  readonly sharing: NameSharing;
  readonly ownSharing: NameSharing;
  /** Where it counts: no other tool is shown to models under any name of ours. */
  readonly counted: readonly NameSharing[];
  readonly #names: ReturnType<typeof modelNames>;

  constructor(capability: Capability, tool: Tool, sharingOf: (name: string) => NameSharing) {
    const { definition } = tool;
    const names = modelNames(capability, definition.name);
    this.id = toolId(capability, definition.name);
    const known = new Set([names.plain, names.own, names.unique, ...inManifest(capability, definition)]);
    this.knownAs = known.size === 1 ? undefined : [...known];
    this.definition = definition;
    this.source = capability.source;
    this.capability = capability;
    this.load = () => tool.load();
    this.sharing = sharingOf(names.plain);
    this.ownSharing = sharingOf(`own:${names.own}`);
    this.counted = sourceKind(capability.source).isOurs
      ? lastingNames(this).flatMap((name) => [sharingOf(name), sharingOf(`own:${name}`)])
      : [this.sharing, this.ownSharing];
    this.#names = names;
  }

  get modelName(): string {
    if (this.ownSharing.tools > 1) return this.#names.unique;
    return this.sharing.tools > 1 ? this.#names.own : this.#names.plain;
  }
}

/**
 * Holds every capability, whatever its source, in the order of registration. Ids are unique; a duplicate is refused.
 * Unregistering is disposing what `register` answered. Of tools
 * that models would see under one name, the one keeps it whose name is spelled so; where several are, none but ours.
 */
export class CapabilityRegistry {
  readonly #capabilities = new Map<string, Capability>();
  readonly #tools = new Map<string, RegisteredTool>();
  readonly #toolsOf = new Map<string, readonly RegisteredTool[]>();
  readonly #capabilityAliases = new Map<string, string>();
  readonly #toolNames = new Map<string, string[]>();
  readonly #modelNames = new Map<string, NameSharing>();
  readonly #searchTexts = new WeakMap<RegisteredTool, { readonly near: string; readonly far: string }>();
  readonly #changed = new Emitter<void>();
  readonly #unlisted: (reference: string) => RegisteredTool | undefined;
  #revision = 0;

  /**
   * @param unlisted finds tools that are nowhere offered and are made when they are asked for: those of other agents.
   */
  constructor(unlisted: (reference: string) => RegisteredTool | undefined = () => undefined) {
    this.#unlisted = unlisted;
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** Grows whenever a capability comes or goes. */
  get revision(): number {
    return this.#revision;
  }

  /** Throws a `definition_error` that lists every fault, or names the capability that has the id already. */
  register(capability: Capability): Disposable {
    const faults = [...capabilityFaults(capability)];
    if (this.#capabilities.has(capability.id)) faults.push(`/id \`${capability.id}\` is registered already`);
    // Profiles may name a capability by an alias: what comes later and from elsewhere cannot take that name for itself.
    const holder = this.#capabilities.get(this.#capabilityAliases.get(capability.id) ?? '');
    if (holder && sourceKind(holder.source).rank < sourceKind(capability.source).rank)
      faults.push(`/id \`${capability.id}\` is another name of \`${holder.id}\``);
    const tools = capability.tools.map((tool) => new OneTool(capability, tool, (name) => this.#sharing(name)));
    for (const tool of tools)
      if (this.#tools.has(tool.id)) faults.push(`/tools the tool id \`${tool.id}\` is registered already`);
    if (faults.length > 0)
      throw new ToolError({
        code: 'definition_error',
        message: `the capability \`${capability.id}\` is not valid: ${faults.join('; ')}`,
        retryable: false,
        details: { faults },
      });
    this.#capabilities.set(capability.id, capability);
    this.#toolsOf.set(capability.id, tools);
    for (const alias of capability.aliases ?? [])
      if (!this.#capabilityAliases.has(alias)) this.#capabilityAliases.set(alias, capability.id);
    for (const tool of tools) {
      this.#tools.set(tool.id, tool);
      for (const name of namesOf(tool)) this.#toolNames.set(name, [...(this.#toolNames.get(name) ?? []), tool.id]);
      for (const one of tool.counted) one.tools++;
    }
    this.#revision++;
    this.#changed.fire();
    return toDisposable(() => {
      this.#capabilities.delete(capability.id);
      this.#toolsOf.delete(capability.id);
      for (const alias of capability.aliases ?? [])
        if (this.#capabilityAliases.get(alias) === capability.id) this.#capabilityAliases.delete(alias);
      for (const tool of tools) {
        this.#tools.delete(tool.id);
        for (const one of tool.counted) one.tools--;
        for (const name of namesOf(tool)) {
          const rest = (this.#toolNames.get(name) ?? []).filter((id) => id !== tool.id);
          if (rest.length > 0) this.#toolNames.set(name, rest);
          else this.#toolNames.delete(name);
        }
      }
      this.#revision++;
      this.#changed.fire();
    });
  }

  #sharing(name: string): NameSharing {
    const known = this.#modelNames.get(name) ?? { tools: 0 };
    this.#modelNames.set(name, known);
    return known;
  }

  capabilities(): readonly Capability[] {
    return [...this.#capabilities.values()];
  }

  /** Finds a capability by its id or an alias. */
  capability(id: string): Capability | undefined {
    return this.#capabilities.get(id) ?? this.#capabilities.get(this.#capabilityAliases.get(id) ?? '');
  }

  tools(): readonly RegisteredTool[] {
    return [...this.#tools.values()];
  }

  /** The tools of one capability by its id, in its own order; empty where there is no such capability. */
  toolsOf(capabilityId: string): readonly RegisteredTool[] {
    return this.#toolsOf.get(capabilityId) ?? [];
  }

  /**
   * Finds a tool by id, model name, plain name or alias. Of several tools with a name, those of the first source in the
   * order of their ranks count; where that source has several, only the one whose model name it is, else none: the id
   * or model name tells them apart.
   */
  tool(reference: string): RegisteredTool | undefined {
    const direct = this.#tools.get(reference);
    if (direct) return direct;
    const ids = this.#toolNames.get(reference);
    if (!ids || ids.length === 0) return this.#unlisted(reference);
    if (ids.length === 1) return this.#tools.get(ids[0] ?? '');
    // A readable name that was given up is nobody's while another tool is called so.
    const tools = ids
      .flatMap((id) => this.#tools.get(id) ?? [])
      .filter((tool) => tool.modelName === reference || lastingNames(tool).includes(reference));
    const best = Math.min(...tools.map((tool) => sourceKind(tool.source).rank));
    const first = tools.filter((tool) => sourceKind(tool.source).rank === best);
    if (first.length === 1) return first[0];
    const exact = first.filter((tool) => tool.modelName === reference);
    return exact.length === 1 ? exact[0] : undefined;
  }

  /** Every tool that goes by this name, in the order of registration. */
  toolsNamed(reference: string): readonly RegisteredTool[] {
    return (this.#toolNames.get(reference) ?? []).flatMap((id) => this.#tools.get(id) ?? []);
  }

  /** All names that `tool` accepts, for suggestions. */
  toolNames(): readonly string[] {
    return [...this.#toolNames.keys()];
  }

  capabilityIds(): readonly string[] {
    return [...this.#capabilities.keys()];
  }

  nearestCapabilities(id: string): readonly string[] {
    return nearestNames(id, [...this.#capabilities.keys(), ...this.#capabilityAliases.keys()]);
  }

  /**
   * Finds tools by words in their name, description or source, best first: all words in the name, then in the
   * descriptions.
   */
  search(words: string): readonly RegisteredTool[] {
    const terms = termsOf(words);
    if (terms.length === 0) return [];
    const byScore: RegisteredTool[][] = [];
    for (const tool of this.#tools.values()) {
      const { near, far } = this.#searchable(tool);
      let score = 0;
      for (const term of terms) {
        if (near.includes(term)) score += 3;
        else if (far.includes(term)) score += 1;
        else {
          score = 0;
          break;
        }
      }
      if (score > 0) (byScore[score] ??= []).push(tool);
    }
    return byScore.reverse().flat();
  }

  /** Tells of single tools whether `search` finds them: for who looks at few, or asks several words of each. */
  finds(words: string): (tool: RegisteredTool) => boolean {
    const terms = termsOf(words);
    return (tool) => {
      const { near, far } = this.#searchable(tool);
      return terms.length > 0 && terms.every((term) => near.includes(term) || far.includes(term));
    };
  }

  /**
   * The texts in which a tool is searched, in lower case; made once per tool, because that takes longer than the
   * search.
   */
  #searchable(tool: RegisteredTool): { readonly near: string; readonly far: string } {
    const known = this.#searchTexts.get(tool);
    if (known) return known;
    const { name, title, localTitle = '', userDescription, modelDescription } = tool.definition;
    const made = {
      near: `${name} ${title} ${localTitle}`.toLowerCase(),
      far: `${tool.id} ${userDescription} ${modelDescription} ${tool.capability.name} ${tool.capability.local?.name ?? ''} ${sourceKey(tool.source)}`.toLowerCase(),
    };
    this.#searchTexts.set(tool, made);
    return made;
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

const termsOf = (words: string): readonly string[] =>
  words
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

function namesOf(tool: RegisteredTool): ReadonlySet<string> {
  return new Set([modelNames(tool.capability, tool.definition.name).plain, ...lastingNames(tool)]);
}

/** Names that a tool has whatever else is installed. */
function lastingNames({ capability, definition }: Omit<RegisteredTool, 'modelName'>): readonly string[] {
  const { own, unique } = modelNames(capability, definition.name);
  return [
    ...new Set([own, unique, definition.name, ...(definition.aliases ?? []), ...inManifest(capability, definition)]),
  ];
}

/** The name of a tool that the manifest names. */
const inManifest = ({ source }: Capability, { name }: ToolDefinition): readonly string[] =>
  sourceKind(source).isInManifest ? [`cap_${name}`] : [];
