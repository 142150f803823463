import type { Capability } from '../../core/capability';
import { defineTool, type Tool, type ToolDefinition } from '../../core/tool';
import type { OperationInput } from './operations';

const shared = {
  kind: 'data',
  permissions: { user: 'allowed', agent: 'allowed' },
  scopes: [],
  riskLevel: 'low',
  sideEffects: [],
  costClass: 'free',
  idempotency: 'idempotent',
  reversible: true,
  timeoutMs: 5000,
  repeatable: true,
  icon: 'symbol-operator',
} as const satisfies Partial<ToolDefinition>;

type OperationName = 'add' | 'subtract' | 'multiply' | 'divide';

function operationTool(name: OperationName, title: string, sentence: string, a: string, b: string, word: string): Tool {
  const definition: ToolDefinition = {
    ...shared,
    name,
    title,
    modelDescription: `${sentence} Use it for one ${word}; for anything longer, percentages, functions or units use calculate. Returns result and whether it is exact.`,
    userDescription: sentence,
    inputSchema: {
      type: 'object',
      additionalProperties: false,
      properties: { a: { type: 'number', description: a }, b: { type: 'number', description: b } },
      required: ['a', 'b'],
    },
    outputSchema: {
      type: 'object',
      properties: { result: { type: 'number' }, exact: { type: 'boolean' } },
      required: ['result', 'exact'],
    },
    tags: ['math', 'calculator', word],
  };
  return defineTool<OperationInput>(definition, async () => (await import('./operations'))[name]);
}

/** Seed 3's TestMath, with an expression calculator beside it. */
export const math: Capability = {
  id: 'math',
  version: '1.0.0',
  name: 'Math',
  description: 'Calculator: the four operations, and whole expressions with functions and units.',
  status: 'available',
  source: { type: 'builtin' },
  icon: 'symbol-operator',
  category: 'Utilities',
  aliases: ['test_math'],
  systemPrompt: 'You have access to math tools. Use them for calculations: add, subtract, multiply, divide.',
  tools: [
    operationTool('add', 'Add', 'Add two numbers.', 'First summand', 'Second summand', 'addition'),
    operationTool(
      'subtract',
      'Subtract',
      'Subtract second number from first.',
      'Number to subtract from',
      'Number to subtract',
      'subtraction',
    ),
    operationTool('multiply', 'Multiply', 'Multiply two numbers.', 'First factor', 'Second factor', 'multiplication'),
    operationTool('divide', 'Divide', 'Divide first number by second.', 'Dividend', 'Divisor, not 0', 'division'),
  ],
};
