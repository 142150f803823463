import * as vscode from 'vscode';
import type { AuditReader } from '../../core/audit/reader';
import type { ApprovalRequest } from '../../core/call/gateCall';
import { decidedCall, type DecidedCall } from '../../core/learning/decidedCall';
import { type Examples, examplesOf } from '../../core/learning/examples';
import { type Suggestion, suggestAll, suggestFor } from '../../core/learning/suggest';
import type { FileSystem } from '../../core/ports/files';
import type { Clock } from '../../core/ports/platform';
import { coverageWords, suggestionLines } from '../../core/present/suggestionText';
import { reasonKey } from '../../core/vocabulary/decision';
import type { ModalQuestions } from './modalQuestions';

/** So many of the last calls are looked at. */
const mostRecords = 2_000;
const mostMs = 1_000;

export interface LearnedGrantsOptions {
  readonly reader: AuditReader;
  readonly files: () => FileSystem;
  readonly clock: Clock;
  readonly questions: ModalQuestions;
}

type LearnedScope = 'session' | 'workspace';

/** What the record says would have saved questions, offered with all that it means. */
export class LearnedGrants {
  readonly #options: LearnedGrantsOptions;

  constructor(options: LearnedGrantsOptions) {
    this.#options = options;
  }

  /** The smallest grant for a question and those alike before it. */
  async forRequest({ call, accesses, reasons }: ApprovalRequest): Promise<Suggestion | undefined> {
    const now: DecidedCall = {
      tool: call.tool.id,
      toolName: call.tool.modelName,
      actor: call.actor.type,
      accesses,
      reasons: [...new Set(reasons.filter((one) => !one.advisory).map(reasonKey))].sort(),
      outcome: 'allowed',
    };
    return suggestFor(now, await this.#record(call.tool.id));
  }

  /** Everything that would have saved questions, the most first. */
  async all(): Promise<readonly Suggestion[]> {
    return suggestAll(await this.#record());
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

  async #record(tool?: string): Promise<readonly DecidedCall[]> {
    const { found } = await this.#options.reader.page(
      { event: ['invocation.finished', 'policy.violation'], ...(tool === undefined ? {} : { tool: [tool] }) },
      { limit: mostRecords },
    );
    return found.flatMap(({ record }) => decidedCall(record) ?? []);
  }

  async #examples(suggestion: Suggestion): Promise<Examples> {
    const stopped = { aborted: false, reason: undefined };
    const timer = this.#options.clock.schedule(() => (stopped.aborted = true), mostMs);
    try {
      const asked = (await this.#record(suggestion.tool)).flatMap(({ accesses }) => accesses);
      const known = new Set(asked.map(({ resource }) => resource));
      return await examplesOf(suggestion, known, this.#options.files(), stopped);
    } catch {
      return { alsoAllows: [], files: 0, nearMisses: [] };
    } finally {
      timer.dispose();
    }
  }
}
