import { type AuditDetails, type FromAuditView } from '../../core/audit/viewModel';
import { element, fill } from './dom';

/**
 * Fills the pane beside the list with one record: facts, the gate's steps, what was touched, and what can be done with
 * it.
 */
export function showDetails(
  pane: HTMLElement,
  details: AuditDetails,
  texts: Readonly<Record<string, string>>,
  post: (message: FromAuditView) => void,
): void {
  const action = (name: 'explain' | 'runAgain' | 'turnIntoRule' | 'copy'): HTMLElement => {
    const button = element('button', { type: 'button' }, texts[name] ?? name);
    button.addEventListener('click', () => post({ type: 'action', action: name, key: details.key }));
    return button;
  };
  const section = (title: string | undefined, ...content: readonly HTMLElement[]): readonly HTMLElement[] => [
    element('h3', {}, title ?? ''),
    ...content,
  ];
  const facts = element('dl');
  for (const { name, value } of details.facts) facts.append(element('dt', {}, name), element('dd', {}, value));
  const steps = element('ol');
  for (const { step, effect, reasons } of details.steps)
    steps.append(
      element(
        'li',
        {},
        `${step}: ${effect}`,
        reasons.length === 0 ? undefined : element('ul', {}, ...reasons.map((reason) => element('li', {}, reason))),
      ),
    );
  const accesses = element('ul');
  for (const { text, path } of details.accesses) {
    if (path === undefined) {
      accesses.append(element('li', {}, text));
      continue;
    }
    const link = element('button', { type: 'button', class: 'link', title: fill(texts['open'] ?? '', path) }, text);
    link.addEventListener('click', () => post({ type: 'open', path }));
    accesses.append(element('li', {}, link));
  }
  pane.hidden = false;
  pane.replaceChildren(
    element('h2', {}, details.title),
    element(
      'div',
      { class: 'actions' },
      ...(details.isCall ? [action('explain'), action('runAgain'), action('turnIntoRule')] : []),
      action('copy'),
    ),
    ...(details.steps.length > 0 ? section(texts['steps'], steps) : []),
    ...(details.accesses.length > 0 ? section(texts['accesses'], accesses) : []),
    ...details.content.flatMap(({ name, text }) => section(name, element('pre', { tabindex: 0 }, text))),
    ...(details.hidden.length > 0
      ? section(texts['hidden'], element('ul', {}, ...details.hidden.map((one) => element('li', {}, one))))
      : []),
    ...section(texts['details'], facts),
  );
}
