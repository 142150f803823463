import { type AgentOfProfile, ownAgent } from '../core/agent/ownAgent';
import { PromptFiles } from '../core/agent/promptFiles';
import { judgePrompt } from '../core/agent/promptJudge';
import { DisposableStore } from '../core/base/lifecycle';
import type { Capability } from '../core/capability/capability';
import { ProfileChecks } from '../core/profiles/profileChecks';
import { basePromptOf } from '../core/profiles/promptText';
import { buildRuntimeAgent, type RuntimeAgent } from '../core/profiles/runtimeAgent';
import { sourceKind } from '../core/vocabulary/toolSource';
import type { Agents, Gate, MadeFrom } from './coreParts';

type AgentsOptions = MadeFrom<
  'failed' | 'isTrusted' | 'policy' | 'servers' | 'settings' | 'tools',
  'crypto' | 'files' | 'prompts' | 'storage'
> & { readonly validator: Gate['validator'] };

export function composeAgents(options: AgentsOptions): Agents {
  const { platform, settings, policy, servers, validator, isTrusted, failed } = options;
  const { registry, profiles } = options.tools;
  const { crypto, files, storage } = platform;
  const store = new DisposableStore();
  const prompts = store.add(
    new PromptFiles({
      files,
      crypto,
      storage,
      trusted: isTrusted,
      judge: (accesses, { id }) =>
        judgePrompt(policy.engine, registry, accesses, profiles.resolve(id) ?? profiles.active()),
      onDidChangeRules: policy.engine.onDidChange,
      ...(platform.prompts ? { watch: platform.prompts } : {}),
    }),
  );
  /** What says nothing of where it comes from counts as a repository's. */
  const isOwn = ({ id, source, provenance }: Capability): boolean => {
    if (provenance) return provenance.by === 'user';
    return sourceKind(source).isUsers === true && !servers.isOfWorkspace(id);
  };
  const ownAgentOf = (id: string): AgentOfProfile | undefined =>
    ownAgent(id, {
      registry,
      layers: settings.now.layers,
      storage,
      crypto,
      own: servers.own,
      isOwn,
      inForce: profiles.resolve(id),
    });
  const ownPrompt = { isTrusted, text: (id: string) => ownAgentOf(id)?.profile.profile.systemPrompt ?? '' };
  const runtimeAgent = (profileId?: string): RuntimeAgent => {
    const resolved = (profileId === undefined ? undefined : profiles.resolve(profileId)) ?? profiles.active();
    return buildRuntimeAgent(resolved, basePromptOf(resolved.profile, prompts, ownPrompt));
  };
  const checks = store.add(
    new ProfileChecks({
      registry,
      profiles,
      validator,
      agent: runtimeAgent,
      promptsRead: () => prompts.settled(),
      onError: failed('checking a profile'),
    }),
  );
  return {
    runtimeAgent,
    basePrompt: () => basePromptOf(profiles.active().profile, prompts, ownPrompt).text,
    ownAgent: ownAgentOf,
    prompts,
    checks,
    dispose: () => store.dispose(),
  };
}
