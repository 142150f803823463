import * as vscode from 'vscode';
import type { GatePreview } from '../../core/call/gateCall';
import { callWords, type FailureTold } from '../../core/present/chatWords';

/** A link and the one command that it may run. */
export interface CallLink {
  readonly address: string;
  readonly command: string;
}

/** The invocation id that a call will have, and where a line leads that is about it. */
export interface NextCall {
  readonly call: string;
  /** Takes back what it changes. */
  readonly undo: CallLink;
  /** Tells what became of it. */
  readonly outcome: CallLink;
}

/** What is known of a call before it runs. */
export interface ComingCall {
  readonly title: string;
  readonly preview: GatePreview;
  /** True where a person is asked before it runs, and not by the editor's own card. */
  readonly waits: boolean;
  readonly canUndo: boolean;
  readonly failure?: FailureTold;
  /** Where it is explained, for a call that comes to nothing. */
  readonly why?: CallLink;
  readonly next?: NextCall;
}

/** The line of a call in the chat. The editor takes it before the call runs, and keeps it for good. */
export function chatLine({ title, preview, waits, canUndo, failure, why, next }: ComingCall): vscode.MarkdownString {
  const asks = preview.effect === 'ask';
  const link = why ?? (asks ? next?.outcome : canUndo ? next?.undo : undefined);
  const to = link && { [why ? 'why' : asks ? 'outcome' : 'undo']: link.address };
  const parts = { waits, ...(failure ? { failure } : {}), ...to };
  const line = new vscode.MarkdownString(callWords(title, preview, vscode.l10n.t, parts));
  if (link) line.isTrusted = { enabledCommands: [link.command] };
  return line;
}
