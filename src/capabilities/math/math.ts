import { harmless, type ToolDefinition } from '../../core/vocabulary/toolDefinition';
import { defineTool, type Tool } from '../../core/capability/tool';
import {
  boolean,
  builtin,
  integer,
  number,
  object,
  objects,
  strictObject,
  string,
} from '../../core/capability/declare';
import { calculateInput } from './inputs';

const shared = {
  kind: 'data',
  ...harmless,
  repeatable: true,
  icon: 'symbol-operator',
} as const satisfies Partial<ToolDefinition>;

type OperationName = 'add' | 'subtract' | 'multiply' | 'divide';

function operationTool(name: OperationName, title: string, sentence: string, a: string, b: string, word: string): Tool {
  const definition: ToolDefinition = {
    ...shared,
    name,
    title,
    modelDescription: `${sentence} Use it for one ${word}, calculate for anything longer. Returns result and whether it is exact.`,
    userDescription: sentence.replace(/\.$/, ''),
    modelInputs: { a: '', b: '' },
    inputSchema: strictObject({ a: { type: 'number', description: a }, b: { type: 'number', description: b } }),
    outputSchema: object({ result: number, exact: boolean }),
    tags: ['math', 'calculator', word],
  };
  return defineTool(definition, async () => (await import('./operations'))[name]);
}

const calculateDefinition: ToolDefinition = {
  ...shared,
  name: 'calculate',
  title: 'Calculate',
  modelDescription:
    'Calculate an arithmetic expression exactly: + - * / // ^ mod ! %, parentheses, percentages (200 + 10%, 15% of 80), units (5 km/h to mph, 3 GiB in MB, 20 degC to degF), functions (sqrt, exp, ln, log10, sin … atan2, abs, round, floor, gcd, lcm, factorial, combinations, sum, mean, median, stdev, percentile, bitand, shl, percentchange …). Use it for every calculation of more than one step, not for algebra or code. Returns result as text, its unit, and whether it is exact.',
  userDescription: 'Calculates expressions with functions, percentages and units',
  modelInputs: {
    expression: '',
    expressions: 'Several in order; name = expression names a result for later ones',
    variables: '',
    mode: '',
    precision: '',
    base: '',
  },
  inputSchema: calculateInput,
  outputSchema: object(
    {},
    {
      result: string,
      unit: string,
      exact: boolean,
      decimal: string,
      name: string,
      count: integer,
      results: objects,
    },
  ),
  tags: ['math', 'calculator', 'convert', 'units', 'percentage', 'statistics'],
};

/** The four operations of `test_math`, with an expression calculator beside them. */
export const math = builtin({
  id: 'math',
  name: 'Math',
  description: 'Calculator: the four operations, and whole expressions with functions and units.',
  summary: 'exact calculations',
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
    defineTool(calculateDefinition, async () => (await import('./calculate')).calculate),
  ],
});
