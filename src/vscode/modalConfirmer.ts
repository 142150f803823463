import type { Clock } from '../core/ports';

/** What a modal says and offers; the labels are in the order of the buttons. */
export interface ModalText {
  readonly title: string;
  readonly detail: string;
  readonly buttons: readonly { readonly id: ModalAnswer; readonly label: string }[];
}

export type ModalAnswer = 'allow-once' | 'allow-session' | 'always' | 'show';

export type ShowModal = (title: string, detail: string, labels: readonly string[]) => Promise<string | undefined>;

/** An answer that comes sooner was meant for what had the keyboard before. */
const tooSoonMs = 500;

/**
 * Asks by modal, one at a time: a modal cannot be closed from here, so the next one waits until the person has closed the one before.
 * An allow within half a second of opening asks again. Anything but a button of ours is a no.
 */
export class ModalQuestions {
  readonly #show: ShowModal;
  readonly #clock: Clock;
  #open: Promise<unknown> = Promise.resolve();

  constructor(show: ShowModal, clock: Clock) {
    this.#show = show;
    this.#clock = clock;
  }

  /** Answers undefined for Cancel, Escape and closing, and as soon as `signal` aborts: then nobody needs the answer any more. */
  ask(text: ModalText, signal: AbortSignal): Promise<ModalAnswer | undefined> {
    const before = this.#open;
    const answered = before.then(() => (signal.aborted ? undefined : this.#askUntilMeant(text, signal)));
    this.#open = answered.catch(() => undefined);
    return Promise.race([answered, aborted(signal)]);
  }

  async #askUntilMeant(text: ModalText, signal: AbortSignal): Promise<ModalAnswer | undefined> {
    for (;;) {
      const opened = this.#clock.monotonic();
      const label = await this.#show(
        text.title,
        text.detail,
        text.buttons.map((button) => button.label),
      );
      if (signal.aborted) return undefined;
      const answer = text.buttons.find((button) => button.label === label)?.id;
      const isAllow = answer !== undefined && answer !== 'show';
      if (isAllow && this.#clock.monotonic() - opened < tooSoonMs) continue;
      return answer;
    }
  }
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
