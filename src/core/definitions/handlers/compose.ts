import { defined, type Json } from '../../base/json';
import { invalidInput, isToolError, toolError, type ToolErrorData } from '../../vocabulary/errors';
import type { ComposeHandlerSpec, ComposeStep, Condition } from './handlerSpec';
import { fillJson, lookUp, parseTemplate, soleReference, type TemplateValues } from '../../vocabulary/template';
import { payloadOf } from './toolCall';
import type { ToolContext, ToolHandler } from '../../capability/tool';

/** A loop over more items is refused, because each one is a call of its own. */
const mostItems = 200;

/**
 * Judges a condition; a missing value is false, not equal to anything but a missing value, and neither greater nor
 * less.
 */
function holds(condition: Condition, values: TemplateValues): boolean {
  switch (condition.type) {
    case 'truthy': {
      const value = fillJson(condition.value, values);
      return Array.isArray(value) ? value.length > 0 : Boolean(value);
    }
    case 'exists':
      return ((fillJson(condition.value, values) ?? null) !== null) === condition.expected;
    case 'not':
      return !holds(condition.condition, values);
    case 'all':
      return condition.conditions.every((one) => holds(one, values));
    case 'any':
      return condition.conditions.some((one) => holds(one, values));
    case 'compare': {
      const value = fillJson(condition.value, values);
      const to = fillJson(condition.to, values);
      switch (condition.is) {
        case 'equals':
          return same(value, to);
        case 'notEquals':
          return !same(value, to);
        case 'in':
          return Array.isArray(to)
            ? to.some((one) => same(value, one))
            : typeof to === 'string' && typeof value === 'string' && to.includes(value);
        case 'greaterThan':
          return order(value, to) > 0;
        case 'lessThan':
          return order(value, to) < 0;
      }
    }
  }
}

/** Positive where a comes after b, negative where it comes before; not a number where the two cannot be ordered. */
function order(a: Json | undefined, b: Json | undefined): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  return Number.NaN;
}

function same(a: Json | undefined, b: Json | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * A tool made of steps (definition handler `compose`). Each step is a call through the gate; the steps run one after
 * another.
 */
export function composeHandler(spec: ComposeHandlerSpec): ToolHandler {
  return {
    // What the steps touch is judged when each of them is called.
    accesses: () => [],
    passesOn(input, { config }) {
      const [only, ...more] = spec.steps;
      if (!only || more.length > 0 || only.condition || only.forEach !== undefined || only.onError !== 'stop')
        return undefined;
      return { tool: only.tool, input: fillJson(only.input, { input, config, steps: {} }) ?? {} };
    },
    async run(input, context) {
      const steps: Record<string, Json> = {};
      const warnings: string[] = [];
      for (const [index, step] of spec.steps.entries()) {
        const values: TemplateValues = { input, config: context.config, steps };
        context.report({ message: `step ${step.id}`, fraction: index / spec.steps.length });
        const run = step.forEach === undefined ? once : forEach;
        steps[step.id] = await run(step, values, context, warnings);
      }
      const payload =
        spec.output === undefined
          ? { steps }
          : (fillJson(spec.output, { input, config: context.config, steps }) ?? null);
      return { payload, ...(warnings.length > 0 ? { warnings } : {}) };
    },
  };
}

async function once(
  step: ComposeStep,
  values: TemplateValues,
  context: ToolContext,
  warnings: string[],
): Promise<Json> {
  if (context.signal.aborted)
    throw toolError('cancelled', `the composition was cancelled before the step \`${step.id}\``);
  if (step.condition && !holds(step.condition, values)) return null;
  try {
    return payloadOf(step.tool, await context.invokeTool(step.tool, fillJson(step.input, values) ?? {}));
  } catch (error) {
    if (context.signal.aborted || !isToolError(error)) throw error;
    if (step.onError === 'stop') throw atStep(step, error.data);
    const { code, message } = error.data;
    // What a failed step leaves behind where it does not stop the rest.
    const left = { error: { code, message } };
    warnings.push(`the step ${step.id} failed: ${message}`);
    if (step.onError === 'continue') return left;
    const { tool, input } = step.onError;
    return payloadOf(tool, await context.invokeTool(tool, fillJson(input, { ...values, ...left }) ?? {}));
  }
}

function atStep({ id }: ComposeStep, { code, message, retryable, retryAfterMs, details }: ToolErrorData): Error {
  const more = defined({ retryable, retryAfterMs, details: { ...details, step: id } });
  return toolError(code, `step \`${id}\` failed: ${message}`, more);
}

async function forEach(
  step: ComposeStep,
  values: TemplateValues,
  context: ToolContext,
  warnings: string[],
): Promise<Json> {
  const reference = soleReference(parseTemplate(step.forEach ?? ''));
  const items = reference ? lookUp(reference, values) : undefined;
  if (items === undefined || items === null) return [];
  if (!Array.isArray(items))
    throw invalidInput([{ path: `/steps/${step.id}/forEach`, expected: 'must be an array', got: typeof items }]);
  if (items.length > mostItems)
    throw toolError(
      'too_large',
      `the step \`${step.id}\` would run ${items.length} times, more than ${mostItems}; narrow what it goes over`,
    );
  const results: Json[] = [];
  for (const [index, item] of items.entries())
    results.push(await once(step, { ...values, item, index }, context, warnings));
  return results;
}
