import type { Access } from '../../vocabulary/access';
import { commandRefused } from '../../vocabulary/errors';
import { missingPort, need } from '../../ports/need';
import type { CommandHandlerSpec } from './handlerSpec';
import { fillJson } from '../../vocabulary/template';
import { closedArgument, closedCommand } from './commandWall';
import type { ToolHandler } from '../../capability/tool';

const what = 'commands';

/**
 * A tool that runs a command of the editor. Its access is `system.exec` of `command:<id>`, because commands can do
 * whatever the editor can.
 */
export function commandHandler(spec: CommandHandlerSpec): ToolHandler {
  return {
    missing: async ({ ports }) => missingPort(ports.commands, what),
    accesses: (): readonly Access[] => [{ effect: 'system.exec', resource: `command:${spec.command}` }],
    async run(input, context) {
      const args = spec.args.map((one) => fillJson(one, { input, config: context.config }) ?? null);
      const why = closedCommand(spec.command) ?? closedArgument(args);
      if (why !== undefined) throw commandRefused(spec.command, why);
      const commands = need(context.ports.commands, spec.command, what);
      return { payload: (await commands.run(spec.command, args)) ?? null };
    },
  };
}
