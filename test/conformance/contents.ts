// The resources and prompts that the official suite asks for, as the answers of a made-up governed server.
import type { RunningCalls } from '../../src/mcp/server/runningCalls';
import { png } from './fixtures';

const prompt = (...content: object[]) => ({ messages: content.map((one) => ({ role: 'user', content: one })) });
const text = (value: string) => ({ type: 'text', text: value });

/** Answers what the product's tools for resources and prompts ask of a connection. */
export function contentsConnection(calls: RunningCalls) {
  const resources = [
    { uri: 'test://static-text', name: 'Static text', description: 'A text', mimeType: 'text/plain' },
    { uri: 'test://static-binary', name: 'Static binary', description: 'A picture', mimeType: 'image/png' },
    {
      uri: 'test://watched-resource',
      name: 'Watched',
      description: 'A text that could change',
      mimeType: 'text/plain',
    },
  ];
  const prompts = [
    { name: 'test_simple_prompt', description: 'A simple prompt' },
    {
      name: 'test_prompt_with_arguments',
      description: 'A prompt with arguments',
      arguments: ['arg1', 'arg2'].map((name) => ({ name, description: name, required: true })),
    },
    {
      name: 'test_prompt_with_embedded_resource',
      description: 'Embeds',
      arguments: [{ name: 'resourceUri', required: true }],
    },
    { name: 'test_prompt_with_image', description: 'Has a picture' },
    { name: 'test_input_required_result_prompt', description: 'Asks first' },
  ];
  const resourceTemplates = [
    { uriTemplate: 'test://template/{id}/data', name: 'Template', description: 'By id', mimeType: 'application/json' },
  ];
  const lists = { tools: [], resources, resourceTemplates, prompts };
  const requests = {
    'resources/read': async ({ uri }: { uri: string }) => {
      const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
      if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: png }] };
      return {
        contents: [
          {
            uri,
            text:
              id === undefined
                ? 'This is the content of the static text resource.'
                : JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
          },
        ],
      };
    },
    'prompts/get': async (params: { name: string; arguments: Record<string, string> }, signal: AbortSignal) => {
      const { name, arguments: values } = params;
      switch (name) {
        case 'test_prompt_with_arguments':
          return prompt(text(`Prompt with arguments: arg1='${values['arg1']}', arg2='${values['arg2']}'`));
        case 'test_prompt_with_embedded_resource':
          return prompt(
            {
              type: 'resource',
              resource: {
                uri: values['resourceUri'],
                mimeType: 'text/plain',
                text: 'Embedded resource content for testing.',
              },
            },
            text('Please process the embedded resource above.'),
          );
        case 'test_prompt_with_image':
          return prompt({ type: 'image', mimeType: 'image/png', data: png }, text('Please analyze the image above.'));
        case 'test_input_required_result_prompt': {
          const schema = {
            type: 'object' as const,
            properties: { context: { type: 'string' as const } },
            required: ['context'],
          };
          const question = { key: 'user_context', message: 'What context should the prompt use?', schema };
          const answer = await calls.onlyOf('mcp:conformance')?.ask(question, signal);
          return prompt(text(JSON.stringify(answer)));
        }
        default:
          return prompt(text('This is a simple prompt for testing.'));
      }
    },
    'completion/complete': async () => ({ completion: { values: ['paris', 'park', 'party'] } }),
  };
  return {
    list: async (key: keyof typeof lists) => lists[key],
    request: (method: keyof typeof requests, params: never, signal: AbortSignal) => requests[method](params, signal),
  };
}
