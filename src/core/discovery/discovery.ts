import type { Disposable } from '../base/lifecycle';
import { offeredTools } from '../offered';
import type { CatalogueCapability, CatalogueTool, DiscoveryPort, FoundTool } from '../ports/discovery';
import type { ProfileStore } from '../profileStore';
import type { CapabilityRegistry, RegisteredTool } from '../registry';
import { sourceKey, type ToolKind } from '../tool';
import { FoundTools } from './foundTools';
import { ToolIndex } from './toolIndex';

/** Answers what exists and what is on from the registry and the active profile. The search index is built with the first search after a change. */
export class Discovery implements DiscoveryPort, Disposable {
  readonly #registry: CapabilityRegistry;
  readonly #profiles: ProfileStore;
  readonly #subscription: Disposable;
  /** What searches found for this profile. */
  readonly found = new FoundTools();
  /** The profile that was searched; unset until the first search, because profiles are made before what they ask for. */
  #profileId: string | undefined;
  #offered: readonly RegisteredTool[] | undefined;
  #index: ToolIndex | undefined;

  constructor(registry: CapabilityRegistry, profiles: ProfileStore) {
    this.#registry = registry;
    this.#profiles = profiles;
    this.#subscription = profiles.onDidChange(() => {
      if (this.#profileId !== undefined && this.#profileId !== profiles.activeId) {
        this.found.clear();
        this.#profileId = undefined;
      }
      this.#offered = undefined;
      this.#index = undefined;
    });
  }

  catalogue(): readonly CatalogueCapability[] {
    const profile = this.#profiles.active();
    const offered = new Set(this.#tools().map((tool) => tool.id));
    return this.#registry.capabilities().map((capability): CatalogueCapability => {
      const enabled = profile.entries.some((entry) => entry.capability === capability && entry.entry.enabled);
      const tools = this.#registry
        .toolsOf(capability.id)
        .filter((tool) => (enabled ? offered.has(tool.id) : tool.definition.agentVisible !== false));
      return {
        id: capability.id,
        name: capability.name,
        description: capability.description,
        status: capability.status,
        ...(capability.category === undefined ? {} : { category: capability.category }),
        source: sourceKey(capability.source),
        enabled,
        tools: tools.map(describe),
      };
    });
  }

  search(query: string, limit: number, filter: { readonly kind?: ToolKind; readonly source?: string } = {}): readonly FoundTool[] {
    const tools = this.#tools();
    this.#index ??= new ToolIndex(
      tools.map(({ modelName, definition }) => ({
        name: modelName,
        title: definition.title,
        tags: definition.tags ?? [],
        parameters: Object.keys(definition.inputSchema.properties ?? {}),
        description: `${definition.modelDescription} ${parameterTexts(definition.inputSchema.properties)}`,
      })),
    );
    const keep = (index: number): boolean => {
      const tool = tools[index];
      if (!tool || (filter.kind !== undefined && tool.definition.kind !== filter.kind)) return false;
      return filter.source === undefined || matchesSource(sourceKey(tool.source), filter.source);
    };
    const result = this.#index.search(query, limit, keep).flatMap(({ index, score }) => {
      const tool = tools[index];
      return tool ? [{ ...describe(tool), source: sourceKey(tool.source), score: Math.round(score * 100) / 100 }] : [];
    });
    this.#profileId = this.#profiles.activeId;
    this.found.add(result.map(({ name }) => name));
    return result;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.found.dispose();
  }

  #tools(): readonly RegisteredTool[] {
    this.#offered ??= offeredTools(this.#profiles.active());
    return this.#offered;
  }
}

/** `mcp` means every server, `mcp:files` one of them. */
export function matchesSource(key: string, wanted: string): boolean {
  return key === wanted || key.startsWith(`${wanted}:`);
}

function describe(tool: RegisteredTool): CatalogueTool {
  const { definition } = tool;
  return {
    name: tool.modelName,
    kind: definition.kind,
    description: definition.modelDescription,
    permission: definition.permissions.agent,
    riskLevel: definition.riskLevel,
    input: definition.inputSchema,
    ...(definition.outputSchema ? { output: definition.outputSchema } : {}),
  };
}

function parameterTexts(properties: Readonly<Record<string, { readonly description?: unknown }>> | undefined): string {
  return Object.values(properties ?? {})
    .map((one) => (typeof one.description === 'string' ? one.description.slice(0, 200) : ''))
    .join(' ');
}
