import { say, worded } from '../base/sentence';
import { permissionReasons } from '../vocabulary/decision';
import { cleanLine, actionWords, oneLine } from './approvalWords';
import type { Grant, GrantScope } from '../policy/grants/grant';
import type { Translate } from '../base/translate';

/**
 * Says in sentences what a grant allows, for how long and why it was asked, for the tree and the list of grants. `now`
 * is in milliseconds since 1970.
 */
export function explainGrant(grant: Grant, now: number, t: Translate): string {
  const name = grantName(grant, t);
  const who =
    grant.actor === 'agent'
      ? t('Agents may use {0}: {1}.', name, coverWords(grant, t))
      : t('You may use {0}: {1}.', name, coverWords(grant, t));
  const left = grant.usesLeft === undefined || grant.scope === 'once' ? [] : [usesWords(grant.usesLeft, t)];
  const isOver = grant.expiresAt !== undefined && now >= grant.expiresAt;
  const term = [...(isOver ? [t('expired')] : []), ...left].map((one) => `, ${one}`).join('');
  const permission = permissionReasons[grant.actor];
  const because =
    grant.reasons.map((one) => (one === permission ? worded(say(permission), t) : one)).join('; ') ||
    t('the tool needs confirmation');
  return `${who} ${t('Holds {0}.', `${termWords(grant, t)}${term}`)} ${t('It answers: {0}.', because)}`;
}

/** What a grant is for: its tool, or all tools that change files. */
export function grantName({ cover, toolName }: Grant, t: Translate): string {
  return cover.type === 'files' ? t('every tool that changes files') : toolName;
}

/** The same in a few words, for a row that names the tool already: what is covered, then how long. */
export function briefGrant(grant: Grant, t: Translate): string {
  const { cover } = grant;
  const what =
    cover.type === 'resources'
      ? [...new Set(cover.accesses.map((one) => one.pattern.replace(/^=/, '')))].join(', ')
      : cover.type === 'files'
        ? t('all below {0}', oneLine(`${cover.folder}/`))
        : coverWords(grant, t);
  const until = grant.expiresAt === undefined ? scopeWords(grant.scope, t) : t('until {0}', localTime(grant.expiresAt));
  const left = grant.usesLeft === undefined || grant.scope === 'once' ? [] : [usesWords(grant.usesLeft, t)];
  return [what, until, ...left].join(' · ');
}

/** How far a grant reaches, in a word or two. */
export function scopeWords(scope: GrantScope, t: Translate): string {
  return { once: t('once'), session: t('this session'), workspace: t('this workspace'), always: t('everywhere') }[
    scope
  ];
}

/** A point in time as the person's clock shows it: `2026-12-31 17:30`, the form in which the scope picker takes one. */
export function localTime(time: number): string {
  const at = new Date(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

function termWords({ scope, expiresAt }: Grant, t: Translate): string {
  if (expiresAt !== undefined)
    return scope === 'always'
      ? t('everywhere until {0}', localTime(expiresAt))
      : t('in this workspace until {0}', localTime(expiresAt));
  return {
    once: t('for one call'),
    session: t('until the window is reloaded'),
    workspace: t('in this workspace until revoked'),
    always: t('everywhere until revoked'),
  }[scope];
}

function usesWords(uses: number, t: Translate): string {
  return uses === 1 ? t('1 more call') : t('{0} more calls', uses);
}

function coverWords({ cover, toolName }: Grant, t: Translate): string {
  switch (cover.type) {
    case 'tool':
      return t('any call');
    case 'files':
      return t('write, edit, move and delete to the trash below {0}', oneLine(`${cover.folder}/`));
    case 'arguments':
      return t('exactly {0}', cleanLine(cover.shown).text);
    case 'resources':
      return cover.accesses
        .map(({ pattern, ...one }) => actionWords([{ ...one, resource: pattern.replace(/^=/, '') }], toolName, t))
        .join(', ');
  }
}
