import * as vscode from 'vscode';
import { ScriptedModel, type ModelRequest, type ToolResult } from './model';

export interface AgentTurn {
  query: string;
  /** `agent` by default; also `ask`, `edit`, or the name of a custom agent. */
  mode?: string;
  /** Carry on the open conversation instead of starting a new one. */
  continueChat?: boolean;
  /** What to do when the chat asks whether a tool may run; without it a turn that asks runs into its timeout. */
  confirm?: 'accept' | 'skip';
  timeoutMs?: number;
}

export interface AgentTurnResult {
  /** The requests this turn sent to the model. */
  requests: ModelRequest[];
  /** Every tool result the last request carried. */
  toolResults: ToolResult[];
  /** What the command gave back. */
  response: unknown;
}

async function waitForModel(): Promise<void> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline;) {
    const found = await vscode.lm.selectChatModels({ vendor: ScriptedModel.vendor });
    if (found.length > 0) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error('the scripted model did not appear within 30 s');
}

/** Copilot Chat brings agent mode; a turn started before it is there would wait for a sign-in that never comes. */
async function waitForCopilotChat(): Promise<void> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline;) {
    const extension = vscode.extensions.getExtension('GitHub.copilot-chat');
    if (extension) {
      await extension.activate();
      return;
    }
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error('GitHub Copilot Chat is not enabled in this profile');
}

/**
 * The command comes back as soon as a confirmation is open, so the turn's end is when the model has given its last
 * answer.
 */
async function send(model: ScriptedModel, turn: AgentTurn, before: number, signal: AbortSignal): Promise<unknown> {
  const response: unknown = await vscode.commands.executeCommand('workbench.action.chat.open', {
    query: turn.query,
    mode: turn.mode ?? 'agent',
    modelSelector: { vendor: ScriptedModel.vendor, id: ScriptedModel.id },
    blockOnResponse: true,
  });
  while (!signal.aborted && !(model.answered && model.requests.length > before))
    await new Promise((done) => setTimeout(done, 50));
  return response;
}

/** Sends one message to the chat with the scripted model and waits until the answer is complete. */
export async function runAgentTurn(model: ScriptedModel, turn: AgentTurn): Promise<AgentTurnResult> {
  await Promise.all([waitForModel(), waitForCopilotChat()]);
  if (!turn.continueChat) await vscode.commands.executeCommand('workbench.action.chat.newChat');
  const before = model.requests.length;
  const command = turn.confirm === 'skip' ? 'workbench.action.chat.skipTool' : 'workbench.action.chat.acceptTool';
  const confirming = turn.confirm ? setInterval(() => void vscode.commands.executeCommand(command), 300) : undefined;
  let timer: NodeJS.Timeout | undefined;
  const over = new AbortController();
  try {
    const timeout = turn.timeoutMs ?? 60_000;
    const response = await Promise.race([
      send(model, turn, before, over.signal),
      new Promise<never>((_done, fail) => {
        timer = setTimeout(() => {
          const waiting =
            model.requests.length > before
              ? 'a tool call was not answered (is a confirmation open?)'
              : 'the model was not asked';
          fail(new Error(`the agent's turn did not end within ${timeout / 1000} s: ${waiting}`));
        }, timeout);
      }),
    ]);
    const requests = model.requests.slice(before);
    return { requests, toolResults: requests.at(-1)?.toolResults ?? [], response };
  } finally {
    over.abort();
    clearTimeout(timer);
    clearInterval(confirming);
  }
}
