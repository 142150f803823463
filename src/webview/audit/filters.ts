import type { AuditTexts } from '../../core/audit/viewTexts';
import { Debounce } from '../../core/base/debounce';
import { filterFields } from '../../core/audit/viewModel';
import { element, fill } from './dom';

type Field = (typeof filterFields)[number];

const typingMs = 300;

interface FilterBar {
  readonly root: HTMLFormElement;
  /** Opens or closes the filters below the search; the search always stays. */
  show(open: boolean): void;
}

type Choices = Readonly<Record<string, string>>;
type Input = HTMLInputElement | HTMLSelectElement;

const isTime = (name: Field): boolean => name === 'since' || name === 'until';

/**
 * The search and, below it, the filters. It answers as people type, and sends texts as they stand: the extension reads
 * and judges them. `choices` holds what the filters with a list offer, in words; `beside` stands beside the search.
 */
export function filterForm(
  texts: AuditTexts,
  choices: Readonly<Record<string, Choices>>,
  onFilter: (filter: Record<string, string>) => void,
  ...beside: readonly HTMLElement[]
): FilterBar {
  const inputs = new Map(filterFields.map((name) => [name, inputOf(name, texts, choices[name])]));
  const below = [...inputs].filter(([name]) => name !== 'text');
  const more = element(
    'div',
    { class: 'filters', id: 'filters' },
    ...below.map(([name, input]) => element('label', {}, texts[name], input)),
    element('button', { type: 'reset' }, texts.clear),
  );
  const toggle = element('button', { type: 'button', 'aria-controls': 'filters' });
  const root = element(
    'form',
    { 'aria-label': texts.filters, autocomplete: 'off' },
    element('div', { class: 'search', role: 'search' }, inputs.get('text'), toggle, ...beside),
    more,
  );
  /** A closed filter still says that it holds something back. */
  const label = (): void => {
    const set = below.filter(([, { value }]) => value !== '').length;
    toggle.textContent = set === 0 ? texts.filters : fill(texts.filtersSet, set);
  };
  const show = (open: boolean): void => {
    more.hidden = !open;
    toggle.setAttribute('aria-expanded', String(open));
    label();
  };
  toggle.addEventListener('click', () => show(more.hidden !== false));
  sendAsTyped(root, () => {
    label();
    onFilter(valuesOf(inputs));
  });
  show(false);
  return { root, show };
}

function inputOf(name: Field, texts: AuditTexts, options: Choices | undefined): Input {
  if (name === 'text')
    return element('input', { name, type: 'search', placeholder: texts.text, 'aria-label': texts.text });
  if (!options) return element('input', { name, type: isTime(name) ? 'datetime-local' : 'text' });
  return element(
    'select',
    { name },
    element('option', { value: '' }, texts.any),
    ...Object.entries(options).map(([value, words]) => element('option', { value }, words)),
  );
}

/** What is filled in. */
function valuesOf(inputs: ReadonlyMap<Field, Input>): Record<string, string> {
  const filled = [...inputs].filter(([, { value }]) => value !== '');
  return Object.fromEntries(
    filled.map(([name, { value }]) => [name, isTime(name) ? new Date(value).toISOString() : value]),
  );
}

/** Sends once nobody types any more; at once by Enter, and after a reset, which empties the inputs behind its event. */
function sendAsTyped(form: HTMLFormElement, send: () => void): void {
  const typing = new Debounce(send, typingMs);
  form.addEventListener('input', () => typing.restart());
  form.addEventListener('reset', () => setTimeout(send, 0));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    typing.cancel();
    send();
  });
}
