import type { Capability } from '../../core/capability/capability';
import { defineTool, type Tool } from '../../core/capability/tool';

const id = { type: 'string', maxLength: 200, description: 'Its id.' } as const;

const undoChangeTool: Tool = defineTool(
  {
    name: 'undo_change',
    title: 'Undo Change',
    kind: 'action',
    alwaysForPeople: true,
    modelDescription:
      'Take back your own changes to files exactly. Use it in place of writing old content by hand. ' +
      'Name exactly one of change, call, file, burst, since, all. What others changed since is kept: merged, or told in conflicts. The user may be asked first.',
    userDescription: 'Takes back what agents changed, and keeps what others changed since',
    inputSchema: {
      type: 'object',
      additionalProperties: false,
      properties: {
        change: id,
        call: { ...id, description: 'An invocation id.' },
        file: { ...id, description: 'A path.' },
        burst: id,
        since: { ...id, description: 'This change or call, and all later.' },
        all: { type: 'boolean', description: 'Everything.' },
        redo: { type: 'boolean', description: 'Makes it again.' },
      },
    },
    outputSchema: {
      type: 'object',
      additionalProperties: true,
      required: ['taken_back', 'conflicts'],
      properties: {
        taken_back: { type: 'integer' },
        conflicts: { type: 'array', items: { type: 'object', additionalProperties: true } },
      },
    },
    permissions: { user: 'allowed', agent: 'confirmation_required' },
    scopes: ['file:write', 'file:delete'],
    riskLevel: 'medium',
    sideEffects: ['fs.write', 'fs.delete'],
    costClass: 'free',
    idempotency: 'idempotent',
    reversible: true,
    timeoutMs: 300_000,
    icon: 'discard',
    tags: ['undo', 'revert', 'redo', 'files', 'changes'],
  },
  async () => (await import('./undoChange')).handler,
);

/** Takes back what agents changed. */
export const changes: Capability = {
  id: 'changes',
  version: '1.0.0',
  name: 'Changes',
  description: 'Takes back what agents changed in files, exactly, and keeps what others changed since.',
  summary: 'takes changes of agents back',
  status: 'available',
  source: { type: 'builtin' },
  icon: 'discard',
  category: 'File Operations',
  tools: [undoChangeTool],
};
