import { type AuditRow, visibleRange } from '../../core/audit/viewModel';
import { element } from './dom';

const rowHeight = 24;
const marks: Readonly<Record<string, string>> = {
  success: '✓',
  denied: '⊘',
  tool_error: '⚠',
  internal_error: '✗',
  allowed: '✓',
};

/**
 * A grid of which only the rows in the window exist as elements; the elements are used again while scrolling.
 * The keyboard moves the selection; a screen reader hears the row by `aria-activedescendant`, its number and the total.
 */
export class VirtualList {
  readonly root: HTMLElement;
  readonly #scroll: HTMLElement;
  readonly #space: HTMLElement;
  readonly #onSelect: (row: AuditRow) => void;
  #rows: AuditRow[] = [];
  #shown = new Map<number, HTMLElement>();
  #free: HTMLElement[] = [];
  #selected: string | undefined;
  #frame = 0;

  constructor(texts: Readonly<Record<string, string>>, onSelect: (row: AuditRow) => void) {
    this.#onSelect = onSelect;
    const columns = ['time', 'actor', 'profile', 'tool', 'risk', 'outcome', 'what', 'duration'];
    const head = element(
      'div',
      { class: 'row head', role: 'row', 'aria-rowindex': 1 },
      ...columns.map((name) =>
        element(
          'span',
          { role: 'columnheader', class: name === 'duration' ? 'number' : undefined },
          texts[name] ?? name,
        ),
      ),
    );
    this.#space = element('div', { class: 'space', role: 'rowgroup' });
    this.#scroll = element(
      'div',
      {
        class: 'scroll',
        role: 'grid',
        tabindex: 0,
        'aria-label': texts['records'],
        'aria-rowcount': 1,
        'aria-colcount': columns.length,
      },
      element('div', { role: 'rowgroup', class: 'top' }, head),
      this.#space,
    );
    this.root = element('div', { class: 'grid' }, this.#scroll);
    this.#scroll.addEventListener('scroll', () => this.#later(), { passive: true });
    this.#scroll.addEventListener('keydown', (event) => this.#key(event));
    this.#space.addEventListener('click', (event) => {
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>('.row') : null;
      if (row?.dataset['at'] !== undefined) this.#select(Number(row.dataset['at']));
    });
    new ResizeObserver(() => this.#later()).observe(this.#scroll);
  }

  get rows(): readonly AuditRow[] {
    return this.#rows;
  }

  reset(): void {
    this.#rows = [];
    this.#scroll.scrollTop = 0;
    this.#sized();
  }

  append(rows: readonly AuditRow[]): void {
    for (const row of rows) this.#rows.push(row);
    this.#sized();
  }

  /** Puts newer rows on top; what the person looks at stays where it is, unless that is the top itself. */
  prepend(rows: readonly AuditRow[], limit: number): void {
    const top = this.#scroll.scrollTop;
    this.#rows = [...rows, ...this.#rows].slice(0, limit);
    this.#sized();
    if (top > rowHeight) this.#scroll.scrollTop = top + rows.length * rowHeight;
  }

  #sized(): void {
    this.#space.style.height = `${this.#rows.length * rowHeight}px`;
    this.#scroll.setAttribute('aria-rowcount', String(this.#rows.length + 1));
    for (const [, shown] of this.#shown) this.#release(shown);
    this.#shown = new Map();
    this.#later();
  }

  #later(): void {
    if (this.#frame === 0)
      this.#frame = requestAnimationFrame(() => {
        this.#frame = 0;
        this.#render();
      });
  }

  #render(): void {
    const { start, end } = visibleRange(
      this.#scroll.scrollTop,
      this.#scroll.clientHeight,
      rowHeight,
      this.#rows.length,
    );
    for (const [at, shown] of this.#shown)
      if (at < start || at >= end) {
        this.#release(shown);
        this.#shown.delete(at);
      }
    for (let at = start; at < end; at++) {
      const row = this.#rows[at];
      if (!row || this.#shown.has(at)) continue;
      const shown = this.#free.pop() ?? makeRow();
      fillRow(shown, row, at);
      shown.hidden = false;
      this.#mark(shown, row.key === this.#selected);
      if (!shown.isConnected) this.#space.append(shown);
      this.#shown.set(at, shown);
    }
    this.#announce();
  }

  #release(shown: HTMLElement): void {
    shown.hidden = true;
    shown.removeAttribute('id');
    this.#free.push(shown);
  }

  /** Names the selected row to screen readers while it exists as an element, and none otherwise. */
  #announce(): void {
    for (const [at, shown] of this.#shown)
      if (this.#rows[at]?.key === this.#selected) return this.#scroll.setAttribute('aria-activedescendant', shown.id);
    this.#scroll.removeAttribute('aria-activedescendant');
  }

  #mark(shown: HTMLElement, selected: boolean): void {
    shown.classList.toggle('selected', selected);
    shown.setAttribute('aria-selected', String(selected));
  }

  #select(at: number): void {
    const row = this.#rows[at];
    if (!row) return;
    this.#selected = row.key;
    const top = at * rowHeight;
    const { scrollTop, clientHeight } = this.#scroll;
    if (top < scrollTop) this.#scroll.scrollTop = top;
    // The head stands over the first row's place.
    else if (top + 2 * rowHeight > scrollTop + clientHeight)
      this.#scroll.scrollTop = top + 2 * rowHeight - clientHeight;
    this.#render();
    for (const [index, shown] of this.#shown) this.#mark(shown, index === at);
    this.#announce();
    this.#onSelect(row);
  }

  #key(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.#scroll.clientHeight / rowHeight) - 1);
    const now = this.#rows.findIndex((row) => row.key === this.#selected);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: now + 1,
      ArrowUp: now <= 0 ? 0 : now - 1,
      PageDown: now + page,
      PageUp: now - page,
      Home: 0,
      End: this.#rows.length - 1,
    };
    const to = moves[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.#select(Math.min(this.#rows.length - 1, Math.max(0, to)));
  }
}

function makeRow(): HTMLElement {
  const row = element('div', { class: 'row', role: 'row' });
  for (let column = 0; column < 8; column++)
    row.append(
      element('span', { role: 'gridcell', class: column === 5 ? 'outcome' : column === 7 ? 'number' : undefined }),
    );
  return row;
}

const formats = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'medium' });

function fillRow(shown: HTMLElement, row: AuditRow, at: number): void {
  const outcome = row.outcome === '' ? row.event.replace(/^invocation\./, '') : row.outcome;
  const cells = [
    formats.format(new Date(row.time)),
    row.actor,
    row.profile,
    row.tool,
    row.risk,
    outcome,
    row.what,
    row.ms === undefined ? '' : `${Math.round(row.ms).toLocaleString('en')} ms`,
  ];
  cells.forEach((text, column) => {
    const cell = shown.children[column];
    if (cell) cell.textContent = text;
  });
  shown.children[5]?.setAttribute('data-mark', marks[row.outcome] ?? '·');
  shown.id = `row-${at}`;
  shown.dataset['at'] = String(at);
  shown.setAttribute('aria-rowindex', String(at + 2));
  shown.style.transform = `translateY(${at * rowHeight}px)`;
}
