import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { tourModel } from '../../../src/core/agent/tourModel';
import { type TourStep, tourSteps } from '../../../src/core/agent/tourSteps';
import type { LoopMessage } from '../../../src/core/agent/loop';
import { plainWords } from '../../../src/core/base/translate';

/** What chat-completions requests hold, as far as the script reads it. */
interface ChatMessage {
  role: string;
  content?: string | null | { type: string; text?: string }[];
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
}
interface ChatRequest {
  messages: ChatMessage[];
  tools?: { function: { name: string } }[];
}

interface Answer {
  says: string;
  calls: { name: string; input: object }[];
}

/** Its name says what it is, wherever the editor shows it. */
export const SCRIPT_NAME = 'Tour script (no AI)';

const textOf = ({ content }: ChatMessage): string =>
  typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('');

/** What the person typed, without what the editor puts around it. */
function requestOf(message: ChatMessage): string {
  const whole = textOf(message);
  return /<userRequest>([^]*?)<\/userRequest>/.exec(whole)?.[1] ?? whole;
}

/** The prompts of the tour, in their order. */
export const tourPrompts = (site: string): readonly TourStep[] => tourSteps(plainWords, `${site}/reference`);

/** What the script answers: the next round of the prompt that was asked, else what it is. */
export async function answerOf(request: ChatRequest, steps: readonly TourStep[]): Promise<Answer> {
  const offered = (request.tools ?? []).map((tool) => tool.function.name);
  // Titles and the like are asked for without tools.
  if (offered.length === 0) return { says: 'Tour of Agent Capabilities', calls: [] };
  const { messages } = request;
  const isRequest = (one: ChatMessage): boolean => one.role === 'user' && textOf(one).includes('<userRequest>');
  const marked = messages.findLastIndex(isRequest);
  const asked = marked >= 0 ? marked : messages.findLastIndex(({ role }) => role === 'user');
  const prompt = messages[asked] ? requestOf(messages[asked]) : '';
  // A starter of the chat is a file named after its step.
  const step = steps.find((one) => prompt.includes(one.prompt) || prompt.includes(`tour-${one.id}`));
  if (!step) return { says: prompt.includes('Show me the record') ? record : whatThisIs(steps), calls: [] };
  const after = messages.slice(asked + 1);
  const rounds: LoopMessage[] = [];
  for (const message of after) {
    if (message.role === 'assistant' && message.tool_calls?.length) rounds.push({ role: 'results', results: [] });
    const last = rounds.pop();
    if (!last) continue;
    const result = { callId: '', text: textOf(message), media: [] };
    rounds.push(
      message.role === 'tool' && last.role === 'results' ? { ...last, results: [...last.results, result] } : last,
    );
  }
  const answer: Answer = { says: '', calls: [] };
  for await (const part of tourModel(step).send(rounds, [], new AbortController().signal)) {
    if (part.type === 'text') answer.says += part.text;
    else answer.calls.push({ name: part.call.name, input: part.call.input });
  }
  const named = answer.calls.map(({ name, input }) => ({
    name: offered.find((one) => one === `cap_${name}`),
    tool: name,
    input,
  }));
  const missing = named.find(({ name }) => name === undefined);
  if (missing)
    return {
      says: `The tool \`${missing.tool}\` is not offered in this chat: switch it on in the Capabilities view, or choose another profile. Then ask again.`,
      calls: [],
    };
  return {
    says: answer.says,
    calls: named.flatMap(({ name, input }) => (name === undefined ? [] : [{ name, input }])),
  };
}

const record =
  'Every call stands in the record, with what was touched, what decided and how long it took. I cannot open it for you: press *Open the record* in README.md, or run **Agent Capabilities: Open Audit View**.';

const whatThisIs = (steps: readonly TourStep[]): string =>
  [
    'I am not a language model. `npm start` put a script in the place of one, on this machine, so that agent mode can be tried without a sign-in; everything else here is real. I can answer:',
    ...steps.map(({ prompt }) => `- ${prompt}`),
    'For a real model: sign in in the chat, or run **Chat: Manage Language Models** and add a key or a model of your own. Then choose it below.',
  ].join('\n');

function write(response: ServerResponse, { says, calls }: Answer): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const chunk = (delta: object, finish: string | null = null): void => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    const body = { id: 'tour', object: 'chat.completion.chunk', created: 0, model: 'tour-script', choices };
    response.write(`data: ${JSON.stringify(body)}\n\n`);
  };
  chunk({ role: 'assistant', content: says });
  const stamp = Date.now().toString(36);
  calls.forEach(({ name, input }, index) =>
    chunk({
      tool_calls: [
        { index, id: `call_${stamp}_${index}`, type: 'function', function: { name, arguments: JSON.stringify(input) } },
      ],
    }),
  );
  chunk({}, calls.length > 0 ? 'tool_calls' : 'stop');
  response.end('data: [DONE]\n\n');
}

/** Serves the script on loopback, as a model that the editor's chat may be pointed to. */
export async function startScriptedModel(
  site: string,
): Promise<{ userFiles: Record<string, string>; requests: () => number; close: () => void }> {
  const steps = tourPrompts(site);
  let requests = 0;
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = JSON.parse(await text(request)) as ChatRequest;
    requests += 1;
    write(response, await answerOf(body, steps));
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.writeHead(400).end(String(error)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`;
  const limits = { toolCalling: true, vision: false, maxInputTokens: 100_000, maxOutputTokens: 8_000 };
  const models = [{ id: 'tour-script', name: SCRIPT_NAME, url, ...limits }];
  const group = { name: SCRIPT_NAME, vendor: 'customendpoint', apiKey: 'none', apiType: 'chat-completions', models };
  return {
    userFiles: { 'chatLanguageModels.json': JSON.stringify([group], undefined, 2) },
    requests: () => requests,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
