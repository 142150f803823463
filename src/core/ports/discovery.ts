import type { JsonSchema } from '../base/schema';
import type { CapabilityStatus, Permission, RiskLevel, ToolKind } from '../vocabulary/toolDefinition';

/**
 * A tool as agents learn about it: what it is for, whether they may call it, and the shape of what goes in and comes
 * out.
 */
export interface CatalogueTool {
  /** The name under which it is called. */
  readonly name: string;
  readonly id: string;
  readonly aliases?: readonly string[];
  readonly kind: ToolKind;
  readonly description: string;
  /** For an agent, before boundaries are asked about a concrete call. */
  readonly permission: Permission;
  readonly riskLevel: RiskLevel;
  readonly sideEffects: readonly string[];
  readonly scopes: readonly string[];
  readonly input: JsonSchema;
  readonly output?: JsonSchema;
}

export interface CatalogueCapability {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly status: CapabilityStatus;
  readonly category?: string;
  /** `builtin`, `mcp:files`, `ext:publisher.name`, `chan:name`, `definition:file`. */
  readonly source: string;
  /** True where the active profile has it on. */
  readonly enabled: boolean;
  /** The tools that are offered to agents now; all that are visible to agents where it is off. */
  readonly tools: readonly CatalogueTool[];
}

export interface FoundTool extends CatalogueTool {
  readonly source: string;
  readonly score: number;
}

/** What exists and what is on, for agents that plan. It only reads. */
export interface DiscoveryPort {
  catalogue(): readonly CatalogueCapability[];
  /** The offered tools that fit the words best, best first; none where no word is known. */
  search(
    query: string,
    limit: number,
    filter?: { readonly kind?: ToolKind; readonly source?: string },
  ): readonly FoundTool[];
}
