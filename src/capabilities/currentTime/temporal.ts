import type { Temporal as TemporalNamespace } from 'temporal-polyfill';

/** The Temporal API: the host's own, or the polyfill's. */
export type TemporalApi = typeof TemporalNamespace;
export type ZonedDateTime = TemporalNamespace.ZonedDateTime;
export type PlainDate = TemporalNamespace.PlainDate;
export type PlainDateTime = TemporalNamespace.PlainDateTime;
export type PlainTime = TemporalNamespace.PlainTime;
export type Duration = TemporalNamespace.Duration;

/**
 * Gives the host's Temporal where it has one, else loads the polyfill, which costs about 60 KB and is therefore fetched
 * on first use only. A host whose Temporal is older than `getTimeZoneTransition` gets the polyfill too.
 */
export async function loadTemporal(): Promise<TemporalApi> {
  const host: typeof globalThis & { Temporal?: TemporalApi } = globalThis;
  if (typeof host.Temporal?.ZonedDateTime?.prototype?.getTimeZoneTransition === 'function') return host.Temporal;
  const { Temporal } = await import('temporal-polyfill');
  return Temporal;
}
