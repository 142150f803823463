import type { Translate } from '../base/translate';
import { codeWord } from './codeWord';
import { codeSpan, plainMarkdown } from '../base/markdown';

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
  const answer = failed ? t('failed') : (codeWord('effect', effect, t) ?? effect);
  return { name: codeWord('step', step, t) ?? step, answer };
}

/** The same as a line of a page; a code without words is code. */
export function stepMarkdown(step: Step & { readonly error?: string }, t: Translate): string {
  const { name, answer } = stepWords(step, t);
  const line = `**${plainMarkdown(name)}**: ${plainMarkdown(answer)}`;
  if (step.error === undefined) return line;
  const words = codeWord('refusal', step.error, t);
  return `${line} (${words === undefined ? codeSpan(step.error) : plainMarkdown(words)})`;
}
