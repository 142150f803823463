import type { AgentCapabilitiesApi } from './api';
import { isExtensionId, noExtensionId, readApiCapability } from './apiCapability';
import { didYouMean } from '../core/base/nearest';
import { offeredTools } from '../core/profiles/offeredTools';
import type { ToolRouter } from '../core/gate/router';
import type { ProfileStore } from '../core/profiles/profileStore';
import type { RuntimeAgent } from '../core/profiles/runtimeAgent';
import type { CapabilityRegistry } from '../core/registry/registry';

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
      return registry.register(readApiCapability(extensionId, capability));
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
      const wrong = typeof tool === 'string' ? undefined : 'the name of a tool must be a string';
      const fault = isExtensionId(extensionId) ? wrong : noExtensionId;
      if (fault !== undefined)
        return { success: false, code: 'invalid_input', message: fault, retryable: false, durationMs: 0 };
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
