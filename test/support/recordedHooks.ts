import { readFileSync } from 'node:fs';

type Sides = { readonly pre: object; readonly post: object; readonly preEvent: string; readonly postEvent: string };
type Line = { readonly event: string; readonly tool: string; readonly payload: Record<string, unknown> };

/** What an agent really sent before and after its file tools, about the files of a test. */
export function recordedPairs(file: string, folder: string): readonly (Sides & { readonly tool: string })[] {
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line.replaceAll('/home/dev/project', folder)) as Line);
  const tools = /^(?:Write|Edit|create|edit|apply_patch|write_file|replace|create_file|replace_string_in_file)$/;
  const named = (event: string): string =>
    event.replace(/^(?:user|repo)-\w+:pre$/, 'preToolUse').replace(/^(?:user|repo)-\w+:post$/, 'postToolUse');
  const shape = ['tool_input', 'toolArgs', 'tool_use_id', 'session_id', 'sessionId'];
  return lines
    .filter(({ event, tool }) => tools.test(tool) && /^(?:PostToolUse|AfterTool)$/i.test(named(event)))
    .flatMap(({ event, tool, payload }) => {
      const found = lines.find(
        (one) => one.tool === tool && /^(?:PreToolUse|BeforeTool)$/i.test(named(one.event)) && shapeOf(one, payload),
      );
      if (!found) return [];
      // The call that was recorded before and the one that was recorded after are not always the same.
      const about = Object.fromEntries(shape.flatMap((key) => (key in payload ? [[key, payload[key]]] : [])));
      return [
        {
          tool,
          pre: { ...found.payload, ...about },
          post: payload,
          preEvent: named(found.event),
          postEvent: named(event),
        },
      ];
    });
}

const shapeOf = (one: Line, payload: object): boolean =>
  ['tool_input', 'toolArgs'].every((key) => key in one.payload === key in payload);
