import { type Access, accessHost, accessVerb } from '../access';
import { visibleText } from '../base/visible';
import type { ApprovalRequest, Reason } from '../gate/types';

export type ApprovalButton = 'allow-once' | 'allow-session' | 'always' | 'show';

/** What the modal shows. Plain text; the surface adds nothing but its own Cancel button, which denies. */
export interface ApprovalText {
  /** `Allow "write_file" to change src/app.ts?` */
  readonly title: string;
  readonly detail: string;
  /** In this order; the first is the default. */
  readonly buttons: readonly { readonly id: ApprovalButton; readonly label: string }[];
  /** True where something could not be shown whole or held hidden characters: then nothing may be allowed for longer than the call. */
  readonly truncated: boolean;
  /** Everything without a cap, for Show in Editor. */
  readonly full: string;
}

const mostLines = 20;
const mostColumns = 120;
const longestTitlePart = 80;

/**
 * Words an approval as ux.md says ("The modal"): the tool, its accesses in plain words, the reasons, then the diff or the arguments.
 * Control, bidi and invisible characters appear as `⟨U+202E⟩`, tabs as arrows; the detail has at most 20 lines of 120 characters.
 */
export function describeApproval(request: ApprovalRequest): ApprovalText {
  const { call, accesses, reasons, preview } = request;
  const { definition } = call.tool;
  const name = clean(shownName(call.tool));
  const hosts = [...new Set(accesses.map(accessHost).filter((host) => host !== undefined))];
  const head = [
    `${whoAsks(request)} asks to ${actionWords(accesses, name.text)} (${definition.riskLevel} risk, ${definition.reversible ? 'reversible' : 'not reversible'}).`,
    ...reasonLines(reasons),
    ...(hosts.length > 0 ? [`Hosts: ${hosts.join(', ')}`] : []),
    ...(accesses.length > 1
      ? accesses.map((one) => `  ${accessVerb(one)} ${one.resource === '' ? 'what it does not name' : one.resource}`)
      : []),
    '',
  ];
  const body = [...(preview.lines ?? []), ...(preview.diff === undefined ? argumentLines(call.input) : diffLines(preview.diff))];
  const lines = [...head, ...body].map((line) => line.split('\n').map(clean)).flat();
  const title = titleOf(name.text, accesses);
  const shown = lines
    .slice(0, mostLines)
    .map((line) => (line.text.length > mostColumns ? `${cut(line.text, mostColumns - 1)}…` : line.text));
  const more = lines.length - shown.length;
  const hiddenCount = lines.reduce((sum, line) => sum + line.count, name.count);
  const truncated = more > 0 || hiddenCount > 0 || title.truncated || lines.some((line) => line.text.length > mostColumns);
  if (more > 0) shown[mostLines - 1] = `… ${count(more + 1, 'line')} more, shown by Show in Editor`;
  return {
    title: title.text,
    detail: shown.join('\n'),
    buttons: [
      { id: 'allow-once', label: 'Allow Once' },
      ...(truncated
        ? []
        : [{ id: 'allow-session', label: 'Allow for This Session' } as const, { id: 'always', label: 'Always Allow…' } as const]),
      { id: 'show', label: 'Show in Editor' },
    ],
    truncated,
    full: [title.whole, '', ...lines.map((line) => line.text)].join('\n'),
  };
}

/** The name that the person knows from the tree: a tool of others by its source and its own name, which a model's name may have cut. */
function shownName({ definition, capability, modelName }: ApprovalRequest['call']['tool']): string {
  return definition.origins ? `${capability.name}: ${definition.name}` : modelName;
}

/** Why the person is asked: on one line where it fits, else each reason on lines of its own, so that none of it is cut off. */
function reasonLines(reasons: readonly Reason[]): readonly string[] {
  const texts = reasons.length > 0 ? reasons.map((one) => one.text.replace(/\.$/, '')) : ['the tool needs confirmation'];
  const line = `Why you are asked: ${texts.join('; ')}.`;
  if (line.length <= mostColumns) return [line];
  return ['Why you are asked:', ...texts.flatMap((text) => wrapped(`- ${text}`))];
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

function whoAsks({ call }: ApprovalRequest): string {
  const profile = clean(call.profile.profile.name).text;
  return call.actor.type === 'agent' ? `The agent (profile ${cut(profile, 60)})` : `You (profile ${cut(profile, 60)})`;
}

/** The plain words for what a call does: `change src/app.ts`, `change 3 files`, `contact example.com`. */
export function actionWords(accesses: readonly Access[], toolName: string): string {
  const first = accesses[0];
  if (!first) return `run ${toolName}`;
  const verbs = [...new Set(accesses.map(accessVerb))];
  // A tool of others may say that it changes something without an argument that names what.
  const resources = [...new Set(accesses.map((one) => one.resource))].filter((one) => one !== '');
  if (resources.length === 0) return `${verbs.slice(0, 3).join(' and ')} what it does not name`;
  const object =
    resources.length === 1 ? resourceWords(accesses.find((one) => one.resource !== '') ?? first) : manyWords(accesses, resources.length);
  return `${verbs.slice(0, 3).join(' and ')} ${object}`;
}

function resourceWords(access: Access): string {
  const text = clean(access.resource).text;
  return access.recursive ? `${text} and everything below it` : text;
}

function manyWords(accesses: readonly Access[], number: number): string {
  const noun = accesses.every((one) => one.effect.startsWith('fs.'))
    ? 'file'
    : accesses.every((one) => one.effect.startsWith('network.'))
      ? 'address'
      : 'thing';
  return count(number, noun);
}

function titleOf(name: string, accesses: readonly Access[]): { text: string; whole: string; truncated: boolean } {
  const what = actionWords(accesses, name).replaceAll('\n', '⟨U+000A⟩');
  const verb = accesses.length === 0 ? 'run' : what;
  const whole = `Allow "${name}" to ${verb}?`;
  const truncated = verb.length > longestTitlePart;
  return { whole, truncated, text: truncated ? `Allow "${name}" to ${cut(verb, longestTitlePart - 1)}…?` : whole };
}

/** The arguments, one line each, strings with their line breaks escaped. */
function argumentLines(input: unknown): readonly string[] {
  if (typeof input !== 'object' || input === null) return [JSON.stringify(input) ?? 'no arguments'];
  const entries = Object.entries(input);
  if (entries.length === 0) return ['no arguments'];
  return entries.flatMap(([key, value]) => {
    if (typeof value !== 'string' || !value.includes('\n')) return [`${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`];
    return [`${key}:`, ...value.split('\n').map((line) => `  ${line}`)];
  });
}

function clean(line: string): { text: string; count: number } {
  const carriage = line.replace(/\r/g, '⟨U+000D⟩');
  const visible = visibleText(carriage);
  // A run of tabs or blanks can push text out of sight.
  let pushed = 0;
  const text = visible.text
    .replace(/\t{9,}/g, (run) => {
      pushed++;
      return `⟨${run.length} tabs⟩`;
    })
    .replace(/\t/g, '→')
    .replace(/[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/g, ' ')
    .replace(/ {9,}/g, (run) => `⟨${run.length} spaces⟩`);
  return { text, count: visible.count + pushed + (carriage === line ? 0 : 1) };
}

/** Cuts without splitting a surrogate pair. */
function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : noun.endsWith('s') ? 'es' : 's'}`;
}
