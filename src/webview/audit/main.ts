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

type Init = Extract<ToAuditView, { type: 'init' }>;

function build(
  { texts, choices }: Init,
  post: (message: FromAuditView) => void,
): { receive(message: ToAuditView): void } {
  const problem = element('div', { class: 'status problem', role: 'alert' });
  problem.hidden = true;
  const list = new VirtualList(texts, (row) => post({ type: 'select', key: row.key }));
  const { pane, close } = detailsPane(texts, list);
  const charts = new Charts(texts);
  const onFilter = (filter: Record<string, string>): void => {
    problem.textContent = '';
    post({ type: 'filter', filter });
  };
  const form = filterForm(texts, choices, onFilter, chartsButton(charts, texts));
  form.show(isRoomy());
  const { status, say } = counter(texts, list, charts);
  document
    .getElementById('root')
    ?.replaceChildren(
      element('h1', {}, texts.title),
      form.root,
      charts.root,
      status,
      problem,
      element('div', { class: 'panes' }, list.root, pane),
    );
  let limited = false;
  return {
    receive(message) {
      switch (message.type) {
        case 'rows':
          if (message.reset) list.reset();
          limited = message.limited;
          problem.hidden = true;
          list.append(message.rows);
          return say(message.done, limited);
        case 'fresh':
          list.prepend(message.rows, maxRows);
          return say(true, limited);
        case 'details':
          return showDetails(pane, message.details, { texts, post, close });
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

/** The pane beside the list; Escape closes it, and the keyboard goes back to the list. */
function detailsPane(texts: Init['texts'], list: VirtualList): { readonly pane: HTMLElement; close(): void } {
  const pane = element('section', { class: 'details', 'aria-label': texts.details, tabindex: 0 });
  pane.hidden = true;
  const close = (): void => {
    pane.hidden = true;
    list.focus();
  };
  pane.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
  });
  return { pane, close };
}

/** The button that opens and closes the charts. */
function chartsButton({ root }: Charts, texts: Init['texts']): HTMLElement {
  root.id = 'charts';
  const toggle = element('button', { type: 'button', 'aria-controls': 'charts' }, texts.chartsShown);
  const show = (open: boolean): void => {
    root.hidden = !open;
    toggle.setAttribute('aria-expanded', String(open));
  };
  toggle.addEventListener('click', () => show(root.hidden !== false));
  show(isRoomy());
  return toggle;
}

/** Says how many records there are, and has the charts follow them. */
function counter(
  texts: Init['texts'],
  { calls }: VirtualList,
  charts: Charts,
): { readonly status: HTMLElement; say(done: boolean, limited: boolean): void } {
  const loading = texts.loading;
  const status = element('div', { class: 'status', role: 'status' }, loading);
  return {
    status,
    say(done, limited) {
      const { entries } = calls;
      const ofCalls = entries.filter(({ row }) => row.call !== undefined).length;
      const count = countWords(ofCalls, entries.length - ofCalls, texts);
      const shown = limited ? fill(texts.limited, count) : count;
      if (entries.length === 0 && done) status.textContent = texts.none;
      else status.textContent = done ? shown : `${shown} ${loading}`;
      charts.update(() => calls.entries.map(({ row }) => row));
    },
  };
}

start();
