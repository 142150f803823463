// The tools that the official suite asks for, as tools of ours: what it tests is our endpoint, our gate and our way of
// asking.
import { ToolError } from '../../src/core/vocabulary/errors';
import { readCallResult } from '../../src/core/foreign/result';
import type { RunningCall, RunningCalls } from '../../src/mcp/server/runningCalls';
import type { JsonSchema } from '../../src/core/base/schema';
import type { ToolOutcome } from '../../src/core/vocabulary/toolResult';
import type { ToolContext } from '../../src/core/capability/tool';

export type Run = (input: any, context: ToolContext) => Promise<ToolOutcome>;
export interface Fixture {
  readonly run: Run;
  readonly schema?: object;
}

export const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const text = (value: string): ToolOutcome => ({ payload: { text: value } });
const foreign = (...content: object[]): ToolOutcome => readCallResult({ content }, 'foreign', false);
const embedded = {
  type: 'resource',
  resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'This is an embedded resource content.' },
};
const object = (properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  required,
});

export function fixtures(calls: RunningCalls): Record<string, Fixture> {
  const callOf = (context: ToolContext): RunningCall => {
    const call = calls.of(context.invocationId, undefined);
    if (!call) throw new Error('no client made this call');
    return call;
  };
  const ask = (context: ToolContext, message: string, schema: JsonSchema, key?: string) =>
    callOf(context).ask({ message, schema, ...(key === undefined ? {} : { key }) }, context.signal);
  const sample = (context: ToolContext, prompt: string, maxTokens: number, key?: string) => {
    const messages = [{ role: 'user' as const, content: { type: 'text', text: prompt } }];
    return callOf(context).sample(
      {
        server: 'conformance',
        messages: [],
        maxTokens,
        raw: { messages, maxTokens },
        ...(key === undefined ? {} : { key }),
      },
      context.signal,
    );
  };
  /** A tool that asks one question under the name that the suite expects. */
  const asking = (key: string, message: string, schema: JsonSchema, answer: (content: any) => string): Fixture => ({
    run: async (_input, context) => {
      const given = await ask(context, message, schema, key);
      return text(answer(given.action === 'accept' ? (given.content ?? {}) : {}));
    },
  });
  const confirm = object({ ok: { type: 'boolean' } });
  return {
    test_simple_text: { run: async () => text('This is a simple text response for testing.') },
    test_image_content: {
      run: async () => ({ payload: { text: 'a picture' }, media: [{ mimeType: 'image/png', data: png }] }),
    },
    test_audio_content: {
      run: async () => ({ payload: { text: 'a sound' }, media: [{ mimeType: 'audio/wav', data: wav }] }),
    },
    // These two go the whole way of a foreign server's answer: read, bounded, guarded, handed on.
    test_embedded_resource: { run: async () => foreign(embedded) },
    test_multiple_content_types: {
      run: async () =>
        foreign(
          { type: 'text', text: 'Multiple content types test:' },
          { type: 'image', mimeType: 'image/png', data: png },
          embedded,
        ),
    },
    test_error_handling: {
      run: async () => {
        throw new ToolError({
          code: 'mcp_error',
          message: 'This tool intentionally returns an error for testing',
          retryable: false,
        });
      },
    },
    test_tool_with_progress: {
      run: async (_input, context) => {
        for (const part of [0, 0.5, 1]) {
          context.report({ message: `Completed ${part * 100} %`, fraction: part });
          await new Promise((resolve) => setTimeout(resolve, 30));
        }
        return text('done');
      },
    },
    test_elicitation: {
      schema: { type: 'object', properties: { message: { type: 'string' } } },
      run: async (input, context) => {
        const schema = object({ username: { type: 'string' }, email: { type: 'string' } });
        return text(`User response: ${JSON.stringify(await ask(context, input.message ?? 'Who are you?', schema))}`);
      },
    },
    test_sampling: {
      schema: { type: 'object', properties: { prompt: { type: 'string' } } },
      run: async (input, context) =>
        text(`LLM response: ${(await sample(context, input.prompt ?? 'Say something', 100)).text}`),
    },
    test_elicitation_sep1034_defaults: {
      run: async (_input, context) => {
        const schema = object(
          {
            name: { type: 'string', default: 'John Doe' },
            age: { type: 'integer', default: 30 },
            score: { type: 'number', default: 95.5 },
            status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
            verified: { type: 'boolean', default: true },
          },
          [],
        );
        const given = await ask(context, 'Check these values', schema);
        return text(
          `Elicitation completed: action=${given.action}, content=${JSON.stringify('content' in given ? given.content : {})}`,
        );
      },
    },
    test_elicitation_sep1330_enums: {
      run: async (_input, context) => {
        const titled = (kind: string) => [1, 2, 3].map((each) => ({ const: `value${each}`, title: `${kind} ${each}` }));
        const schema = object(
          {
            untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
            titledSingle: { type: 'string', oneOf: titled('Option') },
            legacyEnum: {
              type: 'string',
              enum: ['opt1', 'opt2', 'opt3'],
              enumNames: ['Option One', 'Option Two', 'Option Three'],
            },
            untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
            titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
          },
          [],
        );
        const given = await ask(context, 'Choose', schema);
        return text(
          `Elicitation completed: action=${given.action}, content=${JSON.stringify('content' in given ? given.content : {})}`,
        );
      },
    },
    test_input_required_result_elicitation: asking(
      'user_name',
      'What is your name?',
      object({ name: { type: 'string' } }),
      ({ name }) => `Hello, ${name}!`,
    ),
    test_input_required_result_request_state: asking('confirm', 'Please confirm', confirm, () => 'state-ok'),
    test_input_required_result_tampered_state: asking('confirm', 'Please confirm', confirm, () => 'state-ok'),
    test_streaming_elicitation: asking('confirm', 'Please confirm', confirm, () => 'confirmed'),
    test_input_required_result_sampling: {
      run: async (_input, context) =>
        text((await sample(context, 'What is the capital of France?', 100, 'capital_question')).text),
    },
    test_missing_capability: {
      run: async (_input, context) => text((await sample(context, 'Say something', 100)).text),
    },
    test_input_required_result_capabilities: {
      run: async (_input, context) => {
        const { canAsk, canSample } = callOf(context);
        const answers = await Promise.all([
          ...(canAsk ? [ask(context, 'Please confirm', confirm, 'confirm')] : []),
          ...(canSample ? [sample(context, 'Say something', 100, 'sample')] : []),
        ]);
        return text(JSON.stringify(answers));
      },
    },
    test_input_required_result_multi_round: {
      run: async (_input, context) => {
        const name = await ask(context, 'Step 1: What is your name?', object({ name: { type: 'string' } }), 'step1');
        const color = await ask(
          context,
          'Step 2: What is your favorite color?',
          object({ color: { type: 'string' } }),
          'step2',
        );
        return text(`${JSON.stringify(name)} ${JSON.stringify(color)}`);
      },
    },
    json_schema_2020_12_tool: {
      schema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        $defs: {
          address: {
            $anchor: 'addressDef',
            type: 'object',
            properties: { street: { type: 'string' }, city: { type: 'string' } },
          },
        },
        properties: {
          name: { type: 'string' },
          address: { $ref: '#/$defs/address' },
          contactMethod: { type: 'string', enum: ['phone', 'email'] },
          phone: { type: 'string' },
          email: { type: 'string' },
        },
        allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
        if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
        // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
        then: { required: ['phone'] },
        else: { required: ['email'] },
        additionalProperties: false,
      },
      run: async (input) => text(JSON.stringify(input)),
    },
  };
}
