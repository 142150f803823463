import type { Json } from '../../core/base/json';
import { shownText } from '../../core/foreign/foreignTool';
import type { McpServerSpec } from '../../core/foreign/serverSpec';
import { say } from '../../core/base/sentence';
import { isToolError, refusal } from '../../core/vocabulary/errors';
import type { Provenance } from '../../core/vocabulary/provenance';
import type { ToolOutcome } from '../../core/vocabulary/toolResult';
import type { McpConnection, ServerOffers } from './connection';
import type { KeptList } from './keptLists';
import type { OpenQuestions } from './openQuestions';
import type { McpClientPorts } from './clientPorts';
import { serverFolder, workspaceFolder } from './serverFolder';
import type { ToolContext } from '../../core/capability/tool';
import { inSession, isConnectionLost } from './connectionLost';
import { messageOf } from '../../core/base/errorText';

/** The server as its tools see it. */
export interface CallTarget {
  check(): void;
  connection(): Promise<McpConnection>;
  succeeded(): void;
  /** What it listed when it last ran, where it does not run now. */
  keptList(which: KeptList): Json | undefined;
  keepList(which: KeptList, list: Json): void;
  /** The questions that the server has open with a person. */
  readonly questions: OpenQuestions;
}

export interface CapabilityOptions {
  readonly hintsConfirmed: boolean;
  /** Who brought the server, and what was approved of it. */
  readonly provenance: Provenance;
  readonly offers: ServerOffers;
  readonly target: CallTarget;
  readonly ports: McpClientPorts;
}

/** The folder that a server's relative paths start from. */
export function folderOf(spec: McpServerSpec, ports: McpClientPorts): string | undefined {
  return spec.transport.type === 'stdio' ? serverFolder(spec.transport.cwd, ports) : workspaceFolder(ports.files);
}

/** Runs one request and words what goes wrong for the model. */
export async function called(
  { name: server }: McpServerSpec,
  { target }: CapabilityOptions,
  context: ToolContext,
  run: (connection: McpConnection) => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  // From here on: starting the server may ask for a sign-in, and the call itself for anything.
  const held = target.questions.hold((wait) => context.pause(wait));
  try {
    const outcome = await inSession(async () => run(await target.connection())).catch((error: unknown) => {
      if (isToolError(error) || context.signal.aborted) throw error;
      const words = say('content', shownText(messageOf(error), 2000));
      const said = say('mcp_answered_error', server, words);
      throw refusal('mcp_error', said, { retryable: isConnectionLost(error), details: { server } });
    });
    target.succeeded();
    return outcome;
  } finally {
    held.dispose();
  }
}
