/** A language model that reads questions before a person does. */
export interface SecondReader {
  /**
   * Answers what the model said. Rejects where there is no such model or it may not be used.
   * @param choice which model the person chose, as in the setting `approvals.reader`.
   */
  ask(
    choice: string,
    question: string,
    signal: AbortSignal,
  ): Promise<{ readonly model: string; readonly text: string }>;
}
