import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifecycle';
import { worded } from '../../core/base/sentence';
import { reasonWords } from '../../core/vocabulary/reasonWords';
import { visible, visibleText } from '../../core/base/visible';
import { explainRules, explanationText } from '../../core/explain/explain';
import { coverage } from '../../core/policy/cases/coverage';
import { type PolicyCase, readCaseFile } from '../../core/policyTests/caseFile';
import { type CaseParts, caseWorld } from '../../core/policyTests/caseWorld';
import { expectedText, failureLines } from '../../core/policyTests/failure';
import { hasPassed, judgeCase, type JudgedCase } from '../../core/policyTests/judgeCase';
import { codeSpan, plainMarkdown, proseMarkdown } from '../../core/present/words';
import type { Log } from '../../core/ports/platform';
import { preview, type ReadOnlyText } from '../files/readOnlyText';
import { fileText } from '../files/fileText';
import { saidToPerson } from '../saidToPerson';
import { namedFile } from '../files/namedFile';

export interface PolicyTestingContext extends CaseParts {
  readonly texts: Pick<ReadOnlyText, 'put'>;
  readonly log: Log;
  /** Brings the rules up to what their files say now. */
  refresh(): Promise<void>;
}

/** The cases of a policy in the Testing view: run, why, and which rules they reach. */
export class PolicyTesting extends DisposableStore {
  readonly #context: PolicyTestingContext;
  readonly #controller = this.add(
    vscode.tests.createTestController('agentCapabilities.policy', vscode.l10n.t('Policy of Agent Capabilities')),
  );
  readonly #cases = new WeakMap<vscode.TestItem, PolicyCase>();

  constructor(context: PolicyTestingContext) {
    super();
    this.#context = context;
    const { Run, Debug, Coverage } = vscode.TestRunProfileKind;
    const profile = (name: string, kind: vscode.TestRunProfileKind): vscode.TestRunProfile =>
      this.add(
        this.#controller.createRunProfile(name, kind, (request, token) => this.#run(request, kind, token), true),
      );
    profile(vscode.l10n.t('Judge'), Run);
    profile(vscode.l10n.t('Why?'), Debug);
    profile(vscode.l10n.t('Judge with coverage of rules'), Coverage).loadDetailedCoverage = async (_run, file) =>
      file instanceof RuleCoverageOfFile ? [...file.details] : [];
    this.#controller.refreshHandler = async () => {
      await Promise.all([...this.#controller.items].map(([, { uri }]) => uri && this.read(uri)));
    };
  }

  /** Reads a file of cases anew; one without a case that can be read says why. */
  async read(uri: vscode.Uri): Promise<void> {
    const text = await fileText(uri);
    const { value, problems } = readCaseFile(text, uri.fsPath);
    // No item has a description: screen readers are given it instead of the name.
    const item = this.#controller.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
    const [fault] = problems.filter(({ severity }) => severity === 'error');
    if (fault) item.error = `${fault.line ?? 1}: ${worded(fault.said, vscode.l10n.t)}`;
    value.forEach((one, index) => {
      const child = this.#controller.createTestItem(`${uri.toString()}#${index}`, one.name, uri);
      child.range = new vscode.Range(one.line - 1, 0, one.line - 1, 0);
      this.#cases.set(child, one);
      item.children.add(child);
    });
    this.#controller.items.add(item);
  }

  /** Reads these files anew, and forgets all others. */
  async readAll(uris: readonly vscode.Uri[]): Promise<void> {
    const kept = new Set(uris.map(String));
    for (const [id] of this.#controller.items) if (!kept.has(id)) this.#controller.items.delete(id);
    await Promise.all(uris.map((uri) => this.read(uri)));
  }

  async #run(
    request: vscode.TestRunRequest,
    kind: vscode.TestRunProfileKind,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const run = this.#controller.createTestRun(request);
    try {
      await this.#context.refresh();
      const world = caseWorld(this.#context);
      const judged: JudgedCase[] = [];
      for (const item of this.#wanted(request)) {
        const one = this.#cases.get(item);
        if (!one || token.isCancellationRequested) continue;
        run.started(item);
        const started = performance.now();
        const result = await judgeCase(one, world);
        judged.push(result);
        this.#tell(run, item, result, performance.now() - started);
      }
      if (kind === vscode.TestRunProfileKind.Coverage) this.#tellCoverage(run, judged);
      if (kind === vscode.TestRunProfileKind.Debug) await this.#explain(judged);
    } catch (error) {
      this.#context.log.error(`judging the policy's cases failed: ${String(error)}`);
      run.appendOutput(`${saidToPerson(error)}\r\n`);
    } finally {
      run.end();
    }
  }

  /** The cases that are asked for; a file stands for all in it. */
  #wanted({ include, exclude }: vscode.TestRunRequest): readonly vscode.TestItem[] {
    const left = new Set(exclude ?? []);
    const within = (item: vscode.TestItem): readonly vscode.TestItem[] =>
      left.has(item) ? [] : this.#cases.has(item) ? [item] : [...item.children].flatMap(([, child]) => within(child));
    return (include ?? [...this.#controller.items].map(([, item]) => item)).flatMap(within);
  }

  #tell(run: vscode.TestRun, item: vscode.TestItem, judged: JudgedCase, ms: number): void {
    const { text: name } = visibleText(judged.case.name);
    if (hasPassed(judged)) {
      run.appendOutput(`✔ ${name}\r\n`, undefined, item);
      return run.passed(item, ms);
    }
    const lines = failureLines(judged, this.#rules(), vscode.l10n.t).map((line) => visible(line));
    const message = new vscode.TestMessage(lines.join('\n'));
    if (item.uri && item.range) message.location = new vscode.Location(item.uri, item.range);
    // What the panel of results shows at first, before anybody picks a case.
    run.appendOutput(`✖ ${[name, ...lines].join('\r\n  ')}\r\n`, message.location, item);
    run.failed(item, message, ms);
  }

  #rules() {
    return this.#context.policy.rules(this.#context.profiles.active());
  }

  /** Marks the rules of files: how many cases each spoke for. */
  #tellCoverage(run: vscode.TestRun, judged: readonly JudgedCase[]): void {
    const subjects = judged.flatMap(({ subject }) => subject ?? []);
    const files = new Map<string, vscode.StatementCoverage[]>();
    for (const { boundary, fired } of coverage(this.#rules(), subjects)) {
      if (boundary.file === undefined || boundary.line === undefined) continue;
      const lines = files.get(boundary.file) ?? [];
      files.set(boundary.file, lines);
      lines.push(new vscode.StatementCoverage(fired, new vscode.Position(boundary.line - 1, 0)));
    }
    for (const [file, lines] of files) run.addCoverage(new RuleCoverageOfFile(namedFile(file), lines));
  }

  /** Shows of each case how every step judged it, and which rules nearly spoke. */
  async #explain(judged: readonly JudgedCase[]): Promise<void> {
    const rules = this.#rules();
    const pages = judged.map(({ case: one, answers, verdict, subject, fault }) => {
      const expected = expectedText(one.expect, vscode.l10n.t);
      if (fault) {
        const why = worded(fault, vscode.l10n.t);
        return `# ${plainMarkdown(one.name)}\n\n${vscode.l10n.t('Expected: {0}', codeSpan(expected))}\n\n${proseMarkdown(why)}\n`;
      }
      const explanation = {
        tool: one.name,
        expected,
        effect: verdict.effect,
        accesses: (subject?.accesses ?? []).map(({ access: { effect, resource } }) => ({ effect, resource })),
        steps: answers.map(({ step, effect, reasons }) => ({
          step,
          effect,
          reasons: reasons.map(({ said, rule }) => ({
            text: reasonWords(said, vscode.l10n.t),
            ...(rule === undefined ? {} : { rule }),
          })),
        })),
        rules: subject
          ? explainRules(
              rules,
              subject,
              answers.flatMap(({ waivedBy }) => waivedBy ?? []),
              undefined,
              vscode.l10n.t,
            )
          : [],
      };
      return explanationText(explanation, vscode.l10n.t);
    });
    await preview(this.#context.texts, 'Why.md', pages.join('\n'));
  }
}

/** The rules of one file with the number of cases that each spoke for. */
class RuleCoverageOfFile extends vscode.FileCoverage {
  readonly details: readonly vscode.StatementCoverage[];

  constructor(uri: vscode.Uri, details: readonly vscode.StatementCoverage[]) {
    const reached = details.filter(({ executed }) => Number(executed) > 0).length;
    super(uri, new vscode.TestCoverageCount(reached, details.length));
    this.details = details;
  }
}
