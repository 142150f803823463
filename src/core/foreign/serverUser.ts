import type { JsonObject } from '../base/json';
import type { JsonSchema } from '../base/schema';
import type { Translate } from '../base/translate';
import type { McpServerSpec } from './serverSpec';

/** A file of the workspace that is run when a server starts; its bytes are part of what is approved. */
export interface BoundFile {
  /** Relative to the workspace's folder, with `/`. */
  readonly path: string;
  /** SHA-256 of its bytes. */
  readonly hash: string;
}

/** A server's entry and what it comes to on this machine. */
export interface EntryView {
  readonly spec: McpServerSpec;
  /** The program that its command is found to be; undefined where none was found, or none is started. */
  readonly program?: string;
  /** Where it would start. */
  readonly folder?: string;
  /** Every file of the workspace among the program and what its arguments name. What those load is not among them. */
  readonly files: readonly BoundFile[];
}

/** A server entry of the workspace that wants to act. `approvalLines` words all of it. */
export interface ServerApproval {
  readonly server: string;
  readonly entry: EntryView;
  /** What was approved of the server of this name before, where something was. */
  readonly before?: EntryView;
}

/** Lines of text, as a person reads them or, with the words as they are, a model or a program. */
export type WordedLines = (t: Translate) => readonly string[];

/** A server's tools that are new, or differ from what was approved. */
export interface ToolsApproval {
  readonly server: string;
  /** How many tools there are. */
  readonly count: number;
  /**
   * All that a model or a person would see of them, line by line: what has to be shown before they are approved. The
   * first line of each has its name, its inferred risk and what the server says of it; plain text with invisible
   * characters shown.
   */
  readonly lines: WordedLines;
  /** Set where an earlier version was approved: all that changed. */
  readonly diff?: WordedLines;
  /** The tools that the server says only read; what approving with hints would take its word for. */
  readonly readOnly: readonly string[];
  /** Set where exactly these tools are approved already and the person looks at them once more. */
  readonly approved?: { readonly hintsConfirmed: boolean };
}

/** `refuse` leaves things as they are; `withdraw` takes back an approval, and is offered where there is one. */
export type ToolsAnswer = 'approve' | 'approve-with-hints' | 'refuse' | 'withdraw';

/** A server asks the person something through us. */
export type Elicitation =
  | { readonly type: 'form'; readonly server: string; readonly message: string; readonly schema: JsonSchema }
  | { readonly type: 'url'; readonly server: string; readonly message: string; readonly url: string };

export type ElicitationAnswer =
  | {
      readonly action: 'accept';
      readonly content?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
    }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/** A server asks for a completion of the user's language model. */
export interface SamplingRequest {
  /** What the protocol calls the question; chosen where it does not matter. */
  readonly key?: string;
  readonly server: string;
  readonly systemPrompt?: string;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[];
  readonly maxTokens: number;
  readonly raw: JsonObject;
}

export interface SamplingAnswer {
  readonly model: string;
  readonly text: string;
  readonly stopReason?: string;
}

/** A server wants the person to sign in, in a browser. */
export interface SignInRequest {
  readonly server: string;
  /** The page of the authorization server. */
  readonly url: string;
  /** Where the browser comes back to: an address of this machine that listens as long as the sign-in is under way. */
  readonly redirectUrl: string;
}

/** A language of people: its tag, and how a text is said in it. */
export interface Language {
  readonly tag: string;
  readonly t: Translate;
}

/**
 * The person behind everything that MCP servers want: to be started, to have their tools approved, to ask something, to
 * use a model. Anything but an explicit yes is a no. `signal` aborts when the answer is no longer of use.
 */
export interface ServerUser {
  /** Asked once for each content of a workspace entry. */
  approveServer(request: ServerApproval, signal: AbortSignal): Promise<boolean>;
  approveTools(request: ToolsApproval, signal: AbortSignal): Promise<ToolsAnswer>;
  elicit(request: Elicitation, signal: AbortSignal): Promise<ElicitationAnswer>;
  /** Opens the page, after asking; false where the person said no. Undefined where nobody can sign in. */
  readonly signIn?: (request: SignInRequest, signal: AbortSignal) => Promise<boolean>;
  /** What the person reads, for the page that a sign-in ends on; English where it is left out. */
  readonly language?: Language;
  /** Undefined where no model can be used here: then servers are not told of the ability. */
  readonly sample?: (request: SamplingRequest, signal: AbortSignal) => Promise<SamplingAnswer | undefined>;
}

/** Nobody can be asked: every answer is no. */
export const nobody: ServerUser = {
  approveServer: async () => false,
  approveTools: async () => 'refuse',
  elicit: async () => ({ action: 'decline' }),
};
