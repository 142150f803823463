import { isObject } from '../base/json';
import { visibleText } from '../base/visible';
import type { GatePreview } from '../call/gateCall';
import type { ApprovalText } from './approvalText';
import { oneLine, reasonWords } from './approvalWords';
import type { Translate } from '../base/translate';
import { codeSpan, plainMarkdown } from './words';
import { isRefusal } from '../vocabulary/errors';

/** Arguments that say what a call is about where its resource does not: a search in a folder. */
const telling = ['pattern', 'query', 'expression'] as const;

const longest = 120;

/** A move names both its places; of more than that, the rest is counted. */
const mostNamed = 2;

/**
 * The line of a call in the chat, as markdown: the tool, what it is about, what it touches, and that it is denied where
 * that is certain already. The editor shows it as it stands for good, so a person who scrolls back sees which calls
 * were stopped.
 */
export function callWords(title: string, preview: GatePreview, t: Translate): string {
  const subject = subjectOf(preview.call?.input);
  const touched = [...new Set(preview.accesses.map((access) => access.resource))].filter(
    (resource) => resource !== '' && !(subject !== undefined && resource === '.'),
  );
  const more = touched.length - mostNamed;
  const parts = [subject, ...touched.slice(0, mostNamed)]
    .filter((one) => one !== undefined)
    .map((one) => codeSpan(shorten(oneLine(one))));
  const line = [
    plainMarkdown(visibleText(title).text),
    ...parts,
    ...(more > 0 ? [plainMarkdown(`+${more}`)] : []),
  ].join(' ');
  if (preview.effect !== 'deny' || !preview.error || !isRefusal(preview.error.code)) return line;
  const reason = preview.reasons[0]?.said;
  const why = reason === undefined ? t('denied') : t('denied: {0}', shorten(oneLine(reasonWords(reason, t))));
  return `${line} · ${plainMarkdown(why)}`;
}

function subjectOf(input: unknown): string | undefined {
  if (!isObject(input)) return undefined;
  for (const name of telling) {
    const value = input[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

function shorten(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/**
 * The chat's own confirmation scrolls, so it may be longer than the modal; what is beyond stands in the arguments,
 * which the editor shows below.
 */
const mostLines = 300;

/**
 * An approval for the editor's own confirmation in the chat: the modal's words as markdown, the content as a block that
 * nothing in it can end. The editor takes `_`, `*`, `#` and more out of a title, escaped or not, so it names the tool
 * by its title and no file.
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
    title: t('Allow "{0}"?', visibleText(toolTitle).text),
    message: [
      head.map(plainMarkdown).join('  \n'),
      ...(shown.length > 0 ? ['', `${fence}diff`, ...shown, fence] : []),
      ...(more > 0 ? ['', plainMarkdown(t('… {0} lines more', more.toLocaleString('en-US')))] : []),
    ].join('\n'),
  };
}
