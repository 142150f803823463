import { say } from '../base/sentence';
import { isPlainLine } from './commandText';
import { objectIn, permissionLists, permissionsFile, splitEntry } from './permissionLists';
import { inAnyCase, pathsHere, writtenPaths } from './pathPatterns';
import { isPlainHost } from './hosts';
import type { Notes, Place, Reach, RuleFormat, Statement, Verdict } from './statement';
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

function readEntry(entry: string, verdict: Verdict, place: Place, notes: Notes): readonly Statement[] {
  const { name, spec } = splitEntry(entry);
  const every = (reach: Reach): readonly Statement[] => [{ verdict, reach, from: entry }];
  const all = spec === undefined || spec === '*';
  switch (name) {
    case 'Bash': {
      if (all)
        return verdict === 'allow'
          ? notes.inexact(entry, verdict, { act: 'run' }, 'exchange_why_everything')
          : every({ act: 'run' });
      const lines = /(?::\*| \*)$/.test(spec)
        ? [spec.replace(/(?::\*| \*)$/, ''), spec.replace(/(?::\*| \*)$/, ' *')]
        : [spec];
      if (!lines.every(isPlainLine)) return notes.inexact(entry, verdict, { act: 'run' }, 'exchange_why_pattern');
      return lines.map((pattern) => ({ verdict, reach: { act: 'run', pattern }, from: entry }));
    }
    case 'Read':
    case 'Edit': {
      const act = name === 'Read' ? 'read' : 'write';
      if (all) return every({ act });
      const paths = pathsHere(spec, verdict, place, style);
      if (!paths) return notes.inexact(entry, verdict, { act }, 'exchange_why_path');
      return paths.map((pattern) => ({ verdict, reach: { act, pattern }, from: entry }));
    }
    case 'WebFetch': {
      if (all) return every({ act: 'fetch' });
      const host = /^domain:(.+)$/.exec(spec)?.[1];
      if (host === undefined || !isPlainHost(host))
        return notes.inexact(entry, verdict, { act: 'fetch' }, 'exchange_why_pattern');
      const hosts = verdict === 'allow' ? [host] : [host, `*.${host}`];
      return hosts.map((pattern) => ({ verdict, reach: { act: 'fetch', pattern }, from: entry }));
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
): readonly Statement[] {
  if (!/^[\w*-]+$/.test(name)) {
    notes.add(say('import_unknown', entry), 'error');
    return [];
  }
  const isServer = /^mcp__[^_]+(?:_[^_]+)*$/.test(name) && !name.slice(5).includes('__');
  const tools = isServer ? `${name}__*` : name;
  if (verdict === 'allow') {
    if (spec === undefined) return [{ verdict, reach: { act: 'tool', pattern: `host:claude:${tools}` }, from: entry }];
    notes.add(say('import_dropped', entry, say('exchange_why_arguments')));
    return [];
  }
  if (spec !== undefined) notes.add(say('import_widened', entry, say('exchange_why_arguments')));
  return [{ verdict, reach: { act: 'tool', pattern: tools }, from: entry }];
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
