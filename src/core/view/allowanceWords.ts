import { canonicalJson } from '../base/json';
import { type Allowance, allowanceOf } from '../allowance';
import type { ResolvedProfile } from '../profile';
import { plainWords, type Translate } from './translate';

/**
 * Everything that one profile allows or says to a model and another does not, in lines for a person who decides about it. Nothing is cut: prompts
 * stand there whole, each line of them marked, so that no line of a prompt can pass for one of ours.
 */
export function wideningLines(from: ResolvedProfile, to: ResolvedProfile, t: Translate = plainWords): readonly string[] {
  const [before, after] = [allowanceOf(from), allowanceOf(to)];
  return [
    ...toolLines(before, to, t),
    ...[...after.scopes].filter((one) => !before.scopes.has(one)).map((one) => t('+ scope {0}', one)),
    ...(before.mode === 'plan' && after.mode === 'execute' ? [t('Mode: plan → execute')] : []),
    ...configurationLines(before, after, t),
    ...[...before.boundaries].filter((one) => !after.boundaries.has(one)).map((one) => t('− boundary {0}', one)),
    ...[...before.limits].filter(([id]) => !after.limits.has(id)).map(([id]) => t('− limits of {0}', id)),
    ...promptLines(before, after, t),
  ];
}

function toolLines(before: Allowance, to: ResolvedProfile, t: Translate): readonly string[] {
  return to.tools
    .filter((tool) => !before.tools.has(tool.id))
    .map(({ id, definition }) => {
      const asks = definition.permissions.agent === 'confirmation_required';
      return asks ? t('+ {0} ({1} risk, asks first)', id, definition.riskLevel) : t('+ {0} ({1} risk)', id, definition.riskLevel);
    });
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
  const lines: string[] = [];
  const { text, file } = after.basePrompt;
  if (canonicalJson(before.basePrompt) !== canonicalJson(after.basePrompt)) {
    if (file !== '') lines.push(t('Base prompt from the file {0}', file));
    else if (text === '') lines.push(t('− base prompt of your own'));
    else lines.push(t('Instructions that the model would get ({0} characters):', text.length), ...quoted(text));
  }
  for (const [id, addition] of after.promptAdditions)
    if (before.promptAdditions.get(id) !== addition) lines.push(t('Instructions of {0}:', id), ...quoted(addition));
  return lines;
}

const quoted = (text: string): readonly string[] => text.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => `> ${line}`);
