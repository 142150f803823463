import type { AuditTexts } from '../../core/audit/viewTexts';
import { Debounce } from '../../core/base/debounce';
import { type AuditRow, type Bucket, chartBuckets } from '../../core/audit/viewModel';
import { element, fill, svgElement } from './dom';
import { date, dateAndTime, figure, shortTime } from './formats';

const bars = 60;
const height = 44;
const kinds = ['calls', 'denials', 'durations'] as const;
type Kind = (typeof kinds)[number];

const valueOf: Readonly<Record<Kind, (bucket: Bucket) => number>> = {
  calls: (bucket) => bucket.calls,
  denials: (bucket) => bucket.denials,
  durations: (bucket) => bucket.meanMs,
};

/** Calls, denials and durations over time; each picture says its content in words too. */
export class Charts {
  readonly root = element('div', { class: 'charts' });
  readonly #texts: AuditTexts;
  #rows: () => readonly AuditRow[] = () => [];
  readonly #drawing = new Debounce(() => {
    const buckets = chartBuckets(this.#rows(), bars);
    this.root.replaceChildren(...kinds.map((kind) => this.#figure(kind, buckets)));
  }, 250);

  constructor(texts: AuditTexts) {
    this.#texts = texts;
  }

  /** Draws soon; pages that come in quick succession are drawn once. */
  update(rows: () => readonly AuditRow[]): void {
    this.#rows = rows;
    this.#drawing.start();
  }

  #figure(kind: Kind, buckets: readonly Bucket[]): HTMLElement {
    const values = buckets.map(valueOf[kind]);
    const most = Math.max(0, ...values);
    const total = values.reduce((sum, value) => sum + value, 0);
    const name = this.#texts[kind];
    const first = buckets[0];
    const last = buckets[buckets.length - 1];
    const when = (time: number): string => dateAndTime().format(time);
    const number = (value: number): string =>
      kind === 'durations' ? `${figure().format(Math.round(value))} ms` : figure().format(value);
    const label =
      first && last && most > 0
        ? fill(
            this.#texts[kind === 'durations' ? 'chartMean' : 'chart'],
            name,
            when(first.from),
            when(last.from),
            number(total),
            number(most),
          )
        : fill(this.#texts.noChart, name);
    const picture = svgElement('svg', {
      viewBox: `0 0 ${bars * 4} ${height}`,
      preserveAspectRatio: 'none',
      role: 'img',
      'aria-label': label,
    });
    values.forEach((value, at) => {
      if (value === 0) return;
      const size = Math.max(1, (value / most) * height);
      const bar = svgElement('rect', { class: `bar ${kind}`, x: at * 4, y: height - size, width: 3, height: size });
      bar.append(svgElement('title', {}, `${when(buckets[at]?.from ?? 0)}: ${number(value)}`));
      picture.append(bar);
    });
    // The label of the picture says the same in words.
    const axis =
      first && last && most > 0
        ? element(
            'div',
            { class: 'axis', 'aria-hidden': 'true' },
            ...ends(first.from, last.from).map((text) => element('span', {}, text)),
          )
        : undefined;
    return element(
      'figure',
      {},
      element('figcaption', {}, most > 0 ? `${name} (≤ ${number(most)})` : name),
      picture,
      axis,
    );
  }
}

/** The two ends of the axis: days where it spans more than one, times of day otherwise. */
function ends(from: number, to: number): readonly string[] {
  const format = to - from > 86_400_000 ? date() : shortTime();
  return [from, to].map((time) => format.format(time));
}
