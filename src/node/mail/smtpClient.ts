import { isIP } from 'node:net';
import { toolError } from '../../core/vocabulary/errors';
import type { MailClient } from '../../core/ports/mail';
import { checkedHost, type Resolving } from '../http/resolve';
import { errnoOf } from '../errors/errno';
import { messageOf } from '../../core/base/errorText';

const timeoutMs = 20_000;

/**
 * Sends mail with nodemailer, to the address that was judged. Without `network` the server's own name may be private.
 * Neither files nor URLs can be attached through it, whatever a message holds.
 */
export function createMailClient(network: Resolving = {}): MailClient {
  return {
    async send(server, message, signal) {
      if (signal.aborted) throw toolError('cancelled', 'sending the mail was cancelled');
      const { createTransport } = await import('nodemailer');
      const [first] = await checkedHost(server.host, server.port, network);
      const transport = createTransport({
        // The address that was judged; the certificate is still asked for the name.
        host: first?.address ?? server.host,
        tls: { servername: isIP(server.host) === 0 ? server.host : '' },
        port: server.port,
        secure: server.secure,
        requireTLS: server.requireTls,
        ...(server.user === undefined ? {} : { auth: { user: server.user, pass: server.password ?? '' } }),
        connectionTimeout: timeoutMs,
        greetingTimeout: timeoutMs,
        socketTimeout: timeoutMs,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      const onAbort = (): void => transport.close();
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        const info = await transport.sendMail({
          from: message.from,
          to: [...message.to],
          subject: message.subject,
          ...(message.text === undefined ? {} : { text: message.text }),
          ...(message.html === undefined ? {} : { html: message.html }),
        });
        return { messageId: info.messageId, accepted: info.accepted.map(String), rejected: info.rejected.map(String) };
      } catch (error) {
        if (signal.aborted) throw toolError('cancelled', 'sending the mail was cancelled');
        throw toolError(
          'email_error',
          `the mail server ${server.host}:${server.port} did not take the mail: ${safeMessage(error, server.password)}`,
          {
            retryable: isTransient(error),
          },
        );
      } finally {
        signal.removeEventListener('abort', onAbort);
        transport.close();
      }
    },
  };
}

function safeMessage(error: unknown, password: string | undefined): string {
  const text = messageOf(error);
  return password === undefined || password === '' ? text : text.replaceAll(password, '[password]');
}

function isTransient(error: unknown): boolean {
  const code = errnoOf(error);
  const reply = error instanceof Error && 'responseCode' in error ? error.responseCode : undefined;
  return code === 'ECONNECTION' || code === 'ETIMEDOUT' || (typeof reply === 'number' && reply >= 400 && reply < 500);
}
