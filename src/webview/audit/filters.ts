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

/**
 * The search and, below it, the filters. It answers as people type, and sends texts as they stand: the extension reads
 * and judges them. `choices` holds what the filters with a list offer, in words; `beside` stands beside the search.
 */
export function filterForm(
  texts: Readonly<Record<string, string>>,
  choices: Readonly<Record<string, Readonly<Record<string, string>>>>,
  onFilter: (filter: Record<string, string>) => void,
  ...beside: readonly HTMLElement[]
): FilterBar {
  const inputs = new Map<Field, HTMLInputElement | HTMLSelectElement>();
  const more = element('div', { class: 'filters', id: 'filters' });
  const search = element('input', {
    name: 'text',
    type: 'search',
    placeholder: texts['text'],
    'aria-label': texts['text'],
  });
  inputs.set('text', search);
  for (const name of filterFields) {
    if (name === 'text') continue;
    const options = choices[name];
    const input = options
      ? element(
          'select',
          { name },
          element('option', { value: '' }, texts['any'] ?? ''),
          ...Object.entries(options).map(([value, words]) => element('option', { value }, words)),
        )
      : element('input', { name, type: name === 'since' || name === 'until' ? 'datetime-local' : 'text' });
    inputs.set(name, input);
    more.append(element('label', {}, texts[name] ?? name, input));
  }
  more.append(element('button', { type: 'reset' }, texts['clear'] ?? ''));
  const toggle = element('button', { type: 'button', 'aria-controls': 'filters' });
  const root = element(
    'form',
    { 'aria-label': texts['filters'], autocomplete: 'off' },
    element('div', { class: 'search', role: 'search' }, search, toggle, ...beside),
    more,
  );
  const filled = (): readonly (readonly [Field, string])[] =>
    [...inputs].flatMap(([name, { value }]) => (value === '' ? [] : [[name, value] as const]));
  /** A closed filter still says that it holds something back. */
  const label = (): void => {
    const set = filled().filter(([name]) => name !== 'text').length;
    toggle.textContent = set === 0 ? (texts['filters'] ?? '') : fill(texts['filtersSet'] ?? '', set);
  };
  const show = (open: boolean): void => {
    more.hidden = !open;
    toggle.setAttribute('aria-expanded', String(open));
    label();
  };
  toggle.addEventListener('click', () => show(more.hidden !== false));
  const send = (): void => {
    label();
    const filter: Record<string, string> = {};
    for (const [name, value] of filled())
      filter[name] = name === 'since' || name === 'until' ? new Date(value).toISOString() : value;
    onFilter(filter);
  };
  const typing = new Debounce(send, typingMs);
  root.addEventListener('input', () => typing.restart());
  root.addEventListener('reset', () => setTimeout(send, 0));
  root.addEventListener('submit', (event) => {
    event.preventDefault();
    typing.cancel();
    send();
  });
  show(false);
  return { root, show };
}
