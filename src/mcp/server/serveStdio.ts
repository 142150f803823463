import type { Readable, Writable } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Disposable } from '../../core/base/lifecycle';
import { DirectCalls } from './directCalls';
import { LineFilter } from './lineFilter';
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

/**
 * Serves both protocol versions on a pair of streams; `ended` resolves when the client closed its side. The SDK serves
 * the connection; calls that need nothing of it are answered before they reach it.
 */
export function serveOnStdio(options: StdioServing): { readonly ended: Promise<void>; close(): Promise<void> } {
  const { input, output } = options;
  const direct = new DirectCalls({
    tools: options.parts.tools,
    write: (text) => void output.write(text),
    pass: (line) => lines.put(line),
  });
  const lines = new LineFilter({ input, longest: longestMessage, take: (line) => direct.take(line) });
  const transport = new StdioServerTransport(lines.rest, output, { maxBufferSize: longestMessage });
  const made: Disposable[] = [];
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  input.once('end', end);
  input.once('close', end);
  const handle = serveStdio(
    ({ era }) => {
      const one = makeServer(options.identity, options.parts);
      made.push(one);
      options.onServer?.(one);
      if (era === 'legacy') {
        direct.attach(one);
        Object.assign(one.server, { onclose: () => direct.dispose() });
      }
      return one.server;
    },
    { transport, onerror: options.onError },
  );
  return {
    ended,
    async close() {
      direct.dispose();
      for (const one of made.splice(0)) one.dispose();
      await handle.close();
      lines.dispose();
      end();
    },
  };
}
