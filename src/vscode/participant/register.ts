import * as vscode from 'vscode';
import { participantId } from '../manifest/participants';
import type { ParticipantContext } from './participant';

/** Registers `@capabilities`, whose loop is loaded when somebody asks it something. */
export function registerParticipant(system: ParticipantContext, extensionUri: vscode.Uri): vscode.Disposable {
  const made = vscode.chat.createChatParticipant(participantId, async (request, context, stream, token) => {
    const { answer } = await import('./participant');
    return answer(system, { request, context, stream, token });
  });
  made.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'container.svg');
  made.followupProvider = {
    provideFollowups: async (result) => (await import('./participant')).followups(result),
  };
  return made;
}
