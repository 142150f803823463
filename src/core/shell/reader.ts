import type { SideEffect } from '../vocabulary/access';
import type { Field } from './field';
import type { NotUnderstoodCode, ShellPut } from './shellReading';
import type { Scope } from './scope';
import type { TreeHow } from './trees';

/** What a command reads from the one before it. */
export interface Io {
  /** The text, where it is known. */
  readonly stdin?: string;
  /** True where something arrives, known or not. */
  readonly isFed: boolean;
  /** True where what it prints is shown to nobody: it goes to another program, a file or a variable. */
  readonly isPiped?: true;
}

export const noInput: Io = { isFed: false };

/** What a touched file has to be said about it. */
export interface TouchFacts {
  readonly recursive?: boolean;
  readonly permanent?: boolean;
  readonly suspected?: 'written' | 'guessed';
  /** True where a tree tells what a pattern stands for within the workspace. */
  readonly isListed?: true;
  /** The pattern whose names are written, where a put tells those that can be listed. */
  readonly source?: string;
}

/** How a command puts its sources into a target; see `ShellPut`. */
export type PutHow = Pick<ShellPut, 'into' | 'isTree' | 'does' | 'keepsPath' | 'leftOut'>;

/** The reading of one line, as the parts that know programs see it. */
export interface Reader {
  readonly scope: Scope;
  touch(effect: SideEffect, field: Field, words: string, facts?: TouchFacts): void;
  /** A source that is put into a target, under a name that the disk tells. */
  put(from: Field, to: Field, how: PutHow, words: string): void;
  /** A folder that is read with all below it, from those folders in which the shell may be, or from others. */
  tree(folder: Field, how: TreeHow, words: string, from?: Scope['folders']): void;
  /** A URL or a bare host that is contacted. */
  contact(text: string, words: string, method?: string): void;
  connect(host: string, words: string): void;
  /** Git takes the repository of the working folder, whose settings may run programs. */
  repository(words: string): void;
  unknown(code: NotUnderstoodCode, text: string): void;
  /** A program that waits for what a person types. */
  talk(words: string): void;
  /** Finds the places in text of another language. */
  scan(text: string, words: string): void;
  /** Takes a word for a file that may be meant. */
  suspect(field: Field, words: string): void;
  /** Counts work; false where there has been too much of it. */
  spend(work: number): boolean;
  /** Reads what runs where a shell takes texts, or what its variables hold, for numbers or for names of variables. */
  reckon(texts: readonly Field[], words: string): void;
  /** Reads what a text runs where a shell expands it once more. */
  expandAgain(text: string, words: string): void;
  /** Reads text as a line of this shell, or of a new one that is called with arguments. */
  runText(text: string, own?: { readonly args: readonly Field[] }): string | undefined;
  /** Reads words as a command; `isProgram` where it is no function. */
  runWords(fields: readonly Field[], io: Io, isProgram?: boolean): string | undefined;
  /** Reads text once more when all is done, in any state that the shell was in. */
  atEnd(text: string): void;
  /** Reads what happens in a shell of its own that begins as a copy of this one. */
  inside<T>(work: (inner: Reader) => T): T;
  /** Reads what happens in another program; `isCleared` where it may not get what this one exports. */
  apart<T>(work: (inner: Reader) => T, isCleared?: boolean): T;
}

export const wordsOf = (fields: readonly Field[]): string => fields.map(({ text }) => text).join(' ');
