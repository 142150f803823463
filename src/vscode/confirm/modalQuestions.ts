import { untilAborted } from '../../core/base/pause';
import type { Clock } from '../../core/ports/platform';

/** What a modal says and offers; the first button has the keyboard. */
interface ModalText<Id extends string> {
  readonly title: string;
  readonly detail: string;
  readonly buttons: readonly ModalButton<Id>[];
}

export interface ModalButton<Id extends string> {
  readonly id: Id;
  readonly label: string;
  /** True where pressing it by accident does no harm, so that it counts at once. */
  readonly isHarmless?: boolean;
}

/** Answers the button itself that was pressed: two may have the same label, in one language at least. */
export type ShowModal = <Button extends { readonly label: string }>(
  title: string,
  detail: string,
  buttons: readonly Button[],
) => Promise<Button | undefined>;

/** An answer that comes sooner was meant for what had the keyboard before. */
export const tooSoonMs = 500;

/**
 * Asks by modal, one at a time: a modal cannot be closed from here, so the next one waits until the person has closed
 * the one before. Every modal that grants something goes through here. A press within half a second of opening asks
 * again, except of a button that does no harm. Anything but a button of ours is a no.
 */
export class ModalQuestions {
  readonly #show: ShowModal;
  readonly #clock: Clock;
  #open: Promise<unknown> = Promise.resolve();

  constructor(show: ShowModal, clock: Clock) {
    this.#show = show;
    this.#clock = clock;
  }

  /**
   * Answers undefined for Cancel, Escape and closing, and as soon as `signal` aborts: then nobody needs the answer any
   * more.
   */
  async ask<Id extends string>(text: ModalText<Id>, signal?: AbortSignal): Promise<Id | undefined> {
    const answered = this.#open.then(() => (signal?.aborted ? undefined : this.#askUntilMeant(text, signal)));
    this.#open = answered.catch(() => undefined);
    return untilAborted(answered, signal);
  }

  /** Asks for one yes. */
  async confirms(title: string, detail: string, label: string, signal?: AbortSignal): Promise<boolean> {
    return (await this.ask({ title, detail, buttons: [{ id: 'yes', label }] }, signal)) === 'yes';
  }

  async #askUntilMeant<Id extends string>(
    text: ModalText<Id>,
    signal: AbortSignal | undefined,
  ): Promise<Id | undefined> {
    for (;;) {
      const opened = this.#clock.monotonic();
      const pressed = await this.#show(text.title, text.detail, text.buttons);
      if (signal?.aborted) return undefined;
      if (pressed && pressed.isHarmless !== true && this.#clock.monotonic() - opened < tooSoonMs) continue;
      return pressed?.id;
    }
  }
}
