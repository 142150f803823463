import type { CallToolResult } from '@modelcontextprotocol/server';
import { isObject } from '../../core/base/json';
import type { RegisteredTool } from '../../core/registry/registry';
import { resultText, type ToolMedia, type ToolPart, type ToolResult } from '../../core/vocabulary/toolResult';
import { structuredOutput } from './toolList';

interface AnswerForm {
  readonly ownForm: boolean;
}

/**
 * A result of the gate as MCP content: text for the model, pictures, and structured content where the tool declares its
 * shape. What a governed server embedded or linked stays what it is where the client can read resources from us too
 * (`ownForm`); the editor's agent mode would give its model an address in place of the text, so there it is part of the
 * text.
 */
export function toMcpResult(
  result: ToolResult,
  tool: RegisteredTool | undefined,
  { ownForm }: AnswerForm,
): CallToolResult {
  // Text only: clients hand a model whatever else stands beside it.
  if (!result.success) return { isError: true, content: [{ type: 'text', text: resultText(result, undefined) }] };
  const content = ownForm && result.parts ? partsOf(result, result.parts) : flat(result, tool);
  const isStructured = tool !== undefined && structuredOutput(tool) !== undefined;
  return { content, ...(isStructured && isObject(result.payload) ? { structuredContent: { ...result.payload } } : {}) };
}

type Succeeded = Extract<ToolResult, { success: true }>;
type Content = CallToolResult['content'];

function flat(result: Succeeded, tool: RegisteredTool | undefined): Content {
  return [
    { type: 'text', text: resultText(result, tool?.definition.contentField) },
    ...(result.media ?? []).map(mediaBlock),
  ];
}

function partsOf({ media = [], warnings = [] }: Succeeded, parts: readonly ToolPart[]): Content {
  const content = parts.flatMap((part): Content => {
    switch (part.type) {
      case 'text':
        return [part];
      case 'media':
        return media.slice(part.index, part.index + 1).map(mediaBlock);
      case 'resource':
        return [part];
      case 'blob':
        return [{ type: 'resource' as const, resource: { ...part.resource, blob: part.data } }];
      case 'link':
        return [{ type: 'resource_link' as const, ...part.link }];
    }
  });
  return warnings.length > 0 ? [...content, { type: 'text', text: `[warning: ${warnings.join('; ')}]` }] : content;
}

function mediaBlock({ mimeType, data }: ToolMedia): Content[number] {
  return { type: mimeType.startsWith('audio/') ? 'audio' : 'image', data, mimeType };
}
