/** Lines that a skill runs as soon as it is taken: `` !`line` ``, and blocks that begin with three marks and a `!`. */
const runs = /!\x60([^\x60]+)\x60|^[ \t]*\x60{3}!([^]*?)^[ \t]*\x60{3}/gm;

/** The command lines that the text of a skill or a command of Claude Code runs by itself. */
export const skillLines = (text: string): readonly string[] =>
  [...text.matchAll(runs)].map(([, line = '', block = '']) => `${line}${block}`.trim()).filter((line) => line !== '');

/** Whether what the model gives a skill is put into one of its lines before a shell reads it: by `$1`, or by name. */
export function takesArguments(text: string): boolean {
  const [, about = ''] = /^\ufeff?---\r?\n([^]*?)^---/m.exec(text) ?? [];
  // The key may be written in any form of YAML, with escapes too.
  const names = /arguments|\\/i.test(about) ? /\$\{?\w/ : /\$(?:\{?ARGUMENTS|\d)/;
  return skillLines(text).some((line) => names.test(line));
}
