import type { JsonObject } from '../../core/base/json';
import { isToolError, toolError, unfitInput } from '../../core/vocabulary/errors';
import { Evaluator } from './evaluate';
import { expressionError } from './expressionError';
import { formatNumber } from './format';
import { parse } from './parser';
import { Quantity, type Scalar } from './quantity';
import { noAccesses, type ToolHandler } from '../../core/capability/tool';
import type { CalculateInput } from './inputs';

export const calculate: ToolHandler<CalculateInput> = {
  accesses: noAccesses,
  async run(input) {
    const { expression, expressions } = input;
    if ((expression === undefined) === (expressions === undefined)) {
      throw unfitInput('give either `expression` or `expressions`, one of the two');
    }
    const all = expression === undefined ? (expressions ?? []) : [expression];
    const results = calculateAll(all, input);
    return { payload: expression === undefined ? { results } : (results[0] ?? {}) };
  },
};

function calculateAll(texts: readonly string[], input: CalculateInput): readonly JsonObject[] {
  const evaluator = new Evaluator({
    exactOnly: input.mode === 'exact',
    precision: input.precision,
    degrees: input.angle === 'deg',
  });
  for (const [name, value] of Object.entries(input.variables ?? {})) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      throw unfitInput(`/variables: \`${name.slice(0, 40)}\` is no name; use letters, digits and _`);
    }
    const size = evaluator.numbers.literal(String(Math.abs(value)), 0);
    evaluator.assign(name, value < 0 ? evaluator.numbers.negate(size) : size);
  }
  return texts.map((text, index) => {
    try {
      return calculateOne(text, evaluator, input);
    } catch (error) {
      throw texts.length > 1 ? inExpression(error, index, texts.length) : error;
    }
  });
}

function calculateOne(text: string, evaluator: Evaluator, input: CalculateInput): JsonObject {
  const { name, body } = parse(text);
  const value = evaluator.evaluate(body);
  if (name !== undefined) evaluator.assign(name, value);
  const named = name === undefined ? {} : { name };
  if (!Array.isArray(value)) return { ...named, ...describe(value as Scalar, evaluator, input) };
  if (name === undefined)
    throw expressionError('a list is no result; give it to a function such as `mean`, or a name', body.at);
  return { name, count: value.length };
}

function describe(value: Scalar, evaluator: Evaluator, input: CalculateInput): JsonObject {
  const number = value instanceof Quantity ? evaluator.quantities.shown(value) : value;
  const { text, exact, decimal } = formatNumber(number, {
    exactOnly: input.mode === 'exact',
    precision: input.precision,
    base: input.base,
  });
  return {
    result: text,
    ...(value instanceof Quantity ? { unit: evaluator.quantities.unitText(value) } : {}),
    exact,
    ...(decimal === undefined ? {} : { decimal }),
  };
}

/** Says in which of several expressions an error is. */
function inExpression(error: unknown, index: number, count: number): unknown {
  if (!isToolError(error)) return error;
  const { code, message, details } = error.data;
  return toolError(code, `expression ${index + 1} of ${count}, ${message}`, {
    details: { ...details, expression: index + 1 },
  });
}
