import { pathAlternatives } from '../base/pathGlob';
import { matching, type Notes, type Place, type Reach, type Verdict } from './statement';

interface PathStyle {
  /** What a path from the root of the machine begins with there; where it is `//`, one slash means the project. */
  readonly root: '/' | '//';
  /** True where a name without a slash is looked for in every folder, and a folder's name takes in what lies below. */
  readonly likeGitignore: boolean;
}

/** What an entry about files reaches, by the pattern that stands in its brackets. */
export function pathReach(
  { entry, spec = '' }: { readonly entry: string; readonly spec?: string },
  act: 'read' | 'write',
  verdict: Verdict,
  notes: Notes,
  ...where: [place: Place, style: PathStyle]
): readonly Reach[] {
  const paths = pathsHere(spec, verdict, ...where);
  return paths ? matching(act, paths) : notes.inexact(entry, verdict, act, 'exchange_why_path');
}

/**
 * A path pattern of another tool as patterns here; undefined where none is at least as wide (for what restricts) or at
 * most as wide (for what allows).
 */
export function pathsHere(
  spec: string,
  verdict: Verdict,
  place: Place,
  { root, likeGitignore }: PathStyle,
): readonly string[] | undefined {
  const restricts = verdict !== 'allow';
  if (spec === '' || /[\\\0]|^!|(?:^|\/)\.\.(?:\/|$)|[!?*+@]\(/.test(spec)) return undefined;
  // Braces mean nothing to gitignore.
  if (/[{}]/.test(spec) && likeGitignore) return undefined;
  if (!restricts && /[[\](){}]/.test(spec)) return undefined;
  let plain: readonly string[];
  try {
    // A set of letters is read otherwise in some tools; any letter may stand there.
    plain = pathAlternatives(spec.replace(/\[[^\]]*\]/g, '?').replace(/^\.\//, ''));
  } catch {
    return undefined;
  }
  const found: string[] = [];
  for (const one of plain) {
    const based = located(one, spec, restricts, place, root);
    if (!based) return undefined;
    for (const path of based) {
      const isDeep = (likeGitignore || restricts) && isBareName(path, spec, restricts);
      const anywhere = isDeep ? `**/${path}` : path;
      found.push(anywhere);
      if ((likeGitignore || restricts) && !anywhere.endsWith('**')) found.push(`${anywhere}/**`);
    }
  }
  return [...new Set(found)];
}

/** Tells whether a pattern was written as a name without a folder, which gitignore finds at any depth. */
function isBareName(path: string, spec: string, restricts: boolean): boolean {
  if (path === '**' || /^(?:\/|\.\/)/.test(spec)) return false;
  const name = path.endsWith('/**') && (restricts || spec.endsWith('/')) ? path.slice(0, -3) : path;
  return !name.includes('/');
}

/** Patterns relative to the workspace where they lie in it, absolute where they cannot reach it. */
function located(
  path: string,
  spec: string,
  restricts: boolean,
  { folder, home }: Place,
  root: PathStyle['root'],
): readonly string[] | undefined {
  const fromHome = path === '~' || path.startsWith('~/');
  if (!fromHome && !spec.startsWith(root)) return [path];
  if (fromHome && home === undefined) return restricts ? [`**${path.slice(1)}`] : undefined;
  const absolute = fromHome ? `${home ?? ''}${path.slice(1)}` : `/${path}`;
  if (absolute.startsWith('/**')) return restricts ? [absolute.slice(1)] : undefined;
  const inside = absolute.startsWith(`${folder}/`) ? absolute.slice(folder.length + 1) : undefined;
  if (!restricts) return inside === undefined ? undefined : [inside];
  const fixed = /^[^*?]*/.exec(absolute)?.[0] ?? '';
  if (inside !== undefined) return [inside, absolute];
  // What begins above the workspace may reach into it in ways that a pattern cannot tell.
  const isAbove = `${folder}/`.startsWith(`${absolute}/`);
  const mayReachIn = fixed !== absolute && `${folder}/`.startsWith(fixed);
  return isAbove || mayReachIn ? undefined : [absolute];
}

/** A pattern here without braces, and whether it is looked for in every folder. */
interface WrittenPath {
  readonly path: string;
  readonly isDeep: boolean;
}

/** The parts of a path pattern here that other tools can be told; undefined where a sign means something here alone. */
export function writtenPaths(pattern: string): readonly WrittenPath[] | undefined {
  let all: readonly string[];
  try {
    all = pathAlternatives(pattern);
  } catch {
    return undefined;
  }
  if (all.some((one) => /[[\](){}\\!"']|(?:^|\/)\.\.(?:\/|$)|[^/*]\*\*|\*\*[^/*]/.test(one))) return undefined;
  return all.map((one) => {
    const isDeep = one.startsWith('**/');
    return { path: isDeep ? one.slice(3) : one, isDeep };
  });
}

/** A pattern in which each letter stands for both of its cases. */
export const inAnyCase = (pattern: string): string =>
  pattern.replace(/\p{L}/gu, (letter) => {
    const [low, high] = [letter.toLowerCase(), letter.toUpperCase()];
    return low === high || low.length > 1 || high.length > 1 ? letter : `[${low}${high}]`;
  });
