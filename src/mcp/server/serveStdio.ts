import type { Readable, Writable } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Disposable } from '../../core/base/lifecycle';
import { makeServer, type MadeServer, type ServerIdentity } from './makeServer';
import type { ToolCallOptions } from './toolCalls';
import { withWords } from './requestFaults';
import { answerUnreadableLines } from './unreadableLines';

interface StdioServing {
  readonly identity: ServerIdentity;
  readonly toolCalls: ToolCallOptions;
  readonly input: Readable;
  readonly output: Writable;
  readonly onError: (error: Error) => void;
  /** Called with each connection's server, so that the person behind it can be asked outside a call. */
  readonly onServer?: (made: MadeServer) => void;
}

const longestMessage = 16 * 1024 * 1024;

/** Serves both protocol versions on a pair of streams; `ended` resolves when the client closed its side. */
export function serveOnStdio(options: StdioServing): { readonly ended: Promise<void>; close(): Promise<void> } {
  const { input, output } = options;
  const transport = new StdioServerTransport(input, output, { maxBufferSize: longestMessage });
  const send = transport.send.bind(transport);
  transport.send = (message) => send(withWords(message));
  const made: Disposable[] = [];
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  input.once('end', end);
  input.once('close', end);
  // The SDK stops listening when it closes, and an error that nobody hears ends the process.
  input.on('error', () => undefined);
  const handle = serveStdio(
    () => {
      const one = makeServer(options.identity, options.toolCalls);
      made.push(one);
      options.onServer?.(one);
      return one.server;
    },
    {
      transport,
      // What is no message has been answered, and the validator's account of it helps nobody.
      onerror: (error) => ('issues' in error ? undefined : options.onError(error)),
    },
  );
  made.push(answerUnreadableLines(input, output, longestMessage));
  return {
    ended,
    async close() {
      for (const one of made.splice(0)) one.dispose();
      await handle.close();
      end();
    },
  };
}
