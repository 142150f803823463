import { cutEnd } from '../../core/base/text';
import { toolError, type ToolError } from '../../core/vocabulary/errors';

/** Says what is wrong with an expression and where; `at` counts from 0, the column that is shown from 1. */
export function expressionError(message: string, at: number): ToolError {
  return toolError('invalid_expression', `column ${at + 1}: ${message}`, { details: { column: at + 1 } });
}

/** Says that a number or the work grows beyond what one call may take. */
export function tooLarge(message: string, at?: number): ToolError {
  const place = at === undefined ? '' : `column ${at + 1}: `;
  return toolError('too_large', `${place}${message}`, at === undefined ? {} : { details: { column: at + 1 } });
}

/** Shows a piece of the caller's text, cut at 30 characters. */
export const quote = (text: string): string => `\`${cutEnd(text, 30)}\``;
