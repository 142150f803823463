import type { LeanNode } from './leanNode';

/** A code span's delimiters and padding, longer than any run of backticks inside. */
export function codeSpan(content: string): string {
  const code = content.replace(/\r?\n|\r/g, ' ');
  const spaced = code.startsWith(' ') && code.endsWith(' ') && /[^ ]/.test(code);
  const padding = spaced || code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  const runs = new Set(code.match(/`+/g) ?? []);
  let delimiter = '`';
  while (runs.has(delimiter)) delimiter += '`';
  return `${delimiter}${padding}${code}${padding}${delimiter}`;
}

/** A fenced block; the fence is longer than any run at the start of a line inside. */
export function fencedBlock(code: string, language: string, fence: string): string {
  const mark = fence.charAt(0);
  let size = 3;
  for (const run of code.match(mark === '~' ? /^ {0,3}~{3,}/gm : /^ {0,3}`{3,}/gm) ?? [])
    size = Math.max(size, run.trimStart().length + 1);
  const line = mark.repeat(size);
  return `\n\n${line}${language}\n${code.endsWith('\n') ? code.slice(0, -1) : code}\n${line}\n\n`;
}

/** The language that a code block names in one of the ways that highlighters use, empty where it names none. */
export function codeLanguage(pre: LeanNode, code: LeanNode | null): string {
  for (const node of [code, pre, pre.parent]) {
    if (!node) continue;
    const classes = node.attribute('class') ?? '';
    const named =
      /(?:^|\s)(?:language|lang|highlight-source|brush:)-?\s*([\w+#.-]+)/.exec(classes)?.[1] ??
      node.attribute('data-lang') ??
      node.attribute('data-language') ??
      (node === pre ? node.attribute('lang') : undefined);
    if (named !== undefined && /^[\w+#.-]{1,30}$/.test(named)) return named;
  }
  return '';
}
