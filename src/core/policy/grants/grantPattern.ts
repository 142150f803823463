import { type Access, familyOf, withoutNeededReads } from '../../vocabulary/access';
import { defined, isObject } from '../../base/json';
import { flatGlob, type Glob, pathGlob, refuseHiddenAll } from '../../base/pathGlob';
import { hostGlob } from '../../hosts/hostGlob';
import { accessFacts } from '../rules/subject';
import { resourceKey } from './resourceKey';

/** A stretch of accesses that a grant covers: of one effect, in one way, over resources that fit the pattern. */
export type GrantedAccess = {
  readonly effect: string;
  /** A glob, or after a leading `=` exactly this, in whatever spelling (`resourceKey`). */
  readonly pattern: string;
  readonly method?: string;
  readonly recursive?: true;
  readonly permanent?: true;
};

/** Exactly these accesses, marked by a leading `=`. */
export function exactly(accesses: readonly Access[]): readonly GrantedAccess[] {
  return accesses.map((access) => granted(access, `=${access.resource}`));
}

/** Accesses of the same sorts as these, over all that fits the pattern. */
export function alike(accesses: readonly Access[], pattern: string): readonly GrantedAccess[] {
  const sorts = new Map(accesses.map((access) => [JSON.stringify(granted(access, '')), granted(access, pattern)]));
  return [...sorts.values()];
}

function granted({ effect, method, recursive, permanent }: Access, pattern: string): GrantedAccess {
  return defined({ effect, pattern, method, recursive: recursive || undefined, permanent: permanent || undefined });
}

/** A test of accesses. What deletes more, or for good, or by another method than was seen, is not what was allowed. */
export function accessTest({
  effect,
  pattern,
  method,
  recursive,
  permanent,
}: GrantedAccess): (access: Access) => boolean {
  const fits = resourceTest(effect, pattern);
  return (access) =>
    access.effect === effect &&
    access.method === method &&
    (recursive === true || access.recursive !== true) &&
    (permanent === true || access.permanent !== true) &&
    fits(access);
}

/** A test that accesses are some, and that each lies in what is granted. */
export function coverTest(granted: readonly GrantedAccess[]): (accesses: readonly Access[]) => boolean {
  const tests = granted.map(accessTest);
  return (accesses) =>
    accesses.length > 0 &&
    withoutNeededReads(accesses, (one) => one).every((access) => tests.some((test) => test(access)));
}

/** The parts of the folder in which all of some files lie. */
export function sharedFolder(resources: readonly string[]): readonly string[] {
  const [first = [], ...others] = resources.map((resource) => resource.split('/').slice(0, -1));
  const differs = first.findIndex((part, at) => others.some((one) => one[at] !== part));
  return differs < 0 ? first : first.slice(0, differs);
}

/**
 * The first access that a pattern of a grant leaves out; undefined where it covers them all. To be asked while a person
 * types one. Throws an Error for a pattern that cannot be read.
 */
export function uncovered(pattern: string, accesses: readonly Access[]): Access | undefined {
  return accesses.find((access) => !resourceTest(access.effect, pattern)(access));
}

/**
 * Patterns loosen, so they are compared narrowly: the path as it was given, the host by itself, everything else as
 * text.
 */
function resourceTest(effect: string, pattern: string): (access: Access) => boolean {
  if (pattern.startsWith('=')) {
    const exact = resourceKey(effect, pattern.slice(1));
    return (access) => resourceKey(access.effect, access.resource) === exact;
  }
  if (familyOf(effect) === 'fs') {
    refuseHiddenAll(pattern);
    const glob: Glob = pathGlob(pattern);
    return (access) => {
      const path = accessFacts(access).path;
      return path !== undefined && path.keys.length === 1 && !path.hasShortName && glob.matches(path.exact);
    };
  }
  if (familyOf(effect) === 'network' && !pattern.includes('://')) {
    const glob = hostGlob(pattern);
    return (access) => {
      const { network } = accessFacts(access);
      return network !== undefined && glob.matchesOnly(network);
    };
  }
  const glob = flatGlob(pattern);
  return (access) => glob.matches(access.resource);
}

/** Writes a text as a glob that fits it alone. */
export function literalGlob(text: string): string {
  return text.replace(/^=|[*?[\]{}()!+@|,\\]/g, '\\$&');
}

/**
 * What a person may start from when they type a pattern for a call: the folder of its first file with everything in it,
 * the host and port of an address, else the resource. Names that look like patterns stand for themselves.
 */
export function suggestedPattern([first]: readonly Access[]): string {
  if (!first) return '';
  const { effect, resource } = first;
  if (familyOf(effect) === 'network') {
    const host = URL.canParse(resource) ? new URL(resource).host : resource;
    return host.includes('*') ? `=${resource}` : host;
  }
  if (familyOf(effect) !== 'fs') return literalGlob(resource);
  // A pattern of dots or slashes alone stands for more than it says.
  if (resource.split('/').some((part) => part === '' || part === '.' || part === '..')) return `=${resource}`;
  const slash = resource.lastIndexOf('/');
  return slash > 0 ? `${literalGlob(resource.slice(0, slash))}/**` : literalGlob(resource);
}

/** Reads a stored row; undefined for anything unexpected. */
export function parseGranted(value: unknown): GrantedAccess | undefined {
  if (!isObject(value)) return undefined;
  const { effect, pattern, method, recursive, permanent } = value;
  if (typeof effect !== 'string' || typeof pattern !== 'string' || (method !== undefined && typeof method !== 'string'))
    return undefined;
  return granted(
    { effect, resource: '', ...defined({ method }), recursive: recursive === true, permanent: permanent === true },
    pattern,
  );
}
