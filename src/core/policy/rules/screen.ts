import type { CompiledRule } from './compile';
import { alternativesOf, pathAlternatives } from '../../base/pathGlob';
import { foldPath } from './pathKey';
import type { PolicySubject } from './subject';
import { regexText } from '../../base/regexText';
import { listed } from '../../vocabulary/boundary';
import { isSameList } from '../../base/order';

/**
 * Tells quickly that no rule can say anything about a path that it does not say about every other one that passes. A
 * false answer says nothing: such a path is judged by itself.
 */
export type PathScreen = (path: string) => boolean;

/** What paths must have for any of some rules to say something of their own about them. */
interface Touch {
  readonly rules: readonly CompiledRule[];
  readonly name: (name: string) => boolean;
  readonly folder: (name: string) => boolean;
}

/**
 * Makes screens. What a rule needs of a path is worked out once, and the tests of the last screen serve again while the
 * same rules count.
 */
export class PathScreens {
  readonly #needs = new WeakMap<CompiledRule, readonly Need[] | 'any'>();
  #last: Touch | undefined;

  /**
   * Makes a screen from all rules that could fire for a subject with one access to a file, whatever its path. Every
   * rule whose answer depends on the path names at least one segment that a path must have for the answer to change; a
   * path without any such segment is passed. Undefined where a rule names none: then every path has to be judged.
   */
  of(rules: Iterable<CompiledRule>, subject: PolicySubject): PathScreen | undefined {
    const counting: CompiledRule[] = [];
    for (const rule of rules) {
      // What a rule says of any access to a file, or never says, is the same for all paths.
      if (rule.match.path === undefined && rule.match.pathNot === undefined) continue;
      if (!rule.concerns(subject)) continue;
      if (rule.clauses(subject).some(({ clause, matched }) => clause !== 'path' && clause !== 'pathNot' && !matched))
        continue;
      if (this.#needsOf(rule) === 'any') return undefined;
      counting.push(rule);
    }
    return screenOf(this.#touch(counting));
  }

  #needsOf(rule: CompiledRule): readonly Need[] | 'any' {
    const known = this.#needs.get(rule);
    if (known !== undefined) return known;
    const { path, pathNot } = rule.match;
    const found = needsOf(path) ?? (path === undefined || isEverything(path) ? needsOf(pathNot) : undefined);
    const needs = found ?? (isEverything(path) && pathNot === undefined ? [] : 'any');
    this.#needs.set(rule, needs);
    return needs;
  }

  #touch(rules: readonly CompiledRule[]): Touch {
    const last = this.#last;
    if (last && isSameList(last.rules, rules)) return last;
    const needs = rules.flatMap((rule) => {
      const own = this.#needsOf(rule);
      return own === 'any' ? [] : own;
    });
    return (this.#last = { rules, name: touches(needs), folder: touches(needs.filter((need) => !need.isLast)) });
  }
}

function screenOf({ name: isTouchedName, folder: isTouchedFolder }: Touch): PathScreen {
  let folder = '';
  let isFree = true;
  return (path) => {
    const slash = path.lastIndexOf('/');
    // Paths come folder by folder, and most in one folder follow each other.
    if (slash !== folder.length - 1 || !path.startsWith(folder)) {
      folder = path.slice(0, slash + 1);
      isFree = slash < 0 || !folder.slice(0, -1).split('/').some(isTouchedFolder);
    }
    return isFree && !isTouchedName(slash < 0 ? path : path.slice(slash + 1));
  };
}

/** What one segment of a path must be for a rule's pattern to match the path. */
interface Need {
  /** True where it must be the last segment. */
  readonly isLast: boolean;
  /** How much of it is fixed; the more, the fewer names it means. */
  readonly weight: number;
  /** The whole name in lower case, or a text that every possible name starts with, ends with or holds. */
  readonly text?: string;
  readonly where?: 'whole' | 'start' | 'end' | 'inside';
}

/**
 * What a name may not hold to stand for nothing but itself: anything but printable ASCII, a stream, a backslash, a
 * short name, a dot or a space at its end, which `.` and `..` have too. An empty name comes of a doubled, leading or
 * trailing slash.
 */
const notPlain = '[^ -~]|[\\\\:~]|[. ]$|^$';

/** Tells whether a name may be one that is needed, or one whose meaning is not plain. */
function touches(needs: readonly Need[]): (name: string) => boolean {
  const texts = (where: Need['where']): readonly string[] => [
    ...new Set(needs.flatMap((need) => (need.where === where ? (need.text ?? []) : []))),
  ];
  const names = new Set(texts('whole'));
  // One group for each place, which the engine searches at once.
  const [starts, ends, inside] = [group(texts('start')), group(texts('end')), group(texts('inside'))];
  const parts = [...(starts ? [`^${starts}`] : []), ...(ends ? [`${ends}$`] : []), ...(inside ? [inside] : [])];
  const expression = new RegExp([notPlain, ...parts].join('|'));
  return (name) => {
    const folded = name.toLowerCase();
    return names.has(folded) || expression.test(folded);
  };
}

function group(texts: readonly string[]): string | undefined {
  return texts.length === 0 ? undefined : `(?:${texts.map(regexText).join('|')})`;
}

function isEverything(value: string | readonly string[] | undefined): boolean {
  return listed(value).some((pattern) => pathAlternatives(foldPath(pattern)).includes('**'));
}

/** For each alternative of the patterns what a segment must be; undefined where one needs nothing that can be told. */
function needsOf(value: string | readonly string[] | undefined): readonly Need[] | undefined {
  if (value === undefined) return undefined;
  const found: Need[] = [];
  for (const pattern of listed(value)) {
    const alternatives = alternativesOf(foldPath(pattern));
    if (!alternatives) return undefined;
    for (const parts of alternatives) {
      const needs = parts.map((part, index) => needOf(part, index === parts.length - 1));
      const last = needs.at(-1);
      // A last name is asked of files only, not of every folder above them.
      const best =
        last?.where !== 'whole' ? needs.reduce((one, other) => (other.weight > one.weight ? other : one)) : last;
      if (best.weight === 0) return undefined;
      found.push(best);
    }
  }
  return found;
}

function needOf(segment: string, isLast: boolean): Need {
  const none = { isLast, weight: 0 };
  // Sets, groups, braces and escapes are not looked into, nor `**` beside other characters, which may cross folders.
  if (/[[\](){}\\]|[^*]\*\*|\*\*[^*]/.test(segment)) return none;
  const pieces = segment.split(/[*?]+/);
  if (pieces.length === 1)
    return segment === '' ? none : { isLast, weight: 2 * segment.length, text: segment, where: 'whole' };
  const [first = '', last = ''] = [pieces[0], pieces.at(-1)];
  const longest = pieces.reduce((one, other) => (other.length > one.length ? other : one));
  if (longest === '') return none;
  const where = longest === first ? 'start' : longest === last ? 'end' : 'inside';
  return { isLast, weight: longest.length, text: longest, where };
}
