import { isObject } from '../base/json';
import { objectIn } from './permissionLists';
import { SaidError, say } from '../base/sentence';
import { isPlainLine, startOfCommand } from './commandText';
import { isPlainHost } from './hosts';
import { inAnyCase, pathsHere, writtenPaths } from './pathPatterns';
import {
  matching,
  type Notes,
  type Place,
  type RuleFormat,
  type Statement,
  statements,
  type Verdict,
} from './statement';
import { toolsOfActs } from './toolsOfActs';

const title = 'VS Code';
const style = { root: '/', likeGitignore: false } as const;
const setting = {
  edits: 'chat.tools.edits.autoApprove',
  terminal: 'chat.tools.terminal.autoApprove',
  terminalIsOn: 'chat.tools.terminal.enableAutoApprove',
  urls: 'chat.tools.urls.autoApprove',
} as const;

/** The settings by which the editor's own tools run without a question. They can ask, and never deny. */
export const vscode: RuleFormat = {
  title,
  agent: 'vscode',
  rulesFile: 'settings.json',
  tools: toolsOfActs('vscode', { write: 'replace_string_in_file', run: 'run_in_terminal', fetch: 'fetch_webpage' }),
  verdicts: ['ask', 'allow'],
  readsFreely: true,
  passes: ['write', 'run'],
  read(text, place, notes) {
    const settings = objectIn(text, 'settings.json', title);
    for (const key of Object.keys(settings))
      if (/^chat\.(?:tools|permissions)\./.test(key) && !Object.values<string>(setting).includes(key))
        notes.add(say('import_no_rule', key), 'information');
    const isOn = settings[setting.terminalIsOn] !== false;
    return [
      ...table(settings, setting.edits).flatMap(([key, value]) => edits(key, value, place, notes)),
      ...table(settings, setting.terminal).flatMap(([key, value]) => terminal(key, value, notes)),
      ...table(settings, setting.urls).flatMap(([key, value]) => urls(key, value, notes)),
    ].filter(({ verdict, reach }) => isOn || verdict !== 'allow' || reach.act !== 'run');
  },
  entries({ verdict, reach }) {
    switch (reach.act) {
      case 'write':
        if (reach.pattern === undefined || reach.pattern === '**') return [`${setting.edits} **/*`];
        // Whether a pattern without `**/` is held against the whole path is not written down.
        if (verdict === 'allow') return undefined;
        return writtenPaths(reach.pattern)?.map(
          ({ path }) => `${setting.edits} **/${inAnyCase(path.replace(/\/\*\*$/, '{,/**}'))}`,
        );
      case 'run':
        if (verdict === 'allow') return undefined;
        if (reach.pattern === undefined) return [`${setting.terminal} /.*/`];
        return isPlainLine(reach.pattern) ? [`${setting.terminal} /${startOfCommand(reach.pattern)}/i`] : undefined;
      case 'fetch': {
        // Which of two patterns wins is not written down, so nothing is allowed.
        if (verdict === 'allow') return undefined;
        const host = reach.pattern ?? '*';
        if (host !== '*' && !isPlainHost(host.replace(/^\*\./, ''))) return undefined;
        return ['https', 'http'].flatMap((scheme) =>
          [host, `${host}/*`].map((rest) => `${setting.urls} ${scheme}://${rest}`),
        );
      }
      default:
        return undefined;
    }
  },
  file(entries) {
    const tables: Record<string, Record<string, boolean>> = {};
    // Of patterns for files the last that matches counts, so what allows comes first.
    const order = [...entries].sort(
      (a, b) => Number(b.statement.verdict === 'allow') - Number(a.statement.verdict === 'allow'),
    );
    for (const { statement, entry } of order) {
      const at = entry.indexOf(' ');
      const table = (tables[entry.slice(0, at)] ??= {});
      const key = entry.slice(at + 1);
      delete table[key];
      table[key] = statement.verdict === 'allow';
    }
    return JSON.stringify(tables, undefined, 2);
  },
};

function table(settings: Readonly<Record<string, unknown>>, key: string): readonly (readonly [string, unknown])[] {
  const value = settings[key];
  if (value === undefined) return [];
  if (!isObject(value)) throw new SaidError(say('import_unreadable', title, say('cannot_be_read')));
  return Object.entries(value);
}

function edits(key: string, value: unknown, place: Place, notes: Notes): readonly Statement[] {
  const verdict = verdictOf(value);
  if (verdict === undefined) return notes.unknown(key);
  if (/^\*\*\/\*{1,2}$|^\*\*$/.test(key)) return statements(verdict, key, [{ act: 'write' }]);
  const paths = pathsHere(key, verdict, place, style);
  if (!paths) return statements(verdict, key, notes.inexact(key, verdict, 'write', 'exchange_why_path'));
  // Whether a pattern begins at the workspace is not written down.
  const wide = paths.flatMap((path) =>
    verdict === 'allow' || /^(?:\*\*|\/)/.test(path) ? [path] : [path, `**/${path}`],
  );
  return statements(verdict, key, matching('write', wide));
}

function terminal(key: string, value: unknown, notes: Notes): readonly Statement[] {
  if (value === null) return [];
  const verdict = verdictOf(isObject(value) ? value['approve'] : value);
  if (verdict === undefined) return notes.unknown(key);
  const [, source, flags = ''] = /^\/(.*)\/(\w*)$/s.exec(key) ?? [];
  const start = source === undefined ? key : plainStart(source, verdict, flags);
  if (start === undefined || !isPlainLine(start)) {
    const isAll = verdict === 'ask' && source !== undefined && /^(?:\^|\.\*|)$/.test(source);
    const reaches = isAll ? [{ act: 'run' } as const] : notes.inexact(key, verdict, 'run', 'exchange_why_pattern');
    return statements(verdict, key, reaches);
  }
  // Where nothing ends the last word, it may go on.
  const patterns = source === `^${start}` ? [`${start}*`] : [start, `${start} *`];
  return statements(verdict, key, matching('run', patterns));
}

/** The words with which a command begins that an expression is about; undefined where it says more than that. */
function plainStart(source: string, verdict: Verdict, flags: string): string | undefined {
  const [, text, end] = /^\^([\w -]+?)(\\b|\$|)$/.exec(source) ?? [];
  if (text === undefined) return undefined;
  // What allows one line alone allows no words after it, and small letters are not capitals here.
  return verdict === 'allow' && (end !== '\\b' || flags !== '') ? undefined : text;
}

function urls(key: string, value: unknown, notes: Notes): readonly Statement[] {
  const both = isObject(value) ? [value['approveRequest'], value['approveResponse']] : [value, value];
  const [request, response] = both.map(verdictOf);
  if (request === undefined && response === undefined) return notes.unknown(key);
  const verdict = request === 'allow' && response === 'allow' ? 'allow' : request === 'ask' ? 'deny' : 'ask';
  const [, scheme, host, rest] = /^(?:([\w*+.-]+):\/\/)?([^/]+)(\/.*)?$/.exec(key) ?? [];
  if (verdict === 'allow') {
    notes.add(say('import_dropped', key, say('exchange_why_scheme')));
    return [];
  }
  if (verdict === 'ask') notes.add(say('import_widened', key, say('exchange_why_response')), 'information');
  if (host === undefined || !isPlainHost(host.replace(/^\*\./, '')))
    return statements(verdict, key, notes.inexact(key, verdict, 'fetch', 'exchange_why_pattern'));
  if (scheme !== undefined || (rest ?? '/*') !== '/*')
    notes.add(say('import_widened', key, say('exchange_why_scheme')), 'information');
  const bare = host.replace(/^\*\./, '');
  return statements(verdict, key, matching('fetch', [bare, `*.${bare}`]));
}

function verdictOf(value: unknown): Verdict | undefined {
  return value === true ? 'allow' : value === false ? 'ask' : undefined;
}
