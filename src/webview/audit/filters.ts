import { Debounce } from '../../core/base/debounce';
import { filterFields } from '../../core/audit/viewModel';
import { element } from './dom';

type Field = (typeof filterFields)[number];

const choices: Partial<Record<Field, readonly string[]>> = {
  outcome: ['success', 'tool_error', 'internal_error', 'denied', 'allowed'],
  risk: ['low', 'medium', 'high', 'critical', 'high+', 'medium+'],
};
const typingMs = 300;

/**
 * The form of filters. It answers as people type, and sends texts as they stand: the extension reads and judges them.
 */
export function filterForm(
  texts: Readonly<Record<string, string>>,
  onFilter: (filter: Record<string, string>) => void,
): HTMLFormElement {
  const form = element('form', { 'aria-label': texts['filters'], autocomplete: 'off' });
  const inputs = new Map<Field, HTMLInputElement | HTMLSelectElement>();
  for (const name of filterFields) {
    const options = choices[name];
    const input = options
      ? element(
          'select',
          { name },
          element('option', { value: '' }, texts['any'] ?? ''),
          ...options.map((value) => element('option', { value }, value)),
        )
      : element('input', { name, type: name === 'since' || name === 'until' ? 'datetime-local' : 'text' });
    inputs.set(name, input);
    form.append(element('label', {}, texts[name] ?? name, input));
  }
  const clear = element('button', { type: 'reset' }, texts['clear'] ?? '');
  form.append(clear);
  const send = (): void => {
    const filter: Record<string, string> = {};
    for (const [name, input] of inputs) {
      if (input.value === '') continue;
      filter[name] = name === 'since' || name === 'until' ? new Date(input.value).toISOString() : input.value;
    }
    onFilter(filter);
  };
  const typing = new Debounce(send, typingMs);
  form.addEventListener('input', () => typing.restart());
  form.addEventListener('reset', () => setTimeout(send, 0));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    typing.cancel();
    send();
  });
  return form;
}
