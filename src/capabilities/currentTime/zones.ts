import { nearestNames } from '../../core/base/nearest';
import { toolError, type ToolError } from '../../core/vocabulary/errors';

/** Says which zone names come near; names of cities and common abbreviations find their zone too. */
function unknownTimeZone(name: string): ToolError {
  const near = suggestZones(name);
  const hint =
    near.length > 0
      ? `did you mean ${near.map((one) => `\`${one}\``).join(', ')}`
      : 'give an IANA name such as `Europe/Berlin`, `UTC`, or an offset such as `+05:30`';
  return toolError('unknown_time_zone', `no time zone is called \`${name.slice(0, 100)}\`; ${hint}`, {
    details: { suggestions: near },
  });
}

/** Abbreviations that several zones share are no zones; they lead to the zone that most people mean. */
const abbreviations: Readonly<Record<string, string>> = {
  'America/Los_Angeles': 'pst pdt pt',
  'America/Denver': 'mdt mt',
  'America/Chicago': 'cst cdt ct',
  'Asia/Shanghai': 'cst',
  'America/New_York': 'edt et',
  'Europe/London': 'bst',
  'Europe/Berlin': 'cest',
  'Europe/Helsinki': 'eest',
  'Europe/Moscow': 'msk',
  'Asia/Kolkata': 'ist',
  'Europe/Dublin': 'ist',
  'Asia/Jerusalem': 'ist',
  'Asia/Tokyo': 'jst',
  'Asia/Seoul': 'kst',
  'Asia/Singapore': 'sgt',
  'Asia/Hong_Kong': 'hkt',
  'Australia/Sydney': 'aest aedt',
  'Australia/Adelaide': 'acst',
  'Australia/Perth': 'awst',
  'Pacific/Auckland': 'nzst nzdt',
  'America/Anchorage': 'akst akdt',
  'America/Sao_Paulo': 'brt',
};

function suggestZones(name: string): readonly string[] {
  const wanted = name.trim().toLowerCase().replace(/\s+/g, '_');
  const meant = Object.entries(abbreviations).filter(([, names]) => names.split(' ').includes(wanted));
  if (meant.length > 0) return meant.map(([zone]) => zone);
  const zones = Intl.supportedValuesOf('timeZone');
  const cities = zones.filter((zone) => zone.toLowerCase().endsWith(`/${wanted}`));
  if (cities.length > 0) return cities.slice(0, 3);
  const cityOf = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1);
  const nearWhole = nearestNames(wanted, [...zones, 'UTC']);
  const wantedCity = wanted.slice(wanted.lastIndexOf('/') + 1);
  const nearCities = nearestNames(wantedCity, zones.map(cityOf)).flatMap((city) =>
    zones.filter((zone) => cityOf(zone) === city),
  );
  return [...new Set([...nearWhole, ...nearCities])].slice(0, 3);
}

const offsetPattern = /^(?:(?:utc|gmt)\s*)?([+\u2212-])(\d{1,2})(?::?([0-5]\d))?$/i;

/**
 * Turns what a caller wrote into a zone id that Temporal takes, or undefined where it is none. Taken are IANA names in
 * any case and with spaces for underscores, `UTC`, `Z`, `local`, and offsets such as `+05:30` or `UTC-3`.
 */
export function findZone(name: string, local: string): string | undefined {
  const text = name.trim();
  if (/^local$/i.test(text)) return local;
  if (/^(?:z|utc|zulu)$/i.test(text)) return 'UTC';
  const offset = offsetPattern.exec(text);
  if (offset) {
    const hours = Number(offset[2]);
    if (hours > 23) return undefined;
    return `${offset[1] === '+' ? '+' : '-'}${String(hours).padStart(2, '0')}:${offset[3] ?? '00'}`;
  }
  if (!/^[a-z][a-z0-9_+\-/ ]{1,60}$/i.test(text)) return undefined;
  try {
    // The editor's engine spells the name canonically and throws a RangeError for what it does not know.
    const options = new Intl.DateTimeFormat('en-US', { timeZone: text.replace(/ +/g, '_') }).resolvedOptions();
    return isForbidden(text) ? undefined : keepAlias(text, options.timeZone);
  } catch {
    return undefined;
  }
}

/** Three-letter names of ICU that are not IANA's, such as `PST` or `IST`, mean different things to different people. */
function isForbidden(text: string): boolean {
  return /^[a-z]{3}$/i.test(text) && !/^(?:utc|gmt|uct|est|mst|hst|cet|met|eet|wet|prc|rok)$/i.test(text);
}

/**
 * Engines replace a renamed zone by its older name (`Asia/Kolkata` by `Asia/Calcutta`); the caller gets back what it
 * asked for.
 */
function keepAlias(asked: string, canonical: string): string {
  const spelled = asked.replace(/ +/g, '_');
  if (spelled.toLowerCase() === canonical.toLowerCase()) return canonical;
  return spelled
    .split('/')
    .map((part) => (part === part.toLowerCase() ? capitalise(part) : part))
    .join('/');
}

function capitalise(part: string): string {
  return part
    .split(/(?<=[_-])/)
    .map((word) => (/^(?:of|es|au)[_-]?$/.test(word) ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');
}

/** The zone that a caller named, the machine's where it named none. Throws `unknown_time_zone` with suggestions. */
export function resolveZone(name: string | undefined, local: string): string {
  return name === undefined || name.trim() === '' ? local : zoneNamed(name, local);
}

export function zoneNamed(name: string, local: string): string {
  const zone = findZone(name, local);
  if (zone === undefined) throw unknownTimeZone(name);
  return zone;
}
