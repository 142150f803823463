import { trimmedEnd } from '../base/text';
import ipaddr from 'ipaddr.js';

/**
 * What a host means, whatever its spelling: a name in the one form that is looked up (lower case, IDNA, no final dots),
 * or an address. `invalid` is what no URL can carry as a host.
 */
export type CanonicalHost =
  | { readonly type: 'name'; readonly name: string }
  | {
      readonly type: 'address';
      /**
       * In the shortest usual form, IPv6 without brackets and zone; an IPv4 address that is mapped into IPv6 is that
       * IPv4 address.
       */
      readonly address: string;
      readonly family: 4 | 6;
      /**
       * The IPv4 addresses that lie inside (NAT64, 6to4, Teredo, ISATAP, compatible, translated), and to which a
       * gateway would lead.
       */
      readonly carries: readonly string[];
    }
  | { readonly type: 'invalid' };

const invalid: CanonicalHost = { type: 'invalid' };

/**
 * A name that the URL parser leaves as it is: plain labels, the last no number, none in punycode (which it would
 * check).
 */
const plainName = /^(?!(?:[^.]*\.)*xn--)(?:[a-z0-9][a-z0-9-]*\.)*[a-z][a-z0-9-]*$/;

/**
 * Reads a host as the WHATWG URL parser does: percent sequences, full-width characters, IDNA, numbers of any base and
 * length. IPv6 addresses may stand with or without brackets and with a zone, names may end in dots. A port is no part
 * of a host. `*` in a name is kept, for patterns.
 */
export function canonicalHost(text: string): CanonicalHost {
  if (plainName.test(text)) return { type: 'name', name: text };
  if (/[/?#@\\]/.test(text)) return invalid;
  if (text.startsWith('[') || (text.match(/:/g)?.length ?? 0) > 1) return bracketed(text);
  if (text.includes(':')) return invalid;
  let host = text;
  // A dot may come out of a character that means one, and what stands before the last dot may be a number.
  for (let turn = 0; turn < 4; turn++) {
    const read = parsedHostname(host);
    const bare = trimmedEnd(read ?? '', '.');
    if (bare === '') return invalid;
    if (bare.startsWith('[')) return bracketed(bare);
    if (bare === read) return ipaddr.IPv4.isValidFourPartDecimal(bare) ? address(bare) : { type: 'name', name: bare };
    host = bare;
  }
  return invalid;
}

/** One text per host, for comparing: the name, or the address without brackets; undefined for what is no host. */
export function hostText(text: string): string | undefined {
  const host = canonicalHost(text);
  return host.type === 'name' ? host.name : host.type === 'address' ? host.address : undefined;
}

/** Everything that a host may mean: itself, and the IPv4 addresses that it carries. Empty for what is no host. */
export function hostTexts(text: string): readonly string[] {
  const host = canonicalHost(text);
  if (host.type === 'name') return [host.name];
  return host.type === 'address' ? [host.address, ...host.carries] : [];
}

function parsedHostname(host: string): string | undefined {
  try {
    return new URL(`http://${host}/`).hostname;
  } catch {
    return undefined;
  }
}

/** An IPv6 address; the URL parser reads no zones, so the part before one is read. */
function bracketed(text: string): CanonicalHost {
  const [, inner, open] = /^(?:\[([^[\]]*)\]|([^[\]]*))$/.exec(text) ?? [];
  const parsed = parsedHostname(`[${(inner ?? open ?? '').replace(/%.*$/s, '')}]`);
  return parsed === undefined ? invalid : address(parsed.slice(1, -1));
}

function address(text: string): CanonicalHost {
  const parsed = ipaddr.process(text);
  if (parsed instanceof ipaddr.IPv4) return { type: 'address', address: parsed.toString(), family: 4, carries: [] };
  return { type: 'address', address: parsed.toRFC5952String(), family: 6, carries: carriedBy(parsed.parts) };
}

/** Reads the IPv4 addresses out of an IPv6 address, by every scheme whose prefix or mark it bears. */
function carriedBy(parts: readonly number[]): readonly string[] {
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0, seventh = 0, eighth = 0] = parts;
  const found = new Set<string>();
  const take = (high: number, low: number): void => {
    found.add([high >> 8, high & 255, low >> 8, low & 255].join('.'));
  };
  const isZero = (from: number, to: number): boolean => parts.slice(from, to).every((part) => part === 0);
  const isNat64 = first === 0x64 && second === 0xff9b;
  // IPv4-compatible; `::` and `::1` are addresses of their own.
  if (isZero(0, 6) && (seventh !== 0 || eighth > 1)) take(seventh, eighth);
  // IPv4-translated (SIIT): `::ffff:0:a.b.c.d`.
  if (isZero(0, 4) && fifth === 0xffff && sixth === 0) take(seventh, eighth);
  if (isNat64 && isZero(2, 6)) take(seventh, eighth);
  if (isNat64 && third === 1) {
    // The local prefix may be used with any length: the last 32 bits, or around the byte that is kept zero (RFC 6052).
    take(seventh, eighth);
    take(fourth, ((fifth & 255) << 8) | (sixth >> 8));
    take(((fourth & 255) << 8) | (fifth & 255), sixth);
    take(((fifth & 255) << 8) | (sixth >> 8), ((sixth & 255) << 8) | (seventh >> 8));
  }
  if (first === 0x2002) take(second, third);
  if (first === 0x2001 && second === 0) {
    take(third, fourth);
    take(seventh ^ 0xffff, eighth ^ 0xffff);
  }
  // ISATAP: the interface's part is `0:5efe` or `200:5efe` before the address.
  if ((fifth & 0xfdff) === 0 && sixth === 0x5efe) take(seventh, eighth);
  return [...found];
}
