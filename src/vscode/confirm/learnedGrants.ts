import * as vscode from 'vscode';
import type { AuditReader } from '../../core/audit/reader';
import { endsOfCalls, type AuditBody } from '../../core/audit/record';
import { shapeOnly, toRecord } from '../../core/audit/makeRecord';
import type { ApprovalRequest } from '../../core/call/gateCall';
import type { AnsweredCalls } from '../../core/learning/answeredCalls';
import { decidedCall, type DecidedCall } from '../../core/learning/decidedCall';
import { type Examples, examplesOf } from '../../core/learning/examples';
import { type Suggestion, suggestAll, suggestFor } from '../../core/learning/suggest';
import type { FileSystem } from '../../core/ports/files';
import type { Clock } from '../../core/ports/platform';
import { coverageWords, suggestionLines } from '../../core/present/suggestionText';
import { reasonKey } from '../../core/vocabulary/decision';
import type { ModalQuestions } from './modalQuestions';

/** So many of the last calls of the record are looked at, and none that is older. */
const mostRecords = 2_000;
const oldestMs = 30 * 24 * 60 * 60_000;
/** So long files are looked for examples. */
const mostMs = 1_000;

export interface LearnedGrantsOptions {
  readonly reader: Pick<AuditReader, 'page'>;
  /** The calls of this window. */
  readonly answered: Pick<AnsweredCalls, 'list'>;
  readonly files: () => FileSystem;
  readonly clock: Clock;
  readonly questions: ModalQuestions;
}

type LearnedScope = 'session' | 'workspace';

/** What the record says would have saved questions, offered with all that it means. */
export class LearnedGrants {
  readonly #options: LearnedGrantsOptions;
  readonly #begun = new Set<string>();
  /** What the record said of tools, the newest first. */
  readonly #past = new Map<string, readonly KnownCall[]>();

  constructor(options: LearnedGrantsOptions) {
    this.#options = options;
  }

  /** Begins to read what the record says of a tool, once; nobody waits for it. */
  lookUp(tool: string): void {
    if (this.#begun.has(tool)) return;
    this.#begun.add(tool);
    void this.#read(tool).then(
      (calls) => this.#past.set(tool, calls),
      // Tried again with the next question.
      () => this.#begun.delete(tool),
    );
  }

  /** The smallest grant for a question and those alike before it; undefined while the record is still being read. */
  forRequest({ call, accesses, reasons }: ApprovalRequest): Suggestion | undefined {
    const past = this.#past.get(call.tool.id);
    if (!past) return undefined;
    const now: DecidedCall = {
      tool: call.tool.id,
      toolName: call.tool.modelName,
      actor: call.actor.type,
      accesses,
      refused: [],
      reasons: [...new Set(reasons.filter((one) => !one.advisory).map(reasonKey))].sort(),
      outcome: 'allowed',
    };
    return suggestFor(now, this.#calls(past, call.tool.id));
  }

  /** Everything that would have saved questions, the most first. */
  async all(): Promise<readonly Suggestion[]> {
    const past = await this.#read();
    for (const tool of new Set(past.map((one) => one.call.tool)))
      this.#past.set(
        tool,
        past.filter(({ call }) => call.tool === tool),
      );
    return suggestAll(this.#calls(past));
  }

  /** Says what a suggestion would allow and what not, and asks whether it shall hold, and for how long. */
  async offer(suggestion: Suggestion, signal?: AbortSignal): Promise<LearnedScope | undefined> {
    const examples = await this.#examples(suggestion);
    return this.#options.questions.ask<LearnedScope>(
      {
        title: vscode.l10n.t('Stop asking for {0}?', coverageWords(suggestion)),
        detail: suggestionLines(suggestion, examples, vscode.l10n.t).join('\n'),
        buttons: [
          { id: 'session', label: vscode.l10n.t('For This Session') },
          { id: 'workspace', label: vscode.l10n.t('In This Workspace') },
        ],
      },
      signal,
    );
  }

  /** What the record holds, the newest first. */
  async #read(tool?: string): Promise<readonly KnownCall[]> {
    const { reader, clock } = this.#options;
    const since = new Date(clock.now() - oldestMs).toISOString();
    const { found } = await reader.page(
      { since, event: endsOfCalls, ...(tool === undefined ? {} : { tool: [tool] }) },
      { limit: mostRecords },
    );
    return found.flatMap(({ record }) => knownCall(record) ?? []);
  }

  /** The calls of this window and those of the record, the newest first. */
  #calls(past: readonly KnownCall[], tool?: string): readonly DecidedCall[] {
    const own = this.#options.answered.list().flatMap((event) => {
      const record = tool === undefined || event.toolId === tool ? toRecord(event, shapeOnly()) : undefined;
      return (record && knownCall(record)) ?? [];
    });
    const ids = new Set(own.map(({ id }) => id));
    return [...own, ...past.filter(({ id }) => id === undefined || !ids.has(id))].map(({ call }) => call);
  }

  async #examples(suggestion: Suggestion): Promise<Examples | undefined> {
    const { clock, files } = this.#options;
    const stopped = { aborted: false, reason: undefined };
    const timer = clock.schedule(() => (stopped.aborted = true), mostMs);
    try {
      const past = this.#past.get(suggestion.tool) ?? [];
      const asked = this.#calls(past, suggestion.tool).flatMap(({ accesses }) => accesses);
      return await examplesOf(suggestion, new Set(asked.map(({ resource }) => resource)), files(), stopped);
    } catch {
      return undefined;
    } finally {
      timer.dispose();
    }
  }
}

/** A call with its id, by which two sources of it are known to tell of the same. */
interface KnownCall {
  readonly id: string | undefined;
  readonly call: DecidedCall;
}

function knownCall(record: AuditBody): KnownCall | undefined {
  const call = decidedCall(record);
  return call && { id: record['gen_ai.tool.call.id'], call };
}
