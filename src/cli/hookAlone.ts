import { noteChange } from '../core/audit/noteChange';
import path from 'node:path';
import { say } from '../core/base/sentence';
import { defined } from '../core/base/json';
import { decidingRules, type StepAnswer } from '../core/vocabulary/decision';
import { approvalUnavailable } from '../core/vocabulary/errors';
import {
  hookInvocation,
  type HookVerdict,
  hookVerdict,
  placesTouched,
  ranElsewhere,
  whyUnasked,
} from '../core/gate/hookCall';
import { mayAsk } from '../core/hooks/answers';
import type { HostEvent } from '../core/hooks/hostEvent';
import { fileStore } from '../node/fileStore';
import type { AskedEditors } from '../node/hooks/askGate';
import { depthIn, hookWorkspaces, isBeside } from '../node/hooks/hookWorkspace';
import { readLastAnswers } from '../node/hooks/lastAnswers';
import { spoolSink } from '../node/hooks/spool';
import { nodeCrypto, systemClock } from '../node/system';
import { LeftByEditor } from './gateIn';
import { OtherWorkspaces } from './otherWorkspaces';

/** Looking at all files takes so much of the time for an answer, and not more than so long, in milliseconds. */
const partForLooking = 0.6;
const mostLookingMs = 20_000;

const allowed: HookVerdict = { effect: 'allow', reason: '' };

interface AloneOptions {
  /** The user's private folder. */
  readonly folder: string;
  readonly event: HostEvent;
  /** How long the answer may still take. */
  readonly limitMs: number;
  /** The editors that were asked already, and what the last of them said. */
  readonly editors: AskedEditors;
  readonly told: HookVerdict | undefined;
}

/**
 * Judges one call without an editor, or by what editors do not hold: by the user's settings as an editor left them, and
 * the rules of every workspace that the agent works, worked or began in, and of those that hold what the call touches.
 * The strictest of them counts. Throws where any cannot be read: the caller denies.
 */
export async function judgeAlone(options: AloneOptions): Promise<HookVerdict> {
  const { folder, event, limitMs, editors, told } = options;
  const cwd = event.cwd ?? process.cwd();
  const left = new LeftByEditor(folder);
  const [nearest, ...further] = hookWorkspaces(cwd, event.folders, left.counts);
  const audit = spoolSink(folder, () => undefined);
  const isOpen = editors.covers(cwd);
  const others = new OtherWorkspaces({
    event,
    left,
    editors,
    ...(isOpen ? { denials: audit } : { known: nearest }),
  });
  const invocation = hookInvocation(event, nodeCrypto);
  if (isOpen) {
    const beside = [nearest, ...further].filter((one) => isBeside(one, cwd, left.counts));
    const said = await others.judge(beside, told?.elsewhere ?? []);
    const [root] = others.roots;
    if (said.effect !== 'deny' && root !== undefined) {
      const gate = await left.gateIn(root, 'execute', { keeps: { privateFolder: folder, roots: () => others.roots } });
      await (event.kind === 'after' ? gate.end(invocation) : gate.keep(invocation)).finally(gate.close);
    }
    return verdictOf(event.tool, said);
  }
  if (!editors.haveAnswered) noteAlone(folder, event);
  // What is changed anywhere in the outermost of them may be taken back there.
  const root = left.outermostOpen(cwd) ?? outermost(nearest, further);
  const mostMs = Math.min(mostLookingMs, Math.round(limitMs * partForLooking));
  const isPlan = [cwd, ...(event.folders ?? [])].some((one) => left.isPlanned(one));
  const gate = await left.gateIn(nearest, isPlan ? 'plan' : 'execute', {
    limits: fileStore(path.join(folder, 'limits'), () => undefined),
    keeps: { privateFolder: folder, roots: () => [root, ...others.roots], look: { root, mostMs } },
    beside: (call) => others.judge(further, placesTouched(call, nearest)),
    audit,
  });
  try {
    if (event.kind === 'after') {
      await gate.router.finishedElsewhere(invocation, ranElsewhere(event));
      return allowed;
    }
    const verdict = hookVerdict(await gate.router.invoke(invocation));
    if (verdict.effect !== 'ask') return verdict;
    if (gate.needsAdmin()) return { ...verdict, effect: 'deny' };
    if (mayAsk(event.agent)) await gate.keep(invocation);
    return verdict;
  } finally {
    await gate.close();
  }
}

/** The outermost of those around a workspace. */
const outermost = (nearest: string, further: readonly string[]): string =>
  further.filter((one) => depthIn(one, nearest) >= 0).sort((a, b) => a.length - b.length)[0] ?? nearest;

/** What workspaces beside that of an editor say, for a call that the editor let pass. */
function verdictOf(tool: string, { effect, reasons, error }: StepAnswer): HookVerdict {
  if (effect === 'pass') return allowed;
  const needsAdmin = reasons.some(({ admin }) => admin === true);
  const { code, message } = error ?? approvalUnavailable(tool, whyUnasked(reasons)).data;
  const [rule] = decidingRules(reasons);
  return { effect: needsAdmin ? 'deny' : effect, reason: message, code, ...defined({ rule }) };
}

/** Records that no editor answers an agent any more, once until one does again. */
function noteAlone(folder: string, { agent, kind }: HostEvent): void {
  if (kind !== 'before' || readLastAnswers(folder).find((one) => one.agent === agent)?.by === 'alone') return;
  const told = { audit: spoolSink(folder, () => undefined), clock: systemClock };
  noteChange(told, 'settings', `protection:${agent}`, say('fault_editor_closed'), { type: 'agent', id: agent });
}
