import { parse } from 'smol-toml';
import { readShell } from '../../src/core/shell/readShell';
import { accessFacts, type PolicySubject } from '../../src/core/policy/rules/subject';
import type { PolicyEngine } from '../../src/core/policy/rules/engine';
import type { Access } from '../../src/core/vocabulary/access';

/** A call that every tool has in some form. Paths are relative to the workspace. */
export type PlainCall =
  | { readonly act: 'read' | 'write'; readonly path: string }
  | { readonly act: 'run'; readonly command: string }
  | { readonly act: 'fetch'; readonly url: string };

/** What a tool's rules say of a call; `default` where none speaks. */
export type Said = 'deny' | 'ask' | 'allow' | 'default';

export const folder = '/work/project';

/** Whether a path of the machine matches a glob; `*` and `?` stay within a name, sets are sets. */
function globMatches(glob: string, path: string): boolean {
  const known = globs.get(glob) ?? compiled(glob);
  globs.set(glob, known);
  return known.test(path);
}

const globs = new Map<string, RegExp>();

function compiled(glob: string): RegExp {
  const source = glob
    .split(/(\*\*\/|\*\*|\*|\?|\[[^\]]*\]|\{,\/\*\*\})/)
    .map((piece) => {
      if (piece === '**/') return '(?:.*/)?';
      if (piece === '**') return '.*';
      if (piece === '*') return '[^/]*';
      if (piece === '?') return '[^/]';
      if (piece === '{,/**}') return '(?:/.*)?';
      return /^\[[^\]]*\]$/.test(piece) ? piece : piece.replace(/[.+^$()|{}\\]/g, '\\$&');
    })
    .join('');
  return new RegExp(`^${source}$`);
}

/** The calls of a case are all judged by one file: what was made of the last text is kept. */
function readOnce<T>(read: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly value: T } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, value: read(text) };
    return last.value;
  };
}

const separators = /&&|\|\||[;|&\n]/;
const commandsOf = (line: string): readonly string[] =>
  line
    .split(separators)
    .map((one) => one.trim())
    .filter((one) => one !== '');
const rank: Readonly<Record<Said, number>> = { deny: 0, ask: 1, default: 2, allow: 3 };
const strictest = (said: readonly Said[]): Said =>
  said.reduce<Said>((least, one) => (rank[one] < rank[least] ? one : least), said.length > 0 ? 'allow' : 'default');

const claudeFile = readOnce(
  (file) => JSON.parse(file) as { permissions: Partial<Record<'deny' | 'ask' | 'allow', string[]>> },
);

/** https://code.claude.com/docs/en/permissions: deny, then ask, then allow; gitignore for paths. */
export function claudeSays(file: string, call: PlainCall): Said {
  const { permissions } = claudeFile(file);
  const first = (matches: (entry: string) => boolean): Said => {
    for (const verdict of ['deny', 'ask', 'allow'] as const)
      if ((permissions[verdict] ?? []).some(matches)) return verdict;
    return 'default';
  };
  const spec = (entry: string, tool: string): string | undefined =>
    entry === tool ? '*' : new RegExp(`^${tool}\\((.*)\\)$`).exec(entry)?.[1];
  switch (call.act) {
    case 'read':
    case 'write': {
      const tool = call.act === 'read' ? 'Read' : 'Edit';
      return first((entry) => {
        const pattern = spec(entry, tool);
        return pattern !== undefined && (pattern === '*' || gitignored(pattern, call.path));
      });
    }
    case 'run': {
      const each = commandsOf(call.command).map((command) =>
        first((entry) => {
          const pattern = spec(entry, 'Bash');
          if (pattern === undefined) return false;
          if (pattern === '*') return true;
          const text = pattern.replace(/:\*$/, ' *');
          const start = text.replace(/ \*$/, '');
          return lineMatches(text, command) || (start !== text && lineMatches(start, command));
        }),
      );
      return strictest(each);
    }
    case 'fetch':
      return first((entry) => {
        const pattern = spec(entry, 'WebFetch');
        return pattern === '*' || pattern === `domain:${new URL(call.url).hostname}`;
      });
  }
}

const lineExpressions = new Map<string, RegExp>();

function lineMatches(pattern: string, line: string): boolean {
  let expression = lineExpressions.get(pattern);
  if (!expression) {
    const parts = pattern.split('*').map((one) => one.replace(/[.+^$()|{}[\]\\?]/g, '\\$&'));
    lineExpressions.set(pattern, (expression = new RegExp(`^${parts.join('.*')}$`, 's')));
  }
  return expression.test(line);
}

function gitignored(pattern: string, path: string): boolean {
  const isAbsolute = pattern.startsWith('//');
  const body = pattern.replace(/^(?:\/\/|\/|\.\/)/, '').replace(/\/$/, '');
  const isAnchored = /^\.?\//.test(pattern) || body.includes('/');
  const glob = isAbsolute ? `/${body}` : isAnchored ? body : `**/${body}`;
  const of = isAbsolute ? `${folder}/${path}` : path;
  const parts = of.split('/');
  // A folder that is named takes in what lies below.
  return parts.some((_one, at) => globMatches(glob, parts.slice(0, at + 1).join('/') || '/'));
}

/**
 * https://developers.openai.com/codex/rules: prefixes of words, the strictest counts; commands that run one after the
 * other each.
 */
export function codexSays(file: string, call: PlainCall): Said {
  if (call.act !== 'run') return 'default';
  const rules = [...file.matchAll(/prefix_rule\(pattern = (\[.*?\]), decision = "(\w+)"\)/g)].map(
    ([, pattern = '[]', decision = '']) => ({
      words: (JSON.parse(pattern) as (string | string[])[]).map((one) => (typeof one === 'string' ? [one] : one)),
      said: ({ forbidden: 'deny', prompt: 'ask', allow: 'allow' } as Record<string, Said>)[decision] ?? 'default',
    }),
  );
  return strictest(
    commandsOf(call.command).map((command) => {
      const words = command.split(/\s+/);
      const matched = rules.filter(({ words: wanted }) => wanted.every((some, at) => some.includes(words[at] ?? '')));
      return matched.length === 0 ? 'default' : strictest(matched.map(({ said }) => said));
    }),
  );
}

const geminiFile = readOnce((file) => parse(file) as { rule?: Record<string, unknown>[] });
const geminiTools = { read: 'read_file', write: 'write_file', run: 'run_shell_command', fetch: 'web_fetch' } as const;

/** https://geminicli.com/docs/reference/policy-engine/: the highest priority that matches wins. */
export function geminiSays(file: string, call: PlainCall): Said {
  const { rule = [] } = geminiFile(file);
  const said = (args: Record<string, string>): Said => {
    const json = JSON.stringify(args);
    const list = (value: unknown): string[] =>
      typeof value === 'string' ? [value] : Array.isArray(value) ? (value as string[]) : [];
    const matching = rule
      .filter((one) => {
        const prefixes = list(one['commandPrefix']);
        const names = prefixes.length > 0 ? ['run_shell_command'] : list(one['toolName']);
        if (!names.includes('*') && !names.includes(geminiTools[call.act])) return false;
        if (prefixes.length > 0 && !prefixes.some((prefix) => args['command']?.startsWith(prefix))) return false;
        return typeof one['argsPattern'] !== 'string' || new RegExp(one['argsPattern']).test(json);
      })
      .sort((a, b) => Number(b['priority'] ?? 0) - Number(a['priority'] ?? 0));
    const decision = matching[0]?.['decision'];
    return decision === 'ask_user' ? 'ask' : decision === 'deny' || decision === 'allow' ? decision : 'default';
  };
  switch (call.act) {
    case 'read':
    case 'write':
      return said({ file_path: call.path });
    case 'fetch':
      return said({ prompt: `What does ${call.url} say?` });
    case 'run': {
      const whole = strictest([
        said({ command: call.command }),
        ...commandsOf(call.command).map((command) => said({ command })),
      ]);
      // A redirection asks by default, whatever rule matches.
      return whole === 'allow' && /[<>]/.test(call.command) ? 'default' : whole;
    }
  }
}

const cursorFile = readOnce((file) => JSON.parse(file) as { permissions: Partial<Record<'deny' | 'allow', string[]>> });

/**
 * https://cursor.com/docs/cli/reference/permissions: deny before allow; `*`, `**` and `?`; a command by its first word.
 */
export function cursorSays(file: string, call: PlainCall): Said {
  const { permissions } = cursorFile(file);
  const first = (matches: (name: string, spec: string) => boolean): Said => {
    for (const verdict of ['deny', 'allow'] as const)
      for (const entry of permissions[verdict] ?? []) {
        const [, name = '', spec = ''] = /^(\w+)\((.*)\)$/.exec(entry) ?? [];
        if (matches(name, spec)) return verdict;
      }
    return 'default';
  };
  switch (call.act) {
    case 'read':
    case 'write':
      return first(
        (name, spec) =>
          name === (call.act === 'read' ? 'Read' : 'Write') &&
          (spec.startsWith('/') ? globMatches(spec, `${folder}/${call.path}`) : globMatches(spec, call.path)),
      );
    case 'fetch': {
      const host = new URL(call.url).hostname;
      return first((name, spec) => name === 'WebFetch' && lineMatches(spec, host));
    }
    case 'run':
      return strictest(
        commandsOf(call.command).map((command) =>
          first((name, spec) => {
            if (name !== 'Shell') return false;
            const [base = '', args = '**'] = spec.split(/:(.*)/s);
            const [word = '', ...rest] = command.split(/\s+/);
            return lineMatches(base, word) && lineMatches(args, rest.join(' '));
          }),
        ),
      );
  }
}

const vscodeFile = readOnce((file) => JSON.parse(file) as Record<string, Record<string, unknown> | undefined>);

/** https://code.visualstudio.com/docs/agents/run/approvals, and the settings' own descriptions. */
export function vscodeSays(file: string, call: PlainCall): Said {
  const settings = vscodeFile(file);
  const table = (name: string): [string, unknown][] => Object.entries(settings[`chat.tools.${name}.autoApprove`] ?? {});
  const word = (value: unknown): Said => (value === true ? 'allow' : value === false ? 'ask' : 'default');
  switch (call.act) {
    case 'read':
      return 'default';
    case 'write':
      return table('edits').reduce<Said>(
        (said, [glob, value]) =>
          globMatches(glob, call.path) || globMatches(glob, `${folder}/${call.path}`) ? word(value) : said,
        'default',
      );
    case 'run': {
      const rules = table('terminal').map(([key, value]) => {
        const [, source, flags] = /^\/(.*)\/(\w*)$/s.exec(key) ?? [];
        return {
          test:
            source === undefined
              ? new RegExp(`^${key.replace(/[.+^$()|{}[\]\\?*]/g, '\\$&')}\\b`)
              : new RegExp(source, flags),
          said: word(value),
        };
      });
      const each = commandsOf(call.command).map((command): Said => {
        const said = rules.filter(({ test }) => test.test(command)).map((one) => one.said);
        return said.includes('ask') ? 'ask' : said.includes('allow') ? 'allow' : 'default';
      });
      return strictest(each);
    }
    case 'fetch': {
      const said = table('urls')
        .filter(([pattern]) => lineMatches(pattern, call.url) || lineMatches(pattern, new URL(call.url).origin))
        .map(([, value]) => word(value));
      // Which of two wins is not written down.
      return said.includes('allow') ? 'allow' : said.includes('ask') ? 'ask' : 'default';
    }
  }
}

const subjects = new WeakMap<PlainCall, Map<string, PolicySubject>>();

/** What rules here say of the same call, made by a tool of another agent. */
export function weSay(engine: PolicyEngine, agent: string, tool: string, call: PlainCall): Said {
  const known = subjects.get(call) ?? new Map<string, PolicySubject>();
  subjects.set(call, known);
  const subject = known.get(`${agent} ${tool}`) ?? subjectOf(agent, tool, call);
  known.set(`${agent} ${tool}`, subject);
  const { effect, waivedBy } = engine.decide(subject);
  if (effect !== 'pass') return effect;
  return waivedBy.length > 0 ? 'allow' : 'default';
}

function subjectOf(agent: string, tool: string, call: PlainCall): PolicySubject {
  return {
    capabilityId: `host_${agent}`,
    capabilityAliases: [],
    tool: { id: `host:${agent}:${tool}`, names: [tool] },
    sideEffects: [],
    costClass: 'free',
    riskLevel: call.act === 'read' || call.act === 'fetch' ? 'low' : 'medium',
    source: 'host',
    actor: 'agent',
    input: call.act === 'run' ? { command: call.command } : {},
    accesses: accessesOf(call).map((access) => accessFacts(access)),
    requires: [],
  };
}

function accessesOf(call: PlainCall): readonly Access[] {
  switch (call.act) {
    case 'read':
      return [{ effect: 'fs.read', resource: call.path }];
    case 'write':
      return [
        { effect: 'fs.read', resource: call.path },
        { effect: 'fs.write', resource: call.path },
      ];
    case 'fetch':
      return [{ effect: 'network.http', resource: call.url, method: 'GET' }];
    case 'run':
      return touchedBy(call.command);
  }
}

const read = new Map<string, readonly Access[]>();

function touchedBy(command: string): readonly Access[] {
  const known = read.get(command) ?? readShell(command, {}).accesses.filter(({ suspected }) => suspected === undefined);
  read.set(command, known);
  return known;
}
