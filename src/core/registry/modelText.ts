import { isObject } from '../base/json';
import { resultText, type ToolResult, warningsText } from '../vocabulary/toolResult';
import type { RegisteredTool } from './registry';

/** A result as a model reads it: as its tool words it, else as `resultText` does. */
export async function modelText(result: ToolResult, tool: RegisteredTool | undefined): Promise<string> {
  if (result.success && tool && isObject(result.payload)) {
    const handler = await tool.load();
    const text = handler.text?.(result.payload);
    if (text !== undefined) return `${text}${warningsText(result.warnings)}`;
  }
  return resultText(result, tool?.definition.contentField);
}
