import type { SideEffect } from '../vocabulary/access';
import type { Field } from './field';
import type { NotUnderstoodCode } from './shellReading';
import type { Scope } from './scope';

/** What a command reads from the one before it. */
export interface Io {
  /** The text, where it is known. */
  readonly stdin?: string;
  /** True where something arrives, known or not. */
  readonly isFed: boolean;
}

export const noInput: Io = { isFed: false };

/** What a touched file has to be said about it. */
export interface TouchFacts {
  readonly recursive?: boolean;
  readonly permanent?: boolean;
  readonly suspected?: 'written' | 'guessed';
}

/** The reading of one line, as the parts that know programs see it. */
export interface Reader {
  readonly scope: Scope;
  touch(effect: SideEffect, field: Field, words: string, facts?: TouchFacts): void;
  /** A URL or a bare host that is contacted. */
  contact(text: string, words: string, method?: string): void;
  connect(host: string, words: string): void;
  unknown(code: NotUnderstoodCode, text: string): void;
  /** Finds the places in text of another language. */
  scan(text: string, words: string): void;
  /** Reads text as a line of this shell, or of a new one that is called with arguments. */
  runText(text: string, own?: { readonly args: readonly Field[] }): string | undefined;
  /** Reads words as a command. */
  runWords(fields: readonly Field[], io: Io): string | undefined;
  /** Reads what needs a scope of its own. */
  apart<T>(work: (inner: Reader) => T): T;
}

export const wordsOf = (fields: readonly Field[]): string => fields.map(({ text }) => text).join(' ');
