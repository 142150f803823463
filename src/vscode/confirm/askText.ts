import { cleanLine } from '../../core/present/approvalWords';
import { wholeNumber } from '../../core/present/words';
import { cutEnd } from '../../core/base/text';
import type { Translate } from '../../core/base/translate';
import { untilAborted } from '../../core/base/pause';
import type { ModalButton, ModalQuestions } from './modalQuestions';

const mostRows = 24;
/** A modal is as narrow as this where its buttons are few. */
const mostColumns = 60;

export interface TextButton<Id extends string> extends ModalButton<Id> {
  /** True where the answer grants nothing, so that it is offered before the person has seen all of the text. */
  readonly isAlways?: boolean;
}

/** A question about a text that somebody else wrote: a server's tools, a definition, a profile from a file. */
export interface TextQuestion<Id extends string> {
  readonly title: string;
  /** What is decided about, every line of it. Hidden characters are made visible here. */
  readonly lines: readonly string[];
  /** What the text is called when it is shown in an editor, with its ending. */
  readonly name: string;
  /**
   * True where Show in Editor comes first and has the keyboard, because every other answer changes something that
   * stands.
   */
  readonly showFirst?: boolean;
  /** The first has the keyboard. */
  readonly buttons: readonly TextButton<Id>[];
}

export interface TextQuestionsOptions {
  readonly questions: ModalQuestions;
  /** Shows a text that cannot be changed in an editor, and answers how it is closed again. */
  readonly showText: (name: string, text: string) => PromiseLike<() => unknown>;
  /** Offers, without a modal over the text, to go on; false where the person does not want to. */
  readonly goOn: (title: string) => PromiseLike<boolean>;
  readonly t: Translate;
}

/**
 * Asks about a text in a modal. A text that does not fit into it, in 24 rows of 60 characters, or that holds hidden
 * characters can be granted only once all of it was shown in an editor: until then the modal says how much is missing
 * and offers to show it. The editor closes once that is answered; a text that was put aside stays open.
 */
export async function askText<Id extends string>(
  options: TextQuestionsOptions,
  question: TextQuestion<Id>,
  signal: AbortSignal | undefined,
): Promise<Id | undefined> {
  const { questions, showText, goOn, t } = options;
  const cleaned = question.lines.flatMap((line) => line.split(/\r?\n/)).map(cleanLine);
  const lines = cleaned.map(({ text }) => text);
  const { shown, missing } = fitted(lines);
  const isWhole = missing === 0 && cleaned.every(({ count }) => count === 0);
  const show: TextButton<'show'> = { id: 'show', label: t('Show in Editor'), isHarmless: true, isAlways: true };
  const offered = question.buttons.filter((button) => isWhole || button.isAlways === true);
  let close = (): unknown => undefined;
  for (let hasSeen = isWhole; ; hasSeen = true) {
    if (signal?.aborted) break;
    const detail = [
      ...shown,
      ...(missing > 0 ? [moreWords(missing, t)] : []),
      ...(hasSeen ? [] : ['', t('It can be approved once all of it has been shown in the editor.')]),
    ].join('\n');
    const buttons: readonly TextButton<Id | 'show'>[] =
      hasSeen && question.showFirst !== true
        ? [...question.buttons, show]
        : [show, ...(hasSeen ? question.buttons : offered)];
    const answer = await questions.ask({ title: question.title, detail, buttons }, signal);
    if (answer !== 'show') {
      await close();
      return answer;
    }
    close = await showText(question.name, [question.title, '', ...lines.flatMap(wrapped)].join('\n'));
    const goesOn = await untilAborted(goOn(question.title), signal);
    if (goesOn === false) return undefined;
  }
  await close();
  return undefined;
}

/** An editor that does not wrap would show the beginning of a long line only. */
const mostInEditor = 110;

function wrapped(line: string): readonly string[] {
  const out: string[] = [];
  // Of a change, every row has its sign.
  const indent = `${/^[+-]/.exec(line)?.[0] ?? ' '}   `;
  let rest = line;
  while (rest.length > mostInEditor) {
    const blank = rest.lastIndexOf(' ', mostInEditor);
    const isBetweenWords = blank > mostInEditor / 2;
    const at = isBetweenWords ? blank : mostInEditor - Number(/[\uD800-\uDBFF]/.test(rest[mostInEditor - 1] ?? ''));
    out.push(rest.slice(0, at));
    rest = `${indent}${rest.slice(isBetweenWords ? at + 1 : at)}`;
  }
  return [...out, rest];
}

function moreWords(missing: number, t: Translate): string {
  if (missing === 1) return t('… 1 line more, shown by Show in Editor');
  return t('… {0} lines more, shown by Show in Editor', wholeNumber(missing, t));
}

/** The lines that fit, a long one taking several rows; what would need more is left for the editor whole. */
function fitted(lines: readonly string[]): { readonly shown: readonly string[]; readonly missing: number } {
  let rows = 0;
  const rowsOf = (line: string): number => Math.max(1, Math.ceil(line.length / mostColumns));
  const total = lines.reduce((sum, line) => sum + rowsOf(line), 0);
  if (total <= mostRows) return { shown: lines, missing: 0 };
  const shown: string[] = [];
  for (const line of lines) {
    rows += rowsOf(line);
    // One row is kept for the count of what is missing.
    if (rows > mostRows - 1) break;
    shown.push(line);
  }
  const missing = lines.length - shown.length;
  // Of one endless line its beginning is better than nothing.
  const first = shown.length === 0 ? [cutEnd(lines[0] ?? '', (mostRows - 2) * mostColumns)] : shown;
  return { shown: first, missing };
}
