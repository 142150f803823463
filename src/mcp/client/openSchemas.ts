import type { JsonSchemaValidatorResult, jsonSchemaValidator } from '@modelcontextprotocol/client';

/**
 * A result schema that takes any JSON: what servers answer is read by our own code at the edge
 * (`core/mcp/foreignList.ts`, `result.ts`), which bounds it, so that checking it here would only cost time.
 */
export const anyResult = {
  '~standard': {
    version: 1 as const,
    vendor: 'agent-capabilities',
    validate: (value: unknown): { value: unknown } => ({ value }),
  },
};

/**
 * Keeps the SDK from compiling schemas that servers send: they are bounded and compiled by the gate, with a linear
 * engine for patterns.
 */
export const unchecked: jsonSchemaValidator = {
  getValidator<T>() {
    // By this object's purpose nothing is checked here; the type parameter belongs to the SDK's interface.
    return (input: unknown): JsonSchemaValidatorResult<T> => ({
      valid: true,
      data: input as T,
      errorMessage: undefined,
    });
  },
};
