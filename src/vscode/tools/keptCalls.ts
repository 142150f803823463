import type { CommandId } from '../manifest/commands/commandTable';
import { commandId } from '../manifest/commands/commandId';
import { setLast } from '../../core/base/maps';
import type { CallLink, NextCall } from './chatLine';

/** A call that a line of the chat leads back to. */
interface KeptCall {
  readonly tool: string;
  readonly input: object;
}

const most = 200;

/**
 * The calls of this window whose line in the chat has a link: to their explanation, or one that takes back what they
 * changed. The link to an explanation carries a number only, so that nothing of the arguments stands in an address; one
 * that takes back carries what nobody can guess, because who follows it is not asked. In memory, gone with the window.
 */
export class KeptCalls {
  readonly #calls = new Map<number, KeptCall>();
  readonly #undone = new Map<string, string>();
  readonly #randomId: () => string;
  #next = 1;

  constructor(randomId: () => string) {
    this.#randomId = randomId;
  }

  /** Keeps a call and answers the link that leads to it. */
  link(tool: string, input: object): CallLink {
    const id = this.#next++;
    setLast(this.#calls, id, { tool, input }, most);
    return linkTo('whyCall', id);
  }

  find(id: number): KeptCall | undefined {
    return this.#calls.get(id);
  }

  /** The id for a call that is to come, and the links that lead back to it. */
  next(): NextCall {
    const call = this.#randomId();
    return { call, ...this.linksTo(call) };
  }

  /** The links that take back what a call changes, and tell what became of it. @param call its invocation id. */
  linksTo(call: string): Pick<NextCall, 'undo' | 'outcome'> {
    const token = this.#randomId();
    setLast(this.#undone, token, call, most);
    return { undo: linkTo('changes.undoCall', token), outcome: linkTo('changes.undoCall', token, 'ask') };
  }

  /** The invocation id of the call whose link carries this. */
  undoneBy(token: string): string | undefined {
    return this.#undone.get(token);
  }
}

function linkTo(id: CommandId, ...args: readonly (string | number)[]): CallLink {
  const command = commandId(id);
  return { address: `command:${command}?${encodeURIComponent(JSON.stringify(args))}`, command };
}
