/** What a model said, and which one it was. */
interface ReaderWords {
  readonly model: string;
  readonly text: string;
}

/** A language model that reads questions before a person does. */
export interface SecondReader {
  /**
   * Answers what the model said, or that there is none. Rejects where it may not be used or fails.
   * @param choice which model the person chose, as in the setting `approvals.reader`.
   */
  ask(choice: string, question: string, signal: AbortSignal): Promise<ReaderWords | 'no-model'>;
}
