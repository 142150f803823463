import { visibleLine } from '../../core/base/visible';
import { missingPort, need } from '../../core/ports/need';
import { noAccesses, type ToolHandler } from '../../core/capability/tool';
import type { NotificationInput } from './inputs';

/**
 * Text of a model never looks like text of the product: it says whose it is, on one line, without invisible characters
 * and links.
 */
function plain(text: string): string {
  return visibleLine(text).replace(/\[([^\]]*)\]\(/g, '[$1] (');
}

export const sendNotification: ToolHandler<NotificationInput> = {
  missing: async ({ ports }) => missingPort(ports.notifier, 'notifier'),
  accesses: noAccesses,
  async run({ message, severity, buttons }, context) {
    const notifier = need(context.ports.notifier, 'send_notification', 'notifier');
    const shown = notifier.show({
      severity,
      text: `${context.actor.type === 'agent' ? 'Agent' : 'You'}: ${plain(message)}`,
      ...(buttons && buttons.length > 0 ? { buttons: buttons.map(plain) } : {}),
    });
    // Without buttons nothing is to be waited for: a notification may stay open for hours.
    if (!buttons || buttons.length === 0) {
      shown.catch((error: unknown) => context.ports.log.warn(`a notification failed: ${String(error)}`));
      return { payload: { shown: true } };
    }
    const { answered } = await shown;
    return { payload: { shown: true, answered: answered ?? null } };
  },
};
