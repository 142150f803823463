import { builtin, integer, object, objects } from '../../core/capability/declare';
import { defineTool } from '../../core/capability/tool';
import { undoInput } from './inputs';

/** Takes back what agents changed. */
export const changes = builtin({
  id: 'changes',
  name: 'Changes',
  description: 'Takes back what agents changed in files, exactly, and keeps what others changed since.',
  summary: 'takes changes of agents back',
  icon: 'discard',
  category: 'File Operations',
  tools: [
    defineTool(
      {
        name: 'undo_change',
        title: 'Undo change',
        kind: 'action',
        alwaysForPeople: true,
        modelDescription:
          'Take back your own changes to files exactly. Use it in place of writing old content by hand. ' +
          'Name exactly one of change, call, file, burst, since, all. What others changed since is kept. ' +
          'Returns how many were taken_back, their paths, and in conflicts what was left and why. The user may be asked first.',
        userDescription: 'Takes back what agents changed, and keeps what others changed since',
        inputSchema: undoInput,
        outputSchema: object({ taken_back: integer, conflicts: objects }),
        permissions: { user: 'allowed', agent: 'confirmation_required' },
        scopes: ['file:write', 'file:delete'],
        riskLevel: 'medium',
        sideEffects: ['fs.read', 'fs.write', 'fs.delete'],
        costClass: 'free',
        idempotency: 'idempotent',
        reversible: true,
        timeoutMs: 300_000,
        icon: 'discard',
        tags: ['undo', 'revert', 'redo', 'files', 'changes'],
      },
      async () => (await import('./undoChange')).handler,
    ),
  ],
});
