import type { AuditTexts } from '../../core/audit/viewTexts';
import type { Burst, CallEntry } from '../../core/audit/callList';
import { element, fill } from './dom';
import { figure, shortTime, timeOfDay, weekdayAndDay } from './formats';

/** The columns of a call; each name is its class too, so that the style can drop it where there is no room. */
export const columns = ['time', 'outcome', 'tool', 'what', 'actor', 'profile', 'risk', 'duration'] as const;

const marks: Readonly<Record<string, string>> = {
  success: '✓',
  denied: '⊘',
  tool_error: '⚠',
  internal_error: '✗',
  allowed: '✓',
};

/** An empty line of the list, to be filled with a call or with the head of a burst. */
export function makeRow(): HTMLElement {
  return element(
    'div',
    { class: 'row', role: 'row' },
    ...columns.map((name) => element('span', { role: 'gridcell', class: name })),
  );
}

/** Makes a line the one of a call. */
export function fillCall(shown: HTMLElement, { row, time }: CallEntry): void {
  const cells: Readonly<Record<(typeof columns)[number], string>> = {
    time: timeOfDay().format(time),
    outcome: row.said,
    tool: row.tool,
    what: row.what,
    actor: row.actor,
    profile: row.profile,
    risk: row.risk,
    duration: row.ms === undefined ? '' : `${figure().format(Math.round(row.ms))} ms`,
  };
  shown.className = 'row';
  shown.setAttribute('aria-level', '2');
  shown.removeAttribute('aria-expanded');
  columns.forEach((name, column) => {
    const cell = shown.children[column];
    if (!(cell instanceof HTMLElement)) return;
    cell.hidden = false;
    cell.textContent = cells[name];
    // What does not fit is read where the pointer rests.
    cell.title = name === 'what' || name === 'tool' ? cells[name] : '';
    if (name === 'outcome') cell.dataset['mark'] = marks[row.outcome] ?? '·';
    if (column === 0) cell.removeAttribute('aria-colspan');
  });
}

/** Makes a line the head of a burst. */
export function fillBurst(shown: HTMLElement, burst: Burst, texts: AuditTexts): void {
  const from = shortTime().format(burst.from);
  const to = shortTime().format(burst.to);
  // What is of today says so by having no date.
  const day =
    new Date(burst.to).toDateString() === new Date().toDateString() ? '' : `${weekdayAndDay().format(burst.to)}, `;
  const parts = [
    `${day}${from === to ? to : `${from} – ${to}`}`,
    countWords(burst.calls, burst.others, texts),
    burst.denied > 0 ? fill(texts.someDenied, figure().format(burst.denied)) : '',
    burst.declined > 0 ? fill(texts.someDeclined, figure().format(burst.declined)) : '',
    burst.failed > 0 ? fill(texts.someFailed, figure().format(burst.failed)) : '',
  ];
  shown.className = 'row burst';
  shown.setAttribute('aria-level', '1');
  shown.setAttribute('aria-expanded', String(burst.isOpen));
  [...shown.children].forEach((cell, column) => {
    if (!(cell instanceof HTMLElement)) return;
    cell.hidden = column > 0;
    cell.title = '';
    cell.textContent = column === 0 ? parts.filter((part) => part !== '').join(' · ') : '';
    if (column === 0) cell.setAttribute('aria-colspan', String(columns.length));
  });
}

/** Says how many calls, and how many records that belong to none: `12 calls, 1 other record`. */
export function countWords(calls: number, others: number, texts: AuditTexts): string {
  const said = (count: number, one: keyof AuditTexts, some: keyof AuditTexts): string =>
    count === 1 ? texts[one] : fill(texts[some], figure().format(count));
  return [
    ...(calls > 0 || others === 0 ? [said(calls, 'oneCall', 'someCalls')] : []),
    ...(others > 0 ? [said(others, 'oneOther', 'someOthers')] : []),
  ].join(', ');
}
