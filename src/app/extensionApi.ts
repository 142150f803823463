import type { AgentCapabilitiesApi, ApiCapability, ApiTool } from './api';
import { defined, type Json, sanitizeJson } from '../core/base/json';
import { didYouMean } from '../core/base/nearest';
import type { JsonSchema } from '../core/base/schema';
import type { Capability } from '../core/capability/capability';
import { isToolError, toolError } from '../core/vocabulary/errors';
import { offeredTools } from '../core/profiles/offeredTools';
import type { ToolRouter } from '../core/gate/router';
import type { ProfileStore } from '../core/profiles/profileStore';
import type { RuntimeAgent } from '../core/profiles/runtimeAgent';
import type { CapabilityRegistry } from '../core/registry/registry';
import type { Permission, ToolDefinition } from '../core/vocabulary/toolDefinition';
import { defineTool, type Tool, type ToolHandler } from '../core/capability/tool';
import { firstLine } from '../core/base/errorText';
import { visible } from '../vscode/visible';

/** What the API answers from. */
export interface ApiSystem {
  readonly registry: CapabilityRegistry;
  readonly profiles: ProfileStore;
  readonly router: ToolRouter;
  readonly runtimeAgent: (profileId?: string) => RuntimeAgent;
}

/**
 * Makes the API over the running system. Its methods wait for the system, so that an extension that starts early loses
 * nothing.
 */
export function extensionApi(system: Promise<ApiSystem>): AgentCapabilitiesApi {
  return {
    version: 1,
    async registerCapability(extensionId, capability) {
      const { registry } = await system;
      return registry.register(toCapability(extensionId, capability));
    },
    async listCapabilities() {
      const { registry, profiles } = await system;
      const active = profiles.active();
      const on = new Set(active.entries.filter((one) => one.entry.enabled).map((one) => one.capability.id));
      return registry.capabilities().map(({ id, name }) => ({
        id,
        name,
        enabled: on.has(id),
        tools: registry.toolsOf(id).map((tool) => ({
          id: tool.id,
          name: tool.definition.name,
          enabled: active.isToolEnabled(tool),
          riskLevel: tool.definition.riskLevel,
        })),
      }));
    },
    async resolveProfile(profileId) {
      const { profiles, runtimeAgent } = await system;
      const resolved = profileId === undefined ? profiles.active() : profiles.resolve(profileId);
      if (!resolved)
        throw new Error(
          `there is no profile \`${profileId}\`${didYouMean(profileId ?? '', profiles.profiles().keys())}`,
        );
      const agent = runtimeAgent(resolved.id);
      return {
        profileId: agent.profileId,
        mode: agent.mode,
        systemPrompt: agent.systemPrompt,
        tools: offeredTools(resolved).map(({ id, modelName, definition }) => ({
          id,
          modelName,
          description: definition.modelDescription,
          inputSchema: definition.inputSchema,
        })),
        problems: agent.problems.map((problem) => problem.message),
      };
    },
    async invokeTool(extensionId, tool, input, signal) {
      const { router } = await system;
      const result = await router.invoke({
        tool,
        input,
        actor: { type: 'agent', id: `extension:${extensionId}` },
        surface: 'api',
        ...(signal ? { signal } : {}),
      });
      const { durationMs } = result;
      if (result.success) return { success: true, payload: result.payload, durationMs };
      const { code, message, retryable } = result.error;
      return { success: false, code, message, retryable, durationMs };
    },
  };
}

function toCapability(extensionId: string, from: ApiCapability): Capability {
  return {
    id: from.id,
    version: from.version,
    name: from.name,
    description: from.description,
    status: 'available',
    source: { type: 'extension', extensionId },
    provenance: { by: 'user', from: `extension:${extensionId.toLowerCase()}` },
    ...defined({ icon: from.icon, category: from.category, systemPrompt: from.systemPrompt }),
    tools: from.tools.map(toTool),
  };
}

const reading: ReadonlySet<string> = new Set(['data', 'status']);

function toTool(from: ApiTool): Tool {
  const agent: Permission = reading.has(from.kind) ? 'allowed' : 'confirmation_required';
  const definition: ToolDefinition = {
    name: from.name,
    title: from.title,
    kind: from.kind,
    modelDescription: from.modelDescription,
    userDescription: from.userDescription,
    inputSchema: schemaOf(from.inputSchema),
    ...(from.outputSchema ? { outputSchema: schemaOf(from.outputSchema) } : {}),
    permissions: from.permissions ?? { user: 'allowed', agent },
    scopes: from.scopes ?? [],
    riskLevel: from.riskLevel,
    sideEffects: from.sideEffects,
    costClass: 'free',
    idempotency: from.idempotent ? 'idempotent' : 'non-idempotent',
    reversible: from.reversible ?? false,
    timeoutMs: from.timeoutMs ?? 30_000,
    untrustedOutput: true,
  };
  const handler: ToolHandler<never> = {
    accesses: (input) => from.accesses?.(input) ?? [],
    async run(input, context) {
      try {
        const answer: unknown = await from.run(input, {
          signal: context.signal,
          report: (message) => context.report({ message }),
        });
        return { payload: toJson(answer) };
      } catch (error) {
        if (isToolError(error)) throw error;
        if (isFaultOfCode(error)) throw error;
        throw toolError('extension_error', visible(firstLine(error)));
      }
    },
  };
  return defineTool(definition, async () => handler);
}

/** A bug, or a fault of the system, whose words name places of the machine: the log has them, the model a reference. */
function isFaultOfCode(error: unknown): boolean {
  const bugs = ['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError'];
  return error instanceof Error && (bugs.includes(error.name) || 'syscall' in error);
}

/** A schema comes from outside as plain JSON; what is wrong with it shows when the registry or ajv reads it. */
function schemaOf(schema: object): JsonSchema {
  return sanitizeJson(structuredClone(schema)) as JsonSchema;
}

function toJson(value: unknown): Json {
  const text = JSON.stringify(value);
  const parsed: unknown = text === undefined ? null : JSON.parse(text);
  return parsed as Json;
}
