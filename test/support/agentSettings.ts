import fc from 'fast-check';

/** A settings file of an agent as somebody may have left it, and whether an installer has to leave it alone. */
export interface AgentSettings {
  /** Undefined where there is no file. */
  readonly text: string | undefined;
  readonly kind: 'plain' | 'broken' | 'link' | 'hardLink' | 'readOnly' | 'folderLink';
}

const word = fc.constantFrom('model', 'theme', 'env', 'permissions', 'x', 'a b', 'ü', '"q"');
const scalar = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.string({ maxLength: 8 }));
const comment = fc.constantFrom('', '', '', ' // note', ' /* note */', '\n  // a line of its own', '\n\n');

/** Writes a value as people do: with comments, blanks and commas where they may stand. */
function jsonc(value: unknown, draw: () => string, trailing: boolean, level = 0): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const isArray = Array.isArray(value);
  const entries = isArray ? value.map((one) => ['', one] as const) : Object.entries(value);
  const [open, close] = isArray ? ['[', ']'] : ['{', '}'];
  if (entries.length === 0) return `${open}${lineEnded(draw())}${close}`;
  const pad = '  '.repeat(level + 1);
  const members = entries.map(([key, one], index) => {
    const text = `${isArray ? '' : `${JSON.stringify(key)}: `}${jsonc(one, draw, trailing, level + 1)}`;
    return `${pad}${text}${index < entries.length - 1 || trailing ? ',' : ''}${draw()}`;
  });
  return `${open}${draw()}\n${members.join('\n')}\n${'  '.repeat(level)}${close}`;
}

const lineEnded = (text: string): string => (text.includes('//') ? `${text}\n` : text);

/** Files of hooks with those of other people, by an agent's events. */
export function agentSettings(events: readonly string[]): fc.Arbitrary<AgentSettings> {
  const element = fc.record({ command: fc.constantFrom('lint.sh', 'python3 other.py', 'echo "a, b"') });
  const group = fc.oneof(element, fc.record({ matcher: word, hooks: fc.array(element, { maxLength: 2 }) }));
  const hooks = fc.dictionary(fc.constantFrom(...events, 'Stop', 'Other'), fc.array(group, { maxLength: 3 }));
  const odd = fc.oneof(
    { weight: 12, arbitrary: hooks },
    { weight: 1, arbitrary: scalar },
    { weight: 1, arbitrary: fc.constant({ [events[0] ?? '']: 5 }) },
  );
  const document = fc.record(
    {
      rest: fc.dictionary(word, fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(word, scalar))),
      hooks: odd,
    },
    { requiredKeys: ['rest'] },
  );
  const text = fc
    .record({
      document,
      comments: fc.array(comment, { minLength: 1, maxLength: 12 }),
      style: fc.constantFrom('jsonc', 'jsonc', 'line', 'tabs', 'four'),
      hooksFirst: fc.boolean(),
      trailing: fc.boolean(),
      eol: fc.constantFrom('\n', '\n', '\r\n'),
      mark: fc.constantFrom('', '', '', '\ufeff'),
      end: fc.constantFrom('', '\n', '\n\n', '\n// end\n'),
    })
    .map(({ document: { rest, hooks: found }, comments, style, hooksFirst, trailing, eol, mark, end }) => {
      const own = found === undefined ? {} : { hooks: found };
      const value = hooksFirst ? { ...own, ...rest } : { ...rest, ...own };
      let at = 0;
      const draw = (): string => comments[at++ % comments.length] ?? '';
      const indent = new Map<string, number | string>([
        ['line', 0],
        ['tabs', '\t'],
        ['four', 4],
      ]).get(style);
      const written = indent === undefined ? jsonc(value, draw, trailing) : JSON.stringify(value, undefined, indent);
      return mark + (written + end).replaceAll('\n', eol);
    });
  const kind = fc.constantFrom(
    'plain',
    'plain',
    'plain',
    'plain',
    'plain',
    'broken',
    'link',
    'hardLink',
    'readOnly',
    'folderLink',
  );
  return fc
    .record({
      text: fc.option(text, { nil: undefined, freq: 8 }),
      kind,
      cut: fc.double({ min: 0, max: 0.99, noNaN: true }),
    })
    .map(({ text: whole, kind: sort, cut }) => {
      if (whole === undefined) return { text: undefined, kind: sort === 'folderLink' ? sort : 'plain' };
      const broken = `${whole.slice(0, Math.floor(whole.length * cut))}{`;
      return { text: sort === 'broken' ? broken : whole, kind: sort };
    });
}

/** Settings of Codex: other tables, odd layouts, and some that cannot take one more. */
export const codexConfig: fc.Arbitrary<string | undefined> = fc.option(
  fc
    .record({
      tables: fc.uniqueArray(
        fc.constantFrom(
          'model = "gpt"\n',
          '# a comment\napproval_policy = "never" # why\n',
          '[features]\nhooks = true\n',
          '[projects."/work"]\ntrust_level = "trusted"\n',
          '[hooks.state."/other/hooks.json:pre_tool_use:0:0"]\ntrusted_hash = "sha256:00"\n',
          'when = 2026-11-22T10:00:00Z\n',
          'big = 9007199254740993\n',
          '[[hooks.Stop]]\nhooks = [{ type = "command", command = "x" }]\n',
          'hooks = { state = {} }\n',
          'broken = = 1\n',
        ),
        { maxLength: 5 },
      ),
      eol: fc.constantFrom('\n', '\r\n'),
      end: fc.constantFrom('', '\n', '  # end'),
    })
    .map(({ tables, eol, end }) => {
      const order = [...tables].sort((a, b) => Number(a.startsWith('[')) - Number(b.startsWith('[')));
      return (order.join('') + end).replaceAll('\n', eol);
    }),
  { nil: undefined, freq: 5 },
);
