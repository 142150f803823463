import { type Access, familyOf, type SideEffect } from '../vocabulary/access';
import { isObject, parsedJson } from '../base/json';
import type { JsonSchema } from '../base/schema';
import { say } from '../base/sentence';
import { placeOfArgument, refusal, type ToolError } from '../vocabulary/errors';
import type { FileSystem } from '../ports/files';
import { inertOr, isInert, keptRole, longestValue, type NameRole, namesHost, type Role, roleOf } from './argumentRoles';
import { TooManyMentions, type TextUse } from '../places/mentions';
import type { AccessMapping, ArgumentEffect } from './overrides';
import { PlaceLabels } from './placeLabels';
import { isFetching, isProse } from './prose';
import { suspectsIn } from './suspects';
import { readUrl } from '../places/urlReadings';
import { addressIn, isWords, urlsIn } from './addresses';
import { wordsOf } from '../vocabulary/names';
import type { WorkspaceFolder } from '../ports/workspacePath';
import { starPattern } from '../base/starPattern';

const mostValues = 2000;
const longestJson = 1_000_000;
const mostSuspects = 8000;
const deepest = 64;

/** What is known of a tool whose arguments are read. */
interface MappingFacts {
  readonly tool: string;
  readonly schema: JsonSchema;
  /** The tool's inferred side effects, from which the effect of a path argument follows. */
  readonly sideEffects: readonly SideEffect[];
  readonly readOnly: boolean;
  readonly mapping: AccessMapping;
  /** True where the receiver is another machine, which reads no files of this one. */
  readonly isRemote?: boolean;
  /**
   * What names of arguments were found to mean, kept with the tool so that its next call need not take them apart
   * again; or what is known of them beforehand. By `format`, NUL and name.
   */
  readonly roles?: Map<string, NameRole>;
}

/**
 * The accesses of one call of a foreign tool: every argument that is a path, a URL or a command line by the user's
 * mapping, its schema, its name or its value, as written and as its receiver reads it: by the WHATWG parser, and by the
 * disk with its links. With them comes everything that any other text might mean (`Access.suspected`). What looks like
 * a place and cannot be read is refused.
 */
export async function foreignAccesses(
  facts: MappingFacts,
  input: unknown,
  files: FileSystem,
  cwd: string | undefined,
): Promise<readonly Access[]> {
  return new ForeignArgumentReader(facts, files, cwd).read(input);
}

/** Reads the arguments of one call. */
class ForeignArgumentReader {
  readonly #facts: MappingFacts;
  readonly #files: FileSystem;
  readonly #folders: readonly WorkspaceFolder[];
  readonly #labels: PlaceLabels;
  readonly #rules: readonly Readonly<Record<string, ArgumentEffect>>[];
  readonly #found = new Map<string, Access>();
  readonly #suspects = new Map<string, Access>();
  readonly #seenTexts = new Set<string>();
  readonly #fetches: boolean;
  #values = 0;

  constructor(facts: MappingFacts, files: FileSystem, cwd: string | undefined) {
    this.#facts = facts;
    this.#fetches = isFetching(facts.tool);
    this.#files = files;
    this.#folders = files.folders();
    this.#labels = new PlaceLabels(files, cwd);
    this.#rules = Object.entries(facts.mapping).flatMap(([tool, table]) =>
      starPattern(tool)(facts.tool) ? [table] : [],
    );
  }

  async read(input: unknown): Promise<readonly Access[]> {
    await this.#visit(input, {
      name: '',
      pointer: '',
      schema: this.#facts.schema,
      isNested: false,
      besidePath: false,
      isFileText: false,
      depth: 0,
    });
    for (const key of this.#found.keys()) {
      this.#suspects.delete(key);
      this.#suspects.delete(`${key}\0mentioned`);
    }
    return [...this.#found.values(), ...this.#suspects.values()];
  }

  async #visit(value: unknown, at: Place): Promise<void> {
    if (at.depth > deepest) throw argumentRefused(at.pointer, 'too_deep');
    const depth = at.depth + 1;
    if (Array.isArray(value)) {
      const items = isObject(at.schema) ? at.schema['items'] : undefined;
      for (const item of value) await this.#visit(item, { ...at, schema: items, depth });
    } else if (isObject(value)) {
      const besidePath = Object.entries(value).some(
        ([name, one]) => typeof one === 'string' && this.#role({ ...at, name }) === 'path',
      );
      const properties = isObject(at.schema) && isObject(at.schema['properties']) ? at.schema['properties'] : {};
      for (const [key, item] of Object.entries(value)) {
        const pointer = `${at.pointer}/${key}`;
        const schema = Object.hasOwn(properties, key) ? properties[key] : undefined;
        // A key that no schema names is as much the caller's text as a value.
        if (schema === undefined && /[/\\.:~%]/.test(key)) {
          await this.#suspect(key, 'acting', { ...at, name: '', pointer });
          await this.#json(key, { ...at, name: '', pointer, besidePath: false });
        }
        await this.#visit(item, { ...at, name: key, pointer, schema, besidePath, depth });
      }
    } else if (typeof value === 'string' && value !== '') await this.#text(value, at);
    else if (typeof value === 'number' && value >= 0x1000000 && (namesHost(at.name) || this.#role(at) === 'url'))
      await this.#text(String(value), at);
  }

  async #text(value: string, at: Place): Promise<void> {
    if (++this.#values > mostValues) throw refusal('too_large', say('too_many_texts', mostValues));
    const mapped = this.#mapped(at);
    // The user's word that an argument only looks like a place.
    if (mapped?.includes('none')) return;
    const byName = this.#role(at);
    const role = at.isNested ? undefined : roleOf(mapped, { name: at.name, byName }, value, this.#folders);
    if (role) await this.#judge(role, value, at);
    const use: TextUse =
      role?.type === 'command' ? 'command' : byName === 'content' || isInert(at.name) ? inertOr(at.name) : 'acting';
    if (role === undefined && use === 'acting') refuseUnreadable(value, at);
    await this.#suspect(value, use, at);
    await this.#json(value, at);
  }

  /** Text that holds JSON is read by a receiver that takes it apart; what it holds was not asked about before. */
  async #json(value: string, at: Place): Promise<void> {
    if (!/^\s*[[{"]/.test(value) || value.length > longestJson) return;
    const inner = parsedJson(value);
    if (inner === undefined) return;
    const isFileText = at.isFileText || (at.besidePath && isInert(at.name));
    await this.#visit(inner, { ...at, schema: undefined, isNested: true, isFileText, depth: at.depth + 1 });
  }

  #role({ name, schema }: Place): NameRole {
    return keptRole(name, isObject(schema) ? schema['format'] : undefined, this.#facts.roles);
  }

  #mapped({ pointer, name }: Place): readonly SideEffect[] | undefined {
    for (const table of this.#rules) {
      const key = [pointer, name].find((one) => Object.hasOwn(table, one));
      const found = key === undefined ? undefined : table[key];
      if (found !== undefined) return typeof found === 'string' ? [found] : found;
    }
    return undefined;
  }

  #add(access: Access): void {
    const key = `${access.effect}\0${access.resource}`;
    if (!this.#found.has(key)) this.#found.set(key, access);
  }

  #addSuspect(access: Access): void {
    const key = `${access.effect}\0${access.resource}${access.mentioned ? '\0mentioned' : ''}`;
    if (this.#suspects.get(key)?.suspected !== 'written') this.#suspects.set(key, access);
  }

  async #suspect(text: string, use: TextUse, at: Place): Promise<void> {
    const isHost = namesHost(at.name) || this.#role(at) === 'url';
    const prose = !this.#fetches && (at.isFileText || (!isHost && isProse(text, use, at.name)));
    const key = `${use} ${prose} ${at.name} ${text}`;
    if (this.#seenTexts.has(key)) return;
    this.#seenTexts.add(key);
    const effects = pathEffects(this.#facts, at.name);
    try {
      for (const access of await suspectsIn(
        { text, use, namesHost: isHost, effects, isProse: prose, isRemote: this.#facts.isRemote ?? false },
        this.#labels,
      )) {
        this.#addSuspect(access);
      }
    } catch (error) {
      throw error instanceof TooManyMentions ? argumentRefused(at.pointer, 'too_many_places') : error;
    }
    if (this.#suspects.size > mostSuspects) throw argumentRefused(at.pointer, 'too_many_places');
  }

  async #judge(role: Role, value: string, at: Place): Promise<void> {
    switch (role.type) {
      case 'command':
        this.#add({ effect: 'system.exec', resource: value });
        return this.#commandLine(value, at);
      case 'url':
        return this.#url(value, 'network.http', at);
      case 'path':
        return this.#path(value, pathEffects(this.#facts, at.name), at);
      case 'mapped':
        for (const effect of role.effects) {
          if (familyOf(effect) === 'fs') await this.#path(value, [effect], at);
          else if (familyOf(effect) === 'network') this.#url(value, effect, at);
          else this.#add({ effect, resource: value });
        }
    }
  }

  /** What a line for a shell does beside running something: the files and hosts of its commands. */
  async #commandLine(value: string, at: Place): Promise<void> {
    const isRemote = this.#facts.isRemote ?? false;
    const { commandLineAccesses } = await import('./commandLine');
    const found = await commandLineAccesses(value, { files: this.#files, labels: this.#labels, isRemote });
    if (!found) throw argumentRefused(at.pointer, 'unreadable_path');
    for (const access of found) {
      if (access.suspected === undefined) this.#add(access);
      else this.#addSuspect(access);
    }
    if (this.#suspects.size > mostSuspects) throw argumentRefused(at.pointer, 'too_many_places');
  }

  async #path(value: string, effects: readonly SideEffect[], at: Place): Promise<void> {
    if (this.#facts.isRemote) return;
    if (value.includes('\0')) throw argumentRefused(at.pointer, 'unreadable_path');
    const reading = readUrl(value);
    if (reading.type === 'unreadable' && /^\s*file:/i.test(value)) throw argumentRefused(at.pointer, 'unreadable_path');
    const labels = await this.#labels.of(reading.type === 'file' ? reading.path : value);
    if (labels === undefined) throw argumentRefused(at.pointer, 'unreadable_path');
    for (const resource of labels) for (const effect of effects) this.#add({ effect, resource });
  }

  #url(value: string, effect: SideEffect, at: Place): void {
    const method = this.#facts.readOnly ? { method: 'GET' } : {};
    for (const one of urlsIn(value)) {
      const read = addressIn(one);
      if (read.type === 'unreadable' && !isWords(one)) throw argumentRefused(at.pointer, read.fault);
      this.#add({ effect, resource: read.type === 'url' ? read.resource : one.trim(), ...method });
    }
  }
}

interface Place {
  readonly name: string;
  readonly pointer: string;
  readonly schema: unknown;
  /** Inside text that holds JSON, where names and schemas of the tool do not reach. */
  readonly isNested: boolean;
  /** True where a path stands beside it, in which its text may be kept. */
  readonly besidePath: boolean;
  /** Inside JSON that a file is to hold, which leads nowhere when it is written. */
  readonly isFileText: boolean;
  readonly depth: number;
}

/** Something that begins as a URL does, is one word, and is none to any receiver that we know. */
function refuseUnreadable(value: string, at: Place): void {
  if (
    value.length > longestValue ||
    /[^\S\t\n\r]/.test(value.trim()) ||
    !/^\s*(?:https?|wss?|ftp|file):/i.test(value.replace(/[\t\n\r]/g, ''))
  )
    return;
  const reading = readUrl(value);
  if (reading.type === 'unreadable') throw argumentRefused(at.pointer, reading.fault);
}

/**
 * What a path argument is used for, as far as the tool's effects and the argument's name say; a tool of unknown effect
 * reads.
 */
function pathEffects(facts: MappingFacts, name: string): readonly SideEffect[] {
  if (facts.readOnly) return ['fs.read'];
  const words = wordsOf(name);
  const has = (effect: SideEffect): boolean => facts.sideEffects.includes(effect);
  const toolWords = wordsOf(facts.tool);
  const moves = toolWords.some((word) => word === 'move' || word === 'rename');
  if (words.some((word) => word === 'source' || word === 'src' || word === 'from')) {
    if (moves) return ['fs.read', 'fs.delete'];
    return has('fs.delete') ? ['fs.read', 'fs.delete'] : ['fs.read'];
  }
  if (words.some((word) => /^(?:destination|dest|dst|target|to|output)$/.test(word)) && (has('fs.write') || moves))
    return ['fs.write'];
  const effects = (['fs.write', 'fs.delete', 'fs.chmod'] as const).filter(has);
  return effects.length > 0 ? [...(has('fs.write') ? ['fs.read'] : []), ...effects] : ['fs.read'];
}

/** Why an argument of a foreign tool cannot be judged. */
const refusals = {
  invalid_url: ['invalid_url', 'argument_no_url'],
  ambiguous_host: ['invalid_url', 'argument_ambiguous_host'],
  unreadable_path: ['path_invalid', 'argument_unreadable_path'],
  too_many_places: ['too_large', 'argument_too_many_places'],
  too_deep: ['too_large', 'argument_too_deep'],
} as const;

/** What looks like a place and cannot be read is refused, because its receiver may read it. */
function argumentRefused(pointer: string, reason: keyof typeof refusals): ToolError {
  const [code, why] = refusals[reason];
  const argument = pointer.slice(0, 200);
  const place = argument === '' ? '/' : placeOfArgument(argument);
  return refusal(code, say('argument_unjudged', place, say(why)), { details: { argument, reason } });
}
