import { codeWord } from '../vocabulary/codeWord';
import { defined, isObject } from '../base/json';
import { type Sentence, worded } from '../base/sentence';
import { visible } from '../base/visible';
import type { GatePreview } from '../call/gateCall';
import type { ApprovalText } from './approvalText';
import { cutEnd } from '../base/text';
import { reasonWords } from '../vocabulary/reasonWords';
import { oneLine } from './approvalWords';
import type { Translate } from '../base/translate';
import { movesOf } from './moves';
import { codeSpan, plainMarkdown, proseMarkdown, wholeNumber } from './words';
import { adviceOf, type Reason } from '../vocabulary/decision';
import { isRefusal } from '../vocabulary/errors';

/** Arguments that say what a call is about where its resource does not: a search in a folder. */
const telling = ['pattern', 'query', 'expression'] as const;

const longest = 120;

/** A move names both its places; of more than that, the rest is counted. */
const mostNamed = 2;

/** What went wrong with a call; `said` is what the message says, where it is a sentence of ours. */
export interface FailureTold {
  readonly code?: string;
  readonly message?: string;
  readonly said?: Sentence;
}

/** What the line of a call in the chat says beyond the call. */
interface LineParts {
  /** What is known to go wrong with a call that no rule stops. */
  readonly failure?: FailureTold;
  /** The address of the explanation, as a link leads there. */
  readonly why?: string;
  /** The address that takes back what it changes. */
  readonly undo?: string;
  /** True where a person is asked before it runs. */
  readonly waits?: boolean;
  /** The address that tells what became of a call that is asked about: its line is written before the answer. */
  readonly outcome?: string;
}

/**
 * The line of a call in the chat, as markdown: the tool, what it is about, what it touches, and that it is denied or
 * cannot succeed where that is certain already, with the way to the explanation or back. The editor shows it as it
 * stands for good, so a person who scrolls back sees which calls came to nothing.
 */
export function callWords(
  title: string,
  preview: GatePreview,
  t: Translate,
  { failure, why, waits, undo, outcome }: LineParts = {},
): string {
  const subject = subjectOf(preview.call?.input);
  const touched = [...new Set(preview.accesses.map((access) => access.resource))].filter(
    (resource) => resource !== '' && !(subject !== undefined && resource === '.'),
  );
  const more = touched.length - mostNamed;
  const spans = [subject, ...touched.slice(0, mostNamed)]
    .filter((one) => one !== undefined)
    .map((one) => codeSpan(shorten(oneLine(one))));
  const isMove = movesOf({ tool: preview.toolId ?? '', accesses: preview.accesses }).length === 1;
  const parts = isMove && spans.length === 2 ? spans.toSpliced(1, 0, '→') : spans;
  const line = [plainMarkdown(title), ...parts, ...(more > 0 ? [plainMarkdown(`+${more}`)] : [])].join(' ');
  const noted = preview.effect === 'deny' ? line : [line, ...adviceWords(preview, t)].join(' · ');
  const link = (label: string, to: string | undefined): string => (to === undefined ? '' : ` · [${label}](${to})`);
  // Words that stay true once it is answered, because the line stays; after a no there is nothing to undo.
  if (waits === true) return `${noted} · ${plainMarkdown(t('asks you first'))}${link(t('Outcome'), outcome)}`;
  const end = endWords(preview, failure, t);
  if (end === undefined) return `${noted}${link(t('Undo'), undo)}${link(t('Outcome'), outcome)}`;
  return `${line} · ${end}${link(t('Why?'), why)}`;
}

/** What rules advise about a call that may run, as markdown: the first of it. */
function adviceWords({ steps }: GatePreview, t: Translate): readonly string[] {
  const [first, ...more] = adviceOf(steps);
  if (!first) return [];
  const words = t('note: {0}', shorten(oneLine(reasonWords(first.said, t))));
  return [proseMarkdown(more.length > 0 ? `${words} (+${more.length})` : words)];
}

/** How a call ends that comes to nothing, as markdown; undefined where it may succeed. */
function endWords(preview: GatePreview, failure: FailureTold | undefined, t: Translate): string | undefined {
  const told =
    preview.effect === 'deny' ? preview.error && { ...preview.error, ...defined({ said: preview.said }) } : failure;
  if (!told) return undefined;
  const words = proseMarkdown(errorWords(told, preview.reasons, t));
  return told.code === 'declined' || isRefusal(told.code ?? '') ? `⊘ ${words}` : `✗ ${words}`;
}

/**
 * Why a call came to nothing, in the person's language and few words: an error's message is written for models.
 * @param reasons what the gate said of the call.
 */
export function errorWords(told: FailureTold, reasons: readonly Reason[], t: Translate): string {
  const { code = '' } = told;
  if (code === 'declined' || code === 'approval_timeout' || !isRefusal(code)) return failureWords(told, t);
  const reason = reasons[0]?.said;
  return reason === undefined ? t('denied') : t('denied: {0}', shorten(oneLine(reasonWords(reason, t))));
}

/** What went wrong with a call, in few words; what is no sentence of ours, as it was written. */
export function failureWords({ code, message, said }: FailureTold, t: Translate): string {
  const words = (): string => oneLine(said ? worded(said, t) : (message ?? ''));
  return codeWord('failure', code ?? '', t) ?? t('failed: {0}', shorten(words()));
}

function subjectOf(input: unknown): string | undefined {
  if (!isObject(input)) return undefined;
  return telling.map((name) => input[name]).find((value): value is string => typeof value === 'string' && value !== '');
}

const shorten = (text: string): string => cutEnd(text, longest);

/**
 * The chat's own confirmation scrolls, so it may be longer than the modal; what is beyond stands in the arguments,
 * which the editor shows below.
 */
const mostLines = 300;

/** What the editor may take out of a title: it drops `_`, `*`, `#` and more, escaped or not. */
const lostInTitle = /[^\p{L}\p{N}./ -]+/gu;

/**
 * An approval for the editor's own confirmation in the chat: the modal's words as markdown, the content as a block that
 * nothing in it can end. The title names the tool and what it does, as the modal's does, with `…` for what the editor
 * would drop without a trace: `my_file.ts` and `myfile.ts` must not look alike. The message has every name whole.
 */
export function confirmationWords(
  toolTitle: string,
  text: ApprovalText,
  t: Translate,
): { readonly title: string; readonly message: string } {
  const lines = text.full.split('\n').slice(2);
  const head = lines.slice(0, text.contentFrom).filter((line) => line !== '');
  const body = lines.slice(text.contentFrom);
  const shown = body.slice(0, mostLines);
  const more = body.length - shown.length;
  const longestRun = Math.max(2, ...[...shown.join('\n').matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longestRun + 1);
  return {
    title: text.action.includes('⟨')
      ? t('Allow "{0}"?', visible(toolTitle))
      : t('Allow "{0}" to {1}?', visible(toolTitle), text.action.replace(lostInTitle, '…')),
    message: [
      head.map((line) => proseMarkdown(line)).join('  \n'),
      ...(shown.length > 0 ? ['', `${fence}diff`, ...shown, fence] : []),
      ...(more > 0 ? ['', plainMarkdown(t('… {0} lines more', wholeNumber(more, t)))] : []),
    ].join('\n'),
  };
}
