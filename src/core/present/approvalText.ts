import { type Access, accessHost } from '../vocabulary/access';
import type { ApprovalRequest } from '../call/gateCall';
import { plainWords, type Translate } from '../base/translate';
import { riskWords } from './words';
import { cleanLine, oneLine, plannedWords, reasonWords } from './approvalWords';
import type { CallPreview } from '../capability/tool';
import type { Reason } from '../vocabulary/decision';

type ApprovalButton = 'allow-once' | 'allow-session' | 'always' | 'show';

/** What the modal shows. Plain text; the surface adds nothing but its own Cancel button, which denies. */
export interface ApprovalText {
  /** `Allow "write_file" to change src/app.ts?` */
  readonly title: string;
  readonly lines: readonly string[];
  /** The lines as one text. */
  readonly detail: string;
  /**
   * The one of `lines` with which the content begins; a surface keeps those lines unbroken, so that none looks like
   * two.
   */
  readonly contentFrom: number;
  /** In this order; the first is the default. */
  readonly buttons: readonly { readonly id: ApprovalButton; readonly label: string }[];
  /**
   * True where something could not be shown whole or held hidden characters: then nothing may be allowed for longer
   * than the call.
   */
  readonly truncated: boolean;
  /** Everything without a cap, for Show in Editor. */
  readonly full: string;
}

const mostLines = 20;
const mostColumns = 120;
const longestTitlePart = 80;

/**
 * Words an approval for the modal: the tool, its accesses in plain words, the reasons, then the diff or the arguments.
 * Control, bidi and invisible characters appear as `⟨U+202E⟩`, tabs as arrows; the detail has at most 20 lines of 120
 * characters.
 */
export function describeApproval(request: ApprovalRequest, t: Translate = plainWords): ApprovalText {
  const { call, accesses, preview } = request;
  const name = cleanLine(shownName(call.tool));
  const action = plannedWords(preview.action, accesses, name.text, t);
  const title = titleOf(name.text, accesses, action, t);
  const head = headLines(request, action, t);
  const isPartial = preview.isPartial ?? false;
  const body = [
    ...(preview.lines ?? []),
    ...(preview.diff === undefined ? [] : diffLines(preview.diff)),
    ...(preview.diff === undefined || isPartial ? argumentLines(call.input, t) : []),
  ].flatMap((line) => line.split('\n'));
  const lines = [...head, ...body];
  // A long change is worded again with every redraw of the tree, so only what is shown is looked at.
  const first = lines.slice(0, mostLines).map(cleanLine);
  const shown = first.map(({ text }, at) => (at < head.length ? cutMiddle(text, mostColumns) : cutEnd(text)));
  const more = lines.length - shown.length;
  const isSpoofed = accesses.some(({ resource }) => resource.includes('\n') || cleanLine(resource).count > 0);
  const isHidden =
    name.count > 0 || isSpoofed || first.some(({ text, count }) => count > 0 || text.length > mostColumns);
  const truncated = more > 0 || isHidden || isPartial;
  if (more > 0)
    shown[mostLines - 1] = t('… {0} lines more, shown by Show in Editor', (more + 1).toLocaleString('en-US'));
  return {
    title: title.text,
    lines: shown,
    detail: shown.join('\n'),
    contentFrom: Math.min(head.length, shown.length),
    buttons: [
      { id: 'allow-once', label: 'Allow Once' },
      ...(truncated
        ? []
        : [
            { id: 'allow-session', label: 'Allow for This Session' } as const,
            { id: 'always', label: 'Always Allow…' } as const,
          ]),
      { id: 'show', label: 'Show in Editor' },
    ],
    truncated,
    get full() {
      return [title.whole, '', ...lines.map((line) => cleanLine(line).text)].join('\n');
    },
  };
}

/** What stands above the content: who asks for what, why the person is asked, the hosts and the accesses. */
function headLines(request: ApprovalRequest, action: string, t: Translate): readonly string[] {
  const { call, accesses, reasons, preview } = request;
  const { riskLevel, reversible } = call.tool.definition;
  const hosts = [...new Set(accesses.map(accessHost).filter((host) => host !== undefined))];
  const undo = undoWords(preview.undo ?? (reversible ? 'possible' : 'never'), t);
  // What the title cannot hold stands on lines of its own below.
  const isCut = action.length > longestTitlePart;
  const asks = t(
    '{0} asks to {1} ({2}, {3}).',
    whoAsks(request, t),
    cutMiddle(action, longestTitlePart),
    riskWords(riskLevel, t),
    undo,
  );
  return [
    ...wrapped(asks),
    ...reasonLines(reasons, t),
    ...(hosts.length > 0 ? [t('Hosts: {0}', hosts.map(oneLine).join(', '))] : []),
    ...(accesses.length > 1 || isCut ? accesses.map((one) => `  ${plannedWords(preview.action, [one], '', t)}`) : []),
    '',
  ].flatMap((line) => line.split('\n'));
}

function undoWords(undo: NonNullable<CallPreview['undo']> | 'possible', t: Translate): string {
  return {
    possible: t('reversible'),
    'from-trash': t('can be restored from the trash'),
    never: t('cannot be undone'),
  }[undo];
}

/**
 * The name that the person knows from the tree: a tool of others by its source and its own name, which a model's name
 * may have cut.
 */
function shownName({ definition, capability, modelName }: ApprovalRequest['call']['tool']): string {
  return definition.origins ? `${capability.name}: ${definition.name}` : modelName;
}

/**
 * Why the person is asked: on one line where it fits, else each reason on lines of its own, so that none of it is cut
 * off.
 */
function reasonLines(reasons: readonly Reason[], t: Translate): readonly string[] {
  const texts =
    reasons.length > 0
      ? reasons.map((one) =>
          reasonWords(one.said, t)
            .replace(/\s*\n\s*/g, ' ')
            .replace(/\.$/, ''),
        )
      : [t('the tool needs confirmation')];
  const line = t('Why you are asked: {0}.', texts.join('; '));
  if (line.length <= mostColumns) return [line];
  return [t('Why you are asked:'), ...texts.flatMap((text) => wrapped(`- ${text}`))];
}

/** Breaks a line between words; a word that is longer than a line stays whole, and is cut like any other text. */
function wrapped(line: string): readonly string[] {
  const out: string[] = [];
  let rest = line;
  while (rest.length > mostColumns) {
    const at = rest.lastIndexOf(' ', mostColumns);
    if (at <= 2) break;
    out.push(rest.slice(0, at));
    rest = `  ${rest.slice(at + 1)}`;
  }
  return [...out, rest];
}

/** The lines of a diff without its two lines of names where both name the same file, which the title names already. */
function diffLines(diff: string): readonly string[] {
  const lines = diff.replace(/\r?\n$/, '').split('\n');
  const [before = '', after = ''] = lines;
  return before.startsWith('--- ') && after === `+++ ${before.slice(4)}` ? lines.slice(2) : lines;
}

function whoAsks({ call }: ApprovalRequest, t: Translate): string {
  const profile = cut(oneLine(call.profile.profile.name), 60);
  return call.actor.type === 'agent' ? t('The agent (profile {0})', profile) : t('You (profile {0})', profile);
}

function titleOf(
  name: string,
  accesses: readonly Access[],
  action: string,
  t: Translate,
): { text: string; whole: string } {
  if (accesses.length === 0) {
    const whole = t('Allow "{0}" to run?', name);
    return { whole, text: whole };
  }
  const titled = (words: string): string => t('Allow "{0}" to {1}?', name, words);
  return { whole: titled(action), text: titled(cutMiddle(action, longestTitlePart)) };
}

/** The arguments, one line each, strings with their line breaks kept. */
function argumentLines(input: unknown, t: Translate): readonly string[] {
  if (typeof input !== 'object' || input === null) return [JSON.stringify(input) ?? t('no arguments')];
  const entries = Object.entries(input);
  if (entries.length === 0) return [t('no arguments')];
  return entries.flatMap(([key, value]) => {
    if (typeof value !== 'string' || !value.includes('\n'))
      return [`${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`];
    return [`${key}:`, ...value.split('\n').map((line) => `  ${line}`)];
  });
}

/** Cuts without splitting a surrogate pair. */
function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}

function cutEnd(text: string): string {
  return text.length > mostColumns ? `${cut(text, mostColumns - 1)}…` : text;
}

/** Leaves out the middle, because the end of a path says what it is. */
function cutMiddle(text: string, length: number): string {
  if (text.length <= length) return text;
  const tail = Math.floor(length / 3);
  return `${cut(text, length - tail - 1)}…${text.slice(-tail).replace(/^[\uDC00-\uDFFF]/, '')}`;
}
