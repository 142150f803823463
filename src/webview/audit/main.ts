import { type FromAuditView, maxRows, type ToAuditView } from '../../core/audit/viewModel';
import { Charts } from './charts';
import { showDetails } from './details';
import { element, fill } from './dom';
import { filterForm } from './filters';
import { VirtualList } from './list';
import { countWords } from './rows';

declare function acquireVsCodeApi(): { postMessage(message: FromAuditView): void };

/** Builds the page once the extension has sent its words, and then only moves data. */
function start(): void {
  const api = acquireVsCodeApi();
  const post = (message: FromAuditView): void => api.postMessage(message);
  let page: ReturnType<typeof build> | undefined;
  window.addEventListener('message', (event: MessageEvent<ToAuditView>) => {
    const message = event.data;
    if (message.type === 'init') page = build(message, post);
    else page?.receive(message);
  });
  post({ type: 'ready' });
}

/** Where there is room for all of it at once, filters and charts stand open; elsewhere the rows come first. */
const isRoomy = (): boolean => window.innerWidth >= 1000 && window.innerHeight >= 640;

function build(
  { texts, choices }: Extract<ToAuditView, { type: 'init' }>,
  post: (message: FromAuditView) => void,
): { receive(message: ToAuditView): void } {
  const root = document.getElementById('root');
  const status = element('div', { class: 'status', role: 'status' }, texts['loading'] ?? '');
  const problem = element('div', { class: 'status problem', role: 'alert' });
  const pane = element('section', { class: 'details', 'aria-label': texts['details'], tabindex: 0 });
  pane.hidden = true;
  const list = new VirtualList(texts, (row) => post({ type: 'select', key: row.key }));
  const charts = new Charts(texts);
  charts.root.id = 'charts';
  const chartsToggle = element('button', { type: 'button', 'aria-controls': 'charts' }, texts['chartsShown'] ?? '');
  const showCharts = (open: boolean): void => {
    charts.root.hidden = !open;
    chartsToggle.setAttribute('aria-expanded', String(open));
  };
  chartsToggle.addEventListener('click', () => showCharts(charts.root.hidden !== false));
  const form = filterForm(
    texts,
    choices,
    (filter) => {
      problem.textContent = '';
      post({ type: 'filter', filter });
    },
    chartsToggle,
  );
  form.show(isRoomy());
  showCharts(isRoomy());
  problem.hidden = true;
  const close = (): void => {
    pane.hidden = true;
    list.focus();
  };
  pane.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
  });
  root?.replaceChildren(
    element('h1', {}, texts['title'] ?? ''),
    form.root,
    charts.root,
    status,
    problem,
    element('div', { class: 'panes' }, list.root, pane),
  );
  let limited = false;
  const say = (done: boolean): void => {
    const { entries } = list.calls;
    const calls = entries.filter(({ row }) => row.call !== undefined).length;
    const count = countWords(calls, entries.length - calls, texts);
    if (entries.length === 0 && done) status.textContent = texts['none'] ?? '';
    else
      status.textContent = `${limited ? fill(texts['limited'] ?? '', count) : count}${done ? '' : ` ${texts['loading'] ?? ''}`}`;
    charts.update(() => list.calls.entries.map(({ row }) => row));
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
          showDetails(pane, message.details, { texts, post, close });
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
