import { Socket, type TcpNetConnectOpts } from 'node:net';
import { pinned } from '../http/outgoing';
import { checkedHost, type Resolving } from '../http/resolve';

/**
 * Makes the sockets of a connection, after its host was judged: they reach the judged addresses, whatever a second
 * lookup would answer. A socket of the file system needs no lookup. Without `allowedPrivateHosts` the connection's own
 * host may be private; a metadata service never is.
 */
export async function judgedStream(host: string, port: number, network: Resolving): Promise<() => Socket> {
  if (host.startsWith('/')) return () => new Socket();
  const lookup = pinned(await checkedHost(host, port, network));
  return () => new PinnedSocket({ host, port, lookup });
}

/** A socket that knows where it goes; what the driver says of it is not asked. */
class PinnedSocket extends Socket {
  readonly #target: TcpNetConnectOpts;

  constructor(target: TcpNetConnectOpts) {
    super();
    this.#target = target;
  }

  override connect(): this {
    return super.connect(this.#target);
  }
}
