import type * as vscode from 'vscode';
import { cancellationOf } from '../cancellation';

interface ModelQuestion {
  readonly messages: vscode.LanguageModelChatMessage[];
  /** Why the model is used, for the person who is asked whether it may be. */
  readonly justification: string;
  /** Of a longer answer only the beginning is read. */
  readonly mostCharacters: number;
}

/** What a language model of the editor answers. */
export async function askModel(
  model: vscode.LanguageModelChat,
  { messages, justification, mostCharacters }: ModelQuestion,
  signal: AbortSignal,
): Promise<string> {
  const source = cancellationOf(signal);
  try {
    const response = await model.sendRequest(messages, { justification }, source.token);
    let text = '';
    for await (const part of response.text) {
      text += part;
      if (text.length > mostCharacters) break;
    }
    return text;
  } finally {
    source.dispose();
  }
}
