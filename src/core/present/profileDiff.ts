import { offeredTools } from '../profiles/offeredTools';
import type { ResolvedProfile } from '../profiles/profile';
import type { RegisteredTool } from '../registry/registry';
import { plainWords, type Translate } from '../base/translate';

/** What changes when one profile takes another's place. */
interface ProfileDiff {
  readonly gained: readonly RegisteredTool[];
  readonly lost: readonly RegisteredTool[];
  /** Permissions that loosen, as words: `mode plan → execute`, `scope file:write`. */
  readonly loosened: readonly string[];
}

function profileDiff(from: ResolvedProfile, to: ResolvedProfile): ProfileDiff {
  const before = offeredTools(from);
  const after = offeredTools(to);
  const had = new Set(before.map((tool) => tool.id));
  const has = new Set(after.map((tool) => tool.id));
  return {
    gained: after.filter((tool) => !had.has(tool.id)),
    lost: before.filter((tool) => !has.has(tool.id)),
    loosened: [
      ...(from.mode === 'plan' && to.mode === 'execute' ? ['mode plan → execute'] : []),
      ...[...to.scopes].filter((scope) => !from.scopes.has(scope)).map((scope) => `scope ${scope}`),
    ],
  };
}

/** One line about a switch: `+ write_file, delete_file · − web_fetch · loosens: mode plan → execute`. */
export function describeSwitch(from: ResolvedProfile, to: ResolvedProfile, t: Translate = plainWords): string {
  const { gained, lost, loosened } = profileDiff(from, to);
  const names = (tools: readonly RegisteredTool[]): string => {
    const shown = tools.slice(0, 6).map((tool) => tool.definition.name);
    return tools.length > shown.length
      ? `${shown.join(', ')}, ${t('{0} more', tools.length - shown.length)}`
      : shown.join(', ');
  };
  const parts = [
    ...(gained.length > 0 ? [`+ ${names(gained)}`] : []),
    ...(lost.length > 0 ? [`− ${names(lost)}`] : []),
    ...(loosened.length > 0 ? [t('loosens: {0}', loosened.join(', '))] : []),
  ];
  return parts.length === 0 ? t('same tools') : parts.join(' · ');
}
