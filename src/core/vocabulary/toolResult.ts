import type { Access, SideEffect } from './access';
import type { Json } from '../base/json';
import type { ToolErrorData } from './errors';

/** A picture or sound beside the payload; `data` is base64. */
export interface ToolMedia {
  readonly mimeType: string;
  readonly data: string;
}

/** A resource's address and type, as the server that handed it over says. */
export interface ResourceAbout {
  readonly uri: string;
  readonly mimeType?: string;
}

/** A piece of a foreign tool's answer in its own form; `index` points into the media beside it. */
export type ToolPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'media'; readonly index: number }
  | { readonly type: 'resource'; readonly resource: ResourceAbout & { readonly text: string } }
  /** Bytes that are neither picture nor sound; `data` is base64. */
  | { readonly type: 'blob'; readonly resource: ResourceAbout; readonly data: string }
  /** A resource that is only named. */
  | {
      readonly type: 'link';
      readonly link: ResourceAbout & { readonly name: string; readonly title?: string; readonly description?: string };
    };

/** What a handler answers when it worked. A failure that the model should read is thrown as a ToolError. */
export interface ToolOutcome {
  /** Any JSON value; validated against the output schema where one is declared. */
  readonly payload: Json;
  readonly media?: readonly ToolMedia[];
  /**
   * The answer piece by piece, where it holds resources; the payload tells the same as text, and is what is recorded.
   */
  readonly parts?: readonly ToolPart[];
  /** What it really touched, beyond the accesses that were judged beforehand. */
  readonly accesses?: readonly Access[];
  readonly warnings?: readonly string[];
}

/** How a call ended. Denials and errors are values: nothing is thrown out of the gate. */
export type ToolResult = {
  readonly invocationId: string;
  readonly toolId: string;
  readonly declaredSideEffects: readonly SideEffect[];
  /** True where calls that the call made touched files; left out where none did. */
  readonly touchedFilesWithin?: true;
  readonly durationMs: number;
} & (
  | (Omit<ToolOutcome, 'accesses'> & {
      readonly success: true;
      /** How many of its changes are kept, so that they can be taken back; left out where none is. */
      readonly keptChanges?: number;
    })
  | { readonly success: false; readonly error: ToolErrorData }
);

/**
 * Writes a result as the text that a model reads: the payload as compact JSON, or, where one field is the answer, a
 * one-line JSON head and then the content.
 */
export function resultText(result: ToolResult, contentField: string | undefined): string {
  if (!result.success) return result.error.message;
  const warnings = warningsText(result.warnings);
  const { payload } = result;
  if (contentField !== undefined && typeof payload === 'object' && payload !== null && !Array.isArray(payload)) {
    const { [contentField]: content, ...head } = payload as Readonly<Record<string, Json>>;
    if (typeof content === 'string')
      return Object.keys(head).length === 0
        ? `${content}${warnings}`
        : `${JSON.stringify(head)}\n${content}${warnings}`;
  }
  return `${JSON.stringify(payload)}${warnings}`;
}

export function warningsText(warnings: readonly string[] | undefined): string {
  return warnings?.length ? `\n[warning: ${warnings.join('; ')}]` : '';
}
