import type { ServerUser } from '../../core/foreign/serverUser';
import type { EditorServerUserParts } from './serverQuestions';

/**
 * The person in front of the editor answers for MCP servers: modals for what allows something, inputs for what servers
 * ask. Most windows are never asked, so the questions are loaded with the first one.
 */
export function editorServerUser(parts: EditorServerUserParts): ServerUser {
  const questions = () => import('./serverQuestions');
  return {
    approveServer: async (request, signal) => (await questions()).approveServer(request, parts, signal),
    approveTools: async (request, signal) => (await questions()).approveTools(request, parts, signal),
    elicit: async (request, signal) => (await questions()).elicit(request, parts.textQuestions, signal),
    signIn: async (request) => (await questions()).signIn(request, parts.questions),
    sample: async (request, signal) => (await questions()).sample(request, parts.textQuestions, signal),
  };
}
