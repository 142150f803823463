/**
 * Milliseconds from `now` to a local time (`17:30`: its next occurrence) or date (`2026-12-31`, `2026-12-31 17:30`);
 * undefined for anything else and the past.
 */
export function lifetimeUntil(text: string, now: number): number | undefined {
  const match = /^(?:(\d{4})-(\d{2})-(\d{2}))?(?:[ T]?(\d{1,2}):(\d{2}))?$/.exec(text.trim());
  if (!match || text.trim() === '') return undefined;
  const [, year, month, day, hours, minutes] = match;
  const at = new Date(now);
  if (year !== undefined) at.setFullYear(Number(year), Number(month) - 1, Number(day));
  at.setHours(Number(hours ?? 23), Number(minutes ?? 59), 0, 0);
  const isReal =
    (year === undefined || (at.getMonth() === Number(month) - 1 && at.getDate() === Number(day))) &&
    (hours === undefined || (Number(hours) < 24 && Number(minutes) < 60));
  if (!isReal) return undefined;
  if (year === undefined && at.getTime() <= now) at.setDate(at.getDate() + 1);
  return at.getTime() > now ? at.getTime() - now : undefined;
}
