import { isObject, isStrings } from '../base/json';
import { commandLineAccesses } from '../foreign/commandLine';
import { PlaceLabels } from '../foreign/placeLabels';
import { readUrl } from '../places/urlReadings';
import { mentionsIn } from '../places/mentions';
import type { FileSystem } from '../ports/files';
import { refusal, type ToolError } from '../vocabulary/errors';
import { say } from '../base/sentence';
import type { Access, SideEffect } from '../vocabulary/access';
import { patchedFiles } from './applyPatch';
import { type HostToolRow, lineArguments } from './hostToolTable';
import type { HostAgent } from './hostEvent';
import { shellWord } from '../shell/shellWord';
import { readShell } from '../shell/readShell';
import { chosenBy } from './chosenFiles';
import { foundBelow } from './foundBelow';
import { grepped } from './grepped';
import { skillLines, takesArguments } from './skillLines';
import { uriPlaces } from './uriPlaces';

/** Arguments that name files or folders, in any of the agents. */
const pathNames =
  /^(?:file_?paths?|paths?|absolute_?path|relative_workspace_path|notebook_?path|dir_?path|directory|folder|repository_?path|target_?(?:file|directory|directories|notebook)|old_path|new_path|include_paths|uri)$/i;
/** Arguments that choose files in a folder by their names. */
const patternNames =
  /^(?:glob|glob_pattern|include|include_?pattern|includes|file_filter|file_filtering|glob_filter)$/i;
const lineNames: ReadonlySet<string> = new Set(lineArguments);
const folderNames = /^(?:cwd|workdir|working_directory|directory|dir_path)$/;
const mostPaths = 500;
/** Tools that look for a file by its name where the path is not there. */
const corrects = ({ agent, tool, input }: HostCall): boolean =>
  // With nothing to replace it makes a file, and leaves one alone that is there.
  agent === 'gemini' && /^(?:replace|edit)$/.test(tool) && !(isObject(input) && input['old_string'] === '');
/** Tools whose paths may be patterns. */
const takesPatterns: ReadonlySet<string> = new Set(['read_many_files']);
const longestText = 1_000_000;

/** One call of a tool that is known. */
interface HostCall {
  readonly agent: HostAgent;
  readonly tool: string;
  readonly row: HostToolRow;
  readonly input: unknown;
  readonly files: FileSystem;
  /** Where relative paths start. */
  readonly cwd: string | undefined;
  /** Where a shell that stays open may be since earlier lines; an empty text for a folder that nobody can tell. */
  readonly stayed?: readonly string[];
  /** The texts of a skill, by its name; undefined where nobody can tell. */
  readonly skill?: (name: string) => Promise<readonly string[] | undefined>;
}

/**
 * What a call of an agent's own tool touches. Throws a ToolError where the arguments that would say it are missing: an
 * argument of another name may be read by the agent all the same.
 */
export async function hostAccesses(call: HostCall): Promise<readonly Access[]> {
  const { row, input, files, cwd } = call;
  const labels = new PlaceLabels(files, cwd);
  switch (row.does) {
    case 'nothing':
      return [];
    case 'files': {
      const paths = textsNamed(input, pathNames);
      const patterns = [...textsNamed(input, patternNames), ...(takesPatterns.has(call.tool) ? paths : [])];
      if (paths.length + patterns.length === 0) {
        if (row.mayNameNone === true) return [];
        if (!row.elseAll || !isToldNothing(input, row.elseAll)) throw unknownArguments(call);
        return placed(['.'], row.effects, labels, { recursive: true });
      }
      const chosen = await chosenBy({ patterns, folders: ['.'], hidden: true, isDeep: false }, files, labels);
      const effects = row.effects.filter((effect) => effect !== 'fs.read');
      const changed = effects.flatMap((effect) => chosen.map((access) => ({ ...access, effect })));
      const below = corrects(call) ? paths.map((path) => foundBelow(path, files, labels)) : [];
      const meant = [...paths, ...(await Promise.all(below)).flat()];
      return [...(await placed(meant, row.effects, labels)), ...chosen, ...changed];
    }
    case 'search':
    case 'grep':
      return searched(call, labels);
    case 'fetch':
      return fetched(call, labels);
    case 'patch': {
      // Which of several the agent reads is not known here, so each has to be a patch.
      const patches = textsNamed(input, /^(?:command|input|patch|patch_?text)$/i).map(patchedFiles);
      const patched = patches.flatMap((files) => files ?? []);
      if (patched.length === 0 || patches.includes(undefined)) throw unknownArguments(call);
      const found = await Promise.all(patched.map(({ path, effect }) => placed([path], [effect], labels)));
      return found.flat();
    }
    case 'shell':
      return ran(call, labels);
    case 'skill':
      return skilled(call, labels);
    case 'type':
      return typed(call, labels);
    case 'run':
      return [{ effect: 'system.exec', resource: wordsOf(call.tool, input) }];
  }
}

/** True where the arguments are only ones that are known, and the lists among them are empty. */
const isToldNothing = (input: unknown, names: ReadonlySet<string>): boolean =>
  isObject(input) &&
  Object.entries(input).every(
    ([name, value]) => names.has(name) && (value === null || (Array.isArray(value) && value.length === 0)),
  );

async function placed(
  paths: readonly string[],
  effects: readonly SideEffect[],
  labels: PlaceLabels,
  facts: Pick<Access, 'recursive'> = {},
): Promise<readonly Access[]> {
  const found: Access[] = [];
  for (const path of paths) {
    for (const place of uriPlaces(path))
      for (const resource of await labelsOf(place, labels, path))
        for (const effect of effects) found.push({ effect, resource, ...facts });
  }
  return found;
}

/** @param written the path as the agent wrote it. */
async function labelsOf(path: string, labels: PlaceLabels, written = path): Promise<readonly string[]> {
  const known = await labels.of(path);
  if (known === undefined) throw refusal('path_invalid', say('host_path_unreadable', written.slice(0, 200)));
  return known;
}

async function searched(call: HostCall, labels: PlaceLabels): Promise<readonly Access[]> {
  const { tool, row, input, files } = call;
  const named = textsNamed(input, pathNames);
  const folders = named.length > 0 ? named : ['.'];
  // Of a search for names the pattern itself chooses; what only lists leaves out hidden files.
  const isByName = /^(?:glob|file_search)$/i.test(tool);
  const names = isByName ? textsNamed(input, /^(?:pattern|query|globPattern)$/) : [];
  const patterns = textsNamed(input, patternNames);
  const isLooked = row.does === 'grep';
  return [
    ...(await placed(folders, ['fs.read'], labels, { recursive: true })),
    ...(await chosenBy({ patterns, folders, hidden: !isByName, isDeep: true, isLooked }, files, labels)),
    ...(await chosenBy({ patterns: names, folders, hidden: false, isDeep: true }, files, labels)),
    ...(row.does === 'grep' ? await grepped(row, { folders, patterns, ...howGrepped(call) }, files, labels) : []),
  ];
}

const howGrepped = ({ tool, input }: HostCall) => ({
  types: textsNamed(input, /^type$/),
  takesIgnored:
    isObject(input) &&
    Object.entries(input).some(
      ([name, value]) =>
        (value !== false && value !== null && /^(?:no_?ignore|include_?ignored(?:_?files)?)$/i.test(name)) ||
        (value === false && /^respect_?git_?ignore$/i.test(name)),
    ),
  words: wordsOf(tool, input),
});

/** A call as a person reads it. */
const wordsOf = (tool: string, input: unknown): string => `${tool} ${JSON.stringify(input)}`.slice(0, 4000);

async function fetched(call: HostCall, labels: PlaceLabels): Promise<readonly Access[]> {
  const found = new Map<string, Access>();
  const files: string[] = [];
  for (const text of textsNamed(call.input, /(?:)/))
    for (const { type, text: place, certainty } of mentionsIn(text, 'acting'))
      if (type === 'host' && certainty === 'written')
        found.set(place, { effect: 'network.http', resource: place, method: 'GET' });
  for (const url of textsNamed(call.input, /^(?:urls?|uri)$/i)) {
    const reading = readUrl(url);
    if (reading.type === 'url')
      found.set(reading.url, { effect: 'network.http', resource: reading.url, method: 'GET' });
    else if (reading.type === 'file') files.push(reading.path);
    else found.set(url, { effect: 'network.http', resource: url.trim(), method: 'GET' });
  }
  if (found.size + files.length === 0) throw unknownArguments(call);
  return [...found.values(), ...(await placed(files, ['fs.read'], labels))];
}

async function ran(call: HostCall, labels: PlaceLabels): Promise<readonly Access[]> {
  const { row, files, stayed = [] } = call;
  // An agent that knows no such argument runs the line where it is.
  const named = textsNamed(call.input, folderNames).map((folder) => absolute(folder, labels.cwd));
  const isOpen = row.does === 'shell' && row.staysOpen === true;
  const others = new Set([...named, ...(isOpen ? stayed : [])].filter((one) => one !== '' && one !== labels.cwd));
  const places = [labels, ...[...others].map((folder) => new PlaceLabels(files, folder))];
  const isWindows = files.style === 'windows';
  const language = row.does === 'shell' ? row.language : 'posix';
  const found: Access[] = [];
  for (const line of linesOf(call))
    for (const at of places) {
      if (language !== 'powershell') found.push(...(await lineAccesses(call, line, at, 'posix')));
      if (language === 'powershell' || (language === 'machine' && isWindows))
        found.push(...(await lineAccesses(call, line, at, 'powershell')));
    }
  // From a folder that nobody can tell only a whole path leads to one that is known.
  const isLost = isOpen && stayed.includes('') && !linesOf(call).every((line) => goesToWhole.test(line));
  if (isLost) found.push({ effect: 'system.exec', resource: linesOf(call).join('\n').slice(0, 4000) });
  // A line that only reads its folder still is a call that touches it.
  if (!found.some(({ suspected }) => suspected === undefined))
    for (const at of places) found.push(...(await placed(['.'], ['fs.read'], at)));
  return found;
}

async function skilled(call: HostCall, labels: PlaceLabels): Promise<readonly Access[]> {
  const [name = '', ...others] = textsNamed(call.input, /^(?:skill|command)$/).map((text) => text.split(/\s/, 1)[0]);
  const texts = others.length === 0 ? await call.skill?.(name) : undefined;
  const unknown: Access = {
    effect: 'system.exec',
    resource: `${call.tool} ${JSON.stringify(call.input)}`.slice(0, 4000),
  };
  if (!texts || texts.length === 0) return [unknown];
  const found = await Promise.all(texts.flatMap(skillLines).map((line) => lineAccesses(call, line, labels, 'posix')));
  return [...found.flat(), ...(texts.some(takesArguments) ? [unknown] : [])];
}

/** A line of which everything else runs in a folder that it names as a whole. */
const goesToWhole = /^\s*cd\s+(?:"[/~][^"$`\\]*"|'[/~][^']*'|[/~][\w./~+-]*)\s*(?:&&[^;|&\n]*)*$/;

async function lineAccesses(
  { files, agent }: HostCall,
  line: string,
  labels: PlaceLabels,
  language: 'posix' | 'powershell',
): Promise<readonly Access[]> {
  const accesses = await commandLineAccesses(line, { files, labels, isRemote: false, language });
  if (!accesses) throw refusal('path_invalid', say('host_path_unreadable', say('content', line.slice(0, 200))));
  // What is typed into a shell that stays open is told to nobody there.
  if (agent !== 'codex' || !opensShell(line)) return accesses;
  return [...accesses, { effect: 'system.exec_interactive', resource: line.slice(0, 4000) }];
}

/** True where a line starts a shell or another program that goes on with what is typed. */
function opensShell(line: string): boolean {
  const { unknown, talking } = readShell(line);
  return (
    talking.length > 0 ||
    unknown.some(({ code, text }) => code === 'piped_into_shell' && !/[|<]/.test(text) && !line.includes('|'))
  );
}

async function typed(call: HostCall, labels: PlaceLabels): Promise<readonly Access[]> {
  const line = linesOf(call)
    .join('\n')
    .replaceAll(/\{enter\}/gi, '\n')
    .replaceAll(/\{\w+\}/g, ' ');
  const found = (await commandLineAccesses(line, { files: call.files, labels, isRemote: false })) ?? [];
  // Which program reads it, and in which folder, is not told.
  return [...found, { effect: 'system.exec', resource: line.slice(0, 4000) }];
}

/** Every argument that may be the line: which one an agent reads, and whether it takes others, is not known here. */
function linesOf(call: HostCall): readonly string[] {
  const lines = Object.entries(isObject(call.input) ? call.input : {}).flatMap(([name, value]): readonly string[] => {
    if (!lineNames.has(name) || value === null || value === '') return [];
    if (typeof value === 'string' && value.length <= longestText) return [value];
    if (isStrings(value)) return [value.map(shellWord).join(' ')];
    throw unknownArguments(call);
  });
  if (lines.length === 0) throw unknownArguments(call);
  return lines;
}

const absolute = (folder: string, cwd: string | undefined): string =>
  /^(?:[/\\~]|[a-z]:)/i.test(folder) || cwd === undefined ? folder : `${cwd}/${folder}`;

/** The texts of every argument of such a name, at any depth. */
function textsNamed(input: unknown, names: RegExp): readonly string[] {
  const found: string[] = [];
  const visit = (value: unknown, isNamed: boolean): void => {
    if (typeof value === 'string') {
      if (isNamed && value !== '') found.push(value);
    } else if (Array.isArray(value)) for (const item of value) visit(item, isNamed);
    else if (isObject(value)) for (const [name, item] of Object.entries(value)) visit(item, names.test(name));
  };
  visit(input, false);
  if (found.length > mostPaths) throw refusal('too_large', say('host_too_many_paths', mostPaths));
  return found;
}

const unknownArguments = ({ agent, tool }: Pick<HostCall, 'agent' | 'tool'>): ToolError =>
  refusal('invalid_input', say('host_arguments_unknown', tool, agent));
