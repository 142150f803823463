/** Lines that a skill runs as soon as it is taken: `` !`line` ``, and blocks that begin with three marks and a `!`. */
const runs = /!\x60([^\x60]+)\x60|^[ \t]*\x60{3}!([^]*?)^[ \t]*\x60{3}/gm;

/** The command lines that the text of a skill or a command of Claude Code runs by itself. */
export const skillLines = (text: string): readonly string[] =>
  [...text.matchAll(runs)].map(([, line = '', block = '']) => `${line}${block}`.trim()).filter((line) => line !== '');

/** What a shell sets by itself, so that a line asks for it without an argument of that name. */
const ofShell = /^(?:PWD|OLDPWD|HOME|PATH|SHELL|HOSTNAME|USER|LOGNAME|E?UID|PPID|IFS|RANDOM|SECONDS|LINENO|SHLVL)$/;

/** Whether what the model gives a skill is put into one of its lines before a shell reads it: by `$1`, or by name. */
export function takesArguments(text: string): boolean {
  const [, about = ''] = /^\ufeff?---\r?\n([^]*?)^---/m.exec(text) ?? [];
  const names = skillLines(text).flatMap((line) => [...line.matchAll(/\$\{?(\w+)/g)].map(([, name = '']) => name));
  if (names.some((name) => /^(?:ARGUMENTS|\d)/.test(name))) return true;
  // The key may be written in any form of YAML, with escapes too, and so may its names.
  const isCoded = /\\|!!/.test(about);
  if (!isCoded && !/arguments/i.test(about)) return false;
  const words = new Set(about.toLowerCase().match(/\w+/g));
  const isDeclared = (name: string): boolean => [...words].some((word) => name.toLowerCase().startsWith(word));
  return names.some((name) => isCoded || !ofShell.test(name) || isDeclared(name));
}
