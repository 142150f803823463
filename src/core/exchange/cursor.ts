import { say } from '../base/sentence';
import { isPlainLine } from './commandText';
import { type ListEntry, objectIn, permissionLists, permissionsFile } from './permissionLists';
import { isPlainHost } from './hosts';
import { pathReach, writtenPaths } from './pathPatterns';
import { matching, type Notes, type Place, type Reach, type RuleFormat, type Verdict } from './statement';
import { toolsOfActs } from './toolsOfActs';

const title = 'Cursor';
const style = { root: '/', likeGitignore: false } as const;

/** `permissions` of the Cursor CLI (`cli-config.json`, `.cursor/cli.json`): deny before allow; the rest asks. */
export const cursor: RuleFormat = {
  title,
  agent: 'cursor',
  rulesFile: '.cursor/cli.json',
  tools: toolsOfActs('cursor', { read: 'Read', write: 'Write', run: 'Shell', fetch: 'WebFetch' }),
  verdicts: ['deny', 'allow'],
  readsFreely: false,
  passes: ['read'],
  caveat: say('export_case'),
  read(text, place, notes) {
    const settings = objectIn(text, 'cli-config.json', title);
    return permissionLists(settings, this, (entry, verdict) => readEntry(entry, verdict, place, notes));
  },
  entries({ verdict, reach }) {
    switch (reach.act) {
      case 'read':
      case 'write':
        return pathEntries(reach.act === 'read' ? 'Read' : 'Write', reach.pattern ?? '**', verdict);
      case 'run':
        return verdict === 'allow' ? undefined : shellEntries(reach.pattern);
      case 'fetch':
        if (reach.pattern === undefined || reach.pattern === '*') return ['WebFetch(*)'];
        return isPlainHost(reach.pattern) ? [`WebFetch(${reach.pattern})`] : undefined;
      default:
        return undefined;
    }
  },
  file(entries) {
    return permissionsFile(entries, ['allow', 'deny']);
  },
};

/** A path from the workspace and from the root of the machine, where a denial has to hold for both. */
function pathEntries(tool: 'Read' | 'Write', pattern: string, verdict: Verdict): readonly string[] | undefined {
  if (pattern === '**') return verdict === 'deny' ? [`${tool}(**)`, `${tool}(/**)`] : [`${tool}(**)`];
  const paths = writtenPaths(pattern);
  if (verdict === 'allow')
    return paths?.every(({ path, isDeep }) => !isDeep && path.endsWith('/**'))
      ? paths.map(({ path }) => `${tool}(${path})`)
      : undefined;
  return paths?.flatMap(({ path, isDeep }) => {
    const both = path.endsWith('/**') ? [path.slice(0, -3), path] : [path];
    return both.flatMap((one) =>
      isDeep ? [`${tool}(**/${one})`, `${tool}(/**/${one})`] : [`${tool}(${one})`, `${tool}(/${one})`],
    );
  });
}

/** A program, with a colon between it and its arguments. */
function shellEntries(line: string | undefined): readonly string[] | undefined {
  if (line === undefined) return ['Shell(**)'];
  const [, base, args] = /^(\S+)(?:\s+(.*))?$/.exec(line) ?? [];
  if (base === undefined || !isPlainLine(line)) return undefined;
  if (base.includes('*')) return base === line ? [`Shell(${base})`] : undefined;
  return args === undefined || args === '*' ? [`Shell(${base})`, `Shell(${base}:*)`] : [`Shell(${base}:${args})`];
}

function readEntry(one: ListEntry, verdict: Verdict, place: Place, notes: Notes): readonly Reach[] {
  const { entry, name, spec } = one;
  switch (name) {
    case 'Shell':
      return readShell(one, verdict, notes);
    case 'Read':
    case 'Write': {
      const act = name === 'Read' ? 'read' : 'write';
      if (spec === undefined || spec === '**') return [{ act }];
      return pathReach(one, act, verdict, notes, place, style);
    }
    case 'WebFetch':
      return readFetch(one, verdict, notes);
    case 'Mcp': {
      const tool = spec?.split(/[:,]\s*/)[1];
      if (verdict === 'allow') return notes.inexact(entry, verdict, 'any', 'exchange_why_tool');
      if (tool !== undefined && /^[\w-]+$/.test(tool)) return [{ act: 'tool', pattern: `*${tool}*` }];
      break;
    }
  }
  return notes.unknown(entry);
}

/** A specification that leaves nothing out. */
const everything = /^\*+$/;

/** `Shell(base)` stands for its program with any arguments, `Shell(base:args)` for those that begin so. */
function readShell({ entry, spec }: ListEntry, verdict: Verdict, notes: Notes): readonly Reach[] {
  if (spec === undefined || everything.test(spec))
    return notes.inexact(entry, verdict, 'run', 'exchange_why_everything');
  const [base = '', args] = spec.split(/:(.*)/s);
  const hasArguments = args !== undefined && !everything.test(args);
  const isPlain = isPlainLine(base) && !base.includes(' ') && (!hasArguments || isPlainLine(args));
  if (!isPlain || (verdict === 'allow' && (hasArguments || base.includes('*'))))
    return notes.inexact(entry, verdict, 'run', 'exchange_why_pattern');
  const start = hasArguments ? `${base} ${args}` : base;
  return matching('run', [start, `${start} *`]);
}

/** A host; a denial of one is read for all below it too, an allow for no more than what is written. */
function readFetch({ entry, spec }: ListEntry, verdict: Verdict, notes: Notes): readonly Reach[] {
  if (spec === undefined || everything.test(spec)) return [{ act: 'fetch' }];
  const bare = spec.replace(/^\*\./, '');
  if (!isPlainHost(bare) || (verdict === 'allow' && bare !== spec))
    return notes.inexact(entry, verdict, 'fetch', 'exchange_why_pattern');
  return matching('fetch', verdict === 'allow' ? [spec] : [bare, `*.${bare}`]);
}
