import type { Core } from '../compose';
import type { ToolCallParts } from '../mcp/server/toolCalls';
import type { CliIo } from './args';
import type { HttpServeOptions } from './serve';

export async function serveHttp(_core: Core, _parts: ToolCallParts, _options: HttpServeOptions, _io: CliIo): Promise<void> {
  throw new Error('not there yet');
}
