import { invalidInput, notAvailable } from '../../core/vocabulary/errors';
import { need } from '../../core/ports/need';
import type { MailServer } from '../../core/ports/mail';
import type { AccessContext, ToolHandler } from '../../core/capability/tool';

export interface EmailInput {
  readonly to: string;
  readonly subject: string;
  readonly body: string;
  readonly html: boolean;
}

/** The secret that holds the password of the mail server. */
const passwordSecret = 'smtp_password';
const previewLines = 12;

function serverOf(context: AccessContext): MailServer & { readonly from: string } {
  const { settings } = context.ports;
  const host = settings.get('email.host');
  const from = settings.get('email.from');
  if (host === '')
    throw notAvailable('send_email', 'no mail server is set; ask the user to set `agentCapabilities.email.host`');
  if (from === '')
    throw notAvailable('send_email', 'no sender is set; ask the user to set `agentCapabilities.email.from`');
  const user = settings.get('email.user');
  return {
    host,
    from,
    port: settings.get('email.port'),
    secure: settings.get('email.secure'),
    requireTls: settings.get('email.requireTls'),
    ...(user === '' ? {} : { user }),
  };
}

export const sendEmail: ToolHandler<EmailInput> = {
  accesses({ to, subject }, context) {
    if (/[\r\n]/.test(subject) || /[\r\n,;]/.test(to))
      throw invalidInput([
        {
          path: '',
          expected: 'must have one recipient and a subject on one line',
          got: 'line ends or several recipients',
        },
      ]);
    const server = serverOf(context);
    return [
      { effect: 'network.socket', resource: `${server.host}:${server.port}` },
      { effect: 'writes-external', resource: `mailto:${to}` },
    ];
  },
  async preview({ to, subject, body, html }, context) {
    const lines = body.split('\n');
    return {
      lines: [
        `From: ${serverOf(context).from}`,
        `To: ${to}`,
        `Subject: ${subject}`,
        `Format: ${html ? 'HTML' : 'text'}`,
        '',
        ...lines.slice(0, previewLines),
        ...(lines.length > previewLines ? [`… ${lines.length - previewLines} more lines`] : []),
      ],
    };
  },
  async run({ to, subject, body, html }, context) {
    const mail = need(context.ports.mail, 'send_email', 'sending mail');
    const { from, ...server } = serverOf(context);
    const password = server.user === undefined ? undefined : await context.ports.secrets.get(passwordSecret);
    if (server.user !== undefined && password === undefined)
      throw notAvailable(
        'send_email',
        `the secret \`${passwordSecret}\` is not set; ask the user to set it with the command Set Secret`,
      );
    const sent = await mail.send(
      { ...server, ...(password === undefined ? {} : { password }) },
      { from, to: [to], subject, ...(html ? { html: body } : { text: body }) },
      context.signal,
    );
    return { payload: { message_id: sent.messageId, accepted: sent.accepted, rejected: sent.rejected } };
  },
};
