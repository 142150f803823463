import type { FoundRecord } from '../audit/reader';
import { durationWords, wholeNumber } from './words';
import { type AuditRecord, stepsOf } from '../audit/record';
import type { AuditDetails, AuditRow } from '../audit/viewModel';
import type { CallUndo } from '../changes/undo';
import { defined } from '../base/json';
import type { Translate } from '../base/translate';
import { familyOf } from '../vocabulary/access';
import {
  accessWords,
  actorWord,
  answererWord,
  type GrantName,
  happenedLine,
  happenedWord,
  leftOutWords,
  retryWords,
  riskWords,
  stepReason,
  surfaceWords,
  toldWords,
} from './auditWords';
import { movesOf } from './moves';
import { noteAbout, noteDetail } from './noteWords';
import { stepWords } from '../vocabulary/stepWords';

/** Words that a view has beyond the record. */
interface AuditWording {
  /** What a grant allows, by its id. */
  readonly grant?: GrantName;
  /** An ISO time as the person writes it. */
  readonly when?: (time: string) => string;
}

/** What people call a profile. */
type ProfileName = (id: string) => string;

/** What the list shows of a record. */
export function rowOf(
  { segment, record }: FoundRecord,
  t: Translate,
  profileName: ProfileName,
  when: (time: string) => string = (time) => time,
): AuditRow {
  const accesses = record.accesses ?? [];
  const [move, ...moves] = movesOf(record);
  const first = accesses[0];
  const more = accesses.length > 1 ? ` +${wholeNumber(accesses.length - 1, t)}` : '';
  const touched =
    move && moves.length === 0 ? t('move {0} to {1}', move.from, move.to) : first && `${accessWords(first, t)}${more}`;
  const what = touched ?? toldWords(record, t) ?? noteDetail(record, t, when);
  return defined({
    key: `${segment}|${record.seq}`,
    time: record.time,
    event: record.event,
    actor: actorWord(record.actor ?? '', t),
    profile: record.profile === undefined ? '' : profileName(record.profile),
    tool: record['gen_ai.tool.name'] ?? noteAbout(record, t, profileName)?.value ?? '',
    risk: riskWords(record.risk, t),
    outcome: record.outcome ?? '',
    said: happenedWord(record, t),
    isDeclined: record['error.type'] === 'declined' || undefined,
    what: what.slice(0, 200),
    ms: record.duration_ms,
    call: record['gen_ai.tool.call.id'],
  });
}

const recordedNames = [
  'event',
  'outcome',
  'error.type',
  'reference',
  'gen_ai.agent.id',
  'user.id',
  'tool',
  'capability',
  'source',
  'surface',
  'rules',
  'approval.grant',
  'arguments.shape',
  'result.shape',
  'gen_ai.tool.call.id',
  'parent',
  'id',
  'count',
  'seq',
  'hash',
] as const satisfies readonly (keyof AuditRecord)[];

/**
 * Everything a view shows of a call.
 * @param all the records of the call, the oldest first; the last of them is the one that says how it ended.
 * @param undo what became of what the call changed in files, as far as that is kept.
 */
export function detailsOf(
  key: string,
  all: readonly AuditRecord[],
  t: Translate,
  profileName: ProfileName,
  undo: CallUndo = { standing: 0, takenBack: 0 },
  more: AuditWording = {},
): AuditDetails | undefined {
  const record = all.at(-1);
  if (!record) return undefined;
  const call = record['gen_ai.tool.call.id'];
  const newest = <Key extends keyof AuditRecord>(name: Key): AuditRecord[Key] | undefined =>
    all.findLast((one) => one[name] !== undefined)?.[name];
  const content = (
    [
      ['gen_ai.tool.call.arguments', t('Arguments')],
      ['gen_ai.tool.call.result', t('Result')],
    ] as const
  ).flatMap(([from, name]) => {
    const value = newest(from);
    return value === undefined ? [] : [{ name, text: JSON.stringify(value, undefined, 2) }];
  });
  return {
    key,
    title: `${record['gen_ai.tool.name'] ?? ''} ${happenedWord(record, t)}`.trim(),
    facts: [...factsOf(record, t, profileName, more), ...undoFacts(undo, t)],
    happened: call === undefined ? [] : all.map((one) => ({ time: one.time, said: happenedLine(one, t, more.grant) })),
    steps: stepsOf(all.findLast((one) => one.steps !== undefined || one.passed !== undefined) ?? record).map((step) => {
      const { name, answer } = stepWords(step, t);
      return {
        step: name,
        effect: answer,
        reasons: (step.reasons ?? []).map((reason) => {
          const words = stepReason(step.step, reason, t);
          return reason.rule === undefined ? words : `${words} (${reason.rule})`;
        }),
      };
    }),
    accesses: (newest('accesses') ?? []).map((access) => ({
      text: accessWords(access, t),
      ...(familyOf(access.effect) === 'fs' && access.effect !== 'fs.delete' ? { path: access.resource } : {}),
    })),
    content,
    hidden: (newest('hidden') ?? []).map((one) => `${one.path}: ${one.rule}`),
    recorded: recordedNames.flatMap((name) => {
      const value: unknown = newest(name);
      if (value === undefined) return [];
      return [{ name, value: Array.isArray(value) ? value.join(', ') : String(value) }];
    }),
    isCall: call !== undefined,
    canUndo: undo.standing > 0,
    canRedo: undo.takenBack > 0,
  };
}

function undoFacts({ standing, takenBack }: CallUndo, t: Translate): AuditDetails['facts'] {
  const count = standing + takenBack;
  if (count === 0) return [];
  const changed = count === 1 ? t('1 change') : t('{0} changes', wholeNumber(count, t));
  const state = standing === 0 ? t('taken back') : takenBack > 0 ? t('partly taken back') : t('can be taken back');
  return [{ name: t('Changed'), value: `${changed}, ${state}` }];
}

function factsOf(
  record: AuditRecord,
  t: Translate,
  profileName: ProfileName,
  { grant, when = (time) => time }: AuditWording,
): AuditDetails['facts'] {
  const facts: { name: string; value: string; isTime?: true; isCode?: true }[] = [];
  const add = (name: string, value: string | undefined): void => {
    if (value !== undefined && value !== '') facts.push({ name, value });
  };
  facts.push({ name: t('When'), value: record.time, isTime: true });
  const who = record['gen_ai.agent.id'] ?? record['user.id'];
  const actor = record.actor === undefined ? undefined : actorWord(record.actor, t);
  add(t('Who'), actor === undefined || who === undefined || who === record.actor ? actor : `${actor} (${who})`);
  add(t('Asked from'), record.surface === undefined ? undefined : surfaceWords(record.surface, t));
  add(t('Profile'), record.profile === undefined ? undefined : profileName(record.profile));
  add(t('Mode'), record.mode);
  add(t('Risk'), riskWords(record.risk, t));
  add(t('Told'), toldWords(record, t));
  const by = record['approval.by'];
  const waited = record['approval.waited_ms'];
  const answerer = by === undefined ? undefined : answererWord(by, t, grant);
  const answered =
    answerer !== undefined && waited !== undefined ? t('{0} after {1}', answerer, durationWords(waited, t)) : answerer;
  add(record.outcome === 'denied' ? t('Denied by') : t('Allowed by'), answered);
  add(t('Took'), record.duration_ms === undefined ? undefined : durationWords(record.duration_ms, t));
  add(t('Tried again'), retryWords(record.retries, t));
  add(t('Left out'), record.withheld === undefined ? undefined : leftOutWords(record.withheld, t));
  if (record['gen_ai.tool.call.id'] === undefined) {
    const about = noteAbout(record, t, profileName);
    if (about) facts.push({ name: t('About'), ...about });
    add(t('Detail'), noteDetail(record, t, when));
  }
  return facts;
}
