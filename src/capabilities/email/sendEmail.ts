import { say, type Sentence } from '../../core/base/sentence';
import { settingId } from '../../core/settings/settingTable';
import { notAvailable } from '../../core/vocabulary/errors';
import { missingPort, missingSecrets, need } from '../../core/ports/need';
import type { Missing } from '../../core/vocabulary/missing';
import { secretMissing } from '../../core/vocabulary/template';
import type { MailServer } from '../../core/ports/mail';
import type { AccessContext, ToolHandler } from '../../core/capability/tool';
import { unfit } from '../shared/parameters';
import type { EmailInput } from './inputs';

/** The secret that holds the password of the mail server. */
const passwordSecret = 'smtp_password';
const previewLines = 12;

function missingSettings({ ports: { settings } }: Pick<AccessContext, 'ports'>): readonly Missing[] {
  const wanted = [
    ['email.host', 'mail_no_server'],
    ['email.from', 'mail_no_sender'],
  ] as const;
  return wanted
    .filter(([key]) => settings.get(key) === '')
    .map(([key, code]) => ({ kind: 'setting', name: settingId(key), why: say(code, settingId(key)) }));
}

function serverOf(context: AccessContext): MailServer & { readonly from: string } {
  const [missing] = missingSettings(context);
  if (missing) throw notAvailable('send_email', missing.why);
  const { settings } = context.ports;
  const host = settings.get('email.host');
  const from = settings.get('email.from');
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

const moreLines = (count: number): readonly Sentence[] =>
  count < 1 ? [] : [count === 1 ? say('preview_one_more_line') : say('preview_more_lines', count)];

export const sendEmail: ToolHandler<EmailInput> = {
  missing: async (context) => [
    ...missingPort(context.ports.mail, 'mail'),
    ...missingSettings(context),
    ...(context.ports.settings.get('email.user') === ''
      ? []
      : await missingSecrets([passwordSecret], context.ports.secrets)),
  ],
  accesses({ to, subject }, context) {
    if (/[\r\n]/.test(subject) || /[\r\n,;]/.test(to))
      throw unfit('', 'must have one recipient and a subject on one line', 'line ends or several recipients');
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
        say('preview_mail_from', serverOf(context).from),
        say('preview_mail_to', to),
        say('preview_mail_subject', subject),
        say(html ? 'preview_mail_html' : 'preview_mail_text'),
        '',
        ...lines.slice(0, previewLines),
        ...moreLines(lines.length - previewLines),
      ],
    };
  },
  async run({ to, subject, body, html }, context) {
    const mail = need(context.ports.mail, 'send_email', 'mail');
    const { from, ...server } = serverOf(context);
    const password = server.user === undefined ? undefined : await context.ports.secrets.get(passwordSecret);
    if (server.user !== undefined && password === undefined) throw secretMissing(passwordSecret);
    const sent = await mail.send(
      { ...server, ...(password === undefined ? {} : { password }) },
      { from, to: [to], subject, ...(html ? { html: body } : { text: body }) },
      context.signal,
    );
    return { payload: { message_id: sent.messageId, accepted: sent.accepted, rejected: sent.rejected } };
  },
};
