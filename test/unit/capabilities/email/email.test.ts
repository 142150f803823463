import { strict as assert } from 'node:assert';
import { email } from '../../../../src/capabilities/email/email';
import type { Json } from '../../../../src/core/base/json';
import { createMailClient } from '../../../../src/node/mail/smtpClient';
import { CallLimits } from '../../../../src/core/policy/limits/limits';
import { worded } from '../../../../src/core/base/sentence';
import { makeGate } from '../../../support/gate';
import { startSmtpServer } from '../../../support/smtp';
import { callTool, FakeClock, fakePorts, MemorySecrets, MemoryStore } from '../../../support/toolContext';

describe('the email capability', () => {
  const settings = (port: number, more: Record<string, Json> = {}): Record<string, Json> => ({
    'email.host': '127.0.0.1',
    'email.port': port,
    'email.from': 'agent@example.com',
    'email.requireTls': false,
    'email.secure': false,
    ...more,
  });
  const ports = (port: number, more: Record<string, Json> = {}, secrets = new MemorySecrets()) => ({
    ...fakePorts({ settings: settings(port, more), secrets }),
    mail: createMailClient(),
  });
  const send = async (input: unknown, given: ReturnType<typeof ports>): Promise<any> => {
    const result = await callTool(email, 'send_email', input, { ports: given });
    return result.ok ? { ...(result.outcome.payload as object), accesses: result.accesses } : result.error;
  };

  it('S0.email-send: sends text and HTML to the server, with the password from the secrets', async () => {
    const server = await startSmtpServer();
    const secrets = new MemorySecrets();
    secrets.values.set('smtp_password', 'hunter2-secret');
    const given = ports(server.port, { 'email.user': 'me' }, secrets);
    const answer = await send({ to: 'you@example.com', subject: 'Grüße', body: 'Hello\nthere' }, given);
    await send({ to: 'you@example.com', subject: 'page', body: '<b>Hello</b>', html: true }, given);
    const [text, html] = server.messages;
    assert.deepEqual(
      [
        answer.accepted,
        answer.rejected,
        typeof answer.message_id,
        answer.accesses,
        text?.from,
        text?.to,
        text?.user,
        text?.password,
      ],
      [
        ['you@example.com'],
        [],
        'string',
        [
          { effect: 'network.socket', resource: `127.0.0.1:${server.port}` },
          { effect: 'writes-external', resource: 'mailto:you@example.com' },
        ],
        'agent@example.com',
        ['you@example.com'],
        'me',
        'hunter2-secret',
      ],
    );
    assert.match(text?.data ?? '', /Content-Type: text\/plain[\s\S]*Hello\nthere/);
    assert.match(html?.data ?? '', /Content-Type: text\/html[\s\S]*<b>Hello<\/b>/);
    await server.close();
  });

  it('S0.email-send: refuses the eleventh mail in an hour', async () => {
    const server = await startSmtpServer();
    const limits = new CallLimits({ clock: new FakeClock(), storage: new MemoryStore(), onError: () => undefined });
    const gate = makeGate({
      capabilities: [email],
      ports: ports(server.port),
      limits,
      answer: () => ({ outcome: 'allowed', by: 'user', waitedMs: 0 }),
    });
    const codes: string[] = [];
    for (let index = 0; index < 11; index++) {
      const result = await gate.call('email-send', { to: `a${index}@example.com`, subject: 's', body: 'b' });
      codes.push(result.success ? 'sent' : result.error.code);
    }
    assert.deepEqual(codes, [...Array.from({ length: 10 }, () => 'sent'), 'rate_limit_exceeded']);
    assert.equal(server.messages.length, 10);
    gate.dispose();
    limits.dispose();
    await server.close();
  });

  it('S0.email-send: takes one address, of whose domain there is one spelling, so that rules mean all of it', async () => {
    const server = await startSmtpServer();
    for (const to of [
      'a@EXAMPLE.com',
      'a@example.Com',
      'a@example.com.',
      'a@example.com,b@example.com',
      'A <a@example.com>',
      'a@bücher.example',
      'a@example.com\r\nBcc: b@example.com',
    ])
      assert.equal((await send({ to, subject: 's', body: 'b' }, ports(server.port))).code, 'invalid_input', to);
    assert.equal((await send({ to: 'A.B@example.com', subject: 's', body: 'b' }, ports(server.port))).code, undefined);
    assert.equal(server.messages.length, 1);
    await server.close();
  });

  it('shows the recipient, the subject and the first lines before it is allowed', async () => {
    const handler = await email.tools[0]!.load();
    const context = {
      ports: ports(1),
      config: {},
      actor: { type: 'agent', id: 'a' },
      profileId: 'p',
      signal: new AbortController().signal,
    } as const;
    const preview = await handler.preview?.(
      {
        to: 'you@example.com',
        subject: 's',
        body: Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n'),
        html: false,
      },
      context,
    );
    const lines = preview?.lines?.map((line) => (typeof line === 'string' ? line : worded(line)));
    assert.deepEqual(
      [lines?.slice(0, 6), lines?.at(-1)],
      [
        ['Sender: agent@example.com', 'To: you@example.com', 'Subject: s', 'Format: text', '', 'line 0'],
        '… 8 more lines',
      ],
    );
  });

  it('answers with typed errors, and never with the password', async () => {
    const refusing = await startSmtpServer({ refuse: () => true });
    const secrets = new MemorySecrets();
    secrets.values.set('smtp_password', 'wrong');
    const mail = { to: 'you@example.com', subject: 's', body: 'b' };
    const answers = [
      await send(mail, ports(refusing.port)),
      await send(mail, ports(refusing.port, { 'email.user': 'me' }, secrets)),
      await send(mail, ports(refusing.port, { 'email.user': 'me' })),
      await send(mail, ports(1)),
      await send(mail, ports(1, { 'email.host': '' })),
      await send(mail, ports(refusing.port, { 'email.requireTls': true })),
      await send({ ...mail, subject: 'a\r\nBcc: all@example.com' }, ports(refusing.port)),
      await send({ ...mail, to: 'nobody' }, ports(refusing.port)),
    ];
    assert.deepEqual(
      answers.map((one) => one.code),
      [
        'email_error',
        'email_error',
        'not_available',
        'email_error',
        'not_available',
        'email_error',
        'invalid_input',
        'invalid_input',
      ],
    );
    assert.ok(!answers.some((one) => String(one.message).includes('wrong')));
    assert.equal(refusing.messages.length, 0);
    await refusing.close();
  });
});
