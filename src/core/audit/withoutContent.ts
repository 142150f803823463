import { say, type Sentence, worded } from '../base/sentence';
import type { StepAnswer } from '../vocabulary/decision';
import type { AuditEvent, CallFacts } from './event';
import { isForeign } from './recordedSentence';

type CallEvent = Extract<AuditEvent, CallFacts>;

/**
 * The event of a call without what its texts hold of arguments and contents. A sentence of ours stays: it names places,
 * codes and counts, and what is more is marked in it (`content`). Words of a tool, of a server or of another agent may
 * be anything, a file's text among it: of them stays how long they were, beside the code of the error. Most events hold
 * none of it and are answered as they are.
 */
export function withoutContent(event: CallEvent): CallEvent {
  if (event.type === 'approval.asked') {
    const reasons = each(event.reasons, withoutParts);
    return reasons === event.reasons ? event : { ...event, reasons };
  }
  if (!('steps' in event)) return event;
  const steps = each(event.steps, stepWithoutContent);
  const kept = steps === event.steps ? event : { ...event, steps };
  if (!('errorMessage' in kept) || kept.errorMessage === undefined) return kept;
  const said = ofError(kept.said, kept.errorMessage);
  return said === kept.said ? kept : { ...kept, said, errorMessage: worded(said) };
}

/** What an error says as it may be kept; the same object where it holds nothing else. */
const ofError = (said: Sentence | undefined, message: string): Sentence =>
  said === undefined || isForeign(said) ? say('message_not_kept', message.length) : withoutParts(said);

function stepWithoutContent(step: StepAnswer): StepAnswer {
  const { said: told, error } = step;
  // Of a step that an error denies, the reason is what the error says.
  const words = error && told && isForeign(told) ? told.args[0] : undefined;
  const reasons = each(step.reasons, (reason) => {
    const isTold = words !== undefined && isForeign(reason.said) && reason.said.args[0] === words;
    const said = isTold ? ofError(undefined, String(words)) : withoutParts(reason.said);
    return said === reason.said ? reason : { ...reason, said };
  });
  return reasons === step.reasons ? step : { ...step, reasons };
}

type Argument = Sentence['args'][number];

/** A sentence with the length of each content in it, at any depth. */
function withoutParts(said: Sentence): Sentence {
  if (said.code === 'content') return say('content_not_kept', worded(said).length);
  const args = each(said.args, argumentWithoutParts);
  return args === said.args ? said : { args, code: said.code };
}

function argumentWithoutParts(arg: Argument): Argument {
  if (typeof arg === 'string' || typeof arg === 'number') return arg;
  if ('code' in arg) return withoutParts(arg);
  const sentences = arg.flatMap((one) => (typeof one === 'string' ? [] : [one]));
  const kept = each(sentences, withoutParts);
  return kept === sentences ? arg : kept;
}

/** The list with each item as `change` makes it; the same list where nothing changed. */
function each<T>(list: readonly T[], change: (item: T) => T): readonly T[] {
  const changed = list.map(change);
  return changed.every((one, index) => one === list[index]) ? list : changed;
}
