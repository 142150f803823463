import type { SideEffect } from '../vocabulary/access';
import { mentionsIn, TooManyMentions } from '../places/mentions';
import { readUrl } from '../places/urlReadings';
import { type Field, plainField } from './field';
import type { Ledger } from './ledger';
import type { PutHow, Reader, TouchFacts } from './reader';
import { joined, type Scope } from './scope';
import type { TreeHow } from './trees';

const longestPath = 1024;
const mostScanned = 40_000;

/** Files that every process has open, and those that hold nothing. */
const inert =
  /^(?:-|\/dev\/(?:null|zero|full|random|urandom|stdin|stdout|stderr|tty|ptmx|fd\/\d+)|\/proc\/self\/fd\/\d+)$/;

/** What a word that is guessed at may be for. */
const guessed = ['fs.read', 'fs.write'] as const;

/** What was looked at before in one line, by all of its parts. */
export interface Seen {
  /** The line as it is written, whose places are guessed at as a whole. */
  line: string;
  /** Words that were guessed at before, and texts that were searched, with the folders in which that was. */
  readonly guessed: Set<string>;
  /** How many characters were searched for places. */
  scanned: number;
}

/** Tells the ledger what a line touches, from the folders that its scope may be in. */
export class Sightings implements Pick<
  Reader,
  'touch' | 'put' | 'tree' | 'contact' | 'connect' | 'repository' | 'unknown' | 'talk' | 'scan'
> {
  readonly scope: Scope;
  readonly ledger: Ledger;
  readonly #seen: Seen;

  constructor(scope: Scope, ledger: Ledger, seen: Seen) {
    this.scope = scope;
    this.ledger = ledger;
    this.#seen = seen;
  }

  touch(effect: SideEffect, field: Field, words: string, facts: TouchFacts = {}): void {
    this.#touch([effect], field, words, facts);
  }

  #touch(effects: readonly SideEffect[], field: Field, words: string, facts: TouchFacts): void {
    const { text, isPattern, isKnown } = field;
    if (text === '' || inert.test(text) || text.length > 4096) return;
    const device = /^\/dev\/(?:tcp|udp)\/([^/]+)\/([^/]+)/.exec(text);
    if (device) return this.connect(`${device[1] ?? ''}:${device[2] ?? ''}`, words);
    const { suspected, recursive, permanent, isListed, source } = facts;
    const isOpen = !isKnown || (isPattern && this.scope.hasWidePatterns);
    if (isOpen && suspected === undefined) this.unknown('unknown_word', words);
    const path = pathOf(text);
    for (const [index, folder] of this.scope.folders.entries()) {
      const resource = joined(folder, path);
      const from = source === undefined ? undefined : joined(folder, pathOf(source));
      if (resource === undefined && suspected === undefined) this.unknown('unknown_folder', words);
      // Only the likeliest folder makes a certain access.
      const doubt = index > 0 ? (suspected ?? 'written') : suspected;
      const touched = {
        resource: resource ?? path,
        ...(recursive ? { recursive } : {}),
        ...(permanent ? { permanent } : {}),
        ...(isPattern ? { isPattern: true as const } : {}),
        ...(isListed ? { isListed } : {}),
        ...(from === undefined || index > 0 ? {} : { from }),
        ...(doubt === undefined ? {} : { suspected: doubt }),
      };
      for (const effect of effects) this.ledger.add({ effect, ...touched }, words);
    }
  }

  put(source: Field, target: Field, how: PutHow, words: string): void {
    // What is not known asks as what is read or written.
    if (!source.isKnown || !target.isKnown) return;
    const [folder] = this.scope.folders;
    const [from, to] = [joined(folder, pathOf(source.text)), joined(folder, pathOf(target.text))];
    if (from === undefined || to === undefined) return;
    this.ledger.put({ from, to, isPattern: source.isPattern, isPatternTo: target.isPattern, ...how, words });
  }

  tree({ text, isPattern, isKnown }: Field, how: TreeHow, words: string, from = this.scope.folders): void {
    if (!isKnown || text === '') return;
    for (const folder of from) {
      const path = joined(folder, pathOf(text));
      if (path !== undefined) this.ledger.tree({ path, isPattern, ...how, words });
    }
  }

  contact(text: string, words: string, method = 'GET'): void {
    const written = text.trim();
    const reading = readUrl(written);
    if (reading.type === 'file') return this.touch('fs.read', plainField(reading.path), words);
    const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(written);
    if (reading.type === 'unreadable') this.unknown('unknown_word', words);
    const isUrl = hasScheme || reading.type === 'url';
    this.ledger.add({ effect: 'network.http', resource: isUrl ? written : `http://${written}`, method }, words);
  }

  connect(host: string, words: string): void {
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(host)) return this.contact(host, words);
    const plain = host.replace(/^[^@]*@/, '');
    this.ledger.add({ effect: 'network.socket', resource: plain }, words);
  }

  repository(words: string): void {
    const { folders, isElsewhere } = this.scope;
    for (const folder of folders)
      if (folder !== undefined) this.ledger.repository(folder, words);
      else if (isElsewhere) this.unknown('unknown_folder', words);
  }

  unknown(...args: Parameters<Reader['unknown']>): void {
    this.ledger.unknown(...args);
  }

  talk(words: string): void {
    this.ledger.talk(words);
  }

  scan(text: string, words: string): void {
    const key = `in ${text} ${this.scope.folders.join('\0')}`;
    const isNew = !this.#seen.guessed.has(key);
    if (!this.ledger.spend(text.length / (isNew ? 20 : 200)) || !isNew) return;
    this.#seen.guessed.add(key);
    this.#seen.scanned += text.length;
    if (this.#seen.scanned > mostScanned) return this.unknown('too_long', '');
    try {
      for (const mention of mentionsIn(text, 'command')) {
        if (mention.type === 'path') this.#guess(plainField(mention.text), words);
        else this.ledger.add({ effect: 'network.http', resource: mention.text, suspected: mention.certainty }, words);
      }
    } catch (error) {
      if (!(error instanceof TooManyMentions)) throw error;
      this.unknown('too_long', '');
    }
  }

  /** Takes a word for a file that may be meant, so that none slips by for what a table does not say. */
  suspect({ text, isPattern, isKnown }: Field, words: string): void {
    if (text === '' || text.length > longestPath) {
      if (text !== '') this.scan(text, words);
      return;
    }
    if (!this.ledger.spend(0.1 + text.length / 100)) return;
    const { folders } = this.scope;
    const key = `${isPattern} ${text} ${folders.length === 1 ? folders[0] : folders.join('\0')}`;
    if (this.#seen.guessed.has(key)) return;
    this.#seen.guessed.add(key);
    const parts = new Set([text, ...text.split(/[=:,@]/), ...(/^-[a-zA-Z]./.test(text) ? [text.slice(2)] : [])]);
    for (const part of parts)
      if (part !== '' && !part.startsWith('-')) this.#guess({ text: part, isPattern, isKnown }, words);
    if (/[:.\s]/.test(text) && !this.#seen.line.includes(text)) this.scan(text, words);
  }

  #guess(field: Field, words: string): void {
    this.#touch(guessed, field, words, { suspected: 'guessed' });
  }
}

/** The path that a `file:` URL names, else the text itself. */
function pathOf(text: string): string {
  const url = /^\s*file:/i.test(text) ? readUrl(text) : undefined;
  return url?.type === 'file' ? url.path : text;
}
