import { say, type Sentence } from '../base/sentence';
import { canonicalJson } from '../base/json';
import type { ApprovalAnswer, ApprovalRequest, ChatConfirmation, GateCall, InnerCalls } from '../call/gateCall';
import type { CallPreview } from '../capability/tool';
import { type Access, actionSaid } from '../vocabulary/access';
import { adviceOf, type Reason, type StepAnswer } from '../vocabulary/decision';
import { approvalUnavailable, cancelled, refusal, ToolError } from '../vocabulary/errors';
import { isAllAnswered } from './answeredAbove';
import type { GateDependencies } from './dependencies';
import { failedWith, type Progress } from './progress';
import { factsOf } from './records';
import { deny, pass } from '../call/stepAnswer';

/** Step 11 for a call about which something asks: by a grant, else by a person, unless it is known to fail already. */
export async function approveCall(
  gate: GateDependencies,
  inner: InnerCalls,
  call: GateCall,
  reasons: readonly Reason[],
  progress: Progress,
): Promise<StepAnswer> {
  if (call.signal.aborted) return deny('approval', cancelled(call.tool.modelName));
  const known = remembered(gate, call, call.accesses, reasons, progress);
  if (known) return known;
  const { foresee, mayTell, passedOn } = await import('./foresee');
  const both = await passedOn(gate, inner, call, reasons);
  const asked = both ?? { accesses: call.accesses, reasons };
  const knownBoth = both && remembered(gate, call, both.accesses, both.reasons, progress);
  const seen = knownBoth ? {} : await foresee(gate, both?.call ?? call, asked.accesses, asked.reasons);
  if (seen instanceof ToolError && mayTell(gate, both?.call ?? call)) {
    progress.foreseen = failedWith(seen);
    return pass('approval', [{ said: say('cannot_succeed') }]);
  }
  let step = knownBoth;
  if (!step) {
    const asking = await askPerson(gate, call, asked, progress, seen, both?.call);
    take(progress, asking.answer, seen);
    ({ step } = asking);
  }
  const { approval: answer } = progress;
  if (both && answer?.outcome === 'allowed')
    progress.passedOn = {
      tool: both.call.tool,
      input: canonicalJson(both.call.input),
      accesses: both.call.accesses,
      reasons: both.asks,
      preview: seen instanceof ToolError ? {} : seen,
      answer,
    };
  return step;
}

/** The same for an access that the call met while running. */
export async function approveAccess(
  gate: GateDependencies,
  call: GateCall,
  access: Access,
  reasons: readonly Reason[],
  progress: Progress,
): Promise<StepAnswer> {
  const known = remembered(gate, call, [access], reasons, progress);
  if (known) return known;
  const { foresee } = await import('./foresee');
  const seen = await foresee(gate, call, [access], reasons);
  // A no is about this one place: the call goes on as it was allowed.
  const { answer, step } = await askPerson(gate, call, { accesses: [access], reasons }, progress, seen);
  if (answer.outcome === 'allowed') take(progress, answer, seen);
  return step;
}

/**
 * Shows text from outside to a person before the model gets it; no grant answers for them, because each text is
 * another.
 */
export async function reviewResponse(
  { approvals, ports }: GateDependencies,
  call: GateCall,
  response: { readonly title: string; readonly text: string },
  progress: Progress,
): Promise<boolean> {
  const answer = await approvals.ask(
    {
      id: ports.crypto.randomId(),
      call,
      accesses: call.accesses,
      reasons: [{ said: say('review_needed', response.title), rule: 'review' }],
      preview: { lines: response.text.split('\n') },
      needsAdmin: false,
    },
    call.signal,
  );
  progress.waitedMs += answer.waitedMs;
  return answer.outcome === 'allowed';
}

/** The answer that a person has given already. */
function remembered(
  { approvals }: GateDependencies,
  call: GateCall,
  accesses: readonly Access[],
  reasons: readonly Reason[],
  progress: Progress,
): StepAnswer | undefined {
  const grant = approvals.covering(call, accesses, reasons);
  if (grant?.use() === true) {
    progress.approval = { outcome: 'allowed', by: 'grant', grantId: grant.id, waitedMs: 0 };
    return pass('approval', [{ said: say('covered_by_grant'), rule: grant.id }]);
  }
  const above = call.invocation.answeredWith;
  const isSame = above?.tool === call.tool && above.input === canonicalJson(call.input);
  if (above && isSame && isAllAnswered(above, accesses, reasons)) {
    progress.approval = { ...above.answer, waitedMs: 0 };
    progress.approved = above.preview;
    return pass('approval', [{ said: say('answered_with_caller') }]);
  }
  const confirmation = call.invocation.confirmedInChat;
  return confirmation && byEditor(confirmation, accesses, reasons, progress);
}

/** Sooner than this after it was offered, nobody has read and answered a confirmation. */
const soonestAnswerMs = 500;

/**
 * Takes the editor's own confirmation for an answer, where it said everything that is asked now, and records what is
 * known of it: that the editor skipped it, or that it was offered.
 */
function byEditor(
  { waitedMs, autoApprovedBy, preview, ...shown }: ChatConfirmation,
  accesses: readonly Access[],
  reasons: readonly Reason[],
  progress: Progress,
): StepAnswer | undefined {
  if (!isAllAnswered(shown, accesses, reasons)) return undefined;
  const isSkipped = waitedMs < soonestAnswerMs;
  progress.approval = { outcome: 'allowed', by: isSkipped ? 'editor-skipped' : 'editor', waitedMs };
  progress.approved = preview;
  const milliseconds = Math.round(waitedMs);
  return pass('approval', [
    { said: isSkipped ? say('skipped_by_editor', milliseconds) : say('offered_by_editor', milliseconds) },
    ...(autoApprovedBy === undefined ? [] : [{ said: say('editor_auto_approves', autoApprovedBy) }]),
  ]);
}

/** Keeps what a person answered, and what they were shown. */
function take(progress: Progress, answer: ApprovalAnswer, seen: CallPreview | ToolError): void {
  progress.approval = answer;
  progress.approved = seen instanceof ToolError ? {} : seen;
}

async function askPerson(
  gate: GateDependencies,
  call: GateCall,
  { accesses, reasons }: Pick<ApprovalRequest, 'accesses' | 'reasons'>,
  progress: Progress,
  seen: CallPreview | ToolError,
  passesOn?: GateCall,
): Promise<{ readonly answer: ApprovalAnswer; readonly step: StepAnswer }> {
  const { approvals, audit, ports } = gate;
  const preview = seen instanceof ToolError ? {} : seen;
  const needsAdmin = reasons.some((reason) => reason.admin);
  const facts = factsOf(call);
  audit.record({
    ...facts,
    type: 'approval.asked',
    time: ports.clock.now(),
    accesses,
    reasons: reasons.map(({ said }) => said),
    ...(preview.stake ? { stake: preview.stake } : {}),
  });
  const answer = await approvals.ask(
    {
      id: ports.crypto.randomId(),
      call,
      accesses,
      reasons,
      advice: adviceOf(progress.steps),
      preview,
      needsAdmin,
      ...(passesOn ? { passesOn } : {}),
    },
    call.signal,
  );
  progress.waitedMs += answer.waitedMs;
  audit.record({
    ...facts,
    type: 'approval.answered',
    time: ports.clock.now(),
    outcome: answer.outcome,
    by: answer.by,
    waitedMs: answer.waitedMs,
    ...(answer.outcome === 'allowed' && answer.grantId ? { grantId: answer.grantId } : {}),
    ...(answer.outcome === 'allowed' && answer.reader ? { reader: answer.reader } : {}),
  });
  if (answer.outcome === 'denied') return { answer, step: deny('approval', denialOf(gate, call, accesses, answer)) };
  const by = say(answer.by === 'command-line' ? 'allowed_by_command_line' : `allowed_by_${answer.by}`);
  return { answer, step: pass('approval', [{ said: by }]) };
}

function denialOf(
  gate: GateDependencies,
  call: GateCall,
  accesses: readonly Access[],
  answer: ApprovalAnswer & { outcome: 'denied' },
): ToolError {
  const name = call.tool.modelName;
  switch (answer.by) {
    case 'timeout':
      return refusal('approval_timeout', say('approval_timeout', gate.confirmationTimeoutSeconds(), name));
    case 'unavailable':
      return approvalUnavailable(name, answer.why ?? say('nobody_to_ask'));
    case 'cancellation':
      return cancelled(name);
    case 'user':
      return refusal('declined', say('declined', name, whatWasAsked(accesses)));
  }
}

function whatWasAsked([first, ...more]: readonly Access[]): Sentence {
  if (!first) return say('to_run_at_all');
  const said = actionSaid(first.effect, first.resource || say('what_it_names'));
  return more.length > 0 ? say('and_more', said, more.length) : said;
}
