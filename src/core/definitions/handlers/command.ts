import type { Access } from '../../access';
import { need } from '../../ports/need';
import type { ToolHandler } from '../../tool';
import type { CommandHandlerSpec } from '../handlerSpec';
import { fillJson } from '../template';

/** A tool that runs a command of the editor. Its access is `system.exec` of `command:<id>`, because commands can do whatever the editor can. */
export function commandHandler(spec: CommandHandlerSpec): ToolHandler {
  return {
    accesses: (): readonly Access[] => [{ effect: 'system.exec', resource: `command:${spec.command}` }],
    async run(input, context) {
      const commands = need(context.ports.commands, spec.command, 'the command of the editor');
      const args = spec.args.map((one) => fillJson(one, { input, config: context.config }) ?? null);
      return { payload: (await commands.run(spec.command, args)) ?? null };
    },
  };
}
