import type { Command, ParsedScript, Redirection, Word } from 'unbash';
import { byName } from './programRow';
import type { Scope } from './scope';
import type { ShellNode } from './shellNode';
import { plainText } from './textWords';

/** The arguments as they are written; undefined stands for one of which something is left to a run. */
type Written = readonly (string | undefined)[];

const isPlain = (args: Written): boolean => args.every((arg) => arg !== undefined);
const has = (args: Written, option: RegExp): boolean => isPlain(args) && args.some((arg) => option.test(arg ?? ''));
const inForm = (args: Written, form: RegExp): boolean => isPlain(args) && form.test(args.join(' '));

/** A name that is told, since one on the disk or in a text may be an option. */
const isFile = (arg: string | undefined): boolean =>
  arg !== undefined && arg !== '*' && (arg === '--' || !arg.startsWith('-'));

/** A format by which a time is shown as numbers. */
const dateFormat = /^\+(?:%-?[a-zA-Y]|[\d:. -])+$/;

/** Counts or adds up lines or fields, those that fit; what fits is told without a text, a call and an assignment. */
const countingLines =
  /^(?!.*getline)(?:(?:[^{}"'=(;#\n]|[=!<>]=)*\{ ?([a-z_]\w*)(?:\+\+| ?\+= ?\$\d+);? ?\} ?)?END ?\{ ?print (?=\w)(?:NR|\1(?: ?\+ ?0| ?\/ ?NR)?);? ?\}$|^\{ ?print NF;? ?\}$/;

/**
 * A program of jq at whose end all that it was given becomes a number: what a pipe is given goes through, but for what
 * a comment takes away. Names that it defines, and what it says beside, are others.
 */
const endsCounting =
  /^(?![^]*(?:#|\b(?:def|include|import|stderr|debug|halt_error)\b))(?:[^]*\|)?\s*(?:length|tonumber|floor|round)\s*$/;

/** One sign of `stat` that stands for a number, by itself; of all other arguments none is an option. */
function isFormatted(args: Written): boolean {
  const [option = '', ...rest] = args[0] === '-L' ? args.slice(1) : args;
  const [format, files] = /^-[cf]$|^--format$/.test(option)
    ? [rest[0], rest.slice(1)]
    : [/^(?:-[cf]|--format=|--printf=)(.*)$/.exec(option)?.[1], rest];
  return /^%[szYXZWimghu]$/.test(format ?? '') && files.every(isFile);
}

/** What programs show for a number that is none: a shell takes it for a name. */
export const noNumbers: readonly string[] = ['null', 'nan', 'inf'];

/** Programs that print numbers alone, and with which arguments. */
const counting = byName<(args: Written) => boolean>({
  wc: (args) => isPlain(args) && args.every((arg) => arg?.startsWith('-')),
  nproc: isPlain,
  lsof: (args) => has(args, /^-\w*t/),
  pgrep: (args) => isPlain(args) && !has(args, /^-\w*[ald]|^--/),
  date: (args) =>
    (isPlain(args) || has(args.filter(Boolean), dateFormat)) &&
    args.every((arg) => arg?.startsWith('+') !== true || dateFormat.test(arg)),
  'grep egrep fgrep': (args) => {
    const [, file = '', ...others] = args.filter((arg) => arg?.startsWith('-') !== true);
    // Before the numbers of several files stand their names.
    const isOne = others.length === 0 && file !== '*' && !has(args, /^-[a-zA-Z]*[HrRd]|^--(?!count)/);
    return isOne && has(args, /^-[a-zA-Z]*c|^--count$/);
  },
  id: (args) => inForm(args, /^-[ugG]$/),
  stat: (args) => isFormatted(args),
  seq: (args) => args.every((arg) => /^-?[\d.]+$/.test(arg ?? '')),
  tput: (args) => inForm(args, /^(?:cols|lines|colors)$/),
  'getconf sysctl': (args) => inForm(args, /^(?:-n )?(?:_NPROCESSORS_ONLN|hw\.\w+|PAGE_?SIZE)$/),
  git: (args) => inForm(args, /^rev-list (?:[^ ]* )*--count\b/),
  jq: (args) => {
    const [text = '', ...files] = args.slice(args.findIndex((arg) => !/^-[rcsn]+$/.test(arg ?? '')));
    return endsCounting.test(text) && files.every(isFile);
  },
  printf: ([format = '']) => /^(?:%[-+0 ]*\d*d|%\(%[sYmdHMSjyN]\)T|\d)+$/.test(format),
  shuf: (args) => inForm(args, /^(?:-n ?\d+ )?-i ?\d+-\d+(?: -n ?\d+)?$/),
  od: (args) => inForm(args, /^(?:-An|-N ?\d+| )*-t ?[du]\d?(?:-An|-N ?\d+| )*(?:\/\S*)?$/) && has(args, /^-An$/),
  // An argument with a sign in it gives a variable of its text a value.
  awk: (args) => {
    const [text, ...files] = args.slice(/^-F./.test(args[0] ?? '') ? 1 : 0);
    return countingLines.test(text ?? '') && files.every((file) => isFile(file) && !/=/.test(file ?? ''));
  },
  curl: (args) => has(args, /^%\{http_code\}$/) && has(args, /^-\w*o$/) && has(args, /^\/dev\/null$/),
  tr: (args) => inForm(args, /^-(?:cd|dc) (?:0-9|\[:digit:\])$/),
});
/** Those that leave of numbers nothing but numbers, and those that choose the first of what stands in a line. */
const keeping = byName<(args: Written) => boolean>({
  tr: (args) => inForm(args, /^-d \S* ?$/),
  xargs: (args) => args.length === 0,
  'head tail sort uniq': (args) => isPlain(args) && args.every((arg) => /^-?[-n\d]+$/.test(arg ?? '')),
});
const choosing = byName<(args: Written) => boolean>({
  awk: (args) => inForm(args, /^\{ ?print \$1;? ?\}$/),
  cut: (args) => inForm(args, /^(?:-d ? ?-f ?1|-f ?1)$/),
});
/** Those that print a number before the name of each file. */
const counted = byName<(args: Written) => boolean>({ 'wc du': isPlain, cksum: isPlain });

/** True for a script of which all that is printed are numbers, so that nobody can have written a text into it. */
export function printsNumber(script: ParsedScript | undefined, scope: Scope): boolean {
  const [only, ...others] = script?.commands ?? [];
  if (!only || others.length > 0) return false;
  return isNumber(only.command, scope);
}

/** The same of one of its commands, and of those that run where another failed. */
function isNumber(command: ShellNode, scope: Scope): boolean {
  if (command.type === 'AndOr')
    return command.commands.every((one) => isNumber(one, scope) || printsNothing(one, scope));
  const stages = command.type === 'Pipeline' ? command.commands : [command];
  // What a program says of a fault has the words of others in it.
  if (command.type === 'Pipeline' && command.operators.includes('|&')) return false;
  const written: { readonly name: string; readonly args: Written }[] = [];
  for (const stage of stages) {
    if (stage.type !== 'Command' || !stage.redirects.every(keepsFaultsOut)) return false;
    written.push(writtenIn(stage));
  }
  const isOwn = ({ name }: { readonly name: string }): boolean => isProgram(name, scope);
  if (command.type === 'Command' && command.name?.text === 'echo')
    return written.every(isOwn) && command.args.every((arg) => arg.type === 'Word' && isSum(arg));
  for (let at = written.length - 1; at >= 0; at--) {
    const one = written[at];
    if (!one || !isOwn(one)) return false;
    if (counting.get(one.name)?.(one.args)) return true;
    const before = written[at - 1];
    if (choosing.get(one.name)?.(one.args) && before && isOwn(before) && counted.get(before.name)?.(before.args))
      return true;
    if (!keeping.get(one.name)?.(one.args)) return false;
  }
  return false;
}

/** True for what is read, and for what is thrown away. */
const keepsFaultsOut = (one: Redirection): boolean =>
  one.type !== 'Redirect' ||
  one.operator.startsWith('<') ||
  (one.target !== undefined && plainText(one.target) === '/dev/null');

const isProgram = (name: string, { functions, aliases }: Scope): boolean =>
  functions.get(name) === undefined && aliases.get(name) === undefined;

const printsNothing = (command: ShellNode, scope: Scope): boolean =>
  command.type === 'Command' &&
  /^(?:true|false|:|exit)$/.test(command.name?.text ?? '') &&
  isProgram(command.name?.text ?? '', scope);

/** Digits, and sums that the shell makes. */
const isSum = ({ text, parts }: Word): boolean =>
  parts ? parts.every(({ type }) => type === 'ArithmeticExpansion') : /^\d+$/.test(text);

function writtenIn({ name, args, prefix }: Command): { readonly name: string; readonly args: Written } {
  return {
    name: prefix.length > 0 || name?.parts ? '' : (name?.value ?? ''),
    args: args.map((arg) => (arg.type === 'Word' ? plainText(arg) : undefined)),
  };
}
