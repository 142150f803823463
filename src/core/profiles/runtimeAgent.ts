import { modelSchema } from '../vocabulary/modelSchema';
import type { Capability } from '../capability/capability';
import { renderPrompt } from './promptTemplate';
import { type Problem, problem } from '../base/problem';
import { say } from '../base/sentence';
import type { BasePrompt } from './promptText';
import type { ResolvedProfile } from './profile';
import type { RegisteredTool } from '../registry/registry';
import type { ToolDefinition } from '../vocabulary/toolDefinition';

/** One piece of the merged prompt and where it comes from. */
export interface PromptPart {
  readonly origin:
    | { readonly type: 'capability'; readonly id: string; readonly name: string }
    /** `file` where the base prompt stands in a file of the workspace. */
    | { readonly type: 'profile'; readonly id: string; readonly file?: string };
  readonly text: string;
  readonly tokens: number;
}

/** What a profile resolves to: the additions in order and then the base prompt; the tools in order; what is wrong. */
export interface RuntimeAgent {
  readonly profileId: string;
  readonly name: string;
  readonly mode: 'plan' | 'execute';
  readonly parts: readonly PromptPart[];
  readonly systemPrompt: string;
  readonly tools: readonly RegisteredTool[];
  /** The tokens of all tool definitions, those of foreign tools estimated. */
  readonly toolTokens: number;
  readonly problems: readonly Problem[];
}

/**
 * Estimates tokens as a quarter of the characters, which is within a fifth of common tokenisers for English and JSON.
 */
function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** A definition never changes; counting it anew for every change of a profile would be felt with thousands of tools. */
const tokensOf = new WeakMap<ToolDefinition, number>();

/** What one tool costs in every request: exact for built-in tools, an estimate for others. */
export function toolTokens(tool: RegisteredTool): number {
  const { definition } = tool;
  if (definition.modelTokens !== undefined) return definition.modelTokens;
  const known = tokensOf.get(definition);
  if (known !== undefined) return known;
  // The lengths of `{"name":…,"description":…,"parameters":…}` without writing long descriptions out.
  const schema = JSON.stringify(modelSchema(definition)).length;
  const tokens = Math.ceil((tool.modelName.length + definition.modelDescription.length + schema + 42) / 4);
  tokensOf.set(definition, tokens);
  return tokens;
}

/**
 * What the capabilities that are on add to the prompt, in the profile's order. One whose tools are all off adds
 * nothing.
 */
export function promptAdditions(
  resolved: ResolvedProfile,
): readonly { readonly capability: Capability; readonly text: string }[] {
  return resolved.entries.flatMap(({ capability, entry, isUnfit, tools }) => {
    if (!entry.enabled || isUnfit || capability.status === 'coming_soon') return [];
    const text = renderPrompt(capability, entry.config).trim();
    if (!text || (tools.length > 0 && !tools.some((one) => one.enabled))) return [];
    return [{ capability, text }];
  });
}

/**
 * Merges a profile's prompt and tools. Two tools that a model would see under one name are a problem; the one earlier
 * in the profile keeps the name and the later one is left out, because a request with two equal names fails as a whole.
 * @param base the profile's own prompt, where the caller has read it from a file.
 */
export function buildRuntimeAgent(
  resolved: ResolvedProfile,
  base: BasePrompt = { text: resolved.profile.systemPrompt, problems: [] },
): RuntimeAgent {
  const problems: Problem[] = [...resolved.problems, ...base.problems];
  const parts = promptAdditions(resolved).map(({ capability, text }): PromptPart => ({
    origin: { type: 'capability', id: capability.id, name: capability.local?.name ?? capability.name },
    text,
    tokens: estimateTokens(text),
  }));
  const own = base.text.trim();
  const file = resolved.profile.systemPromptFile;
  if (own !== '')
    parts.push({
      origin: { type: 'profile', id: resolved.id, ...(file === undefined ? {} : { file }) },
      text: own,
      tokens: estimateTokens(own),
    });
  const byName = new Map<string, RegisteredTool>();
  const tools: RegisteredTool[] = [];
  for (const tool of resolved.tools) {
    const first = byName.get(tool.modelName);
    if (first) {
      const said = say('name_clash', tool.id, first.id, tool.modelName);
      problems.push(problem({ severity: 'error', said, subject: tool.capability.id }));
      continue;
    }
    byName.set(tool.modelName, tool);
    tools.push(tool);
  }
  return {
    profileId: resolved.id,
    name: resolved.profile.name,
    mode: resolved.mode,
    parts,
    systemPrompt: parts.map((part) => part.text).join('\n\n'),
    tools,
    toolTokens: tools.reduce((sum, tool) => sum + toolTokens(tool), 0),
    problems,
  };
}
