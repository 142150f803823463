import { type FromAuditView, maxRows, type ToAuditView } from '../../core/audit/viewModel';
import { Charts } from './charts';
import { showDetails } from './details';
import { element, fill } from './dom';
import { filterForm } from './filters';
import { VirtualList } from './list';

declare function acquireVsCodeApi(): { postMessage(message: FromAuditView): void };

/** Builds the page once the extension has sent its words, and then only moves data. */
function start(): void {
  const api = acquireVsCodeApi();
  const post = (message: FromAuditView): void => api.postMessage(message);
  let page: ReturnType<typeof build> | undefined;
  window.addEventListener('message', (event: MessageEvent<ToAuditView>) => {
    const message = event.data;
    if (message.type === 'init') page = build(message.texts, post);
    else page?.receive(message);
  });
  post({ type: 'ready' });
}

function build(
  texts: Readonly<Record<string, string>>,
  post: (message: FromAuditView) => void,
): { receive(message: ToAuditView): void } {
  const root = document.getElementById('root');
  const status = element('div', { class: 'status', role: 'status' }, texts['loading'] ?? '');
  const problem = element('div', { class: 'status problem', role: 'alert' });
  const pane = element('section', { class: 'details', 'aria-label': texts['details'], tabindex: 0 });
  pane.hidden = true;
  const list = new VirtualList(texts, (row) => post({ type: 'select', key: row.key }));
  const charts = new Charts(texts);
  const form = filterForm(texts, (filter) => {
    problem.textContent = '';
    post({ type: 'filter', filter });
  });
  problem.hidden = true;
  root?.replaceChildren(
    element('h1', {}, texts['title'] ?? ''),
    form,
    charts.root,
    status,
    problem,
    element('div', { class: 'panes' }, list.root, pane),
  );
  let limited = false;
  const say = (done: boolean): void => {
    const count = list.rows.length.toLocaleString('en');
    if (list.rows.length === 0 && done) status.textContent = texts['none'] ?? '';
    else
      status.textContent = `${fill(texts[limited ? 'limited' : 'shown'] ?? '', count)}${done ? '' : ` ${texts['loading'] ?? ''}`}`;
    charts.update(() => list.rows);
  };
  return {
    receive(message) {
      switch (message.type) {
        case 'rows':
          if (message.reset) list.reset();
          limited = message.limited;
          problem.hidden = true;
          list.append(message.rows);
          say(message.done);
          return;
        case 'fresh':
          list.prepend(message.rows, maxRows);
          say(true);
          return;
        case 'details':
          showDetails(pane, message.details, texts, post);
          return;
        case 'problem':
          problem.hidden = false;
          problem.textContent = message.text;
          return;
        case 'init':
          return;
      }
    },
  };
}

start();
