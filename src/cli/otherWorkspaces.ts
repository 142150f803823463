import type { AuditSink } from '../core/audit/event';
import { defined } from '../core/base/json';
import { say } from '../core/base/sentence';
import { ask, deny, pass } from '../core/call/stepAnswer';
import { hookInvocation } from '../core/gate/hookCall';
import type { HostEvent } from '../core/hooks/hostEvent';
import type { Reason, StepAnswer } from '../core/vocabulary/decision';
import { refusal } from '../core/vocabulary/errors';
import type { AskedEditors } from '../node/hooks/askGate';
import { workspacesHolding } from '../node/hooks/hookWorkspace';
import { nodeCrypto } from '../node/system';
import type { LeftByEditor } from './gateIn';

interface OtherOptions {
  readonly event: HostEvent;
  readonly left: LeftByEditor;
  readonly editors: AskedEditors;
  /** The workspace that is judged by itself. */
  readonly known?: string;
  /**
   * Given where an editor let the call pass and answered what is asked everywhere: then only rules of the workspaces
   * themselves ask, and denials are recorded here.
   */
  readonly denials?: AuditSink;
}

/** Judges a call by the workspaces beside that one in which its agent works: they say no, ask, or say nothing. */
export class OtherWorkspaces {
  readonly #options: OtherOptions;
  readonly #roots = new Set<string>();
  readonly #known: Set<string>;

  constructor(options: OtherOptions) {
    this.#options = options;
    this.#known = new Set(options.known === undefined ? [] : [options.known]);
  }

  /** The folders of whose files nobody else keeps what stands there, as far as they are known by now. */
  get roots(): readonly string[] {
    return [...this.#roots];
  }

  /**
   * What these workspaces say, and those that hold one of the places; of those that an editor has open it is asked, and
   * what it says is final.
   */
  async judge(workspaces: readonly string[], places: readonly string[]): Promise<StepAnswer> {
    const { event, left, editors } = this.#options;
    const told = await editors.ask(event, places);
    if (told && told.effect !== 'allow')
      return deny('boundaries', refusal('denied_by_policy', say('content', told.reason)), told.rule);
    const holding = workspacesHolding([...places, ...(told?.elsewhere ?? [])], left.counts);
    const reasons: Reason[] = [];
    for (const workspace of [...workspaces, ...holding]) {
      if (this.#known.has(workspace) || editors.covers(workspace)) continue;
      this.#known.add(workspace);
      this.#roots.add(left.outermostOpen(workspace) ?? workspace);
      // A repository that is only touched brings no rules.
      if (event.kind !== 'before' || !(workspaces.includes(workspace) || left.counts(workspace))) continue;
      const answer = await this.#judgeIn(workspace);
      if (answer.effect === 'deny') return answer;
      reasons.push(...answer.reasons);
    }
    return reasons.length === 0 ? pass('boundaries') : ask('boundaries', reasons);
  }

  async #judgeIn(workspace: string): Promise<StepAnswer> {
    const { event, left, denials } = this.#options;
    const invocation = hookInvocation(event, nodeCrypto);
    const gate = await left.gateIn(
      workspace,
      left.isPlanned(workspace) ? 'plan' : 'execute',
      defined({ audit: denials }),
    );
    try {
      const { effect, reasons, error, said } = await gate.router.preview(invocation);
      if (effect === 'deny') {
        if (denials) await gate.router.invoke(invocation);
        return { step: 'boundaries', effect, reasons, ...defined({ error, said }) };
      }
      const open = effect === 'pass' ? [] : gate.named(reasons).filter(({ rule }) => !denials || gate.isOwnRule(rule));
      // What an `allow` says elsewhere was heard here already.
      return ask(
        'boundaries',
        open.map((one) => ({ ...one, waivable: false })),
      );
    } finally {
      await gate.close();
    }
  }
}
