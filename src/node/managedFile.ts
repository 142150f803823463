import { lstatSync, unwatchFile, watchFile } from 'node:fs';
import path from 'node:path';
import { canonicalJson, isObject } from '../core/base/json';
import { got } from '../core/base/jsonReader';
import type { Disposable } from '../core/base/lifecycle';
import { type Problem, problem } from '../core/base/problem';
import { say, type Sentence } from '../core/base/sentence';
import { readJsonDocument } from '../core/base/jsonDocument';
import { settingSpecs } from '../core/settings/settingTable';
import { unreadableSettings } from '../core/settings/readSettings';
import { meantBy, unreadable } from '../core/settings/settingValues';
import { isAdministratorsFolder, type MachineFacts, notAdministrators, thisMachine } from './administratorFile';
import { fileStamp } from './fileStamp';
import { readSmallFile } from './regularFile';
import { programData } from './windowsSecurity';

/**
 * Where an administrator puts the managed settings: a fixed path of each operating system, which only an administrator
 * can write.
 */
export function managedFilePath(platform: NodeJS.Platform, allUsersFolder: () => string = programData): string {
  switch (platform) {
    case 'win32':
      return path.win32.join(allUsersFolder(), 'AgentCapabilities', 'managed.json');
    case 'darwin':
      return '/Library/Application Support/AgentCapabilities/managed.json';
    default:
      return '/etc/agent-capabilities/managed.json';
  }
}

/** The fixed place of a managed file, and one that is named. */
export type ManagedPlaces = readonly [fixed: string] | readonly [fixed: string, named: string];

/**
 * Where a managed file may stand. A name of another type than a text is one of a file that is not there.
 * @param fixed asking Windows for it starts a program, so whoever asks often asks once.
 */
export function managedPlaces(named: unknown, fixed = managedFilePath(process.platform)): ManagedPlaces {
  const name = typeof named === 'string' ? named : (JSON.stringify(named) ?? '');
  return name === '' ? [fixed] : [fixed, path.resolve(name)];
}

/** The one in force: the one at the fixed place where there is one, so that no setting leads past it. */
function inForce([fixed, named]: ManagedPlaces): string {
  return named === undefined || isThere(fixed) ? fixed : named;
}

/** What may not be looked at is there. */
function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/**
 * Settings of our own in an object of settings: keys `agentCapabilities.*`, or all of them below one key
 * `agentCapabilities`.
 */
export function ownSettings(value: unknown): Record<string, unknown> {
  if (!isObject(value)) return {};
  const own: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (key === 'agentCapabilities' && isObject(item)) Object.assign(own, item);
    else if (key.startsWith('agentCapabilities.')) own[key.slice('agentCapabilities.'.length)] = item;
  }
  return own;
}

/** A managed file is about nothing but settings of ours, so whatever else stands in it was meant as one and is told. */
function managedSettings(
  file: Readonly<Record<string, unknown>>,
  lost: readonly string[],
): { readonly values: Record<string, unknown>; readonly problems: readonly Sentence[] } {
  const problems: Sentence[] = [];
  const key = Object.keys(file).find((one) => one.toLowerCase() === 'agentcapabilities') ?? 'agentCapabilities';
  const group = file[key];
  if (group !== undefined && (!isObject(group) || key !== 'agentCapabilities' || lost.includes('/agentCapabilities'))) {
    const came = !isObject(group) ? got(group) : key === 'agentCapabilities' ? say('two') : `\`${key}\``;
    return { values: unreadableSettings(), problems: [say('strictest_until_mended', say('settings_no_object', came))] };
  }
  const values = ownSettings(file);
  const spoil = (name: string, why: Sentence): void => {
    values[name] = unreadable;
    problems.push(why);
  };
  for (const [name, value] of Object.entries(group ?? {})) {
    const flat = `agentCapabilities.${name}`;
    if (Object.hasOwn(file, flat) && canonicalJson(file[flat]) !== canonicalJson(value))
      spoil(name, say('setting_in_both', name, flat));
  }
  // Of a setting that is there twice nobody can say which one was meant.
  for (const pointer of lost) {
    const name = /^\/agentCapabilities[./]([^/]+)/.exec(pointer)?.[1];
    if (name !== undefined) values[name] = unreadable;
  }
  const known = new Set<string>(settingSpecs.map((spec) => spec.key));
  for (const other of Object.keys(file)) {
    if (other === key || other.startsWith('agentCapabilities.') || other === '$schema') continue;
    const name = other.replace(/^agentcapabilities\./i, '');
    const meant = known.has(name) ? [name] : Object.keys(meantBy([name], known, 'all'));
    const says = say('no_setting', other);
    if (meant.length === 0) problems.push(says);
    for (const one of meant) spoil(one, say('write_instead', says, `agentCapabilities.${one}`));
  }
  return { values, problems };
}

/**
 * How often a managed file is looked at; administrators' tools replace such files whole, which watchers of folders
 * miss.
 */
const pollMs = 5000;

/**
 * The managed settings, read at once and again when their file changes or another comes into force. At the fixed place
 * no file manages nothing, nor does one that others than an administrator can write, which is told to `onProblem`. One
 * that is an administrator's and cannot be read, and one that is named and is none of an administrator's or not there,
 * keeps what it said before (invariant: nothing lost); where that is not known, every setting is as strict as it can
 * be, for whoever named it wants it to count.
 */
export class ManagedFile implements Disposable {
  #places: ManagedPlaces;
  readonly #onProblem: (said: Sentence) => void;
  readonly #machine: MachineFacts;
  #path: string;
  #values: Record<string, unknown> = {};
  #problems: Problem[] = [];
  /** True once the file said something that could be read. */
  #isKnown = false;
  #watching: (Disposable & { readonly onChange: () => void }) | undefined;
  /** When and how large the file was that was read last. */
  #seen = '';

  constructor(places: ManagedPlaces, onProblem: (said: Sentence) => void, machine: MachineFacts = thisMachine) {
    this.#places = places;
    this.#path = inForce(places);
    this.#onProblem = onProblem;
    this.#machine = machine;
    this.#read();
  }

  get values(): Readonly<Record<string, unknown>> {
    return this.#values;
  }

  /** What is wrong with the file as it was read last. */
  get problems(): readonly Problem[] {
    return this.#problems;
  }

  /**
   * Reads the file where it is another one than before, and answers whether it did: a call does not wait for a poll.
   * @param anew whether it is read in any case.
   */
  refresh(anew = false): boolean {
    const file = inForce(this.#places);
    // What another file said does not stay in force.
    if (file !== this.#path) this.#isKnown = false;
    else if (!anew && fileStamp(file) === this.#seen) return false;
    this.#path = file;
    this.#read();
    return true;
  }

  /** Another file is named, or none any more: what stands there counts at once. */
  lookIn(places: ManagedPlaces): void {
    this.#places = places;
    this.refresh();
    if (this.#watching) this.watch(this.#watching.onChange);
  }

  /** Calls back after each change of the file, and where another comes to a place where it may stand. */
  watch(onChange: () => void): void {
    this.#watching?.dispose();
    // Of what was read before a call, that call has told.
    const listener = (): void => void (this.refresh() && onChange());
    const places = this.#places;
    for (const file of places) watchFile(file, { interval: pollMs, persistent: false }, listener);
    const dispose = (): void => places.forEach((file) => unwatchFile(file, listener));
    this.#watching = { onChange, dispose };
  }

  #read(): void {
    this.#seen = fileStamp(this.#path);
    this.#problems = [];
    const read = readSmallFile(this.#path);
    if (read.type === 'absent')
      return this.#isNamed ? this.#keep(say('managed_file_absent', this.#path)) : this.#take({}, false);
    const isClosed = read.type === 'unreadable' && isAdministratorsFolder(path.dirname(this.#path), this.#machine);
    const foreign = isClosed ? undefined : notAdministrators(this.#path, this.#machine);
    if (foreign !== undefined) {
      const said = say('managed_file_foreign', this.#path, foreign);
      if (this.#isNamed) return this.#keep(said);
      this.#take({}, false);
      return this.#tell(said);
    }
    if (read.type === 'unreadable') return this.#keep(say('managed_file_unreadable', this.#path, read.fault));
    const document = readJsonDocument(read.text, this.#path);
    if (document.problems.some(({ severity }) => severity === 'error') || !isObject(document.value))
      return this.#keep(say('managed_file_no_json', this.#path));
    const { values, problems } = managedSettings(document.value, document.lost);
    for (const fault of problems) this.#tell(say('managed_file', this.#path, fault));
    for (const { line = 1, said } of document.problems) this.#tell(say('managed_file_line', this.#path, line, said));
    this.#take(values, true);
  }

  #take(values: Record<string, unknown>, isKnown: boolean): void {
    this.#values = values;
    this.#isKnown = isKnown;
  }

  #keep(why: Sentence): void {
    if (!this.#isKnown) this.#values = unreadableSettings();
    this.#tell(say(this.#isKnown ? 'before_stays_in_force' : 'strictest_until_mended', why));
  }

  /** Whether a setting names the file that is looked at. */
  get #isNamed(): boolean {
    return this.#path === this.#places[1];
  }

  #tell(said: Sentence): void {
    const subject = this.#isNamed ? { subject: 'policy.managedFile' } : {};
    this.#problems.push(problem({ severity: 'error', code: 'managed_file', said, ...subject }));
    this.#onProblem(said);
  }

  dispose(): void {
    this.#watching?.dispose();
  }
}
