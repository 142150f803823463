import type { Translate } from '../base/translate';
import { codeSpan, plainMarkdown } from '../base/markdown';
import { personText } from '../base/personText';

/** The name of a step of the gate, as a person would ask for it. */
function stepName(step: string, t: Translate): string {
  switch (step) {
    case 'find':
      return t('The tool exists');
    case 'enabled':
      return t('The profile has it switched on');
    case 'permission':
      return t('Who may call it');
    case 'scopes':
      return t('Scopes of the profile');
    case 'input':
      return t('The arguments are valid');
    case 'mode':
      return t('Mode');
    case 'plan':
      return t('Frozen plan');
    case 'boundaries':
      return t('Rules');
    case 'requirements':
      return t('Requirements');
    case 'limits':
      return t('Limits');
    case 'approval':
      return t('Approval');
    case 'run':
      return t('The run itself');
    case 'output':
      return t('The result');
    case 'audit':
      return t('The record');
    default:
      return step;
  }
}

/** What a step answered. */
function effectWord(effect: string, t: Translate): string {
  switch (effect) {
    case 'pass':
      return t('passed');
    case 'ask':
      return t('asks');
    case 'deny':
      return t('denied');
    default:
      return effect;
  }
}

interface Step {
  readonly step: string;
  readonly effect: string;
  readonly reasons?: readonly object[];
}

/** A step of the gate and what it answered, as a person would say it: `The tool exists: passed`. */
export function stepWords(
  { step, effect, reasons }: Step,
  t: Translate,
): { readonly name: string; readonly answer: string } {
  const failed = step === 'run' && (reasons?.length ?? 0) > 0;
  return { name: stepName(step, t), answer: failed ? t('failed') : effectWord(effect, t) };
}

/** A reason that a step gave, for a person; the run gives the code of its error. */
export const stepReason = (step: string, text: string, t: Translate): string =>
  step === 'run' ? refusalWord(text, t) : personText(text, t);

/** The same as a line of a page; a code without words is code. */
export function stepMarkdown(step: Step & { readonly error?: string }, t: Translate): string {
  const { name, answer } = stepWords(step, t);
  const line = `**${plainMarkdown(name)}**: ${plainMarkdown(answer)}`;
  if (step.error === undefined) return line;
  const words = refusalWord(step.error, t);
  return `${line} (${words === step.error ? codeSpan(words) : plainMarkdown(words)})`;
}

/** Why a step stopped a call, in a word or two; a code without a word keeps its name. */
function refusalWord(code: string, t: Translate): string {
  switch (code) {
    case 'tool_not_found':
    case 'not_found':
      return t('not found');
    case 'no_match':
      return t('no match');
    case 'already_exists':
      return t('exists already');
    case 'conflict':
      return t('changed meanwhile');
    case 'path_outside':
      return t('outside the workspace');
    case 'timeout':
      return t('took too long');
    case 'cancelled':
      return t('cancelled');
    case 'not_available':
      return t('not available');
    case 'not_enabled':
      return t('switched off');
    case 'not_visible':
      return t('not offered');
    case 'permission_denied':
      return t('forbidden to whoever called');
    case 'scope_missing':
      return t('a scope is missing');
    case 'invalid_input':
      return t('its input is not valid');
    case 'plan_mode':
      return t('plan mode only reads');
    case 'plan_required':
      return t('needs a frozen plan');
    case 'outside_plan':
      return t('not in the frozen plan');
    case 'denied_by_policy':
      return t('by a rule');
    case 'secret_elsewhere':
      return t('a secret would go elsewhere');
    case 'requirement_failed':
      return t('a requirement is not met');
    case 'rate_limit_exceeded':
      return t('called too often');
    case 'budget_exceeded':
      return t('the budget is used up');
    case 'circuit_open':
      return t('it failed too often');
    case 'too_many_calls':
      return t('too many calls at once');
    case 'declined':
      return t('declined by a person');
    case 'approval_timeout':
      return t('nobody answered in time');
    case 'approval_unavailable':
      return t('nobody could be asked');
    default:
      return code;
  }
}

/** What a rule does to a call that it is about; a decision without a word keeps its name. */
export function decisionWord(decision: string, t: Translate): string {
  switch (decision) {
    case 'deny':
      return t('denies');
    case 'require_approval':
      return t('asks');
    case 'advise':
      return t('only notes');
    case 'allow':
      return t('allows');
    case 'deny_unless_account':
      return t('denies unless an account is there');
    default:
      return decision;
  }
}

/** Where a rule comes from, where neither its file nor the preset is known. */
export function ruleScopeWord(scope: string, t: Translate): string {
  switch (scope) {
    case 'builtin':
      return t('built in');
    case 'managed':
      return t('your administrator');
    case 'user':
      return t('your settings');
    case 'bundle':
      return t('a signed bundle');
    case 'workspace':
      return t('this workspace');
    case 'profile':
      return t('a capability that is on');
    default:
      return scope;
  }
}
