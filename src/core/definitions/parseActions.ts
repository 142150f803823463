import { isObject, typeName } from '../base/json';
import { parseTool, toolNameFrom } from './parseTool';
import { type Findings, ObjectReader, pointerTo } from './reader';
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
    if (!top.has('layers'))
      findings.error('', '`layers` is required: `{ "layers": { "capabilities": { "actions": […] } } }`');
    return {};
  }
  const block = layers.reader('capabilities');
  if (!block) {
    if (!layers.has('capabilities')) findings.error(layers.pointer, '`capabilities` is required in `layers`');
    return {};
  }
  const stem = stemOf(file);
  const id = block.text('id') ?? toolNameFrom(stem) ?? 'actions';
  const actions = block.list('actions');
  if (!actions && !block.has('actions')) findings.error(block.pointer, '`actions` is required: an array of actions');
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
      findings.error(at, `the action \`${tool.definition.name}\` is there twice`);
    else if (tool) tools.push(tool);
  });
  const security = block.has('security') ? readSecurity(block) : undefined;
  const name = block.text('name') ?? stem;
  const description = block.text('description') ?? `Actions of ${file}`;
  const version = block.text('version') ?? '1.0.0';
  block.finish();
  return {
    spec: {
      capability: {
        id,
        version,
        name,
        description,
        status: 'available',
        source: { type: 'definition', file },
        category: 'Actions',
        tools: [],
      },
      tools,
      file,
    },
    ...(security ? { security } : {}),
  };
}

/** A file of the workspace can only tighten: it cannot switch the audit off or grant permissions. */
function readSecurity(block: ObjectReader): SecurityBlock {
  const raw = block.raw('security');
  if (!isObject(raw)) {
    block.error('security', `must be an object (got ${typeName(raw)})`);
    return { requireAuth: true, defaultPermissions: [] };
  }
  const reader = new ObjectReader(raw, block.at('security'), block.findings);
  const requireAuth = reader.has('requireAuth') ? (reader.flag('requireAuth') ?? true) : false;
  if (reader.flag('auditLog') === false)
    reader.warn('auditLog', 'cannot be switched off by a workspace; calls are recorded', 'cannot_loosen');
  const defaultPermissions = reader.texts('defaultPermissions') ?? [];
  if (defaultPermissions.length > 0)
    reader.warn(
      'defaultPermissions',
      'cannot grant anything from a workspace; grant scopes in the profile',
      'cannot_loosen',
    );
  reader.finish();
  return { requireAuth, defaultPermissions };
}
