import { harmless } from '../../core/vocabulary/toolDefinition';
import { defineTool } from '../../core/capability/tool';
import { boolean, builtin, object } from '../../core/capability/declare';
import { notificationInput } from './inputs';

/** Shows notifications of the editor. */
export const notify = builtin({
  id: 'notify',
  name: 'Notifications',
  description: 'Shows a notification in the editor.',
  summary: 'editor notifications',
  icon: 'bell',
  category: 'Productivity',
  tools: [
    defineTool(
      {
        ...harmless,
        name: 'send_notification',
        title: 'Send notification',
        kind: 'action',
        modelDescription:
          'Show a notification to the user in the editor. Use it when long work has finished or needs attention; not for what belongs into your answer. With buttons it waits for the choice. Returns shown, and answered where a button was chosen.',
        userDescription: 'Show a notification in the editor',
        inputSchema: notificationInput,
        outputSchema: object({ shown: boolean }, { answered: { type: ['string', 'null'] } }),
        scopes: ['notify:send'],
        idempotency: 'non-idempotent',
        rateLimit: { requests: 20, windowMs: 3_600_000 },
        timeoutMs: 300_000,
        icon: 'bell',
        tags: ['notification', 'message', 'alert'],
        aliases: ['send-notification'],
      },
      async () => (await import('./sendNotification')).sendNotification,
    ),
  ],
});
