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
      case 'write': {
        const tool = reach.act === 'read' ? 'Read' : 'Write';
        const pattern = reach.pattern ?? '**';
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
      case 'run': {
        if (verdict === 'allow') return undefined;
        if (reach.pattern === undefined) return ['Shell(**)'];
        const [, base, args] = /^(\S+)(?:\s+(.*))?$/.exec(reach.pattern) ?? [];
        if (base === undefined || !isPlainLine(reach.pattern)) return undefined;
        if (base.includes('*')) return base === reach.pattern ? [`Shell(${base})`] : undefined;
        return args === undefined || args === '*' ? [`Shell(${base})`, `Shell(${base}:*)`] : [`Shell(${base}:${args})`];
      }
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

function readEntry(one: ListEntry, verdict: Verdict, place: Place, notes: Notes): readonly Reach[] {
  const { entry, name, spec } = one;
  const all = spec === undefined || /^\*+$/.test(spec);
  switch (name) {
    case 'Shell': {
      if (all) return notes.inexact(entry, verdict, 'run', 'exchange_why_everything');
      const [base = '', args] = spec.split(/:(.*)/s);
      const hasArguments = args !== undefined && !/^\*+$/.test(args);
      const isPlain = isPlainLine(base) && !base.includes(' ') && (!hasArguments || isPlainLine(args));
      if (!isPlain || (verdict === 'allow' && (hasArguments || base.includes('*'))))
        return notes.inexact(entry, verdict, 'run', 'exchange_why_pattern');
      const start = hasArguments ? `${base} ${args}` : base;
      return matching('run', [start, `${start} *`]);
    }
    case 'Read':
    case 'Write': {
      const act = name === 'Read' ? 'read' : 'write';
      if (spec === undefined || spec === '**') return [{ act }];
      return pathReach(one, act, verdict, notes, place, style);
    }
    case 'WebFetch': {
      if (all) return [{ act: 'fetch' }];
      const bare = spec.replace(/^\*\./, '');
      if (!isPlainHost(bare) || (verdict === 'allow' && bare !== spec))
        return notes.inexact(entry, verdict, 'fetch', 'exchange_why_pattern');
      return matching('fetch', verdict === 'allow' ? [spec] : [bare, `*.${bare}`]);
    }
    case 'Mcp': {
      const tool = spec?.split(/[:,]\s*/)[1];
      if (verdict === 'allow') return notes.inexact(entry, verdict, 'any', 'exchange_why_tool');
      if (tool !== undefined && /^[\w-]+$/.test(tool)) return [{ act: 'tool', pattern: `*${tool}*` }];
      break;
    }
  }
  return notes.unknown(entry);
}
