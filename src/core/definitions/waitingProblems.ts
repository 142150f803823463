import type { Problem } from '../base/problem';

/**
 * Problems without those of profiles that call a capability unknown which waits for approval: that it waits is told,
 * and once it is approved the profile is right.
 */
export function withoutWaiting(problems: readonly Problem[]): readonly Problem[] {
  const waiting = new Set(problems.flatMap(({ code, subject }) => (code === 'definition_pending' ? [subject] : [])));
  if (waiting.size === 0) return problems;
  return problems.filter(({ code, subject }) => code !== 'unknown_capability' || !waiting.has(subject));
}
