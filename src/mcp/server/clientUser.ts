import { counted } from '../../core/base/figures';
import { randomUUID } from 'node:crypto';
import type { Server } from '@modelcontextprotocol/server';
import { isObject } from '../../core/base/json';
import { untilAborted, withinMs } from '../../core/base/pause';
import { valueAt } from '../../core/base/pointer';
import { worded } from '../../core/base/sentence';
import type { Clock } from '../../core/ports/platform';
import type {
  Elicitation,
  ElicitationAnswer,
  SamplingAnswer,
  SamplingRequest,
  ServerApproval,
  SignInRequest,
  ServerUser,
  ToolsAnswer,
  ToolsApproval,
} from '../../core/foreign/serverUser';
import { approvalLines } from '../../core/foreign/entryWords';
import { plainWords } from '../../core/base/translate';
import type { MadeServer } from './makeServer';
import { decideByPages, mostPages, pagesOf } from './pages';
import type { RunningCalls } from './runningCalls';
import { messageOf } from '../../core/base/errorText';

interface ClientUserOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly calls: RunningCalls;
  /**
   * `--yes`: servers may act and new tools are approved; a changed list is not, because nobody has looked at the
   * change.
   */
  readonly yes: boolean;
  /** Tells the person who started the command what could not be asked. */
  readonly onNote: (text: string) => void;
}

/** How long a question about servers waits for a client to say hello. */
const helloMs = 10_000;
/** How long a person may take for one answer. */
const answerMs = 600_000;

/** What may be answered about tools. */
const approve = { const: 'approve', title: 'Approve these tools' };
const approveWithHints = { const: 'approve-with-hints', title: 'Approve, and believe what it says about reading only' };
const refusal = { const: 'refuse', title: 'Refuse' };

/**
 * The person behind the MCP client of `serve`: what servers want is asked through the client's elicitation, and refused
 * where it has none.
 */
export class ClientUser implements ServerUser {
  readonly #options: ClientUserOptions;
  #attached: Server | undefined;
  #arrived: () => void = () => undefined;
  readonly #arrival: Promise<void>;

  constructor(options: ClientUserOptions) {
    this.#options = options;
    this.#arrival = new Promise((resolve) => {
      this.#arrived = resolve;
    });
  }

  /** Takes over the connection of the one client of a stdio server. */
  attach({ server, onInitialized }: Pick<MadeServer, 'server' | 'onInitialized'>): void {
    onInitialized(() => {
      this.#attached = server;
      this.#arrived();
    });
  }

  async approveServer(request: ServerApproval, signal: AbortSignal): Promise<boolean> {
    if (this.#options.yes) return true;
    const head = request.before
      ? `The workspace changed the MCP server "${request.server}" since you allowed it:`
      : `The workspace wants to use the MCP server "${request.server}":`;
    const lines = [head, ...approvalLines(request, plainWords)];
    const what = `the MCP server ${request.server} of the workspace`;
    return (await this.#decide(lines, false, signal, what)) === 'approve';
  }

  async approveTools(request: ToolsApproval, signal: AbortSignal): Promise<ToolsAnswer> {
    if (this.#options.yes) {
      if (!request.diff) return 'approve';
      this.#options.onNote(
        `the MCP server ${request.server} changed its tools since they were approved, so they are blocked:\n${request.diff(plainWords).join('\n')}`,
      );
      return 'refuse';
    }
    const { server, count, lines, diff, readOnly } = request;
    const head = diff
      ? `The MCP server "${server}" changed its tools since you approved them:`
      : `The MCP server "${server}" offers ${counted(count, 'tool')}:`;
    const hints = readOnly.length > 0 ? ['', `It says that these only read: ${readOnly.join(', ')}`] : [];
    const shown = [head, ...(diff ?? lines)(plainWords), ...hints];
    return this.#decide(shown, readOnly.length > 0, signal, `the tools of the MCP server ${server}`);
  }

  async elicit(request: Elicitation, signal: AbortSignal): Promise<ElicitationAnswer> {
    const call = this.#options.calls.onlyOf(`mcp:${request.server}`);
    if (!call?.canAsk || request.type === 'url') return { action: 'decline' };
    try {
      const message = `The MCP server "${request.server}" asks: ${request.message}`;
      return await call.ask({ message, schema: request.schema }, signal);
    } catch {
      return { action: 'cancel' };
    }
  }

  /** A server's wish to use a language model goes to the client that made the call; its user decides there. */
  async sample(request: SamplingRequest, signal: AbortSignal): Promise<SamplingAnswer | undefined> {
    const call = this.#options.calls.onlyOf(`mcp:${request.server}`);
    if (!call?.canSample) return undefined;
    try {
      return await call.sample(request, signal);
    } catch {
      return undefined;
    }
  }

  /**
   * The sign-in page goes to the client's user where the client can open pages, else to whoever started the command.
   */
  async signIn(request: SignInRequest, signal: AbortSignal): Promise<boolean> {
    const server = this.#attached;
    const message = `Sign in to the MCP server "${request.server}"`;
    if (server && isObject(valueAt(server.getClientCapabilities(), '/elicitation/url'))) {
      const question = { mode: 'url', message, url: request.url, elicitationId: randomUUID() } as const;
      const answer = await server.elicitInput(question, { signal, timeout: answerMs });
      return answer.action === 'accept';
    }
    this.#options.onNote(`${message}: open ${request.url}`);
    return true;
  }

  async #decide(lines: readonly string[], withHints: boolean, signal: AbortSignal, what: string): Promise<ToolsAnswer> {
    const refuse = (why: string): ToolsAnswer => {
      this.#options.onNote(`${what} cannot be approved: ${why}; start with --yes, or approve it in the editor`);
      return 'refuse';
    };
    await withinMs(untilAborted(this.#arrival, signal), helloMs);
    const server = this.#attached;
    if (!server || !isObject(valueAt(server.getClientCapabilities(), '/elicitation')))
      return refuse('the client cannot ask its user (it has no elicitation)');
    const pages = pagesOf(lines);
    if (pages.length > mostPages) return refuse(`it would take ${pages.length} pages to show all of it`);
    try {
      const choices = withHints ? [approve, approveWithHints, refusal] : [approve, refusal];
      const { clock } = this.#options;
      const decided = await decideByPages(pages, { choices }, clock, (message, requestedSchema) =>
        server.elicitInput({ message, requestedSchema }, { signal, timeout: answerMs }),
      );
      if ('nobody' in decided) return refuse(worded(decided.nobody));
      const decision = decided.choice;
      return decision === 'approve' || decision === 'approve-with-hints' ? decision : 'refuse';
    } catch (error) {
      return refuse(messageOf(error));
    }
  }
}
