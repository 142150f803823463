import { type Sentence, sentenceKey } from '../base/sentence';

/**
 * Whether the reason of a step says nothing that whoever called was told already: it is the same sentence, a part of
 * it, or the rule by which the call was denied. A page for people that tells both says it once.
 */
export function isToldBy(told: Sentence, reason: Sentence): boolean {
  if (sentenceKey(told) === sentenceKey(reason)) return true;
  if (reason.code === 'boundary_says' && (told.code === 'denied_by_boundary' || told.code === 'denied_with_steer'))
    return reason.args.every((one, at) => JSON.stringify(one) === JSON.stringify(told.args[at]));
  return told.args.some((one) => partsOf(one).some((part) => isToldBy(part, reason)));
}

function partsOf(argument: Sentence['args'][number]): readonly Sentence[] {
  if (typeof argument !== 'object') return [];
  if ('code' in argument) return [argument];
  return argument.flatMap((one) => (typeof one === 'string' ? [] : [one]));
}
