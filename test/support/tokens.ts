/** A piece of a source: a text in quotes, an expression, a name or number, or punctuation. */
export interface Token {
  readonly kind: 'text' | 'expression' | 'word' | 'sign';
  /** The value of a text, where `hole` stands for each `${…}`; the source of an expression; what stands there else. */
  text: string;
  readonly line: number;
}

/** What stands in a template's text for something that is filled in. */
export const hole = '\u0000';

const blank = /(?:\s+|\/\/[^\n]*|\/\*[^]*?\*\/)+/y;
const quoted = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"/y;
const expression = /\/((?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/[a-z]*/y;
const word = /[\w$]+/y;
const sign = /===|!==|==|!=|=>|\?\.|\.{3}|[^]/y;
/** Behind these an expression may stand; behind every other word a slash divides. */
const beforeExpression = /^(?:return|case|typeof|of|in|do|else|await|yield|new|void)$/;

/** Takes a TypeScript source apart, as far as its texts, expressions and names go. */
export function tokensOf(source: string): readonly Token[] {
  const found: Token[] = [];
  let at = 0;
  let line = 1;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match) {
      at = pattern.lastIndex;
      for (let next = match[0].indexOf('\n'); next >= 0; next = match[0].indexOf('\n', next + 1)) line++;
    }
    return match;
  };
  const template = (): void => {
    const token: Token = { kind: 'text', text: '', line };
    found.push(token);
    for (at++; at < source.length && source[at] !== '`';) {
      if (source.startsWith('${', at)) {
        at += 2;
        token.text += hole;
        code('}');
      } else {
        const escaped = source[at] === '\\';
        const piece = source.slice(at, at + (escaped ? 2 : 1));
        if (source[at] === '\n') line++;
        token.text += unescaped(piece);
        at += piece.length;
      }
    }
    at++;
  };
  const code = (end?: string): void => {
    for (let depth = 0; at < source.length;) {
      const before = found.at(-1);
      const start = line;
      if (take(blank)) continue;
      if (source[at] === '`') {
        template();
        continue;
      }
      const isOpen =
        before === undefined ||
        (before.kind === 'word'
          ? beforeExpression.test(before.text)
          : before.kind === 'sign' && !/[)\]}]/.test(before.text));
      const text = take(quoted);
      if (text) found.push({ kind: 'text', text: unescaped(text[1] ?? text[2] ?? ''), line: start });
      else {
        const regex = isOpen && source[at] === '/' ? take(expression) : null;
        const name = regex ? null : take(word);
        if (regex) found.push({ kind: 'expression', text: regex[1] ?? '', line: start });
        else if (name) found.push({ kind: 'word', text: name[0], line: start });
        else {
          const one = take(sign)?.[0] ?? '';
          if (one === '{') depth++;
          else if (one === '}' && depth-- === 0 && end === '}') return;
          found.push({ kind: 'sign', text: one, line: start });
        }
      }
    }
  };
  code();
  return found;
}

const unescaped = (text: string): string =>
  text.replace(/\\(u\{[0-9a-f]+\}|u[0-9a-f]{4}|x[0-9a-f]{2}|[^])/gi, (_all, one: string) => {
    if (/^[ux]./.test(one)) return String.fromCodePoint(Number.parseInt(one.replace(/[^0-9a-f]/gi, ''), 16));
    return one === 'n' ? '\n' : one === 't' ? '\t' : one === '\n' ? '' : one;
  });
