import { worded } from '../base/sentence';
import { wholeNumber } from './words';
import { type Access, actionSaid, familyOf } from '../vocabulary/access';
import { visibleText } from '../base/visible';
import type { Translate } from '../base/translate';
import type { CallPreview } from '../capability/tool';

const mostVerbs = 3;

/**
 * The plain words for what a call does: `change src/app.ts`, `change 3 files`, `delete a.ts and contact example.com`.
 * Names that others chose are made visible; `toolName` stands in for a call that touches nothing.
 */
export function actionWords(accesses: readonly Access[], toolName: string, t: Translate): string {
  if (accesses.length === 0) return t('run {0}', toolName);
  const byEffect = new Map<string, Access[]>();
  for (const access of accesses) byEffect.set(access.effect, [...(byEffect.get(access.effect) ?? []), access]);
  const phrases = [...byEffect]
    .slice(0, mostVerbs)
    .map(([effect, some]) => worded(actionSaid(effect, objectWords(some, t), cleanLine(effect).text), t));
  const left = byEffect.size - phrases.length;
  if (left > 0) phrases.push(left === 1 ? t('1 more kind of access') : t('{0} more kinds of access', left));
  const last = phrases.pop() ?? '';
  return phrases.length === 0 ? last : t('{0} and {1}', phrases.join(', '), last);
}

/** The same where the preview of the call knows what they come to. */
export function plannedWords(
  action: CallPreview['action'],
  accesses: readonly Access[],
  toolName: string,
  t: Translate,
): string {
  const of = (effect: string): readonly Access[] => accesses.filter((one) => one.effect === effect);
  const [written, deleted] = [of('fs.write'), of('fs.delete')];
  if (action === 'create' && written.length > 0 && written.length === accesses.length)
    return t('create {0}', objectWords(written, t));
  const [from, to] = [deleted[0], written[0]];
  if (action === 'move' && from && to && accesses.length === 2)
    return t('move {0} to {1}', objectWords([from], t), objectWords([to], t));
  return actionWords(accesses, toolName, t);
}

function objectWords(accesses: readonly Access[], t: Translate): string {
  const named = [...new Map(accesses.filter((one) => one.resource !== '').map((one) => [one.resource, one])).values()];
  const [first, ...more] = named;
  if (!first) return unnamed(accesses[0]?.effect ?? '', t);
  if (more.length === 0) {
    const text = oneLine(first.resource);
    return first.recursive ? t('{0} and everything below it', text) : text;
  }
  const count = wholeNumber(named.length, t);
  if (familyOf(first.effect) === 'fs') return t('{0} files', count);
  return familyOf(first.effect) === 'network' ? t('{0} addresses', count) : t('{0} things', count);
}

/** A tool of others may say what kind of thing it touches, and have no argument that names which. */
function unnamed(effect: string, t: Translate): string {
  const [family] = effect.split('.');
  if (family === 'fs') return t('files that it does not name');
  if (family === 'network') return t('addresses that it does not name');
  if (family === 'database') return t('databases that it does not name');
  return effect.startsWith('system.exec') ? t('commands that it does not name') : t('something that it does not name');
}

/** A name that others chose, in one line: a line break in it must not look like a line of ours. */
export function oneLine(name: string): string {
  return cleanLine(name).text.replaceAll('\n', '⟨U+000A⟩');
}

/**
 * One line that others wrote, as a person may read it: nothing invisible, no run of blanks that pushes text out of
 * sight. `count` tells how much had to be made visible.
 */
export function cleanLine(line: string): { readonly text: string; readonly count: number } {
  const carriage = line.replace(/\r/g, '⟨U+000D⟩');
  const visible = visibleText(carriage);
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
