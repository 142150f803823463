import { defined, isObject } from '../base/json';
import { type Findings, got, ObjectReader, pointerTo } from '../base/jsonReader';
import { say } from '../base/sentence';
import type { Capability } from '../capability/capability';
import { parseTool, toolNameFrom } from './parseTool';
import { type DefinitionSpec, folderOf, type SecurityBlock, stemOf, type ToolSpec } from './spec';

/**
 * Reads an action file `{ "layers": { "capabilities": { "actions": […], "security": {…} } } }`. All actions of a file
 * become one capability, named after the file unless the block says `id` and `name`.
 */
export function parseActions(
  raw: Record<string, unknown>,
  findings: Findings,
  file: string,
): { readonly spec?: DefinitionSpec; readonly security?: SecurityBlock } {
  const top = new ObjectReader(raw, '', findings);
  const layers = top.reader('layers');
  if (!layers) {
    if (!top.has('layers')) findings.error('', say('layers_required'));
    return {};
  }
  const block = layers.reader('capabilities');
  if (!block) {
    if (!layers.has('capabilities')) findings.error(layers.pointer, say('capabilities_required'));
    return {};
  }
  const stem = stemOf(file);
  const id = block.text('id') ?? toolNameFrom(stem) ?? 'actions';
  const actions = block.list('actions');
  if (!actions && !block.has('actions')) findings.error(block.pointer, say('actions_required'));
  const tools: ToolSpec[] = [];
  (actions ?? []).forEach((item, index) => {
    const at = pointerTo(block.at('actions'), index);
    const tool = parseTool(item, at, findings, {
      folder: folderOf(file),
      configs: new Set(),
      isAction: true,
      approvalRequired: false,
    });
    if (tool && tools.some((one) => one.definition.name === tool.definition.name))
      findings.error(at, say('action_twice', tool.definition.name));
    else if (tool) tools.push(tool);
  });
  const security = block.has('security') ? readSecurity(block) : undefined;
  const name = block.text('name') ?? stem;
  const description = block.text('description') ?? `Actions of ${file}`;
  const version = block.text('version') ?? '1.0.0';
  block.finish();
  const capability: Capability = {
    id,
    version,
    name,
    description,
    status: 'available',
    source: { type: 'definition', file },
    category: 'Actions',
    tools: [],
  };
  return defined({ spec: { capability, tools, file }, security });
}

/** A file of the workspace can only tighten: it cannot switch the audit off or grant permissions. */
function readSecurity(block: ObjectReader): SecurityBlock {
  const raw = block.raw('security');
  if (!isObject(raw)) {
    block.error('security', say('must_be', say('an_object'), got(raw)));
    return { requireAuth: true };
  }
  const reader = new ObjectReader(raw, block.at('security'), block.findings);
  const requireAuth = reader.has('requireAuth') ? (reader.flag('requireAuth') ?? true) : false;
  if (reader.flag('auditLog') === false) reader.warn('auditLog', say('audit_stays'), 'cannot_loosen');
  if ((reader.texts('defaultPermissions') ?? []).length > 0)
    reader.warn('defaultPermissions', say('grants_nothing'), 'cannot_loosen');
  reader.finish();
  return { requireAuth };
}
