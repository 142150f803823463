import type { TextQuestion, TextQuestionsOptions } from './askText';

/** Asks about texts in modals, as `askText` does, which is loaded with the first question. */
export class TextQuestions {
  readonly #options: TextQuestionsOptions;

  constructor(options: TextQuestionsOptions) {
    this.#options = options;
  }

  /**
   * Answers undefined for Cancel, Escape and closing, for a text that was put aside, and as soon as `signal` aborts.
   */
  async ask<Id extends string>(question: TextQuestion<Id>, signal?: AbortSignal): Promise<Id | undefined> {
    const { askText } = await import('./askText');
    return askText(this.#options, question, signal);
  }

  /** Asks for one yes. */
  async confirms(
    question: Omit<TextQuestion<'yes'>, 'buttons'>,
    label: string,
    signal?: AbortSignal,
  ): Promise<boolean> {
    return (await this.ask({ ...question, buttons: [{ id: 'yes', label }] }, signal)) === 'yes';
  }
}
