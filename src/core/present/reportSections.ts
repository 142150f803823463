import type { AuditReport, ReportedNote } from '../audit/report';
import { durationWords, wholeNumber } from './words';
import type { Translate } from '../base/translate';
import { accessWords, answererWord, happenedWord } from './auditWords';
import { noteDetail, timedWords } from './noteWords';

/** `foreign` is text of a record, which whoever wrote it chose; all other text is ours. */
export type Cell = string | { readonly foreign: string };

/** A part of a report, in no format yet: sentences of ours, and a table. */
export interface ReportSection {
  readonly title: string;
  readonly lines: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

const foreign = (text: string | undefined): Cell => (text === undefined || text === '' ? '' : { foreign: text });

/** How a report is worded: `when` writes an ISO time as the reader does, `n` a number. */
interface Wording {
  readonly t: Translate;
  readonly when: (time: string) => string;
  readonly n: (value: number) => string;
}

/** Numbers of a table, in which nothing stands for 0. */
const counts = ({ n }: Wording, ...values: readonly number[]): readonly string[] =>
  values.map((value) => (value === 0 ? '' : n(value)));

/** What a report says, section by section. */
export function reportSections(
  report: AuditReport,
  t: Translate,
  when: (time: string) => string,
): readonly ReportSection[] {
  const words: Wording = { t, when, n: (value) => wholeNumber(value, t) };
  return [
    ...[calls, rules, answers, questions, denials, takenBack, policies].map((section) => section(report, words)),
    notes(t('What was changed'), report.changes, words),
    ...notGoverned(report, words),
    ...proof(report, words),
  ];
}

function calls({ calls: all, tools, records }: AuditReport, words: Wording): ReportSection {
  const { t, n } = words;
  const { total, succeeded, denied, failed, byAgents, byUsers } = all;
  return {
    title: t('Calls'),
    lines: [
      t('Calls: {0}, done: {1}, denied: {2}, failed: {3}.', n(total), n(succeeded), n(denied), n(failed)),
      t('By agents: {0}, by people: {1}; records counted: {2}.', n(byAgents), n(byUsers), n(records)),
    ],
    columns: [t('Tool'), t('Calls'), t('Denied'), t('Failed')],
    rows: tools.map((one) => [foreign(one.tool), ...counts(words, one.calls, one.denied, one.failed)]),
  };
}

function rules({ rules: all }: AuditReport, words: Wording): ReportSection {
  const { t } = words;
  return {
    title: t('Decisions by rule'),
    lines: all.length === 0 ? [t('No rule spoke.')] : [],
    columns: [t('Rule'), t('Denied'), t('Asked'), t('Only noted'), t('Removed a question')],
    rows: all.map((one) => [foreign(one.rule), ...counts(words, one.denied, one.asked, one.advised, one.waived)]),
  };
}

function answers({ answers: all }: AuditReport, words: Wording): ReportSection {
  const { t } = words;
  return {
    title: t('Decisions by person'),
    lines: all.length === 0 ? [t('Nobody was asked.')] : [],
    columns: [t('Who or what answered'), t('Allowed'), t('Denied')],
    rows: all.map(({ by, allowed, denied }) => [foreign(answererWord(by, t)), ...counts(words, allowed, denied)]),
  };
}

function questions({ questions: all }: AuditReport, { t, when, n }: Wording): ReportSection {
  const word = (answer: string | undefined): string =>
    answer === 'allowed' ? t('allowed') : answer === 'denied' ? t('denied') : t('no answer');
  return {
    title: t('Questions and answers'),
    lines: [t('Questions: {0}, allowed: {1}, denied: {2}.', n(all.asked), n(all.allowed), n(all.denied))],
    columns: [t('Time'), t('Tool'), t('Why it was asked'), t('Answer'), t('By'), t('After')],
    rows: all.list.map(({ time, tool, reasons, said, answer, by, waitedMs }) => [
      when(time),
      foreign(tool),
      foreign(noteDetail({ detail: reasons, said }, t, when)),
      word(answer),
      foreign(by === undefined ? '' : answererWord(by, t)),
      waitedMs === undefined ? '' : durationWords(waitedMs, t),
    ]),
  };
}

function denials({ denials: all, calls: { denied } }: AuditReport, { t, when, n }: Wording): ReportSection {
  return {
    title: t('Denied calls'),
    lines: [t('Denied calls: {0}.', n(denied))],
    columns: [t('Time'), t('Tool'), t('Who called'), t('Rules'), t('Why')],
    rows: all.map(({ time, tool, actor, rules: by, message, said }) => [
      when(time),
      foreign(tool),
      foreign(actor),
      foreign(by.join(', ')),
      foreign(noteDetail({ detail: message, said }, t, when)),
    ]),
  };
}

function takenBack({ takenBack: all }: AuditReport, { t, when }: Wording): ReportSection {
  return {
    title: t('Changes taken back'),
    lines: all.length === 0 ? [t('Nothing was taken back.')] : [],
    columns: [t('Time'), t('Who'), t('What was touched')],
    rows: all.map(({ time, actor, accesses }) => [
      when(time),
      foreign(actor),
      foreign(accesses.map((access) => accessWords(access, t)).join('; ')),
    ]),
  };
}

function policies({ policies: all }: AuditReport, { t, when, n }: Wording): ReportSection {
  return {
    title: t('Revisions of the policy'),
    lines: all.length === 0 ? [t('No record names a revision.')] : [],
    columns: [t('Revision'), t('Records'), t('First'), t('Last')],
    rows: all.map(({ revision, records, first, last }) => [foreign(revision), n(records), when(first), when(last)]),
  };
}

function notes(title: string, all: readonly ReportedNote[], { t, when }: Wording): ReportSection {
  return {
    title,
    lines: all.length === 0 ? [t('Nothing.')] : [],
    columns: [t('Time'), t('What'), t('Which'), t('Details'), t('Who')],
    rows: all.map(({ time, what, id, detail, said, by }) => [
      when(time),
      happenedWord({ event: what }, t),
      foreign(id),
      foreign(noteDetail({ detail, said }, t, when)),
      foreign(by),
    ]),
  };
}

function notGoverned(
  { notGoverned: { hooked, skippedQuestions, lost, removed, broken }, calls: { unfinished }, agents }: AuditReport,
  words: Wording,
): readonly ReportSection[] {
  const { t, n } = words;
  const lines = [
    t(
      'This report knows what was asked of the gate. What a program or an agent did without asking stands in no record.',
    ),
  ];
  const add = (value: number, text: string): void => void (value > 0 && lines.push(text));
  add(unfinished, t('Calls that began, and no record tells their end: {0}.', n(unfinished)));
  add(
    skippedQuestions,
    t('Questions that nobody answered, because the editor skipped its own confirmation: {0}.', n(skippedQuestions)),
  );
  add(lost, t('Records lost because the log could not be written: {0}.', n(lost)));
  const sections: ReportSection[] = [
    {
      title: t('What was not governed'),
      lines,
      columns: [t('Agents that ran their own tools and asked by a hook'), t('Calls')],
      rows: hooked.map(({ source, calls: told }) => [foreign(source), n(told)]),
    },
  ];
  if (agents)
    sections.push({
      title: t('Hooks of other agents when this report was made'),
      lines: agents.length === 0 ? [t('No other agent was found on this machine.')] : [],
      columns: [t('Agent'), t('Hook'), t('What is missing')],
      rows: agents.map(({ name, state, faults }) => [foreign(name), foreign(state), foreign(faults.join('; '))]),
    });
  if (removed.length > 0) sections.push(notes(t('Records that were removed'), removed, words));
  if (broken.length > 0) sections.push(notes(t('Breaks of the chain that were noted'), broken, words));
  return sections;
}

function proof(
  { proof: { ok, alg, key, records, removed, faults, segments } }: AuditReport,
  { t, when, n }: Wording,
): readonly ReportSection[] {
  const whole = t(
    'The record is whole: each follows the one before. Records: {0}, segments: {1}.',
    n(records),
    n(segments.length),
  );
  return [
    {
      title: t('Proof'),
      lines: [
        ok ? whole : t('The record is broken. What this report says may not be what happened.'),
        key === undefined
          ? t(
              'Its chain has no key: who may write its folder could have built it anew. The places below show it where this report was kept elsewhere.',
            )
          : t('Its chain is made with the key {0}.', key),
        ...(removed > 0 ? [t('Segments removed, with a record of it: {0}.', n(removed))] : []),
        t(
          'The report as JSON is checked by `tools/verify-audit.mjs` of the source repository, which shares no code with this program.',
        ),
      ],
      columns: [t('File'), t('Line'), t('Fault')],
      rows: faults.map(({ file, line, said }) => [
        foreign(file),
        line === undefined ? '' : String(line),
        foreign(timedWords(said, t, when)),
      ]),
    },
    {
      title: t('Where each segment stood'),
      lines: [alg],
      columns: [t('Segment'), t('Record'), t('Hash')],
      rows: segments.map(({ segment, seq, hash }) => [foreign(segment), String(seq), foreign(hash)]),
    },
  ];
}
