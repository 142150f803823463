import { defineTool } from '../../core/capability/tool';
import { builtin, object, string, strings } from '../../core/capability/declare';
import { emailInput } from './inputs';

/** Sends mail over SMTP, at most ten an hour. */
export const email = builtin({
  id: 'email',
  name: 'Email',
  description: 'Sends email through your SMTP server.',
  summary: 'mail over SMTP',
  icon: 'mail',
  category: 'Communication',
  tools: [
    defineTool(
      {
        name: 'send_email',
        title: 'Send email',
        kind: 'action',
        modelDescription:
          'Send an email message to one recipient. Use it only when the user asked for a mail; show the text first where that is possible. At most 10 an hour. Returns the message id and who was accepted.',
        userDescription: 'Send email message',
        inputSchema: emailInput,
        outputSchema: object({ message_id: string, accepted: strings, rejected: strings }),
        permissions: { user: 'allowed', agent: 'confirmation_required' },
        scopes: ['email:send'],
        riskLevel: 'high',
        sideEffects: ['network.socket', 'writes-external'],
        costClass: 'free',
        idempotency: 'non-idempotent',
        reversible: false,
        rateLimit: { requests: 10, windowMs: 3_600_000 },
        timeoutMs: 60_000,
        icon: 'mail',
        tags: ['email', 'mail', 'smtp', 'send'],
        aliases: ['email-send'],
      },
      async () => (await import('./sendEmail')).sendEmail,
    ),
  ],
});
