import { parse, type TomlTable } from 'smol-toml';
import { isObject, stringsIn } from '../base/json';
import { SaidError, saidBy, say } from '../base/sentence';
import { hostToolRow } from '../hooks/hostToolTable';
import { isPlainLine, startOfCommand } from './commandText';
import { isPlainHost } from './hosts';
import { writtenPaths } from './pathPatterns';
import {
  matching,
  type Notes,
  type Reach,
  type RuleFormat,
  type Statement,
  statements,
  type Verdict,
} from './statement';
import { toolsOfActs } from './toolsOfActs';

const title = 'Gemini CLI';
const verdicts: Readonly<Record<string, Verdict>> = { deny: 'deny', ask_user: 'ask', allow: 'allow' };
const decisions: Readonly<Record<Verdict, string>> = { deny: 'deny', ask: 'ask_user', allow: 'allow' };
/** Within one file the higher number wins. */
const priorities: Readonly<Record<Verdict, number>> = { deny: 900, ask: 800, allow: 100 };
const known = new Set(['toolName', 'commandPrefix', 'decision', 'priority', 'denyMessage', 'name', 'description']);

/** Rules of the Gemini CLI's policy files (TOML): the highest priority that matches wins. */
export const gemini: RuleFormat = {
  title,
  agent: 'gemini',
  rulesFile: '~/.gemini/policies/agent-capabilities.toml',
  tools: toolsOfActs('gemini', {
    read: 'read_file',
    write: 'write_file',
    run: 'run_shell_command',
    fetch: 'web_fetch',
  }),
  verdicts: ['deny', 'ask', 'allow'],
  readsFreely: true,
  passes: ['read'],
  read(text, _place, notes) {
    let file: TomlTable;
    try {
      file = parse(text);
    } catch (error) {
      throw new SaidError(say('import_unreadable', title, saidBy(error)));
    }
    for (const key of Object.keys(file)) if (key !== 'rule') notes.add(say('import_no_rule', key), 'information');
    const rules = file['rule'] ?? [];
    if (!Array.isArray(rules)) throw new SaidError(say('import_unreadable', title, say('cannot_be_read')));
    return rules.flatMap((one) => (isObject(one) ? readRule(one, notes) : []));
  },
  entries({ verdict, reach }) {
    const rule = (parts: Readonly<Record<string, string | readonly string[]>>): string =>
      [
        '[[rule]]',
        ...Object.entries(parts).map(([key, value]) => `${key} = ${JSON.stringify(value)}`),
        `decision = "${decisions[verdict]}"`,
        `priority = ${priorities[verdict]}`,
      ].join('\n');
    switch (reach.act) {
      case 'read':
      case 'write': {
        const toolName = this.tools[reach.act] ?? [];
        if (reach.pattern === undefined || reach.pattern === '**') return [rule({ toolName })];
        // A path may climb out of a folder that it begins with, so what allows is not said by a pattern.
        if (verdict === 'allow') return undefined;
        const paths = writtenPaths(reach.pattern);
        return paths?.map(({ path }) =>
          rule({ toolName, argsPattern: `"(?:[^"]*[/\\\\\\\\])?${pathExpression(path)}"` }),
        );
      }
      case 'run':
        if (verdict === 'allow') return undefined;
        if (reach.pattern === undefined) return [rule({ toolName: 'run_shell_command' })];
        if (!isPlainLine(reach.pattern)) return undefined;
        return [
          rule({ toolName: 'run_shell_command', argsPattern: startOfCommand(reach.pattern).replace('(?:^|', '(?:') }),
        ];
      case 'fetch':
        if (reach.pattern === undefined || reach.pattern === '*') return [rule({ toolName: 'web_fetch' })];
        // The hosts stand in a text for the model.
        if (verdict === 'allow' || !isPlainHost(reach.pattern)) return undefined;
        return [rule({ toolName: 'web_fetch', argsPattern: lettersInAnyCase(reach.pattern.replaceAll('.', '\\.')) })];
      default:
        return undefined;
    }
  },
  file: (entries) => `${[...new Set(entries.map(({ entry }) => entry))].join('\n\n')}\n`,
};

const lettersInAnyCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);

/** An expression for a path glob as it stands in the arguments' JSON. */
function pathExpression(path: string): string {
  const body = path.endsWith('/**') ? path.slice(0, -3) : path;
  const inner = body
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((piece) => {
      if (piece === '**/') return '(?:[^"]*[/\\\\\\\\])?';
      if (piece === '**') return '[^"]*';
      if (piece === '*') return '[^"/]*';
      if (piece === '?') return '[^"/]';
      return lettersInAnyCase(piece.replace(/[.+^$|]/g, '\\$&')).replaceAll('/', '[/\\\\\\\\]+');
    })
    .join('');
  return path.endsWith('/**') ? `${inner}(?:[/\\\\\\\\][^"]*)?` : inner;
}

function readRule(rule: Readonly<Record<string, unknown>>, notes: Notes): readonly Statement[] {
  const from = JSON.stringify(rule);
  const decision = rule['decision'];
  const verdict = typeof decision === 'string' && Object.hasOwn(verdicts, decision) ? verdicts[decision] : undefined;
  const prefixes = strings(rule['commandPrefix']);
  const names = prefixes.length > 0 ? ['run_shell_command'] : strings(rule['toolName']);
  const hasMore = Object.keys(rule).some((key) => !known.has(key));
  const server = rule['mcpName'];
  if (verdict === undefined || (names.length === 0 && server === undefined && rule['commandRegex'] === undefined))
    return notes.unknown(from);
  if (verdict === 'allow' && hasMore) {
    notes.add(say('import_dropped', from, say('exchange_why_arguments')));
    return [];
  }
  if (hasMore) notes.add(say('import_widened', from, say('exchange_why_arguments')));
  const own = rule['commandRegex'] === undefined ? names : ['run_shell_command'];
  const reaches =
    typeof server === 'string' ? serverReaches(server, own) : own.flatMap((name) => reachesOf(name, prefixes, verdict));
  if (reaches.length === 0) notes.add(say('import_dropped', from, say('exchange_why_everything')));
  return statements(verdict, from, reaches);
}

/** Names of tools of servers are spelled `mcp_server_tool` there. */
const serverReaches = (server: string, names: readonly string[]): readonly Reach[] =>
  (names.length === 0 ? ['*'] : names).map((name) => ({ act: 'tool', pattern: `mcp_${server}_${name}` }));

function reachesOf(name: string, prefixes: readonly string[], verdict: Verdict): readonly Reach[] {
  if (name === '*') return verdict === 'allow' ? [] : [{ act: 'any' }];
  if (hostToolRow('gemini', name)?.does !== 'shell')
    return [{ act: 'tool', pattern: verdict === 'allow' ? `host:gemini:${name}` : name }];
  if (prefixes.length === 0 || !prefixes.every(isPlainLine)) return verdict === 'allow' ? [] : [{ act: 'run' }];
  // The text may go on within the word.
  const end = verdict === 'allow' ? ' *' : '*';
  return prefixes.flatMap((one) => matching('run', [one.trim(), `${one.trim()}${end}`]));
}

function strings(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return stringsIn(value);
}
