import { say } from '../base/sentence';
import { isObject, type Json, type JsonObject, plainJson, sanitizeJson } from '../base/json';
import { Findings, ObjectReader, pointerTo, got } from '../base/jsonReader';
import { valueAt } from '../base/pointer';
import { schemaFault } from '../base/schemaBounds';
import { schemaTextFault } from './schemaText';
import type { Capability } from '../capability/capability';
import { foreignDefinition, shownText } from './foreignTool';
import {
  type AccessMapping,
  overrideFor,
  parseMapping,
  parseOverrides,
  strictestOverride,
  type ToolOverride,
} from './overrides';
import { plainName, shortHash } from '../vocabulary/names';
import { isVersion } from '../vocabulary/version';
import type { FileSystem } from '../ports/files';
import { type Problem, problem } from '../base/problem';
import type { ToolOutcome } from '../vocabulary/toolResult';
import { defineTool, type Tool, type ToolContext } from '../capability/tool';

/** A language-model tool as the editor lists it. */
export interface EditorTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
  /** What its extension says that it is about; one that names a permission, such as `network`, counts upwards. */
  readonly tags: readonly string[];
}

/** A language-model tool as a manifest declares it. */
interface ManifestTool {
  readonly name: string;
  /** What a person types after `#`, and what `.agent.md` names. */
  readonly referenceName?: string;
}

/** An installed extension with the tools that its manifest names. */
export interface ToolExtension {
  readonly id: string;
  readonly displayName: string;
  readonly version: string;
  readonly tools: readonly ManifestTool[];
}

interface ExtensionToolRuntime {
  readonly invoke: (name: string, input: unknown, context: ToolContext) => Promise<ToolOutcome>;
  readonly timeoutMs: number;
  /** The machine's files, in which another extension's tool reads its paths, whatever root a profile has. */
  readonly files: FileSystem;
  /** What the user says about the tools of an extension, in place of what is inferred. */
  readonly judgement?: (extensionId: string) => ExtensionJudgement | undefined;
}

/** What the user wrote about one extension's tools (`agentCapabilities.extensionTools`). */
interface ExtensionJudgement {
  readonly tools: Readonly<Record<string, ToolOverride>>;
  readonly accessMapping: AccessMapping;
}

/**
 * Reads the setting `extensionTools`: by extension id, in any case; `*` stands for those without an entry. What cannot
 * be read is a problem, and forbids the tools that it is about.
 */
export function readExtensionJudgements(raw: unknown): {
  readonly judgementOf: (extensionId: string) => ExtensionJudgement | undefined;
  readonly problems: readonly Problem[];
} {
  const byExtension = new Map<string, ExtensionJudgement>();
  const problems: Problem[] = [];
  for (const [id, value] of Object.entries(isObject(raw) ? raw : {})) {
    const base = pointerTo('', id);
    const findings = new Findings({
      code: 'invalid_extension_tools',
      subject: extensionCapabilityId(id),
      nullIsWrong: true,
      sentence: (pointer, _key, fault) =>
        say('extension_tools_fault', id, say('property', pointer.slice(base.length), fault)),
    });
    if (!isObject(value))
      findings.error(base, say('extension_tools_fault', id, say('must_be', say('an_object'), got(value))));
    const reader = new ObjectReader(isObject(value) ? value : {}, base, findings);
    const tools = isObject(value) ? parseOverrides(reader) : { '*': strictestOverride };
    byExtension.set(id.toLowerCase(), { tools, accessMapping: parseMapping(reader) });
    reader.finish('warning', 'invalid_extension_tools');
    problems.push(...findings.problems);
  }
  return { judgementOf: (id) => byExtension.get(id.toLowerCase()) ?? byExtension.get('*'), problems };
}

/** Reads the tools of an extension's manifest; anything unexpected is no tool. */
export function manifestTools(packageJson: unknown): readonly ManifestTool[] {
  const tools = valueAt(packageJson, '/contributes/languageModelTools');
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown) => {
    if (!isObject(tool) || typeof tool['name'] !== 'string') return [];
    const reference = tool['toolReferenceName'];
    return [{ name: tool['name'], ...(typeof reference === 'string' ? { referenceName: reference } : {}) }];
  });
}

/** The capability's id of an extension: `ext_publisher_name`. */
function extensionCapabilityId(extensionId: string): string {
  const safe = plainName(extensionId, '_');
  const plain = `ext_${safe}`;
  return plain.length <= 60 && /^[a-z0-9]+\.[a-z0-9]+$/.test(extensionId)
    ? plain
    : `ext_${safe.slice(0, 45)}_${shortHash(extensionId)}`;
}

/**
 * Makes one capability for each other extension that brings language-model tools. Our own tools and those of MCP
 * servers (`mcp_…`, which come in by their servers) are left out, and so is a tool that no manifest names, because its
 * source is not known.
 */
export function extensionCapabilities(
  listed: readonly EditorTool[],
  extensions: readonly ToolExtension[],
  ownId: string,
  runtime: ExtensionToolRuntime,
): { readonly capabilities: readonly Capability[]; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const owners = new Map<string, { readonly extension: ToolExtension; readonly declared: ManifestTool }>();
  for (const extension of extensions)
    for (const declared of extension.tools)
      if (!owners.has(declared.name)) owners.set(declared.name, { extension, declared });
  const byExtension = new Map<ToolExtension, Tool[]>();
  const names = new Set<string>();
  for (const tool of listed) {
    const found = owners.get(tool.name);
    if (!found || tool.name.startsWith('mcp_') || names.has(tool.name)) continue;
    const owner = found.extension;
    if (owner.id.toLowerCase() === ownId.toLowerCase()) continue;
    names.add(tool.name);
    const fault = schemaFault(tool.inputSchema ?? {}) ?? schemaTextFault(tool.inputSchema);
    if (fault) {
      const said = say('extension_tool_left_out', shownText(tool.name, 80), owner.id, fault);
      const subject = extensionCapabilityId(owner.id);
      problems.push(problem({ severity: 'warning', code: 'extension_tool', said, subject }));
      continue;
    }
    const judgement = runtime.judgement?.(owner.id);
    const override = judgement && overrideFor(judgement.tools, tool.name);
    if (override?.enabled === false) continue;
    const tools = byExtension.get(owner) ?? [];
    byExtension.set(owner, tools);
    tools.push(toolOf(tool, owner, found.declared, runtime, { override, mapping: judgement?.accessMapping ?? {} }));
  }
  const capabilities = [...byExtension].map(([extension, tools]): Capability => ({
    id: extensionCapabilityId(extension.id),
    version: isVersion(extension.version) ? extension.version : '1.0.0',
    name: shownText(extension.displayName, 80) || extension.id,
    description: `Tools of the extension ${extension.id}`,
    summary: say('tools_of_extension', extension.id),
    status: 'available',
    source: { type: 'extension', extensionId: extension.id },
    provenance: { by: 'user', from: `extension:${extension.id.toLowerCase()}` },
    icon: 'extensions',
    category: 'Other extensions',
    tools,
  }));
  return { capabilities, problems };
}

function toolOf(
  tool: EditorTool,
  owner: ToolExtension,
  declared: ManifestTool,
  runtime: ExtensionToolRuntime,
  judged: { readonly override: ToolOverride | undefined; readonly mapping: AccessMapping },
): Tool {
  const schema = isObject(tool.inputSchema) ? sanitizeJson(tool.inputSchema) : {};
  const inputSchema = { ...(isObject(schema) ? schema : {}), type: 'object' };
  const { definition, inference } = foreignDefinition(
    { name: tool.name, description: tool.description, inputSchema },
    {
      from: `the extension ${owner.id}`,
      hintsConfirmed: false,
      override: judged.override,
      timeoutMs: runtime.timeoutMs,
      permissions: tool.tags,
      icon: 'extensions',
    },
  );
  const facts = {
    tool: tool.name,
    schema: inputSchema,
    sideEffects: definition.sideEffects,
    readOnly: inference.readOnly,
    mapping: judged.mapping,
  };
  return defineTool({ ...definition, editorNames: editorNames(owner.id, declared) }, async () => ({
    accesses: async (input) => {
      const { foreignAccesses } = await import('./argumentReader');
      return foreignAccesses(facts, input, runtime.files, undefined);
    },
    run: (input, context) => runtime.invoke(tool.name, input, context),
  }));
}

/**
 * Both forms in which the editor's two harnesses know a tool of an extension; one without a reference name has none.
 */
function editorNames(extensionId: string, { referenceName }: ManifestTool): readonly string[] {
  return referenceName === undefined ? [] : [`${extensionId.toLowerCase()}/${referenceName}`, referenceName];
}

/**
 * The parts of a language-model tool's result as a payload: texts joined, everything else as JSON, pictures as media.
 */
export function partsOutcome(
  content: readonly unknown[],
  picture: (part: unknown) => { mimeType: string; data: string } | undefined,
): ToolOutcome {
  const texts: string[] = [];
  const others: Json[] = [];
  const media: { mimeType: string; data: string }[] = [];
  for (const part of content.slice(0, 1000)) {
    const image = picture(part);
    if (image) media.push(image);
    else if (isObject(part) && typeof part['value'] === 'string') texts.push(part['value']);
    else {
      try {
        others.push(plainJson(part));
      } catch {
        others.push('[a part that is no JSON]');
      }
    }
  }
  const payload: JsonObject = {
    ...(others.length > 0 ? { parts: others } : {}),
    text: texts.join('\n').slice(0, 2_000_000),
  };
  return { payload, ...(media.length > 0 ? { media } : {}) };
}
