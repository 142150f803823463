import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { type Token, tokensOf } from './tokens';

/** A name that a file exports, and who needs it there. */
export interface ExportedName {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly isUsedInside: boolean;
  /** The other files that import it; a file that takes the whole module counts for all of its names. */
  readonly users: readonly string[];
}

const declares = /^(?:function|const|let|class|interface|type|enum)$/;
const modifies = /^(?:async|abstract|declare)$/;

/** The names of a list in braces that begins at a token: `{ a, type b, c as d }`; the first of each pair. */
function listed(tokens: readonly Token[], from: number): { readonly names: readonly string[]; readonly end: number } {
  const names: string[] = [];
  let at = from + 1;
  for (let isFirst = true; at < tokens.length && tokens[at]?.text !== '}'; at++) {
    const { kind = 'sign', text = '' } = tokens[at] ?? {};
    if (text === ',') isFirst = true;
    else if (kind === 'word' && isFirst && !(text === 'type' && tokens[at + 1]?.kind === 'word')) {
      names.push(text);
      isFirst = false;
    }
  }
  return { names, end: at };
}

/** What a file takes from another: names, or the whole of it (`*`). */
function importsOf(tokens: readonly Token[]): readonly { readonly from: string; readonly names: readonly string[] }[] {
  const text = (at: number): string => tokens[at]?.text ?? '';
  return tokens.flatMap((token, at) => {
    if (token.kind !== 'text' || !token.text.startsWith('.')) return [];
    if (text(at - 1) === 'from') {
      if (text(at - 2) !== '}') return [{ from: token.text, names: ['*'] }];
      let open = at - 2;
      while (open > 0 && text(open) !== '{') open--;
      return [{ from: token.text, names: listed(tokens, open).names }];
    }
    if (text(at - 1) !== '(' || text(at - 2) !== 'import') return [];
    // `(await import('./a')).b`, `import('./a').B` and `const { a, b } = await import('./a')` say what they take.
    const isAwaited = text(at - 3) === 'await';
    const behind = isAwaited && text(at + 2) === ')' ? at + 3 : at + 2;
    if (text(behind) === '.' && text(behind + 1) !== 'then') return [{ from: token.text, names: [text(behind + 1)] }];
    if (isAwaited && text(at - 4) === '=' && text(at - 5) === '}') {
      let open = at - 5;
      while (open > 0 && text(open) !== '{') open--;
      return [{ from: token.text, names: listed(tokens, open).names }];
    }
    return [{ from: token.text, names: ['*'] }];
  });
}

/** The names that a file exports by its declarations and lists. */
function exportsOf(tokens: readonly Token[]): readonly { readonly name: string; readonly line: number }[] {
  return tokens.flatMap(({ kind, text, line }, at) => {
    if (kind !== 'word' || text !== 'export') return [];
    let next = at + 1;
    while (modifies.test(tokens[next]?.text ?? '')) next++;
    if (declares.test(tokens[next]?.text ?? '') && tokens[next + 1]?.kind === 'word') {
      const isConstEnum = tokens[next]?.text === 'const' && tokens[next + 1]?.text === 'enum';
      return [{ name: tokens[next + (isConstEnum ? 2 : 1)]?.text ?? '', line }];
    }
    return tokens[next]?.text === '{' ? listed(tokens, next).names.map((name) => ({ name, line })) : [];
  });
}

/** Every name that the files of `src` export, with those that import it from `src` and the other folders. */
export function exportedNames(folders: readonly string[] = ['src', 'test', 'tools']): readonly ExportedName[] {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => path.posix.join(folder, name.replaceAll(path.sep, '/'))),
  );
  const tokens = new Map(files.map((file) => [file, tokensOf(readFileSync(file, 'utf8'))]));
  const users = new Map<string, Set<string>>();
  for (const [file, own] of tokens)
    for (const { from, names } of importsOf(own)) {
      const base = path.posix.join(path.posix.dirname(file), from);
      const target = [`${base}.ts`, `${base}/index.ts`].find((one) => existsSync(one));
      for (const name of names) {
        const key = `${target} ${name}`;
        users.set(key, (users.get(key) ?? new Set()).add(file));
      }
    }
  return [...tokens].flatMap(([file, own]) => {
    if (!file.startsWith('src/')) return [];
    const counts = new Map<string, number>();
    for (const { kind, text } of own) if (kind === 'word') counts.set(text, (counts.get(text) ?? 0) + 1);
    return exportsOf(own).map(({ name, line }) => ({
      file,
      line,
      name,
      isUsedInside: (counts.get(name) ?? 0) > 1,
      users: [...(users.get(`${file} ${name}`) ?? []), ...(users.get(`${file} *`) ?? [])],
    }));
  });
}
