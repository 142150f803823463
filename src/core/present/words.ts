import type { CapabilityStatus, Permission, RiskLevel, ToolDefinition } from '../vocabulary/toolDefinition';
import type { Translate } from '../base/translate';
import type { Capability } from '../capability/capability';
import { visible } from '../base/visible';

export { boldMarkdown, codeCell, codeSpan, plainMarkdown, proseMarkdown, tableMarkdown } from '../base/markdown';

/** A sentence as a row of a tree shows it, which draws no Markdown: what stands between backticks stands in quotes. */
export function rowText(text: string): string {
  return visible(text).replaceAll('`', '"');
}

/** For what the editor draws with icons: `$(name)` of somebody else stays text, by a blank in it. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$ (');
}

/** Writes a number of tokens shortly: `950`, `1.8k`, `24k`. */
export function shortCount(value: number, t: Translate): string {
  if (value < 1000) return String(value);
  const thousands = value / 1000;
  return thousands < 9.95 ? `${oneDecimal(thousands, t)}k` : `${wholeNumber(Math.round(thousands), t)}k`;
}

/** A whole number of at least 0 with the sign of the person's language between the thousands: `1,234`. */
export function wholeNumber(value: number, t: Translate): string {
  if (value < 1000) return String(value);
  return t('{0},{1}', wholeNumber(Math.floor(value / 1000), t), String(value % 1000).padStart(3, '0'));
}

/** A duration: `14 ms`, `2.1 s`, `3 min`. */
export function durationWords(ms: number, t: Translate): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${oneDecimal(ms / 1000, t)} s` : `${wholeNumber(Math.round(ms / 60_000), t)} min`;
}

/** With one place behind the decimal sign of the person's language: `1.8`. */
export const oneDecimal = (value: number, t: Translate): string => t('{0}.{1}', ...value.toFixed(1).split('.'));

/** A number of tools: `1 tool`, `2 tools`. */
export function toolCount(count: number, t: Translate): string {
  return count === 1 ? t('1 tool') : t('{0} tools', wholeNumber(count, t));
}

/** A number of files: `1 file`, `2 files`. */
export function fileCount(count: number, t: Translate): string {
  return count === 1 ? t('1 file') : t('{0} files', wholeNumber(count, t));
}

/** The risk alone: `medium`. */
export function riskWord(risk: RiskLevel, t: Translate): string {
  return { low: t('low'), medium: t('medium'), high: t('high'), critical: t('critical') }[risk];
}

/** The risk as part of a sentence: `medium risk`. */
export function riskWords(risk: RiskLevel, t: Translate): string {
  return { low: t('low risk'), medium: t('medium risk'), high: t('high risk'), critical: t('critical risk') }[risk];
}

/** What a caller of a tool meets, in a word: `asks`. */
export function permissionWord(permission: Permission, t: Translate): string {
  return { allowed: t('allowed'), confirmation_required: t('asks'), forbidden: t('forbidden') }[permission];
}

/** Whether a capability can be used: `available`, `coming soon`, `deprecated`. */
export function statusWord(status: CapabilityStatus, t: Translate): string {
  return { available: t('available'), coming_soon: t('coming soon'), deprecated: t('deprecated') }[status];
}

/** The name of a capability that a person reads. */
export const shownName = ({ name, local }: Pick<Capability, 'name' | 'local'>): string => local?.name ?? name;

/** The title of a tool that a person reads. */
export const shownTitle = ({ title, localTitle }: Pick<ToolDefinition, 'title' | 'localTitle'>): string =>
  localTitle ?? title;
