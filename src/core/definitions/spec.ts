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
  /** Without tools; they are made by `buildCapability`. */
  readonly capability: Capability;
  readonly tools: readonly ToolSpec[];
  readonly file: string;
}

/** A definition with the files of the workspace that run as part of it, as they were when they were read. */
export interface BoundDefinition extends DefinitionSpec {
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
