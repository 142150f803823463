import { commandId } from '../manifest/commands/commandId';
import type { WhyLink } from './languageModelTools';

/** A call that a line of the chat leads back to. */
interface KeptCall {
  readonly tool: string;
  readonly input: object;
}

const most = 200;

/**
 * The calls of this window whose line in the chat has a link to their explanation. The link carries a number only, so
 * that nothing of the arguments stands in an address; in memory, gone with the window.
 */
export class KeptCalls {
  readonly #calls = new Map<number, KeptCall>();
  #next = 1;

  /** Keeps a call and answers the link that leads to it. */
  link(tool: string, input: object): WhyLink {
    const id = this.#next++;
    this.#calls.set(id, { tool, input });
    const oldest = this.#calls.keys().next();
    if (this.#calls.size > most && !oldest.done) this.#calls.delete(oldest.value);
    const command = commandId('whyCall');
    return { address: `command:${command}?${encodeURIComponent(JSON.stringify([id]))}`, command };
  }

  find(id: number): KeptCall | undefined {
    return this.#calls.get(id);
  }
}
