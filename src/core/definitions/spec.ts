import { type Sentence, worded } from '../base/sentence';
import type { Capability } from '../capability/capability';
import type { ToolDefinition } from '../vocabulary/toolDefinition';
import type { BoundFiles, HandlerSpec } from './handlers/handlerSpec';

/** An access that a definition declares; its resource is a template over the input. */
export interface AccessSpec {
  readonly effect: string;
  readonly resource: string;
  readonly method?: string;
}

/** One tool of a definition: what is said about it and what it does, as plain data. */
export interface ToolSpec {
  readonly definition: ToolDefinition;
  readonly handler: HandlerSpec;
  readonly accesses: readonly AccessSpec[];
  /** Where the tool stands in its file. */
  readonly pointer: string;
}

/** A capability as a file defines it, before its tools are given handlers. */
export interface DefinitionSpec {
  /** Without tools; `buildCapabilities` makes them. */
  readonly capability: Capability;
  readonly tools: readonly ToolSpec[];
  readonly file: string;
}

/** Where the text of a definition came from. */
export interface DefinitionOrigin {
  /** `workspace` for files and settings of the repository, `user` for a channel of the user's own settings. */
  readonly by: 'user' | 'workspace';
  /** The address of a manifest that was fetched. */
  readonly url?: string;
}

/** A definition that holds, with the document that it was read from. */
export interface HeldDefinition extends DefinitionSpec {
  readonly origin: DefinitionOrigin;
  readonly text: string;
  readonly document: unknown;
}

/** With the files of the workspace that run as part of it, as they were when they were read. */
export interface BoundDefinition extends HeldDefinition {
  readonly files: BoundFiles;
}

export type DefinitionFormat = 'capability' | 'actions' | 'channel';

/** The format that a file's name says, undefined for other files. */
export function formatOf(file: string): DefinitionFormat | undefined {
  return /\.(capability|actions|channel)\.json$/.exec(file)?.[1] as DefinitionFormat | undefined;
}

/** The part of a file's name before its format: `weather.actions.json` → `weather`. */
export function stemOf(file: string): string {
  return (file.split('/').at(-1) ?? file).replace(/\.(capability|actions|channel)\.json$/, '');
}

export function folderOf(file: string): string {
  return file.split('/').slice(0, -1).join('/');
}

/** What a capability is for, in its author's words; `otherwise` says it where they say nothing. */
export const describedBy = (
  description: string | undefined,
  otherwise: Sentence,
): Pick<Capability, 'description' | 'summary'> =>
  description === undefined ? { description: worded(otherwise), summary: otherwise } : { description };
