import type { Access } from '../vocabulary/access';
import type { ToolDefinition } from '../vocabulary/toolDefinition';
import type { HandlerSpec } from './handlers/handlerSpec';
import type { ToolHandler } from '../capability/tool';

/** Handlers that hand their arguments to another machine, and those that hand them to a program of this one. */
const receivers: Readonly<Partial<Record<HandlerSpec['type'], 'remote' | 'local'>>> = {
  http: 'remote',
  channel: 'remote',
  process: 'local',
  command: 'local',
  module: 'local',
};

/**
 * Lets rules that deny judge what the arguments of a definition's tool could mean to whom they are handed
 * (`Access.suspected`). Nothing more is asked: what the definition itself touches is in the handler's own accesses.
 * Calls of other tools are judged when they are made.
 */
export function withJudgedArguments(
  handler: ToolHandler,
  type: HandlerSpec['type'],
  definition: ToolDefinition,
): ToolHandler {
  const receiver = receivers[type];
  if (receiver === undefined) return handler;
  const facts = {
    tool: definition.name,
    schema: definition.inputSchema,
    sideEffects: definition.sideEffects,
    readOnly: false,
    mapping: {},
    isRemote: receiver === 'remote',
    roles: new Map(),
  };
  return {
    ...handler,
    async accesses(input, context) {
      const own = await handler.accesses(input, context);
      const { foreignAccesses } = await import('../foreign/argumentReader');
      const found = await foreignAccesses(facts, input, context.ports.files, undefined);
      // A command line in the arguments is text like any other: what runs is in the handler's own accesses.
      const places = found.filter(({ effect }) => effect !== 'system.exec');
      return [...own, ...places.map((access): Access => ({ suspected: 'written', ...access }))];
    },
  };
}
