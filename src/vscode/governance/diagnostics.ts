import * as vscode from 'vscode';
import { namedFile, shownPath } from '../files/namedFile';
import type { PolicyFile } from '../../core/policy/rules/boundaryFile';
import { withoutWaiting } from '../../core/definitions/waitingProblems';
import type { Problem } from '../../core/base/problem';
import { isResolverFile } from '../../core/resolver/workspace';
import { Debounce } from '../../core/base/debounce';
import { DisposableStore } from '../../core/base/lifecycle';
import { diagnosticOf } from '../files/problemMarks';
import type { GovernanceContext } from './governanceCommand';

/** Typing comes in bursts; the files are judged once for each. */
const burstMs = 150;

type DiagnosticsContext = Pick<GovernanceContext, 'files' | 'log' | 'onDidChange' | 'policy' | 'problems' | 'resolver'>;

/**
 * Shows what is wrong with the files of `.vscode/capabilities` in the Problems panel, on the exact line, as they stand
 * in the editor: also before they are saved. What is unsaved is judged but not in force.
 */
export class PolicyDiagnostics extends DisposableStore {
  readonly #context: DiagnosticsContext;
  readonly #collection = this.add(vscode.languages.createDiagnosticCollection('agent-capabilities'));
  readonly #checking = this.add(new Debounce(() => this.#check(), burstMs));
  #run = 0;

  constructor(context: DiagnosticsContext) {
    super();
    this.#context = context;
    const schedule = (): void => this.#checking.restart();
    this.add(context.onDidChange(schedule));
    this.add(context.policy.onDidChange(schedule));
    this.add(context.files.onDidChange(schedule));
    const followed = (document: vscode.TextDocument): void => {
      if (document.uri.path.includes('/.vscode/capabilities/') && isResolverFile(document.uri.path)) schedule();
    };
    this.add(vscode.workspace.onDidChangeTextDocument(({ document }) => followed(document)));
    this.add(vscode.workspace.onDidCloseTextDocument(followed));
    schedule();
  }

  /**
   * Judges everything as the files are now, whether or not the editor told of their changes yet; answers all problems,
   * those without a file too.
   * @param more problems that are only looked for when a person asks.
   */
  async refresh(more: readonly Problem[] = []): Promise<readonly Problem[]> {
    const run = ++this.#run;
    await this.#context.files.refresh?.();
    const judged = await this.#context.resolver.validate(this.#texts());
    const found = withoutWaiting([...judged, ...this.#context.problems(), ...more]);
    const seen = new Set<string>();
    const problems = found.filter((one) => {
      const key = `${one.file ?? ''}:${one.line ?? 0}:${one.message}`;
      return !seen.has(key) && seen.add(key);
    });
    // A later run has newer texts.
    if (run === this.#run && !this.isDisposed) this.#show(problems);
    return problems;
  }

  /** The files on disk, with the unsaved text of those that are open. */
  #texts(): readonly PolicyFile[] {
    const unsaved = new Map(
      vscode.workspace.textDocuments.filter((one) => one.isDirty).map((one) => [shownPath(one.uri), one.getText()]),
    );
    return this.#context.files.read().map((file) => ({ ...file, text: unsaved.get(file.path) ?? file.text }));
  }

  #show(problems: readonly Problem[]): void {
    const byFile = new Map<string, vscode.Diagnostic[]>();
    for (const problem of problems) {
      // Definitions have diagnostics of their own, which know more of their files.
      if (problem.file === undefined || !policyFile.test(problem.file)) continue;
      const diagnostics = byFile.get(problem.file) ?? [];
      byFile.set(problem.file, diagnostics);
      diagnostics.push(diagnosticOf(problem));
    }
    this.#collection.clear();
    for (const [file, diagnostics] of byFile) this.#collection.set(namedFile(file), diagnostics);
  }

  #check(): void {
    this.refresh().catch((error: unknown) =>
      this.#context.log.error(`checking the policy files failed: ${String(error)}`),
    );
  }
}

const policyFile = /[\\/](boundaries|requirements|grants)\.json$/;
