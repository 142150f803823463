import { isObject } from '../base/json';
import type { EntryView, ServerApproval } from './serverUser';
import type { Translate } from '../base/translate';
import { referencesOf } from './references';
import type { McpTransportSpec } from './transportSpec';

/**
 * All that a person has to see before a server's entry may act: what changed since an approval, where it leads, and
 * every value in it.
 */
export function approvalLines({ entry, before }: ServerApproval, t: Translate): readonly string[] {
  const now = contentLines(entry, t);
  const changes = before ? changedLines(contentLines(before, t), now) : [];
  return [
    ...(changes.length > 0
      ? [t('What changed since you approved it:'), ...changes, '', t('All of it, as it is now:')]
      : []),
    ...placeLines(entry, t),
    ...now,
  ];
}

function placeLines({ spec, program, folder }: EntryView, t: Translate): readonly string[] {
  const { transport } = spec;
  if (transport.type === 'http') return [t('It speaks to {0}', JSON.stringify(new URL(transport.url).origin))];
  return [
    t(
      'It starts this program on your machine: {0}',
      program === undefined ? t('{0}, which was not found', JSON.stringify(transport.command)) : program,
    ),
    ...(folder === undefined ? [] : [t('It starts in {0}', folder)]),
  ];
}

/** Every value of an entry, where each secret goes, and what follows from it; not what it comes to on this machine. */
export function contentLines({ spec, files }: EntryView, t: Translate): readonly string[] {
  const { transport, roots, tools, accessMapping } = spec;
  const judges = Object.keys(tools).length > 0 || Object.keys(accessMapping).length > 0;
  return [
    ...leafLines(JSON.parse(spec.content), ''),
    ...secretLines(transport, t),
    ...(roots ? [t('It is told the folders of the workspace where it asks for them.')] : []),
    ...(judges
      ? [t('What it says of its tools and their arguments replaces what is inferred, so that you may be asked less.')]
      : []),
    ...(files.length === 0
      ? []
      : [t('Files of the workspace that it runs, approved as they are now; what they load is not bound:')]),
    ...files.map(({ path, hash }) => `  ${quotedKey(path)} ${hash.slice(0, 16)}`),
  ];
}

/** What says how it is reached comes first, whatever the alphabet says. */
const first = ['type', 'command', 'args', 'cwd', 'env', 'url', 'headers', 'oauth'];

/**
 * One line for each value, with the way to it. Texts are written as JSON, so that none looks like two lines or like a
 * fact.
 */
function leafLines(value: unknown, way: string): readonly string[] {
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((item, index) => leafLines(item, `${way}[${index + 1}]`));
  if (isObject(value) && Object.keys(value).length > 0) {
    const rank = (key: string): number => (way === '' && first.includes(key) ? first.indexOf(key) : first.length);
    const keys = Object.keys(value).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
    return keys.flatMap((key) => leafLines(value[key], way === '' ? quotedKey(key) : `${way}.${quotedKey(key)}`));
  }
  return [`${way}: ${JSON.stringify(value)}`];
}

/** Where each secret goes. A variable of the person's own environment is one, whatever it holds. */
function secretLines(transport: McpTransportSpec, t: Translate): readonly string[] {
  return placesOf(transport, t).flatMap(([place, text]) =>
    referencesOf(text).flatMap(({ type, name }) => {
      if (type === 'secret') return t('{0} gets the secret {1}', place, quotedKey(name));
      if (type !== 'env') return [];
      return t('{0} gets the variable {1} of your environment, which counts as a secret', place, quotedKey(name));
    }),
  );
}

function placesOf(transport: McpTransportSpec, t: Translate): readonly (readonly [string, string])[] {
  if (transport.type === 'stdio') {
    const program = quotedKey(transport.command);
    return [
      [t('the name of the program'), transport.command],
      [t('the folder in which {0} starts', program), transport.cwd ?? ''],
      ...transport.args.map((arg, index) => [t('argument {0} of {1}', index + 1, program), arg] as const),
      ...Object.entries(transport.env).map(
        ([key, text]) => [t('environment variable {0} of {1}', quotedKey(key), program), text] as const,
      ),
    ];
  }
  const { url, headers, oauth } = transport;
  return [
    [t('the address {0}', url), url],
    ...Object.entries(headers).map(([key, text]) => [t('header {0} of {1}', quotedKey(key), url), text] as const),
    ...Object.entries(oauth || {}).map(
      ([key, text]) => [t('the sign-in {0} of {1}', quotedKey(key), url), String(text)] as const,
    ),
  ];
}

/** What is only in the one is `-`, only in the other `+`. */
function changedLines(before: readonly string[], now: readonly string[]): readonly string[] {
  return [
    ...before.filter((line) => !now.includes(line)).map((line) => `- ${line}`),
    ...now.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
  ];
}

/** A plain name as it is, everything else as JSON. */
function quotedKey(text: string): string {
  return /^[\w./@~-]+$/.test(text) ? text : JSON.stringify(text);
}
