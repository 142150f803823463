import type { AuditTexts } from '../../core/audit/viewTexts';
import type { AuditAction, AuditDetails, FromAuditView } from '../../core/audit/viewModel';
import { element, fill } from './dom';
import { dateAndTime, timeOfDay } from './formats';

interface DetailsParts {
  readonly texts: AuditTexts;
  readonly post: (message: FromAuditView) => void;
  readonly close: () => void;
}

/** Fills the pane with one call: what can be done with it, what happened, what it touched and how it was decided. */
export function showDetails(pane: HTMLElement, details: AuditDetails, { texts, post, close }: DetailsParts): void {
  const action = (name: AuditAction): HTMLElement => {
    const button = element('button', { type: 'button' }, texts[name]);
    button.addEventListener('click', () => post({ type: 'action', action: name, key: details.key }));
    return button;
  };
  const happened = details.happened.map(({ time, said }) =>
    element('li', {}, element('time', { datetime: time }, timeOfDay().format(new Date(time))), ` ${said}`),
  );
  const steps = details.steps.map(({ step, effect, reasons }) =>
    element(
      'li',
      {},
      `${step}: ${effect}`,
      reasons.length === 0 ? undefined : element('ul', {}, ...reasons.map((reason) => element('li', {}, reason))),
    ),
  );
  const accesses = details.accesses.map(({ text, path }) => {
    if (path === undefined) return element('li', {}, text);
    const link = element('button', { type: 'button', class: 'link', title: fill(texts.open, path) }, text);
    link.addEventListener('click', () => post({ type: 'open', path }));
    return element('li', {}, link);
  });
  const shut = element(
    'button',
    { type: 'button', class: 'close', 'aria-label': texts.close, title: texts.close },
    '✕',
  );
  shut.addEventListener('click', close);
  pane.hidden = false;
  pane.scrollTop = 0;
  pane.replaceChildren(
    element('div', { class: 'title' }, element('h2', {}, details.title), shut),
    element(
      'div',
      { class: 'actions' },
      ...(details.canUndo ? [action('undo')] : []),
      ...(details.canRedo ? [action('redo')] : []),
      ...(details.isCall ? [action('explain'), action('runAgain'), action('turnIntoRule')] : []),
      action('copy'),
    ),
    factList(details.facts),
    ...(accesses.length > 0 ? section(texts.accesses, element('ul', {}, ...accesses)) : []),
    ...(happened.length > 0 ? section(texts.happened, element('ol', {}, ...happened)) : []),
    ...(steps.length > 0 ? section(texts.steps, element('ol', {}, ...steps)) : []),
    ...details.content.flatMap(({ name, text }) => section(name, element('pre', { tabindex: 0 }, text))),
    ...(details.hidden.length > 0
      ? section(texts.hidden, element('ul', {}, ...details.hidden.map((one) => element('li', {}, one))))
      : []),
    element('details', {}, element('summary', {}, texts.recorded), factList(details.recorded)),
  );
}

function section(title: string, ...content: readonly HTMLElement[]): readonly HTMLElement[] {
  return [element('h3', {}, title), ...content];
}

function factList(facts: AuditDetails['facts']): HTMLElement {
  return element(
    'dl',
    {},
    ...facts.flatMap(({ name, value, isTime, isCode }) => [
      element('dt', {}, name),
      element('dd', {}, isTime ? dateAndTime().format(new Date(value)) : isCode ? element('code', {}, value) : value),
    ]),
  );
}
