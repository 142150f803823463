import { modelSchema } from '../../core/vocabulary/modelSchema';
import { familyOf, isReadOnly } from '../../core/vocabulary/access';
import { sideEffectsUnder } from '../../core/vocabulary/toolDefinition';
import type { RegisteredTool } from '../../core/registry/registry';
import type { JsonSchema } from '../../core/base/schema';
import { sourceKind } from '../../core/vocabulary/toolSource';

/** A tool as `tools/list` answers it. */
export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema & { readonly type: 'object' };
  readonly outputSchema?: JsonSchema & { readonly type: 'object' };
  readonly annotations: {
    readonly title: string;
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

/**
 * Describes a governed tool to an MCP client. The hints are honest: read-only is only what touches nothing or reads;
 * whoever trusts them skips nothing of ours, because the gate asks by itself.
 * @param scopes those that the profile is granted, where the tool may do more with them.
 * @param actingTitle the title of a tool that does more than read, where the client puts it above a question of its
 * own.
 */
export function listTool(
  tool: RegisteredTool,
  actingTitle = (title: string): string => title,
  scopes: ReadonlySet<string> = new Set(),
): McpTool {
  const { definition } = tool;
  const { kind } = definition;
  const sideEffects = sideEffectsUnder(definition, scopes);
  const acts = kind === 'action' || kind === 'control';
  // A page fetched by GET changes nothing; network effects of tools that act may change what they reach.
  const reads = sideEffects.every((effect) => isReadOnly({ effect, resource: '', method: 'GET' }));
  const { isOurs } = sourceKind(tool.source);
  const readOnly = isOurs ? reads && (!acts || sideEffects.length === 0) : !acts && reads;
  const title = readOnly ? definition.title : actingTitle(definition.title);
  const outputSchema = structuredOutput(tool);
  return {
    name: tool.modelName,
    title,
    description: definition.modelDescription,
    inputSchema: { ...modelSchema(definition), type: 'object' },
    ...(outputSchema ? { outputSchema } : {}),
    annotations: {
      title,
      readOnlyHint: readOnly,
      // What others claim of themselves is not handed on as known.
      destructiveHint: !readOnly && !(isOurs && definition.reversible),
      idempotentHint: readOnly || definition.idempotency === 'idempotent',
      openWorldHint: sideEffects.some(
        (effect) => familyOf(effect) === 'network' || familyOf(effect) === 'cloud' || effect === 'payments',
      ),
    },
  };
}

/**
 * The schema of structured results. Tools whose content is the answer give text, which models read better than a file
 * inside JSON.
 */
export function structuredOutput({ definition }: RegisteredTool): McpTool['outputSchema'] {
  const { outputSchema, contentField } = definition;
  if (outputSchema?.type !== 'object') return undefined;
  const isText = contentField !== undefined && Object.hasOwn(outputSchema.properties ?? {}, contentField);
  return isText ? undefined : { ...outputSchema, type: 'object' };
}
