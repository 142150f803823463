import { type Field, plainField } from './field';
import type { Reader } from './reader';

/** Variables that make programs run or load something. */
const running =
  /^(?:LD_|DYLD_|GIT_|BASH_ENV$|BASH_FUNC|ENV$|PROMPT_COMMAND$|PS[0-4]$|PATH$|\w*PAGER$|\w*EDITOR$|VISUAL$|BROWSER$|LESS|NODE_|PYTHON|PERL|RUBY|JAVA_TOOL|_JAVA|SHELLOPTS$|BASHOPTS$|npm_config|RIPGREP_CONFIG|FZF_|SSH_ASKPASS|SUDO_ASKPASS|TAR_OPTIONS$|RSYNC_RSH$|SHELL$|HOME$|XDG_CONFIG|CDPATH$|CC$|CXX$|RUSTC_WRAPPER$|MANOPT$|GROFF|TERMINFO)/;

/** Tells of a variable that a program gets, where it makes that program run something. */
export function readEnvironment(name: string, value: Field, reader: Reader): void {
  if (!running.test(name) || /^(?:|cat|true|false|\d+)$/.test(value.text)) return;
  reader.unknown('environment', `${name}=${value.text}`);
  if (
    /PAGER$|EDITOR$|VISUAL$|BROWSER$|COMMAND$|^LESSOPEN$|^LESSCLOSE$|ASKPASS$|_RSH$|GIT_SSH|EXTERNAL|^PS\d$/.test(name)
  )
    reader.apart((inner) => inner.runText(value.text.replace(/^\|/, '')));
  else if (name.endsWith('ENV')) reader.touch('fs.read', value, `${name}=${value.text}`);
}

/** Gives a variable what a builtin or a loop puts in, and tells of it as an assignment would. */
export function fill(
  name: string,
  values: readonly string[],
  reader: Reader,
  how: { readonly isArray?: boolean; readonly isOpen?: boolean } = {},
): void {
  for (const value of values) readEnvironment(name, plainField(value), reader);
  if (how.isOpen === true) tellOpen(name, reader);
  reader.scope.set(name, values, how);
}

/** A builtin gives a variable a value that is not told here. */
export function fillOpenly(name: string, reader: Reader): void {
  tellOpen(name, reader);
  reader.scope.count(name);
}

/** A builtin fills a variable whose name is not told here, so that it may be one that makes programs run others. */
export function fillAny(reader: Reader, words: string): void {
  reader.unknown('environment', words);
  reader.scope.open();
}

/** True where a word names a variable that is told here, though the place in it may not be: `a[$i]`. */
export const namesOne = ({ text, isKnown }: Field): boolean => isKnown || /^[a-zA-Z_]\w*\[.*[$`]/s.test(text);

function tellOpen(name: string, reader: Reader): void {
  if (running.test(name)) reader.unknown('environment', `${name}=`);
}
