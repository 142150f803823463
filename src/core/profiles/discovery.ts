import { isHiddenFrom } from './profile';
import { defined } from '../base/json';
import type { Disposable } from '../base/lifecycle';
import { offeredTools } from './offeredTools';
import type { CatalogueCapability, CatalogueTool, DiscoveryPort, FoundTool } from '../ports/discovery';
import type { ProfileStore } from './profileStore';
import type { CapabilityRegistry, RegisteredTool } from '../registry/registry';
import type { ToolKind } from '../vocabulary/toolDefinition';
import { FoundTools } from '../registry/foundTools';
import { type IndexedTool, TermReader, ToolIndex } from '../registry/toolIndex';
import { sourceKey } from '../vocabulary/toolSource';

/**
 * Answers what exists and what is on from the registry and the active profile. The search index holds every registered
 * tool, so switching one on or off leaves it as it is; tools that came are added by `prepare` ahead of time, or by the
 * next search.
 */
export class Discovery implements DiscoveryPort, Disposable {
  readonly #registry: CapabilityRegistry;
  readonly #profiles: ProfileStore;
  /** What searches found for this profile. */
  readonly found = new FoundTools();
  /**
   * The profile that was searched; unset until the first search, because profiles are made before what they ask for.
   */
  #profileId: string | undefined;
  readonly #subscriptions: readonly Disposable[];
  readonly #reader = new TermReader();
  #offered: ReadonlySet<RegisteredTool> | undefined;
  /**
   * The indexed tools in the index's order; those that went stay in it until they are many, because only offered ones
   * are found.
   */
  #tools: RegisteredTool[] = [];
  #indexed = new Set<RegisteredTool>();
  #words = new ToolIndex([], this.#reader);
  #isComplete = false;

  constructor(registry: CapabilityRegistry, profiles: ProfileStore) {
    this.#registry = registry;
    this.#profiles = profiles;
    this.#subscriptions = [
      profiles.onDidChange(() => {
        this.#offered = undefined;
        if (this.#profileId === undefined || this.#profileId === profiles.activeId) return;
        this.found.clear();
        this.#profileId = undefined;
      }),
      registry.onDidChange(() => {
        this.#offered = undefined;
        this.#isComplete = false;
      }),
    ];
  }

  /**
   * Reads the words of tools that came since the last search, so that the next search does not have to.
   * @param isTimeUp asked after each tool; on a yes the rest is left for the next call.
   * @returns true where nothing is left to do.
   */
  prepare(isTimeUp: () => boolean): boolean {
    if (this.#isComplete) return true;
    const tools = this.#registry.tools();
    if (this.#tools.length > 2 * tools.length + 100) {
      this.#tools = [];
      this.#indexed = new Set();
      this.#words = new ToolIndex([], this.#reader);
    }
    for (const tool of tools) {
      if (this.#indexed.has(tool)) continue;
      if (isTimeUp()) return false;
      this.#words.add(tool.modelName, this.#reader.read(textsOf(tool)));
      this.#tools.push(tool);
      this.#indexed.add(tool);
    }
    this.#isComplete = true;
    return true;
  }

  catalogue(): readonly CatalogueCapability[] {
    const profile = this.#profiles.active();
    const offered = this.#offeredNow();
    return this.#registry.capabilities().map((capability): CatalogueCapability => {
      const enabled = profile.entries.some((entry) => entry.capability === capability && entry.entry.enabled);
      const tools = this.#registry
        .toolsOf(capability.id)
        .filter((tool) => (enabled ? offered.has(tool) : !isHiddenFrom('agent', tool.definition)));
      return defined({
        id: capability.id,
        name: capability.name,
        description: capability.description,
        status: capability.status,
        category: capability.category,
        source: sourceKey(capability.source),
        enabled,
        tools: tools.map(describe),
      });
    });
  }

  search(
    query: string,
    limit: number,
    filter: { readonly kind?: ToolKind; readonly source?: string } = {},
  ): readonly FoundTool[] {
    const offered = this.#offeredNow();
    this.prepare(() => false);
    const tools = this.#tools;
    const keep = (index: number): boolean => {
      const tool = tools[index];
      if (!tool || !offered.has(tool) || (filter.kind !== undefined && tool.definition.kind !== filter.kind))
        return false;
      return filter.source === undefined || matchesSource(sourceKey(tool.source), filter.source);
    };
    const result = this.#words.search(query, limit, keep).flatMap(({ index, score }) => {
      const tool = tools[index];
      return tool ? [{ ...describe(tool), source: sourceKey(tool.source), score: Math.round(score * 100) / 100 }] : [];
    });
    this.#profileId = this.#profiles.activeId;
    this.found.add(result.map(({ name }) => name));
    return result;
  }

  dispose(): void {
    for (const one of this.#subscriptions) one.dispose();
    this.found.dispose();
  }

  #offeredNow(): ReadonlySet<RegisteredTool> {
    this.#offered ??= new Set(offeredTools(this.#profiles.active()));
    return this.#offered;
  }
}

function textsOf({ modelName, definition }: RegisteredTool): IndexedTool {
  return {
    name: modelName,
    title: definition.title,
    tags: definition.tags ?? [],
    parameters: Object.keys(definition.inputSchema.properties ?? {}),
    description: `${definition.modelDescription} ${parameterTexts(definition.inputSchema.properties)}`,
  };
}

/** `mcp` means every server, `mcp:files` one of them. */
export function matchesSource(key: string, wanted: string): boolean {
  return key === wanted || key.startsWith(`${wanted}:`);
}

function describe(tool: RegisteredTool): CatalogueTool {
  const { definition } = tool;
  return defined({
    id: tool.id,
    name: tool.modelName,
    aliases: definition.aliases,
    kind: definition.kind,
    description: definition.modelDescription,
    permission: definition.permissions.agent,
    riskLevel: definition.riskLevel,
    sideEffects: definition.sideEffects,
    scopes: definition.scopes,
    input: definition.inputSchema,
    output: definition.outputSchema,
  });
}

function parameterTexts(properties: Readonly<Record<string, { readonly description?: unknown }>> | undefined): string {
  return Object.values(properties ?? {})
    .map((one) => (typeof one.description === 'string' ? one.description.slice(0, 200) : ''))
    .join(' ');
}
