import type { AuditBody } from '../audit/record';
import type { Translate } from '../base/translate';
import type { GrantScope } from '../policy/grants/grants';
import { scopeWords } from './grantWords';

type Note = Pick<AuditBody, 'event' | 'detail' | 'id'>;

/** What a record that is no call is about; undefined where its id tells a person nothing. */
export function noteAbout(
  { event, id }: Note,
  t: Translate,
  profileName: (id: string) => string,
): { readonly value: string; readonly isCode?: true } | undefined {
  if (id === undefined || event === 'grant.changed' || event === 'policy.changed') return undefined;
  if (event === 'profile.changed') return { value: profileName(id) };
  if (event === 'plan.changed') return { value: id.slice(0, fingerprintLength), isCode: true };
  if (event.startsWith('server.')) return { value: t('MCP server {0}', id) };
  const [, kind, name] = /^(mcp|protection):(.+)$/s.exec(id) ?? [];
  if (name === undefined) return { value: id };
  return { value: kind === 'mcp' ? t('MCP server {0}', name) : t('Agent {0}', name) };
}

/** So much of a fingerprint is compared by people. */
const fingerprintLength = 12;

/**
 * What a record that is no call tells, in the person's language: it was recorded in English, in forms of ours. What has
 * another form stands as it was recorded.
 */
export function noteDetail({ event, detail }: Note, t: Translate, when: (time: string) => string): string {
  if (detail === undefined) return '';
  switch (event) {
    case 'server.started':
      return /^\d{4}-\d\d-\d\d$/.test(detail) ? t('speaks the version {0} of the protocol MCP', detail) : detail;
    case 'server.stopped':
      if (detail === 'by the user') return t('by you');
      return detail === 'with its settings or the window' ? t('its settings changed, or the window closed') : detail;
    case 'pin.changed':
      return pinWords(detail, t);
    case 'grant.changed':
      return grantNote(detail, t, when);
    case 'policy.changed':
      return detail
        .split('; ')
        .map((one) => listed(one, t))
        .join('; ');
    case 'profile.changed':
      if (detail === 'edited') return t('edited');
      return detail.startsWith('switched from ') ? t('switched from {0}', detail.slice(14)) : detail;
    case 'plan.changed':
      return planWords(detail, t);
    case 'definition.changed':
      return definitionWords(detail, t);
    default:
      return detail;
  }
}

function pinWords(detail: string, t: Translate): string {
  switch (detail) {
    case 'not as pinned':
      return t('its tools are not as they were approved');
    case 'changed':
      return t('its tools changed');
    case 'withdrawn':
      return t('the approval of its tools was taken back');
    case 'hints confirmed':
      return t('what it says of its tools is believed');
    case 'hints not confirmed':
      return t('what it says of its tools is not believed');
    default: {
      const [, pin] = /^approved ([0-9a-f]+)$/.exec(detail) ?? [];
      return pin === undefined ? detail : t('its tools were approved, fingerprint {0}', pin);
    }
  }
}

const grantForm =
  /^(added|expired|revoked|used up or revoked) for (.+?)(?:: (.+) · (once|session|workspace|always)(?: until (\S+))?)?$/s;

function grantNote(detail: string, t: Translate, when: (time: string) => string): string {
  const what = grantMade(detail, t, when);
  const [, verb] = grantForm.exec(detail) ?? [];
  if (what === undefined) return detail;
  switch (verb) {
    case 'added':
      return t('allowed from now on: {0}', what);
    case 'expired':
      return t('expired: {0}', what);
    case 'revoked':
      return t('revoked: {0}', what);
    default:
      return t('used up or revoked: {0}', what);
  }
}

/** What a grant allows, where and for how long, by the record of its making: `edit_file (src/** · this session)`. */
export function grantMade(detail: string, t: Translate, when: (time: string) => string): string | undefined {
  const [, , tool, where, scope, until] = grantForm.exec(detail) ?? [];
  if (tool === undefined) return undefined;
  const name = tool === 'file changes' ? t('file changes') : tool;
  if (where === undefined || !isScope(scope)) return name;
  const place =
    where === 'tool' ? t('any call') : where === 'arguments' ? t('exactly the arguments of the call') : where;
  const term = scopeWords(scope, t);
  const terms = until === undefined ? [term] : [term, t('until {0}', when(until))];
  return `${name} (${[place, ...terms].join(' · ')})`;
}

const isScope = (scope: string | undefined): scope is GrantScope =>
  ['once', 'session', 'workspace', 'always'].some((one) => one === scope);

/** `added user/a, user/b and 3 more`. */
function listed(text: string, t: Translate): string {
  const [, verb, names = '', more] = /^(added|removed|changed) (.+?)(?: and (\d+) more)?$/s.exec(text) ?? [];
  if (verb === undefined) return text;
  const all = more === undefined ? names : t('{0} and {1} more', names, more);
  if (verb === 'added') return t('added: {0}', all);
  return verb === 'removed' ? t('removed: {0}', all) : t('changed: {0}', all);
}

function planWords(detail: string, t: Translate): string {
  const [, lines] = /^frozen with (\d+) lines?$/.exec(detail.replace(/,(?=\d)/g, '')) ?? [];
  if (lines !== undefined) return lines === '1' ? t('frozen with 1 line') : t('frozen with {0} lines', lines);
  if (detail === 'approved as a batch') return t('approved as a batch');
  if (detail === 'revoked') return t('revoked');
  return detail === 'ended' ? t('ended') : detail;
}

function definitionWords(detail: string, t: Translate): string {
  const stateWord = (state: string): string =>
    state === 'active' ? t('active') : state === 'pending' ? t('waits for your approval') : t('faulty');
  const added = /^added by (.+), (active|pending|failed)$/s.exec(detail);
  if (added) return t('added by {0}: {1}', added[1] ?? '', stateWord(added[2] ?? ''));
  const turned = /^(active|pending|failed), (active|pending|failed) before, in (.+)$/s.exec(detail);
  if (turned) {
    const [now, before] = [stateWord(turned[1] ?? ''), stateWord(turned[2] ?? '')];
    return t('{0}: {1}, before: {2}', turned[3] ?? '', now, before);
  }
  if (detail.startsWith('edited in ')) return t('edited in {0}', detail.slice(10));
  return detail.startsWith('removed with ') ? t('removed with {0}', detail.slice(13)) : detail;
}
