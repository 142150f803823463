import * as vscode from 'vscode';
import type { LoopMessage } from '../../core/agent/loop';

/** The most turns that are told to the model again. */
const keptTurns = 20;

/** The text of a response as it was streamed. */
export function responseText(turn: vscode.ChatResponseTurn): string {
  return turn.response
    .map((part) => (part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : ''))
    .join('');
}

/** Earlier turns with this participant, as messages. */
export function historyMessages(context: vscode.ChatContext): readonly LoopMessage[] {
  return context.history.slice(-keptTurns).flatMap((turn): LoopMessage[] => {
    if (turn instanceof vscode.ChatRequestTurn)
      return [{ role: 'user', text: turn.command ? `/${turn.command} ${turn.prompt}` : turn.prompt }];
    const text = responseText(turn);
    return text === '' ? [] : [{ role: 'assistant', text, calls: [] }];
  });
}

/** What the person attached, as lines that name it; contents are read by the tools, through the gate. */
export function attachments(request: vscode.ChatRequest): string {
  const lines = request.references.flatMap(({ value }) => {
    if (value instanceof vscode.Uri) return [`- the file ${vscode.workspace.asRelativePath(value)}`];
    if (value instanceof vscode.Location)
      return [
        `- ${vscode.workspace.asRelativePath(value.uri)}, lines ${value.range.start.line + 1} to ${value.range.end.line + 1}`,
      ];
    return typeof value === 'string' ? [`- ${value}`] : [];
  });
  return lines.length === 0 ? '' : `\n\nAttached:\n${lines.join('\n')}`;
}
