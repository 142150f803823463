import { worded } from '../base/sentence';
import { cutAt } from '../base/text';
import { type Access, accessHost, isReadOnly } from '../vocabulary/access';
import type { ApprovalRequest } from '../call/gateCall';
import type { Translate } from '../base/translate';
import { riskWords, wholeNumber } from './words';
import { broken, cutMiddle, mostColumns, mostInEditor, mostLines, shownContent } from './approvalRows';
import { reasonWords } from '../vocabulary/reasonWords';
import { cleanLine, oneLine, plannedWords } from './approvalWords';
import type { CallPreview } from '../capability/tool';
import { stakeWords } from './stakeWords';
import type { Reason } from '../vocabulary/decision';
import { grantableFolders } from '../policy/grants/fileChanges';
import { profileWords } from '../profiles/shippedProfiles';

/** What a person can answer; `folder` is below which `allow-files` allows all file changes. */
export type ApprovalAnswer =
  | { readonly id: 'allow-once' | 'allow-session' | 'always' | 'show'; readonly label: string }
  | { readonly id: 'allow-files'; readonly label: string; readonly folder: string };

/** An answer, or a button that leads to the list of some. */
export type ApprovalButton =
  ApprovalAnswer | { readonly id: 'for-session'; readonly label: string; readonly choices: readonly ApprovalAnswer[] };

/** What the modal shows. Plain text; the surface adds nothing but its own Cancel button, which denies. */
export interface ApprovalText {
  /** `Allow "write_file" to change src/app.ts?` */
  readonly title: string;
  /** What the call does: `change src/app.ts`. */
  readonly action: string;
  readonly lines: readonly string[];
  /** The lines as one text. */
  readonly detail: string;
  /**
   * The one of `lines` with which the content begins; a surface keeps those lines unbroken, so that none looks like
   * two.
   */
  readonly contentFrom: number;
  /** In this order; the first is the default. */
  readonly buttons: readonly ApprovalButton[];
  /** True where something is not shown whole here or holds hidden characters: then nothing lasting is offered yet. */
  readonly truncated: boolean;
  /**
   * When the call may be allowed for longer: `now`, once the person has `read` all of it in an editor, or `never`,
   * where no text of ours can show what it is.
   */
  readonly lasting: 'now' | 'read' | 'never';
  /** The answers that last, whether or not they are offered yet. */
  readonly lastingButtons: readonly ApprovalAnswer[];
  /** True where all lines above the content are shown whole. */
  readonly isHeadWhole: boolean;
  /** Everything without a cap, for Show in Editor. */
  readonly full: string;
}

const longestTitlePart = 80;
const longestScope = 32;
/** So many letters of buttons are whole in a window of 1280 points that is enlarged to 150 %. */
const mostInButtons = 80;

/**
 * Words an approval for the modal: the tool, its accesses in plain words, the reasons, then the diff or the arguments.
 * Control, bidi and invisible characters appear as `⟨U+202E⟩`, tabs as arrows; the detail has at most 20 lines of 120
 * characters.
 */
export function describeApproval(request: ApprovalRequest, t: Translate): ApprovalText {
  const { call, accesses, passesOn, preview } = request;
  const name = cleanLine(shownName(call.tool));
  const action = plannedWords(preview.action, accesses, name.text, t);
  const title = titleOf(name.text, accesses, action, t);
  const head = headLines(request, action, t);
  const isPartial = preview.isPartial ?? false;
  const body = [
    ...(preview.lines ?? []).map((line) => (typeof line === 'string' ? line : worded(line, t))),
    ...(preview.diff === undefined ? [] : diffLines(preview.diff)),
    ...(preview.diff === undefined || isPartial ? argumentLines((passesOn ?? call).input, t) : []),
  ].flatMap((line) => line.split('\n'));
  const lines = [...head, ...body];
  const top = head.slice(0, mostLines).map(cleanLine);
  const isHeadWhole = head.length < mostLines && top.every(({ text }) => text.length <= mostColumns);
  const isSpoofed = accesses.some(({ resource }) => resource.includes('\n') || cleanLine(resource).count > 0);
  const content = shownContent(body, mostLines - top.length, preview.diff !== undefined && !isPartial, t);
  const shown = [...top.map(({ text }) => cutMiddle(text, mostColumns)), ...content.rows];
  const isHidden = name.count > 0 || isSpoofed || content.isHidden || top.some(({ count }) => count > 0);
  const truncated = !content.isWhole || !isHeadWhole || isHidden || isPartial;
  const more = lines.length - top.length - content.rows.length;
  if (!content.isWhole && more > 0)
    shown[mostLines - 1] = t('… {0} lines more, shown by Show in Editor', wholeNumber(more + 1, t));
  const canNeverLast = isPartial || isSpoofed || name.count > 0;
  const lastingButtons = canNeverLast ? [] : lastingAnswers(request, name.text, t);
  return {
    title: title.text,
    action: cutMiddle(action, longestTitlePart),
    lines: shown,
    detail: shown.join('\n'),
    contentFrom: Math.min(head.length, shown.length),
    buttons: modalButtons(truncated ? [] : lastingButtons, t),
    truncated,
    lasting: canNeverLast ? 'never' : truncated ? 'read' : 'now',
    lastingButtons,
    isHeadWhole,
    get full() {
      const clean = lines.map((line) => cleanLine(line).text);
      return [title.whole, '', ...clean.flatMap((line) => broken(line, mostInEditor, /^[+-]/.exec(line)?.[0]))].join(
        '\n',
      );
    },
  };
}

/**
 * The buttons of the modal with these answers that last. The editor puts them in one row and cuts their words where
 * they do not fit, so where they are many or long, those for the session stand in a list behind one button.
 * @param beside what stands in the row too.
 */
export function modalButtons(
  lasting: readonly ApprovalAnswer[],
  t: Translate,
  beside: readonly { readonly label: string }[] = [],
): readonly ApprovalButton[] {
  const around = (some: readonly ApprovalButton[]): readonly ApprovalButton[] => [
    { id: 'allow-once', label: t('Allow Once') },
    ...some,
    { id: 'show', label: t('Show in Editor') },
  ];
  const all = around(lasting);
  if ([...all, ...beside].reduce((sum, { label }) => sum + label.length, 0) <= mostInButtons) return all;
  const choices = lasting.filter(({ id }) => id !== 'always');
  return around([
    { id: 'for-session', label: t('Allow for Session…'), choices },
    ...lasting.filter(({ id }) => id === 'always'),
  ]);
}

/** The answers that last, from the narrowest to the widest, each label with what it covers. */
function lastingAnswers(request: ApprovalRequest, name: string, t: Translate): readonly ApprovalAnswer[] {
  const { call, accesses, reasons } = request;
  const named = [...new Set(accesses.map(({ resource }) => resource))];
  const resources = named.map((one) => cutMiddle(oneLine(one), longestScope)).filter((one) => one !== '');
  const scope =
    named.length === 0
      ? t('{0} with these arguments', name)
      : resources.length === 1
        ? t('{0} on {1}', name, resources[0] ?? '')
        : t('{0} on exactly these {1} places', name, named.length);
  const folders = grantableFolders({ tool: call.tool, actor: call.actor.type, accesses, reasons });
  return [
    { id: 'allow-session', label: t('Allow {0} for Session', scope) },
    ...folders.map(
      (folder) =>
        ({
          id: 'allow-files',
          label: t('Allow All File Changes below {0} for Session', folderName(folder)),
          folder,
        }) as const,
    ),
    { id: 'always', label: t('Always Allow…') },
  ];
}

/** A folder as a person reads it in a choice: `src/`, its middle left out where it is long. */
export const folderName = (folder: string): string => cutMiddle(oneLine(`${folder}/`), longestScope);

/** What stands above the content: who asks for what, why the person is asked, the hosts and the accesses. */
function headLines(request: ApprovalRequest, action: string, t: Translate): readonly string[] {
  const { call, accesses, reasons, advice = [], passesOn, preview } = request;
  const { riskLevel } = call.tool.definition;
  const hosts = [...new Set(accesses.map(accessHost).filter((host) => host !== undefined))];
  const undo = undoOf(request);
  const stakes = stakeWords(preview.stake, t);
  // What the title cannot hold stands on lines of its own below.
  const isCut = action.length > longestTitlePart;
  const facts = [riskWords(riskLevel, t), ...(undo ? [undoWords(undo, t)] : [])].join(', ');
  const asks = t('{0} asks to {1} ({2}).', whoAsks(request, t), cutMiddle(action, longestTitlePart), facts);
  return [
    ...wrapped(asks),
    ...(passesOn ? wrapped(t('It calls {0}; this answers for both.', oneLine(shownName(passesOn.tool)))) : []),
    ...(stakes.length > 0 ? wrapped(t('At stake: {0}.', stakes.join('; '))) : []),
    ...reasonLines(reasons, t),
    ...advice.flatMap((one) => wrapped(t('Note: {0}.', flatReason(one, t)))),
    ...(hosts.length > 0 ? [t('Hosts: {0}', hosts.map(oneLine).join(', '))] : []),
    ...(accesses.length > 1 || isCut ? accesses.map((one) => `  ${plannedWords(preview.action, [one], '', t)}`) : []),
    '',
  ].flatMap((line) => line.split('\n'));
}

/**
 * How the call is undone: what was found out, never what the tool claims. What only reads leaves nothing to undo, which
 * a tool has to say itself, too, because accesses may be guessed.
 */
function undoOf({ call, accesses, preview }: ApprovalRequest): CallPreview['undo'] {
  if (preview.undo !== undefined) return preview.undo;
  return call.tool.definition.reversible && accesses.every(isReadOnly) ? undefined : 'never';
}

function undoWords(undo: NonNullable<CallPreview['undo']>, t: Translate): string {
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
  const texts = reasons.length > 0 ? reasons.map((one) => flatReason(one, t)) : [t('the tool needs confirmation')];
  const line = t('Why you are asked: {0}.', texts.join('; '));
  if (line.length <= mostColumns) return [line];
  return [t('Why you are asked:'), ...texts.flatMap((text) => wrapped(`- ${text}`))];
}

const flatReason = ({ said }: Reason, t: Translate): string =>
  reasonWords(said, t)
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '');

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
  const profile = cutAt(oneLine(profileWords(call.profile.profile, t).name), 60);
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
