import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface SmtpServer {
  readonly port: number;
  readonly messages: { from: string; to: string[]; data: string; user?: string; password?: string }[];
  close(): Promise<void>;
}

/** A mail server on 127.0.0.1 that keeps what it was given. `refuse` answers a recipient with 550. */
export async function startSmtpServer(
  options: { refuse?: (to: string) => boolean; silent?: boolean } = {},
): Promise<SmtpServer> {
  const messages: SmtpServer['messages'] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    if (options.silent) return;
    let current = { from: '', to: [] as string[], data: '' } as SmtpServer['messages'][number];
    let inData = false;
    let pending = '';
    const say = (line: string): void => void socket.write(`${line}\r\n`);
    say('220 test');
    const onLine = (line: string): void => {
      if (inData) {
        if (line === '.') {
          inData = false;
          messages.push(current);
          current = { ...current, from: '', to: [], data: '' };
          say('250 kept');
        } else current.data += `${line.startsWith('..') ? line.slice(1) : line}\n`;
        return;
      }
      const [word = ''] = line.toUpperCase().split(/[ :]/);
      if (word === 'EHLO' || word === 'HELO') socket.write('250-test\r\n250-AUTH PLAIN\r\n250 8BITMIME\r\n');
      else if (word === 'AUTH') {
        const [, user, password] = Buffer.from(line.split(' ')[2] ?? '', 'base64')
          .toString()
          .split('\0');
        if (user !== undefined) current.user = user;
        if (password !== undefined) current.password = password;
        say(password === 'wrong' ? '535 no' : '235 yes');
      } else if (word === 'MAIL') {
        current.from = /<(.*)>/.exec(line)?.[1] ?? '';
        say('250 ok');
      } else if (word === 'RCPT') {
        const to = /<(.*)>/.exec(line)?.[1] ?? '';
        if (options.refuse?.(to)) say('550 unknown');
        else {
          current.to.push(to);
          say('250 ok');
        }
      } else if (word === 'DATA') {
        inData = true;
        say('354 go');
      } else if (word === 'STARTTLS') say('502 no TLS here');
      else if (word === 'QUIT') {
        say('221 bye');
        socket.end();
      } else say('250 ok');
    };
    socket.on('data', (chunk) => {
      pending += chunk.toString();
      for (let at = pending.indexOf('\r\n'); at >= 0; at = pending.indexOf('\r\n')) {
        const line = pending.slice(0, at);
        pending = pending.slice(at + 2);
        onLine(line);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    messages,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
