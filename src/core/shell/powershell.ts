import { trimmedEnd } from '../base/text';
import { applyRole, putByName, putInside } from './applyRow';
import { type Cmdlet, cmdlets, isCode, isInert, isOutput, parameterOf } from './cmdlets';
import { type Field, plainField } from './field';
import { Ledger } from './ledger';
import { type Arguments, argumentsOf, type Given, slashed } from './powershellArguments';
import { type Statement, statementsOf, tokensOf, type WordToken } from './powershellTokens';
import type { Role } from './programRow';
import { wordsOf } from './reader';
import { joined, Scope } from './scope';
import type { ShellContext, ShellReading } from './shellReading';
import { without } from './spans';
import { Walker } from './walker';

const longestLine = 64_000;
/** In a longer line every word is guessed at, whatever it is for. */
const longestSpared = 4000;
const deepest = 4;

/**
 * What a line for PowerShell or cmd.exe would do, as far as its main forms tell: commands and their short names, paths
 * with their wildcards, what goes through a pipe, redirections, folders and URLs. Everything else (variables, brackets,
 * calls of .NET, parameters that are not known) is not understood. Guesses are made as for a POSIX shell. Never throws.
 */
export function readPowershell(line: string, context: ShellContext = {}): ShellReading {
  const ledger = new Ledger();
  const scope = new Scope(context);
  try {
    if (line.length > longestLine) ledger.unknown('too_long', line);
    else readLine(line, new Walker(scope, ledger), 0);
  } catch {
    ledger.unknown('too_deep', line);
  }
  return ledger.reading(scope);
}

/** What a command gets from the one before it. */
interface Flow {
  /** Paths of files that go through the pipe, or folders of which all may. */
  readonly files: readonly Field[];
  /** True for text, which commands that search do not take for names of files. */
  readonly isText: boolean;
}

const noFlow: Flow = { files: [], isText: true };

interface Reading {
  readonly walker: Walker;
  readonly line: string;
  readonly depth: number;
  /** True where one command may be in another one, so that no word is text alone. */
  readonly isNested: boolean;
  /** Words that are text and name no file. */
  readonly spared: WordToken[];
}

/** What is called on an object to get something from the network. */
const download = /\.(?:download\w*|openread|get\w*async)$/i;
const runsText = /\b(?:iex|invoke-expression)\b/i;

function readLine(line: string, walker: Walker, depth: number): void {
  const tokens = tokensOf(line);
  const isNested = tokens.some((token) => token.kind === 'mark' && token.text === '(');
  const reading: Reading = { walker, line, depth, isNested, spared: [] };
  if (line.length > longestSpared) walker.scan(line, line);
  if (isNested) walker.unknown('unknown_word', line);
  for (const [index, token] of tokens.entries()) {
    const url = tokens[index + 2];
    if (token.kind === 'word' && download.test(token.field.text) && url?.kind === 'word')
      walker.contact(url.field.text, line);
  }
  if (runsText.test(line)) walker.unknown('piped_into_shell', line);
  let flow = noFlow;
  for (const statement of statementsOf(line, tokens)) {
    if (!walker.ledger.step()) break;
    flow = readStatement(statement, statement.isPiped ? flow : noFlow, reading);
  }
  if (line.length <= longestSpared) walker.scan(without(line, reading.spared), line);
}

/** A module of PowerShell before a name of its own; every other folder there is one of the disk. */
const ownModule = /^microsoft\.powershell\.(?:core|management|security|utility)\\(?=[a-z]+-[a-z]+$)/;

function readStatement(statement: Statement, flow: Flow, reading: Reading): Flow {
  const { walker } = reading;
  const { text, files } = statement;
  for (const { word, isInput } of files) {
    if (!word) walker.unknown('unknown_word', text);
    else if (!/^\$null$/i.test(word.field.text)) touch(isInput ? 'read' : 'write', word.field, walker, text);
  }
  const isDotted = statement.words[0] !== ',' && statement.words[0]?.field.text === '.';
  const [name, ...args] = isDotted ? statement.words.slice(1) : statement.words;
  if (!name || name === ',') return noFlow;
  const words = args.filter((word) => word !== ',');
  if (!name.field.isKnown || (name.isQuoted && !isDotted && !statement.isCall)) {
    walker.unknown(name.field.isKnown ? 'unknown_word' : 'unknown_name', text);
    return { files: [name, ...words].map(({ field }) => slashed(field)), isText: true };
  }
  // The sign of cmd.exe for a letter as it is.
  for (const { field } of words)
    if (field.text.includes('^')) walker.suspect(patterned({ ...field, text: field.text.replaceAll('^', '') }), text);
  const isOpen = words.some(({ field }) => !field.isKnown);
  if (isOpen) walker.unknown('unknown_word', text);
  return readCommand({ name, args, words, statement, flow }, reading);
}

/** A command that is named by its words. */
interface Command {
  readonly name: WordToken;
  /** What stands behind the name, with the commas. */
  readonly args: Statement['words'];
  readonly words: readonly WordToken[];
  readonly statement: Statement;
  readonly flow: Flow;
}

function readCommand(command: Command, reading: Reading): Flow {
  const { name, words, statement, flow } = command;
  const { walker } = reading;
  const base = name.field.text.toLowerCase().replace(ownModule, '');
  const cmdlet = cmdlets.get(base);
  if (isCode.has(base)) walker.unknown(statement.isPiped ? 'piped_into_shell' : 'runs_code', statement.text);
  else if (isOutput.has(base)) {
    spare(words, statement, reading);
    return { files: words.map(({ field }) => slashed(field)), isText: true };
  } else if (isInert.has(base)) {
    if (base.startsWith('write-')) spare(words, statement, reading);
    // On other systems than Windows this is the program.
    else if (base === 'sort') readProgram(name, words, statement, reading);
    return flow;
  } else if (/^cd[.\\/~]/.test(base)) {
    // What cmd.exe enters may be a script for PowerShell, in a folder `cd`.
    if (/[^.\\/~]/.test(base.slice(2))) walker.unknown('runs_script', statement.text);
    walker.scope.enter(base.slice(2).replaceAll('\\', '/'));
  } else if (cmdlet && isMeant(base, cmdlet, words)) return callCmdlet(base, cmdlet, command, reading);
  else readProgram(name, words, statement, reading);
  return noFlow;
}

function callCmdlet(base: string, cmdlet: Cmdlet, { args, statement, flow }: Command, reading: Reading): Flow {
  const { walker, spared } = reading;
  const { text, isPiped } = statement;
  const given = argumentsOf(base, cmdlet, args);
  const contents = given.found.filter(({ names }) => names.every((one) => isContent(base, one)));
  const written = given.found.filter(({ role }) => role === 'write').map(({ word }) => word);
  spare(
    contents.map(({ word }) => word),
    statement,
    reading,
    written,
  );
  for (const { word, field } of given.found) if (!spared.includes(word)) walker.suspect(field, text);
  const isDone = readCmdlet(base, cmdlet, given, { flow, isPiped, text, walker });
  if (!isDone || given.isUnclear) walker.unknown('unknown_word', text);
  return passedOn(base, given.found, flow);
}

/**
 * Takes words for text that names no file.
 * @param targets the files that they go into: what a file holds that the line names again may be run from there.
 */
function spare(
  some: readonly WordToken[],
  { files, pipes }: Statement,
  { line, isNested, spared }: Reading,
  targets = files.flatMap(({ word }) => word ?? []),
): void {
  if (line.length > longestSpared || pipes || isNested) return;
  if (targets.some(({ field }) => line.split(field.text).length !== 2)) return;
  spared.push(...some.filter(({ field }) => field.isKnown));
}

/** Words that are searched for, or that stand in a file afterwards. */
const isContent = (base: string, parameter: string): boolean =>
  /^(?:select-string|sls)$/.test(base)
    ? parameter === 'pattern'
    : /content$|^[as]c$/.test(base) && parameter === 'value';

/** False where a name is a program's too and its arguments are written as for that. */
function isMeant(base: string, cmdlet: Cmdlet, words: readonly WordToken[]): boolean {
  // The newer PowerShell has no such name, and Windows a program that controls services.
  if (base === 'sc') return !/^[a-z]*$/i.test(words[0]?.field.text ?? '');
  if (base !== 'curl' && base !== 'wget') return true;
  return words.some(({ field }) => {
    const written = /^-(\w{3,})/.exec(field.text)?.[1];
    return written !== undefined && parameterOf(cmdlet, written) !== undefined;
  });
}

interface CmdletCall {
  readonly flow: Flow;
  readonly isPiped: boolean;
  readonly text: string;
  readonly walker: Walker;
}

const valueOf = (found: readonly Given[], name: string): Field | undefined =>
  found.find(({ names }) => names.includes(name))?.field;

/** Answers false where only a run tells what it does. */
function readCmdlet(base: string, cmdlet: Cmdlet, given: Arguments, call: CmdletCall): boolean {
  const { found } = given;
  if (cmdlet.positions === 'stackname') call.walker.scope.enter(undefined);
  if (cmdlet === cmdlets.get('set-location'))
    return enter(valueOf(found, 'path') ?? valueOf(found, 'literalpath'), call);
  touchGiven(base, given, call);
  touchTargets(cmdlet, given, call);
  const hasPlace = found.some(({ role }) => role !== 'text' && role !== 'unknown');
  return hasPlace || valueOf(found, 'name') !== undefined || touchPiped(base, cmdlet, given.isRecursive, call);
}

/** The places that arguments name by themselves. */
function touchGiven(base: string, { found, isRecursive }: Arguments, call: CmdletCall): void {
  const { walker, text } = call;
  const method = (valueOf(found, 'method') ?? valueOf(found, 'custommethod'))?.text.toUpperCase();
  const sends = ['infile', 'body'].some((name) => valueOf(found, name) !== undefined);
  for (const { role, names, field, word } of found) {
    const isLiteral = names.every((name) => /^(?:l|psp)/.test(name));
    const isPlace = field.isKnown || /^[a-z]+:\/\/[^/$]+\//i.test(field.text);
    if (role === 'url' && isPlace) walker.contact(field.text, text, method ?? (sends ? 'POST' : 'GET'));
    else if (role === 'copy') transfer(names.includes('destination'), field, call);
    else if (role !== 'text' && role !== 'unknown' && role !== 'url')
      touch(below(role, isRecursive), listed(base, isLiteral ? word.field : patterned(field)), walker, text, isLiteral);
  }
}

/** Where what is copied, moved, renamed or made comes to stand, as two arguments tell together. */
function touchTargets(cmdlet: Cmdlet, { found, isRecursive }: Arguments, call: CmdletCall): void {
  const sources = found.filter(({ role }) => role === 'read' || role === 'move').map(({ field }) => field);
  const target = valueOf(found, 'destination');
  if (target && !cmdlet.options.copy) {
    const isMoved = cmdlet.options.move !== undefined;
    const does = isMoved ? 'moves' : 'copies';
    const how = { into: 'either', isTree: isRecursive || isMoved, does, keepsPath: false } as const;
    putInside(sources, target, call.walker, call.text);
    putByName(sources.map(patterned), target, how, call.walker, call.text);
  }
  const newName = valueOf(found, 'newname');
  if (newName) for (const { text: from } of sources) write(besides(from, newName.text), newName, call);
  if (cmdlet.positions === 'path' && cmdlet.options.write === 'path') makeItem(found, call);
}

/**
 * What a command does that names no place: to what comes through the pipe, or to the folder that it is in. Answers
 * false where only a run tells that.
 */
function touchPiped(base: string, cmdlet: Cmdlet, isRecursive: boolean, call: CmdletCall): boolean {
  const { walker, text, flow, isPiped } = call;
  if (cmdlet.options.url || cmdlet.options.copy) return false;
  if (!isPiped) {
    if (isListing(base)) applyRole(below('read', isRecursive), plainField('.'), walker, text);
    return true;
  }
  if (cmdlet.positions.startsWith('pattern') && flow.isText) return true;
  const takes = (['read', 'write', 'delete', 'move'] as const).find((role) => cmdlet.options[role] !== undefined);
  for (const file of flow.files) if (takes) touch(below(takes, true), patterned(file), walker, text);
  return false;
}

const isListing = (base: string): boolean => /^(?:get-childitem|gci|ls|dir)$/.test(base);

function below(role: Role, isRecursive: boolean): Role {
  if (!isRecursive) return role;
  return role === 'read' ? 'readTree' : role === 'delete' ? 'deleteTree' : role;
}

/** What a folder is listed by `*` for is the folder. */
function listed(base: string, field: Field): Field {
  if (!isListing(base)) return field;
  const folder = field.text.replace(/(?:^|\/)\*(?:\.\*)?$/, '');
  return folder === field.text ? field : patterned({ ...field, text: folder === '' ? '.' : folder, isPattern: false });
}

function enter(folder: Field | undefined, { walker, isPiped }: CmdletCall): boolean {
  if (!folder) walker.scope.enter(isPiped ? undefined : '~');
  else {
    const path = fileOf(folder.text);
    const isOpen = path === undefined || !folder.isKnown || /^[-+]$|[*?[]/.test(path);
    walker.scope.enter(isOpen ? undefined : path);
    return path !== undefined;
  }
  return !isPiped;
}

/** What `Start-BitsTransfer` fetches or sends. */
function transfer(isTarget: boolean, field: Field, { walker, text }: CmdletCall): void {
  if (/^[a-z][\w+.-]+:\/\//i.test(field.text)) walker.contact(field.text, text, isTarget ? 'POST' : 'GET');
  else touch(isTarget ? 'write' : 'read', patterned(field), walker, text);
}

/** `New-Item`: a name below a path, and what a link leads to. */
function makeItem(found: readonly Given[], call: CmdletCall): void {
  const named = (name: string): readonly Field[] =>
    found.filter(({ names }) => names.includes(name)).map(({ field }) => field);
  const folders = named('path');
  for (const name of named('name'))
    for (const folder of folders.length > 0 ? folders : [plainField('.')])
      write(joined(folder.text, name.text) ?? name.text, name, call);
  const type = [...named('itemtype'), ...named('type')][0]?.text ?? 'file';
  const isLink = !/^[fd]/i.test(type);
  for (const target of [...named('target'), ...(isLink ? named('value') : [])])
    touch('change', target, call.walker, call.text, true);
}

const write = (path: string, field: Field, { walker, text }: CmdletCall): void =>
  touch('write', { ...field, text: path }, walker, text, true);

/** A new name in the folder of a path. */
const besides = (path: string, name: string): string =>
  /[/\\]/.test(name) ? name : `${path.slice(0, trimmedEnd(path, '/').lastIndexOf('/') + 1)}${name}`;

function passedOn(base: string, found: readonly Given[], flow: Flow): Flow {
  if (base.startsWith('tee')) return flow;
  const files = found.filter(({ role }) => role === 'read').map(({ field }) => field);
  if (/^(?:get-content|gc|cat|type|select-string|sls)$/.test(base)) return noFlow;
  return { files: files.length > 0 ? files : [plainField('.')], isText: false };
}

/** Touches a file, unless the path leads into something that is none: the environment, the registry. */
function touch(role: Role, field: Field, walker: Walker, text: string, isLiteral = false): void {
  walker.suspect(slashed(field), text);
  const path = fileOf(slashed(field).text);
  if (path === undefined) walker.unknown('unknown_word', text);
  else applyRole(role, { ...field, text: path, isPattern: field.isPattern && !isLiteral }, walker, text);
}

/** The path of a file without the name of its provider; undefined for what another provider or drive holds. */
function fileOf(path: string): string | undefined {
  const plain = path.replace(/^(?:[\w.]+\/)?filesystem::/i, '');
  return /^[\w.]+(?:\/[\w.]+)?::|^[a-z]\w+:(?!\/\/)/i.test(plain) ? undefined : plain;
}

const patterned = (field: Field): Field => ({ ...field, isPattern: /[*?[]/.test(field.text) });

/** A program that is none of PowerShell's own is read like all others; shells of Windows by their lines. */
function readProgram(name: WordToken, words: readonly WordToken[], statement: Statement, reading: Reading): void {
  const { walker, depth } = reading;
  const base = name.field.text.toLowerCase().replace(/\.exe$/, '');
  if (/^(?:cmd|powershell|pwsh)$/.test(base)) {
    const at = words.findIndex(({ field }) => /^(?:\/[ck]|-c(?:o\w*)?)$/i.test(field.text));
    if (at >= 0 && depth < deepest) {
      const inner = wordsOf(words.slice(at + 1).map(({ field }) => field));
      readLine(base === 'cmd' ? inner.replace(/\^(.)/gs, '$1') : inner, walker, depth + 1);
    }
    return walker.unknown(statement.isPiped ? 'piped_into_shell' : 'runs_code', statement.text);
  }
  const fields = [name, ...words].map(({ field, isQuoted }) => slashed(isQuoted ? field : patterned(field)));
  walker.runWords(fields, { isFed: statement.isPiped });
}
