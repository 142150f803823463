import { canonicalJson } from '../base/json';
import { worded } from '../base/sentence';
import type { CapabilityRegistry } from '../registry/registry';
import { type Allowance, allowanceOf } from '../profiles/allowance';
import { offeredTools } from '../profiles/offeredTools';
import { type Profile, type ResolvedProfile, resolveProfile } from '../profiles/profile';
import { promptAdditions } from '../profiles/runtimeAgent';
import type { Permission } from '../vocabulary/toolDefinition';
import type { Translate } from '../base/translate';
import { sourceKey } from '../vocabulary/toolSource';
import { riskWords } from './words';

/** What a profile would let agents do, in lines for a person who decides about it. */
export function grantLines(profile: Profile, registry: CapabilityRegistry, t: Translate): readonly string[] {
  const resolved = resolveProfile(profile, registry);
  const tools = offeredTools(resolved);
  const named = (permission: Permission): readonly string[] =>
    tools.filter((tool) => tool.definition.permissions.agent === permission).map((tool) => tool.definition.name);
  const asks = named('confirmation_required');
  const free = named('allowed');
  const listed = (words: readonly string[]): string => words.join(', ') || t('none');
  return [
    t('Mode: {0}', profile.mode),
    t('Runs without asking ({0}): {1}', free.length, listed(free)),
    t('Asks first ({0}): {1}', asks.length, listed(asks)),
    t('Scopes: {0}', listed([...resolved.scopes])),
    ...(profile.systemPrompt === '' ? [] : [t('Base prompt: {0} characters', profile.systemPrompt.length)]),
    ...(profile.systemPromptFile === undefined ? [] : [t('Base prompt from the file {0}', profile.systemPromptFile)]),
    ...resolved.problems.map((problem) => t('Problem: {0}', worded(problem.said, t))),
  ];
}

/**
 * Everything that one profile allows or says to a model and another does not, in lines for a person who decides about
 * it. Nothing is cut: prompts stand there whole, each line of them marked, so that no line of a prompt can pass for one
 * of ours.
 */
export function wideningLines(from: ResolvedProfile, to: ResolvedProfile, t: Translate): readonly string[] {
  const [before, after] = [allowanceOf(from), allowanceOf(to)];
  const scopes = [...after.scopes].filter((one) => !before.scopes.has(one));
  return [
    ...toolLines(before, to, t),
    ...(scopes.length > 0 ? [t('+ scopes: {0}', scopes.join(', '))] : []),
    ...(before.mode === 'plan' && after.mode === 'execute' ? [t('Mode: plan → execute')] : []),
    ...configurationLines(before, after, t),
    ...[...before.boundaries].filter((one) => !after.boundaries.has(one)).map((one) => t('− boundary {0}', one)),
    ...[...before.limits].filter(([id]) => !after.limits.has(id)).map(([id]) => t('− limits of {0}', id)),
    ...promptLines(before, after, t),
    ...additionLines(before, to, t),
  ];
}

function toolLines(before: Allowance, to: ResolvedProfile, t: Translate): readonly string[] {
  const added = to.tools.filter((tool) => !before.tools.has(tool.id));
  const named = (permission: Permission): string =>
    added
      .filter(({ definition }) => definition.permissions.agent === permission)
      .map(({ modelName, definition }) => `${modelName} (${riskWords(definition.riskLevel, t)})`)
      .join(', ');
  const [free, asking, closed] = [named('allowed'), named('confirmation_required'), named('forbidden')];
  return [
    ...(free === '' ? [] : [t('+ runs without asking: {0}', free)]),
    ...(asking === '' ? [] : [t('+ asks first: {0}', asking)]),
    ...(closed === '' ? [] : [t('+ for people alone: {0}', closed)]),
  ];
}

function configurationLines(before: Allowance, after: Allowance, t: Translate): readonly string[] {
  const shown = (value: unknown): string => (value === undefined ? t('nothing') : canonicalJson(value));
  return [...after.configuration].flatMap(([id, { values, isSaid }]) => {
    if (!isSaid && !before.configuration.has(id)) return [];
    const old = before.configuration.get(id)?.values ?? {};
    return [...new Set([...Object.keys(old), ...Object.keys(values)])]
      .filter((key) => shown(old[key]) !== shown(values[key]))
      .map((key) => t('{0}: {1} {2} → {3}', id, key, shown(old[key]), shown(values[key])));
  });
}

function promptLines(before: Allowance, after: Allowance, t: Translate): readonly string[] {
  const { text, file } = after.basePrompt;
  if (canonicalJson(before.basePrompt) === canonicalJson(after.basePrompt)) return [];
  if (file !== '') return [t('Base prompt from the file {0}', file)];
  if (text === '') return [t('− base prompt of your own')];
  return [t('Instructions that the model would get ({0} characters):', text.length), ...quoted(text)];
}

/** What comes with the extension is no text of the workspace: it is named. Everything else is shown whole. */
function additionLines(before: Allowance, to: ResolvedProfile, t: Translate): readonly string[] {
  return promptAdditions(to).flatMap(({ capability: { id, source }, text }) => {
    if (before.promptAdditions.get(id) === text) return [];
    if (sourceKey(source) === 'builtin') return [t('+ instructions of {0} ({1} characters)', id, text.length)];
    return [t('Instructions of {0}:', id), ...quoted(text)];
  });
}

const quoted = (text: string): readonly string[] => text.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => `> ${line}`);
