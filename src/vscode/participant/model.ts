import * as vscode from 'vscode';
import type { LoopMessage, LoopModel, ModelPart } from '../../core/agent/loop';
import { errorOf } from '../../core/base/errorText';
import { cancellationOf } from '../cancellation';

/** The language model that the person chose for the chat, as the loop knows models. */
export function loopModel(model: vscode.LanguageModelChat): LoopModel {
  return {
    async *send(messages, tools, signal): AsyncGenerator<ModelPart> {
      const source = cancellationOf(signal);
      try {
        const response = await model.sendRequest(
          messages.map(toEditorMessage),
          { tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })) },
          source.token,
        );
        for await (const part of response.stream) {
          if (part instanceof vscode.LanguageModelTextPart) yield { type: 'text', text: part.value };
          else if (part instanceof vscode.LanguageModelToolCallPart)
            yield { type: 'call', call: { callId: part.callId, name: part.name, input: part.input } };
        }
      } catch (error) {
        throw modelFailure(error);
      } finally {
        source.dispose();
      }
    },
  };
}

function toEditorMessage(message: LoopMessage): vscode.LanguageModelChatMessage {
  switch (message.role) {
    case 'user':
      return vscode.LanguageModelChatMessage.User(message.text);
    case 'assistant':
      return vscode.LanguageModelChatMessage.Assistant([
        ...(message.text === '' ? [] : [new vscode.LanguageModelTextPart(message.text)]),
        ...message.calls.map((call) => new vscode.LanguageModelToolCallPart(call.callId, call.name, call.input)),
      ]);
    case 'results':
      return vscode.LanguageModelChatMessage.User(
        message.results.map(
          (result) =>
            new vscode.LanguageModelToolResultPart(result.callId, [new vscode.LanguageModelTextPart(result.text)]),
        ),
      );
  }
}

/** Says a model's failure in words that a person can act on. */
function modelFailure(error: unknown): Error {
  if (!(error instanceof vscode.LanguageModelError)) return errorOf(error);
  switch (error.code) {
    case vscode.LanguageModelError.NoPermissions.name:
      return new Error(
        vscode.l10n.t(
          'You have not allowed this extension to use the model. Choose another model or allow it when asked.',
        ),
      );
    case vscode.LanguageModelError.Blocked.name:
      return new Error(
        vscode.l10n.t('The model blocked this request, because of its content or a quota: {0}', error.message),
      );
    case vscode.LanguageModelError.NotFound.name:
      return new Error(vscode.l10n.t('The model does not exist any more. Choose another one.'));
    default:
      return new Error(error.message);
  }
}
