import { isObject } from '../base/json';
import { type Findings, got, ObjectReader } from '../base/jsonReader';
import { say } from '../base/sentence';
import type { Capability } from '../capability/capability';
import type { ToolDefinition } from '../vocabulary/toolDefinition';
import { parseTools, toolNameFrom } from './parseTool';
import { type DefinitionSpec, describedBy, folderOf, stemOf, type ToolSpec } from './spec';

/**
 * Reads an action file `{ "layers": { "capabilities": { "actions": […], "security": {…} } } }`. All actions of a file
 * become one capability, named after the file unless the block says `id` and `name`.
 */
export function parseActions(
  raw: Record<string, unknown>,
  findings: Findings,
  file: string,
): DefinitionSpec | undefined {
  const top = new ObjectReader(raw, '', findings);
  const layers = top.reader('layers');
  if (!layers) {
    if (!top.has('layers')) findings.error('', say('layers_required'));
    return undefined;
  }
  const block = layers.reader('capabilities');
  if (!block) {
    if (!layers.has('capabilities')) findings.error(layers.pointer, say('capabilities_required'));
    return undefined;
  }
  const stem = stemOf(file);
  const id = block.text('id') ?? toolNameFrom(stem) ?? 'actions';
  if (!block.has('actions')) findings.error(block.pointer, say('actions_required'));
  const scope = { folder: folderOf(file), configs: new Set<string>(), isAction: true, approvalRequired: false };
  const tools = parseTools(block, 'actions', scope);
  const security: Secure = block.has('security') ? readSecurity(block, tools) : () => ({});
  const name = block.text('name') ?? stem;
  const description = block.text('description');
  const version = block.text('version') ?? '1.0.0';
  block.finish();
  const capability: Capability = {
    id,
    version,
    name,
    ...describedBy(description, say('actions_of', file)),
    status: 'available',
    source: { type: 'definition', file },
    category: 'Actions',
    tools: [],
  };
  const secured = tools.map((tool) => ({ ...tool, definition: { ...tool.definition, ...security(tool.definition) } }));
  return { capability, tools: secured, file };
}

/** What the security block says of one action. */
type Secure = (definition: ToolDefinition) => Pick<ToolDefinition, 'impliedScopes' | 'provenCallersOnly'>;

/**
 * Reads the security block. A file of the workspace can only tighten: it cannot switch the audit off, and
 * `defaultPermissions` names which of the permissions of its actions a profile has that lists none; without it, all.
 */
function readSecurity(block: ObjectReader, tools: readonly ToolSpec[]): Secure {
  const raw = block.raw('security');
  if (!isObject(raw)) {
    block.error('security', say('must_be', say('an_object'), got(raw)));
    return () => ({ impliedScopes: [], provenCallersOnly: true });
  }
  const reader = new ObjectReader(raw, block.at('security'), block.findings);
  const provenCallersOnly = reader.has('requireAuth') && (reader.flag('requireAuth') ?? true);
  if (reader.flag('auditLog') === false) reader.warn('auditLog', say('audit_stays'), 'cannot_loosen');
  const defaults = reader.has('defaultPermissions') ? (reader.texts('defaultPermissions') ?? []) : undefined;
  const needed = new Set(tools.flatMap(({ definition }) => definition.scopes));
  if (defaults?.some((one) => !needed.has(one)) === true)
    reader.warn('defaultPermissions', say('grants_nothing'), 'cannot_loosen');
  reader.finish();
  return ({ scopes }) => ({
    ...(defaults ? { impliedScopes: scopes.filter((one) => defaults.includes(one)) } : {}),
    ...(provenCallersOnly ? { provenCallersOnly } : {}),
  });
}
