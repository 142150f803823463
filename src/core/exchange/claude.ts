import { say } from '../base/sentence';
import { isPlainLine } from './commandText';
import { type ListEntry, objectIn, permissionLists, permissionsFile } from './permissionLists';
import { inAnyCase, pathReach, writtenPaths } from './pathPatterns';
import { isPlainHost } from './hosts';
import { matching, type Notes, type Place, type Reach, type RuleFormat, type Verdict } from './statement';
import { toolsOfActs } from './toolsOfActs';

const title = 'Claude Code';
const style = { root: '//', likeGitignore: true } as const;

/** `permissions` of Claude Code's `settings.json`: deny before ask before allow, whatever is more specific. */
export const claude: RuleFormat = {
  title,
  agent: 'claude',
  rulesFile: '.claude/settings.json',
  tools: toolsOfActs('claude', { read: 'Read', write: 'Edit', run: 'Bash', fetch: 'WebFetch' }),
  verdicts: ['deny', 'ask', 'allow'],
  readsFreely: true,
  // Commands that only read run without a question, and which these are is not written down to the last one.
  passes: ['read', 'run'],
  read(text, place, notes) {
    const settings = objectIn(text, 'settings.json', title);
    return permissionLists(settings, this, (entry, verdict) => readEntry(entry, verdict, place, notes), notes);
  },
  entries({ verdict, reach }) {
    switch (reach.act) {
      case 'read':
      case 'write': {
        const tool = reach.act === 'read' ? 'Read' : 'Edit';
        if (reach.pattern === undefined || reach.pattern === '**') return [tool];
        return pathEntries(reach.pattern, verdict)?.map((path) => `${tool}(${path})`);
      }
      case 'run':
        if (reach.pattern === undefined) return ['Bash'];
        return isPlainLine(reach.pattern) && verdict !== 'allow' ? [`Bash(${reach.pattern})`] : undefined;
      case 'fetch':
        if (reach.pattern === undefined || reach.pattern === '*') return ['WebFetch'];
        return isPlainHost(reach.pattern) ? [`WebFetch(domain:${reach.pattern})`] : undefined;
      case 'tool':
        return [reach.pattern];
      case 'any':
        return undefined;
    }
  },
  file(entries) {
    return permissionsFile(entries, this.verdicts);
  },
};

function readEntry(one: ListEntry, verdict: Verdict, place: Place, notes: Notes): readonly Reach[] {
  const { entry, name, spec } = one;
  const all = spec === undefined || spec === '*';
  switch (name) {
    case 'Bash': {
      if (all)
        return verdict === 'allow' ? notes.inexact(entry, verdict, 'run', 'exchange_why_everything') : [{ act: 'run' }];
      const lines = /(?::\*| \*)$/.test(spec)
        ? [spec.replace(/(?::\*| \*)$/, ''), spec.replace(/(?::\*| \*)$/, ' *')]
        : [spec];
      return lines.every(isPlainLine)
        ? matching('run', lines)
        : notes.inexact(entry, verdict, 'run', 'exchange_why_pattern');
    }
    case 'Read':
    case 'Edit': {
      const act = name === 'Read' ? 'read' : 'write';
      if (all) return [{ act }];
      return pathReach(one, act, verdict, notes, place, style);
    }
    case 'WebFetch': {
      if (all) return [{ act: 'fetch' }];
      const host = /^domain:(.+)$/.exec(spec)?.[1];
      if (host === undefined || !isPlainHost(host))
        return notes.inexact(entry, verdict, 'fetch', 'exchange_why_pattern');
      return matching('fetch', verdict === 'allow' ? [host] : [host, `*.${host}`]);
    }
    default:
      return toolEntry(entry, name, spec, verdict, notes);
  }
}

/** An entry about another tool: one of a server (`mcp__server__tool`, `mcp__server`), or one by its bare name. */
function toolEntry(
  entry: string,
  name: string,
  spec: string | undefined,
  verdict: Verdict,
  notes: Notes,
): readonly Reach[] {
  if (!/^[\w*-]+$/.test(name)) return notes.unknown(entry);
  const isServer = /^mcp__[^_]+(?:_[^_]+)*$/.test(name) && !name.slice(5).includes('__');
  const tools = isServer ? `${name}__*` : name;
  if (verdict === 'allow') {
    if (spec === undefined) return [{ act: 'tool', pattern: `host:claude:${tools}` }];
    notes.add(say('import_dropped', entry, say('exchange_why_arguments')));
    return [];
  }
  if (spec !== undefined) notes.add(say('import_widened', entry, say('exchange_why_arguments')));
  return [{ act: 'tool', pattern: tools }];
}

/** Patterns as gitignore reads them. A rule here is also held against paths of the machine. */
function pathEntries(pattern: string, verdict: Verdict): readonly string[] | undefined {
  const paths = writtenPaths(pattern);
  if (verdict === 'allow')
    return paths?.every(({ path, isDeep }) => !isDeep && path.endsWith('/**'))
      ? paths.map(({ path }) => `/${path}`)
      : undefined;
  return paths?.flatMap(({ path, isDeep }) => {
    // What is below a folder takes in the folder.
    const spelled = inAnyCase(path.replace(/\/\*\*$/, ''));
    return isDeep ? [`//**/${spelled}`] : [`/${spelled}`, `//${spelled}`];
  });
}
