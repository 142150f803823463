import type { Access } from '../vocabulary/access';
import type { Sentence } from '../base/sentence';
import { ToolError, type ToolErrorData } from '../vocabulary/errors';
import type { CallPreview } from '../capability/tool';
import type { RegisteredTool } from '../registry/registry';
import type { AnsweredCall, ApprovalAnswer, EditorAnswer, GateCall } from '../call/gateCall';
import type { Reason, StepAnswer } from '../vocabulary/decision';
import type { ToolOutcome } from '../vocabulary/toolResult';
import type { Retry } from './retries';

/** What is known about a call so far; grows from step to step and ends in the audit record. */
export interface Progress {
  readonly invocationId: string;
  readonly startedAt: number;
  readonly signal: AbortSignal;
  readonly steps: StepAnswer[];
  /** What a running call was let do: all of it, because labels and places of secrets hang on each. */
  readonly met: Access[];
  /** What it was not let do, as far as the record tells it. */
  readonly refused: Access[];
  withheld: number;
  /** What rules advise about what the call met while running, by rule; left out where none did. */
  advice?: Map<string, Reason>;
  /** Whether calls that the call made touched files, or may have; left out where none did. */
  touchedFilesWithin?: boolean;
  /** The tries after the first; left out where the first was the last. */
  retries?: Retry[];
  tool?: RegisteredTool;
  call?: GateCall;
  approval?: ApprovalAnswer | EditorAnswer;
  /** Why the call cannot succeed, found out before anybody was asked: it is answered and nothing is run. */
  foreseen?: Failed;
  /** What a person was shown who allowed the call. */
  approved?: CallPreview;
  /** The call that this one consists of, where it was answered too; the next call that it makes may be that. */
  passedOn?: AnsweredCall | undefined;
  /** The rules by which the call was judged (`BoundaryJudge.revision`). */
  rules?: number | undefined;
  /** The placeholders that stand in the answer for values that the call brought. */
  hidden?: ReadonlySet<string>;
  /** Texts of which the answer holds parts; left out where it holds none. */
  cutFrom?: string[];
  /** Hides the secrets in what is told while the call runs; left out where nobody listens. */
  hideText?: ((text: string) => string) | undefined;
  waitedMs: number;
  /** How many changes of the call are kept, so that they can be taken back. */
  keptChanges: number;
}

/** How a call ended that came to nothing. */
interface Failed {
  readonly error: ToolErrorData;
  /** What the message of the error says, where that is a sentence of ours. */
  readonly said?: Sentence;
  /** For an internal error: finds its details in the log. */
  readonly reference?: string;
}

export type Ran = { readonly outcome: ToolOutcome } | Failed;

/** Of an error that another bundle made, the message alone is taken: what it has beside may be anything. */
export function failedWith(error: ToolError): Failed {
  const { data } = error;
  return error instanceof ToolError ? { error: data, said: error.said } : { error: data };
}
