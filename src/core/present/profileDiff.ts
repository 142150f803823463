import { offeredTools } from '../profiles/offeredTools';
import type { ResolvedProfile } from '../profiles/profile';
import type { RegisteredTool } from '../registry/registry';
import type { Translate } from '../base/translate';

/** One line about a switch: `+ write_file, delete_file · − web_fetch · loosens: mode plan → execute`. */
export function describeSwitch(from: ResolvedProfile, to: ResolvedProfile, t: Translate): string {
  const [before, after] = [offeredTools(from), offeredTools(to)];
  const without = (tools: readonly RegisteredTool[], others: readonly RegisteredTool[]): readonly string[] => {
    const ids = new Set(others.map(({ id }) => id));
    return tools.filter(({ id }) => !ids.has(id)).map(({ definition }) => definition.name);
  };
  const some = (names: readonly string[]): string =>
    [...names.slice(0, 6), ...(names.length > 6 ? [t('{0} more', names.length - 6)] : [])].join(', ');
  const [gained, lost] = [without(after, before), without(before, after)];
  const loosened = [
    ...(from.mode === 'plan' && to.mode === 'execute' ? [t('mode plan → execute')] : []),
    ...[...to.scopes].filter((scope) => !from.scopes.has(scope)).map((scope) => t('scope {0}', scope)),
  ];
  const parts = [
    ...(gained.length > 0 ? [`+ ${some(gained)}`] : []),
    ...(lost.length > 0 ? [`− ${some(lost)}`] : []),
    ...(loosened.length > 0 ? [t('loosens: {0}', loosened.join(', '))] : []),
  ];
  return parts.length === 0 ? t('same tools') : parts.join(' · ');
}
