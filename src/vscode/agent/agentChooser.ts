import * as vscode from 'vscode';
import { showWarning } from '../notices';
import type { ListedAgent } from './agentFileKeeper';

export const openChatCommand = 'workbench.action.chat.open';
/** How long an agent may be unknown to an editor that has commands of agents, and to one that may have none, in ms. */
const [knownWithinMs, mayBeKnownWithinMs] = [20_000, 8000];
/** So long the editor has to read its folders by itself, in ms. */
const renewAfterMs = 2500;
const lookAgainAfterMs = 250;
/** How long an agent that was put into the editor's list may be missing in an open chat's, in ms. */
const freshForMs = 15_000;
/** The waits between choosing and choosing anew, in ms. */
const chosenAgainAfterMs = [0, 700, 2500];
/** So long after the first time an agent is chosen anew of which the editor has no command, in ms. */
const chosenBlindlyAfterMs = [700, 2500, 5000];

/**
 * Opens this window's chat with an agent. The editor reads its folders of agents a while after they change, loses them
 * now and then while it starts, and choosing one that it does not know does nothing: such a one is chosen once more as
 * soon as the editor has its command of that agent. An open chat has a list of its own, which it reads later than that:
 * in it an agent that has just come is chosen until it is there. What the person chooses after that stays.
 *
 * A window may have no command of any agent of a file, as long as it stands: always where its chat was closed when it
 * opened, now and then where it was not. There it is chosen a few times without knowing, the first time in the window,
 * and nothing is said of an editor that does not list it. To have the editor read its agents anew takes the chosen one
 * from a chat now and then, so that is done once.
 */
export class AgentChooser {
  readonly #renew: () => Promise<void>;
  /** This window has had the editor's command of our agent. */
  #hasCommands = false;
  /** It was chosen here without such a command. */
  #wasChosen = false;

  /** @param renew writes the agent's file again, so that the editor reads its agents anew. */
  constructor(renew: () => Promise<void>) {
    this.#renew = renew;
  }

  async open({ name, listedAt }: ListedAgent): Promise<void> {
    const wasKnown = await this.#isKnown(name);
    await this.#choose(name);
    if ((wasKnown || this.#wasChosen) && Date.now() > listedAt + freshForMs) return;
    const began = Date.now();
    const blindly = [...chosenBlindlyAfterMs];
    const endsAt = (): number => began + (this.#hasCommands ? knownWithinMs : mayBeKnownWithinMs);
    for (let renewed = 0; Date.now() < endsAt();) {
      if (await this.#isKnown(name)) return this.#chooseUntilThere(name);
      if (!this.#hasCommands && Date.now() > began + (blindly[0] ?? Infinity)) {
        blindly.shift();
        await this.#choose(name);
      }
      if (Date.now() > began + (renewed + 1) * renewAfterMs && (this.#hasCommands || renewed === 0)) {
        renewed++;
        await this.#renew();
      }
      await pause(lookAgainAfterMs);
    }
    if (this.#hasCommands) tellNotListed(name);
    else this.#wasChosen = true;
  }

  async #isKnown(name: string): Promise<boolean> {
    const isKnown = (await vscode.commands.getCommands(false)).includes(openChatCommand + name);
    this.#hasCommands ||= isKnown;
    return isKnown;
  }

  async #choose(name: string): Promise<void> {
    await vscode.commands.executeCommand(openChatCommand, { mode: name });
  }

  async #chooseUntilThere(name: string): Promise<void> {
    for (const waitMs of chosenAgainAfterMs) {
      await pause(waitMs);
      await this.#choose(name);
    }
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function tellNotListed(name: string): void {
  void showWarning(
    vscode.l10n.t(
      'The editor does not list the agent "{0}" yet, so the chat may go on with another. Choose it in the chat once it is there.',
      name,
    ),
  );
}
