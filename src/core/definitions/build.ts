import { type Access, familyOf } from '../vocabulary/access';
import { proposal } from '../base/nearest';
import type { Capability } from '../capability/capability';
import { refusal } from '../vocabulary/errors';
import { modelNames, toolId } from '../vocabulary/names';
import type { FileSystem } from '../ports/files';
import { type Problem, problem } from '../base/problem';
import { say } from '../base/sentence';
import type { RegisteredTool } from '../registry/registry';
import { costClasses, permissions, riskLevels, type ToolDefinition } from '../vocabulary/toolDefinition';
import { withoutDots } from './boundFiles';
import {
  type BoundFiles,
  calledTools,
  type HandlerSpec,
  type ModuleHandlerSpec,
  type ProcessHandlerSpec,
} from './handlers/handlerSpec';
import { withJudgedArguments } from './judgedArguments';
import type { AccessSpec, BoundDefinition, ToolSpec } from './spec';
import { fillText, parseTemplate } from '../vocabulary/template';
import type { Tool, ToolHandler } from '../capability/tool';
import { highest } from '../base/order';
import { sourceKind } from '../vocabulary/toolSource';

/** What building needs to know of the rest of the system. */
interface BuildEnvironment {
  /** Finds a tool that is not one of those being built, by any of its names. */
  lookUp(reference: string): RegisteredTool | undefined;
  toolNames(): Iterable<string>;
  /** The files by which a handler would run now: of the workspace, or of the root in which a program runs. */
  filesNow(handler: ModuleHandlerSpec | ProcessHandlerSpec, root?: FileSystem): Promise<BoundFiles>;
  /** Tells that something that runs is not what was approved, so that it is read and asked about again. */
  changed(): void;
}

/** A capability, and the definition that it was made of. */
export interface BuiltCapability {
  readonly capability: Capability;
  readonly spec: BoundDefinition;
}

interface Draft {
  readonly spec: BoundDefinition;
  readonly tool: ToolSpec;
  readonly names: ReadonlySet<string>;
  readonly calls: readonly { readonly tool: string; readonly pointer: string }[];
}

/**
 * Makes capabilities of their specifications, in their order. What a tool says about itself is raised to what the tools
 * that it calls say: risk, side effects, permissions, scopes, cost and idempotency are never lower than theirs. A tool
 * that calls one that is not there, or itself through others, is left out with a problem that names the missing tool or
 * the whole cycle.
 */
export function buildCapabilities(
  specs: readonly BoundDefinition[],
  environment: BuildEnvironment,
): { readonly capabilities: readonly BuiltCapability[]; readonly problems: readonly Problem[] } {
  const drafts: readonly Draft[] = specs.flatMap((spec) =>
    spec.tools.map((tool) => ({ spec, tool, names: namesOf(spec, tool.definition), calls: calledTools(tool.handler) })),
  );
  let open = drafts;
  const built = new Map<Draft, RegisteredTool>();
  // The order of sources decides who has a shared name, as in the registry: built-in tools first.
  const find = (reference: string): RegisteredTool | undefined => {
    const foreign = environment.lookUp(reference);
    if (foreign && sourceKind(foreign.source).isOurs) return foreign;
    for (const [draft, registered] of built) if (draft.names.has(reference)) return registered;
    return open.some((draft) => draft.names.has(reference)) ? undefined : foreign;
  };
  for (let progress = true; progress;) {
    progress = false;
    for (const draft of open) {
      const called = draft.calls.map((one) => find(one.tool));
      if (!called.every((one) => one !== undefined)) continue;
      built.set(draft, registeredOf(draft, called, environment));
      open = open.filter((one) => one !== draft);
      progress = true;
    }
  }
  const problems = open.flatMap((draft) => faultsOf(draft, open, find, environment));
  const capabilities = specs.map((spec) => {
    const tools = drafts.flatMap((draft): readonly Tool[] => {
      const made = draft.spec === spec ? built.get(draft) : undefined;
      return made ? [{ definition: made.definition, load: made.load }] : [];
    });
    return { capability: { ...spec.capability, tools }, spec };
  });
  return { capabilities, problems };
}

function namesOf({ capability }: BoundDefinition, definition: ToolDefinition): ReadonlySet<string> {
  return new Set([
    toolId(capability, definition.name),
    ...Object.values(modelNames(capability, definition.name)),
    definition.name,
    ...(definition.aliases ?? []),
  ]);
}

function registeredOf(draft: Draft, called: readonly RegisteredTool[], environment: BuildEnvironment): RegisteredTool {
  const { spec, tool } = draft;
  const definition = raise(tool.definition, called);
  return {
    id: toolId(spec.capability, definition.name),
    modelName: modelNames(spec.capability, definition.name).plain,
    definition,
    source: spec.capability.source,
    capability: spec.capability,
    load: async () => {
      const handler = await loadHandler(spec, tool.handler, definition.timeoutMs, environment);
      return withJudgedArguments(withAccesses(handler, tool.accesses), tool.handler.type, definition);
    },
  };
}

function faultsOf(
  draft: Draft,
  open: readonly Draft[],
  find: (reference: string) => RegisteredTool | undefined,
  environment: BuildEnvironment,
): readonly Problem[] {
  const { spec, tool, calls } = draft;
  const cycle = cycleFrom(draft, open);
  return calls.flatMap(({ tool: reference, pointer }): readonly Problem[] => {
    if (find(reference)) return [];
    const inner = open.some((one) => one.names.has(reference));
    const { name } = tool.definition;
    const said = !inner
      ? say('calls_unknown', name, reference, proposal(reference, environment.toolNames()))
      : cycle
        ? say('tool_cycle', name, cycle.join(' → '))
        : say('calls_unusable', name, reference);
    return [
      problem({
        severity: 'error',
        code: inner && cycle ? 'tool_cycle' : 'unknown_tool',
        said,
        subject: spec.capability.id,
        file: spec.file,
        pointer: tool.handler.type === 'compose' ? pointer : `${tool.pointer}/handler${pointer}`,
      }),
    ];
  });
}

/** The names along a cycle that the draft is part of, undefined where it is part of none. */
function cycleFrom(start: Draft, open: readonly Draft[]): readonly string[] | undefined {
  const visit = (draft: Draft, path: readonly Draft[]): readonly Draft[] | undefined => {
    for (const { tool } of draft.calls) {
      const next = open.find((one) => one.names.has(tool));
      if (!next) continue;
      if (next === start) return path;
      if (path.includes(next)) continue;
      const found = visit(next, [...path, next]);
      if (found) return found;
    }
    return undefined;
  };
  const path = visit(start, [start]);
  return path && [...path, start].map((one) => `${one.spec.capability.id}.${one.tool.definition.name}`);
}

/** Raises a definition to those of the tools that it calls. */
function raise(definition: ToolDefinition, called: readonly RegisteredTool[]): ToolDefinition {
  if (called.length === 0) return definition;
  const theirs = called.map((one) => one.definition);
  return {
    ...definition,
    riskLevel: highest(riskLevels, definition.riskLevel, ...theirs.map((one) => one.riskLevel)),
    sideEffects: [...new Set([...definition.sideEffects, ...theirs.flatMap((one) => one.sideEffects)])],
    scopes: [...new Set([...definition.scopes, ...theirs.flatMap((one) => one.scopes)])],
    permissions: {
      user: highest(permissions, definition.permissions.user, ...theirs.map((one) => one.permissions.user)),
      agent: highest(permissions, definition.permissions.agent, ...theirs.map((one) => one.permissions.agent)),
    },
    costClass: highest(costClasses, definition.costClass, ...theirs.map((one) => one.costClass)),
    idempotency: theirs.some((one) => one.idempotency === 'non-idempotent') ? 'non-idempotent' : definition.idempotency,
    reversible: definition.reversible && theirs.every((one) => one.reversible),
    ...(theirs.some((one) => one.agentVisible === false) ? { agentVisible: false } : {}),
  };
}

/** The one place that knows every handler; each is loaded on first use. */
async function loadHandler(
  spec: BoundDefinition,
  handler: HandlerSpec,
  timeoutMs: number,
  environment: BuildEnvironment,
): Promise<ToolHandler> {
  switch (handler.type) {
    case 'http':
      return (await import('./handlers/http')).httpHandler(handler, timeoutMs);
    case 'channel':
      return (await import('./handlers/channel')).channelHandler(handler, timeoutMs);
    case 'process':
      return (await import('./handlers/process')).processHandler(handler, unchanged(spec, handler, environment));
    case 'command':
      return (await import('./handlers/command')).commandHandler(handler);
    case 'module':
      return (await import('./handlers/module')).moduleHandler(
        handler,
        timeoutMs,
        // As it was approved: what runs is this text, whatever the file says meanwhile.
        spec.files.get(handler.file),
        unchanged(spec, handler, environment),
      );
    case 'tool':
    case 'mcp':
      return (await import('./handlers/toolCall')).toolCallHandler(handler);
    case 'compose':
      return (await import('./handlers/compose')).composeHandler(handler);
  }
}

/** Compares the files by which a handler runs with those that were approved, right before it runs. */
function unchanged(
  { files }: BoundDefinition,
  handler: ModuleHandlerSpec | ProcessHandlerSpec,
  environment: BuildEnvironment,
): (root?: FileSystem) => Promise<void> {
  return async (root) => {
    for (const [file, { sha256 }] of await environment.filesNow(handler, root))
      if (files.get(file)?.sha256 !== sha256) {
        environment.changed();
        throw refusal('definition_error', say('not_as_approved', file));
      }
  };
}

/** Adds the accesses that the definition declares to those that the handler knows, so that policy judges them too. */
function withAccesses(handler: ToolHandler, declared: readonly AccessSpec[]): ToolHandler {
  if (declared.length === 0) return handler;
  const templates = declared.map((one) => ({ ...one, resource: parseTemplate(one.resource) }));
  return {
    ...handler,
    async accesses(input, context): Promise<readonly Access[]> {
      const own = await handler.accesses(input, context);
      const values = { input, config: context.config };
      return [
        ...own,
        ...templates.map((one) => ({ ...one, resource: normalised(one.effect, fillText(one.resource, values)) })),
      ];
    },
  };
}

/** Paths are judged as policy writes them: relative, with `/`, without `.` and `..`. */
function normalised(effect: string, resource: string): string {
  if (familyOf(effect) !== 'fs') return resource;
  return (withoutDots(resource.replaceAll('\\', '/')) ?? resource) || '.';
}
