import * as vscode from 'vscode';
import type { ServerUser } from '../../core/foreign/serverUser';
import type { PersonQuestions } from './serverQuestions';

/**
 * The person in front of the editor answers for MCP servers: modals for what allows something, inputs for what servers
 * ask. Most windows are never asked, so the questions are loaded with the first one.
 */
export function editorServerUser(questions: PersonQuestions): ServerUser {
  const wording = () => import('./serverQuestions');
  return {
    language: { tag: vscode.env.language, t: vscode.l10n.t },
    approveServer: async (request, signal) => (await wording()).approveServer(request, questions, signal),
    approveTools: async (request, signal) => (await wording()).approveTools(request, questions, signal),
    elicit: async (request, signal) => (await wording()).elicit(request, questions.text, signal),
    signIn: async (request) => (await wording()).signIn(request, questions.modal),
    sample: async (request, signal) => (await wording()).sample(request, questions.text, signal),
  };
}
