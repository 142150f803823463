import type { AuditTexts } from '../../core/audit/viewTexts';
import { CallList, type ListItem } from '../../core/audit/callList';
import { type AuditRow, visibleRange } from '../../core/audit/viewModel';
import { element } from './dom';
import { columns, fillBurst, fillCall, makeRow } from './rows';

const rowHeight = 24;

/** What tells a line of the list apart while records come and go. */
const idOf = (item: ListItem): string =>
  item.kind === 'burst' ? `burst ${item.burst.id}` : (item.entry.row.call ?? item.entry.row.key);

/** The index of the line that holds this, or -1. */
function lineAt(target: EventTarget | null): number {
  const row = target instanceof Element ? target.closest<HTMLElement>('.row') : null;
  return row?.dataset['at'] === undefined ? -1 : Number(row.dataset['at']);
}

/**
 * The calls below their bursts, of which only the lines in the window exist as elements; the elements are used again
 * while scrolling. The keyboard moves the selection and closes bursts; a screen reader hears the line by
 * `aria-activedescendant`, its number and the total.
 */
export class VirtualList {
  readonly root: HTMLElement;
  readonly calls = new CallList();
  readonly #texts: AuditTexts;
  readonly #scroll: HTMLElement;
  readonly #space: HTMLElement;
  readonly #onSelect: (row: AuditRow) => void;
  #shown = new Map<number, HTMLElement>();
  #free: HTMLElement[] = [];
  #selected: string | undefined;
  /** The line that the pointer went down on: lines may move, and elements change hands, before it goes up. */
  #pressed: string | undefined;
  #frame = 0;

  constructor(texts: AuditTexts, onSelect: (row: AuditRow) => void) {
    this.#texts = texts;
    this.#onSelect = onSelect;
    const head = element(
      'div',
      { class: 'row head', role: 'row', 'aria-rowindex': 1 },
      ...columns.map((name) => element('span', { role: 'columnheader', class: name }, texts[name])),
    );
    this.#space = element('div', { class: 'space', role: 'rowgroup' });
    this.#scroll = element(
      'div',
      {
        class: 'scroll',
        role: 'treegrid',
        tabindex: 0,
        'aria-label': texts.records,
        'aria-rowcount': 1,
        'aria-colcount': columns.length,
      },
      element('div', { role: 'rowgroup', class: 'top' }, head),
      this.#space,
    );
    this.root = element('div', { class: 'grid' }, this.#scroll);
    this.#scroll.addEventListener('scroll', () => this.#later(), { passive: true });
    this.#scroll.addEventListener('keydown', (event) => this.#key(event));
    this.#space.addEventListener('pointerdown', (event) => {
      const item = this.#items[lineAt(event.target)];
      this.#pressed = item && idOf(item);
    });
    this.#space.addEventListener('click', (event) => {
      const pressed = this.#pressed;
      this.#pressed = undefined;
      const at = pressed === undefined ? lineAt(event.target) : this.#items.findIndex((item) => idOf(item) === pressed);
      if (at < 0) return;
      this.#select(at);
      if (this.#items[at]?.kind === 'burst') this.#toggle(at);
    });
    new ResizeObserver(() => this.#later()).observe(this.#scroll);
  }

  get #items(): readonly ListItem[] {
    return this.calls.items;
  }

  focus(): void {
    this.#scroll.focus();
  }

  reset(): void {
    this.calls.reset();
    this.#scroll.scrollTop = 0;
    this.#sized();
  }

  append(rows: readonly AuditRow[]): void {
    this.calls.append(rows);
    this.#sized();
  }

  /** Puts newer records on top; what the person looks at stays where it is, unless that is the top itself. */
  prepend(rows: readonly AuditRow[], limit: number): void {
    const top = this.#scroll.scrollTop;
    const before = this.#items.length;
    this.calls.prepend(rows, limit);
    this.#sized();
    if (top > rowHeight) this.#scroll.scrollTop = top + Math.max(0, this.#items.length - before) * rowHeight;
  }

  #sized(): void {
    this.#space.style.height = `${this.#items.length * rowHeight}px`;
    this.#scroll.setAttribute('aria-rowcount', String(this.#items.length + 1));
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
    const { scrollTop, clientHeight } = this.#scroll;
    const { start, end } = visibleRange(scrollTop, clientHeight, rowHeight, this.#items.length);
    for (const [at, shown] of this.#shown)
      if (at < start || at >= end) {
        this.#release(shown);
        this.#shown.delete(at);
      }
    for (let at = start; at < end; at++) {
      const item = this.#items[at];
      if (!item || this.#shown.has(at)) continue;
      const shown = this.#free.pop() ?? makeRow();
      if (item.kind === 'burst') fillBurst(shown, item.burst, this.#texts);
      else fillCall(shown, item.entry);
      shown.id = `row-${at}`;
      shown.dataset['at'] = String(at);
      shown.setAttribute('aria-rowindex', String(at + 2));
      shown.style.transform = `translateY(${at * rowHeight}px)`;
      shown.hidden = false;
      this.#mark(shown, idOf(item) === this.#selected);
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

  /** Names the selected line to screen readers while it exists as an element, and none otherwise. */
  #announce(): void {
    for (const [at, shown] of this.#shown) {
      const item = this.#items[at];
      if (item && idOf(item) === this.#selected) return this.#scroll.setAttribute('aria-activedescendant', shown.id);
    }
    this.#scroll.removeAttribute('aria-activedescendant');
  }

  #mark(shown: HTMLElement, selected: boolean): void {
    shown.classList.toggle('selected', selected);
    shown.setAttribute('aria-selected', String(selected));
  }

  #select(at: number): void {
    const item = this.#items[at];
    if (!item) return;
    this.#selected = idOf(item);
    const top = at * rowHeight;
    const { scrollTop, clientHeight } = this.#scroll;
    if (top < scrollTop) this.#scroll.scrollTop = top;
    // The head stands over the first line's place.
    else if (top + 2 * rowHeight > scrollTop + clientHeight)
      this.#scroll.scrollTop = top + 2 * rowHeight - clientHeight;
    this.#render();
    for (const [index, shown] of this.#shown) this.#mark(shown, index === at);
    this.#announce();
    if (item.kind === 'call') this.#onSelect(item.entry.row);
  }

  #toggle(at: number): void {
    const item = this.#items[at];
    if (item?.kind !== 'burst') return;
    this.calls.toggle(item.burst.id);
    this.#sized();
  }

  #key(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(this.#scroll.clientHeight / rowHeight) - 1);
    const now = this.#items.findIndex((item) => idOf(item) === this.#selected);
    const burst = this.#burstKey(event.key, now);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: now + 1,
      ArrowUp: now <= 0 ? 0 : now - 1,
      PageDown: now + page,
      PageUp: now - page,
      Home: 0,
      End: this.#items.length - 1,
    };
    const to = moves[event.key];
    if (to === undefined && !burst) return;
    event.preventDefault();
    if (burst) burst();
    else if (to !== undefined) this.#select(Math.min(this.#items.length - 1, Math.max(0, to)));
  }

  /** Left and right close and open a burst as in a tree, and so do Enter and space on it. */
  #burstKey(key: string, at: number): (() => void) | undefined {
    const item = this.#items[at];
    if (!item) return undefined;
    if (item.kind === 'call') {
      if (key !== 'ArrowLeft') return undefined;
      const head = this.#items.findLastIndex((one, index) => index < at && one.kind === 'burst');
      return () => this.#select(head);
    }
    const turns =
      key === 'Enter' ||
      key === ' ' ||
      (key === 'ArrowLeft' && item.burst.isOpen) ||
      (key === 'ArrowRight' && !item.burst.isOpen);
    return turns ? () => this.#toggle(at) : undefined;
  }
}
