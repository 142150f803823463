import type { Readable, Writable } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Disposable } from '../../core/base/lifecycle';
import { makeServer, type MadeServer, type ServerIdentity } from './makeServer';
import type { ToolCallParts } from './toolCalls';

export interface StdioServing {
  readonly identity: ServerIdentity;
  readonly parts: ToolCallParts;
  readonly input: Readable;
  readonly output: Writable;
  readonly onError: (error: Error) => void;
  /** Called with each connection's server, so that the person behind it can be asked outside a call. */
  readonly onServer?: (made: MadeServer) => void;
}

const longestMessage = 16 * 1024 * 1024;

/** Serves both protocol versions on a pair of streams; `ended` resolves when the client closed its side. */
export function serveOnStdio(options: StdioServing): { readonly ended: Promise<void>; close(): Promise<void> } {
  const transport = new StdioServerTransport(options.input, options.output, { maxBufferSize: longestMessage });
  const made: Disposable[] = [];
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  options.input.once('end', end);
  options.input.once('close', end);
  const handle = serveStdio(
    () => {
      const one = makeServer(options.identity, options.parts);
      made.push(one);
      options.onServer?.(one);
      return one.server;
    },
    { transport, onerror: options.onError },
  );
  return {
    ended,
    async close() {
      for (const one of made.splice(0)) one.dispose();
      await handle.close();
      end();
    },
  };
}
