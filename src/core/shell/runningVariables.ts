import type { Field } from './field';

/** Variables that make the shell or its programs run or load something. */
const running =
  /^(?:LD_|DYLD_|GCONV_PATH$|GIT_|BASH_(?:ENV|CMDS|ALIASES|LOADABLES_PATH)$|BASH_FUNC|ENV$|ZDOTDIR$|F?PATH$|EXECIGNORE$|(?:READ)?NULLCMD$|PROMPT_COMMAND$|PS[0-4]$|[RS]?PROMPT[234]?$|RPS[12]$|MAILPATH$|MODULE_PATH$|\w*PAGER$|\w*EDITOR$|FCEDIT$|VISUAL$|BROWSER$|LESS|NODE_|PYTHON|PERL|RUBY|JAVA_TOOL|_JAVA|SHELLOPTS$|BASHOPTS$|npm_config|RIPGREP_CONFIG|FZF_|SSH_ASKPASS|SSH_\w+_(?:HELPER|PROVIDER)$|SUDO_ASKPASS|TAR_OPTIONS$|ZIPOPT$|RSYNC_(?:RSH|CONNECT_PROG)$|AWK(?:LIB)?PATH$|CURL_HOME$|(?:SYSTEM_)?WGETRC$|OPENSSL_(?:CONF|MODULES|ENGINES)$|SHELL$|HOME$|XDG_CONFIG|CDPATH$|CC$|CXX$|RUSTC_WRAPPER$|MANOPT$|GROFF|TERMINFO)/;

/** Those that name a host that programs ask instead, those that name a file that they write, and options of one. */
const hosts = /^(?:(?:https?|ftp|all|socks|socks5|rsync|wss?|grpc|docker_https?)_proxy|CURL_PROXY)$/i;
const written = /^(?:SSLKEYLOGFILE|HISTFILE|MALLOC_TRACE|KRB5_TRACE|LLVM_PROFILE_FILE)$/;
const options =
  /^(?:HOSTALIASES|BAT_(?:OPTS|CONFIG_\w+)|ACK(?:RC|_OPTIONS)|U?GREP_\w*OPTIONS|EZA_CONFIG_DIR|DELTA_FEATURES|XZ_(?:OPT|DEFAULTS)|HTTPIE_CONFIG_DIR|LYNX_CFG)$/;

/** What a variable is for, where it does not make programs run something by itself. */
type VariableRole = 'host' | 'write' | 'options';

/** The role of a variable that programs read as they read an argument; undefined for all others. */
export function roleOfVariable(name: string): VariableRole | undefined {
  if (hosts.test(name)) return 'host';
  if (written.test(name)) return 'write';
  return options.test(name) ? 'options' : undefined;
}

/** True for options that only say how much, or how it looks: `-9`, `-T0`, `--threads=4`, `--style=plain`. */
export const areMere = (text: string): boolean => text.split(/\s+/).every((one) => one === '' || isMere.test(one));
const isMere = /^(?:-[a-zA-Z]?(?:\d+\w?)?|--\w[\w-]*(?:=\d+%?)?|--(?:style|theme|colou?r|paging|wrap|tabs)=[\w,-]+)$/;

/** Those that hold a command. */
const commands =
  /PAGER$|EDITOR$|^FCEDIT$|VISUAL$|BROWSER$|COMMAND$|NULLCMD$|^LESS(?:OPEN|CLOSE)$|ASKPASS$|_(?:RSH|PROG|HELPER)$|GIT_(?:SSH|EXTERNAL)|^PS\d$/;

/** Those whose programs have switches too, and the words in names that tell of a place, of options or of code. */
const switches = /^(?:GIT_|NODE_|PYTHON.|PERL.|RUBY.|LESS.|npm_config|GROFF)/;
const places =
  /(?<!SAFE)PATH(?!SPEC)|DIR|TREE|FILE(?!SYSTEM)|HOME|LIB|CONFIG$|CONFIG_(?:GLOBAL|SYSTEM|KEY|VALUE|PARAM)|SOURCE|OPTS?$|OPTIONS$|KEY|EDIT|ECHO|TAGS|STARTUP|PREFIX|BASE$|EXECUTABLE|BREAKPOINT|CACHE|MODULE|HISTORY|COVERAGE|REDIRECT|CERT|DATA$|DB$|SHELL|COMMAND|TEST|ENV$/i;

/**
 * What zsh calls by a small name too: one is set with the other. In bash they are variables like any others, but which
 * shell runs a line is told only where the line starts one.
 */
const inZsh: ReadonlyMap<string, string> = new Map([
  ['path', 'PATH'],
  ...['cdpath', 'fpath', 'mailpath', 'module_path', 'prompt'].map((name) => [name, name.toUpperCase()] as const),
]);

/** Folders into which nothing but the system writes: whatever they are for, no program was put there. */
const ofSystem = /^\/(?:etc|s?bin|lib\d*|usr\/(?:s?bin|lib\d*|include|share))(?![^/])(?![^]*(?:\.\.|:))/;

/** Tables of zsh that say what a name runs. */
const runningTables = /^(?:commands|functions|[gs]?aliases)$/;

/**
 * True where an array with these elements, or a place in it (`commands[ls]`), makes names run something else.
 * @param place the name with its place; undefined where it is the whole array.
 */
export function fillsTable(name: string, place: string | undefined, texts: readonly string[] = []): boolean {
  if (!runningTables.test(name)) return false;
  // A list that is none of names and what they run has places that are numbers.
  if (place !== undefined) return !/\[\d*\]/.test(place);
  return texts.length > 0 && texts.length % 2 === 0 && texts.every((text, at) => at % 2 === 1 || /^\S+$/.test(text));
}

/** Stands for a number that is not told. */
export const someNumber = '1';

/** True where a value makes nothing run: none at all, a program that shows or does nothing, a number for a switch. */
function isHarmless(name: string, { text, isKnown }: Field): boolean {
  if (!isKnown) return false;
  // What stands in it is expanded, by a mode of zsh.
  if (/PROMPT\d?$|^RPS/.test(name)) return !/[$`]/.test(text);
  // Without a PATH programs are looked for in the working folder, and without a HOME `~` is another one.
  if (text === '') return !/^(?:PATH|HOME|BASH_CMDS|BASH_ALIASES)$/.test(name);
  if (commands.test(name)) return /^(?:cat|true|false)$/.test(text);
  return /^(?:true|false|\d+)$/.test(text) && switches.test(name) && !places.test(name);
}

/** @param mayBeZsh true where the shell may be zsh, in which small names are running ones too. */
export const isRunning = (name: string, mayBeZsh: boolean): boolean =>
  running.test(name) || (mayBeZsh && inZsh.has(name));
export const holdsCommand = (name: string): boolean => commands.test(name);

/** True where a name that is told up to there alone may be one of zsh's small ones. */
export const mayBeSmall = (begin: string): boolean => [...inZsh.keys()].some((name) => name.startsWith(begin));

/** True where a variable with this value makes programs run or load something. */
export function makesRun(name: string, value: Field, mayBeZsh: boolean): boolean {
  const meant = mayBeZsh ? inZsh.get(name) : undefined;
  if (meant === undefined) return running.test(name) && !isHarmless(name, value);
  return !isHarmless(meant, value) && !(value.isKnown && ofSystem.test(value.text));
}
