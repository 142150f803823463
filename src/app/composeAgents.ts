import { type AgentOfProfile, ownAgent } from '../core/agent/ownAgent';
import { PromptFiles } from '../core/agent/promptFiles';
import { judgePrompt } from '../core/agent/promptJudge';
import { type Disposable, DisposableStore } from '../core/base/lifecycle';
import type { Capability } from '../core/capability/capability';
import { ProfileChecks } from '../core/profiles/profileChecks';
import { basePromptOf } from '../core/profiles/promptText';
import { buildRuntimeAgent, type RuntimeAgent } from '../core/profiles/runtimeAgent';
import type { SettingsInForce } from '../core/settings/settingsInForce';
import { sourceKind } from '../core/vocabulary/toolSource';
import type { Gate } from './composeGate';
import type { Policy } from './composePolicy';
import type { Servers } from './composeServers';
import type { Tools } from './composeTools';
import type { Platform } from './platform';

/** What a profile becomes for a model: its prompt and its tools. */
export interface Agents extends Disposable {
  /** The runtime agent of a profile, the active one where none is named. */
  runtimeAgent(profileId?: string): RuntimeAgent;
  /** The base prompt of the active profile, read from its file where it stands in one; empty while it is not read. */
  basePrompt(): string;
  /**
   * The agent of a profile as the user's own parts make it, with what is on in this window; undefined where the user has
   * no such profile.
   */
  ownAgent(profileId: string): AgentOfProfile | undefined;
  /** Base prompts that stand in files of the workspace, and which of their texts were accepted. */
  readonly prompts: PromptFiles;
  /** What is wrong with profiles, such as a prompt that names a tool which is off. */
  readonly checks: ProfileChecks;
}

interface AgentsOptions {
  readonly platform: Pick<Platform, 'crypto' | 'files' | 'prompts' | 'storage'>;
  readonly settings: SettingsInForce;
  readonly tools: Pick<Tools, 'registry' | 'profiles'>;
  readonly policy: Pick<Policy, 'engine'>;
  readonly servers: Pick<Servers, 'own' | 'isOfWorkspace'>;
  readonly validator: Gate['validator'];
  readonly isTrusted: () => boolean;
  readonly failed: (what: string) => (error: unknown) => void;
}

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
