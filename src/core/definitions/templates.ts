import type { Translate } from '../base/translate';
import type { DefinitionFormat } from './spec';

/** A starting point for a definition; `text` is JSON with comments that holds `${id}` where the id belongs. */
export interface DefinitionTemplate {
  readonly id: string;
  /** What it is called and what it makes, in the language of the person who chooses. */
  words(t: Translate): { readonly label: string; readonly detail: string };
  readonly format: DefinitionFormat;
  text(id: string): string;
  /** Files beside the definition, by path relative to it. */
  files?(id: string): Readonly<Record<string, string>>;
}

/** A capability file with one tool, and what stands before its tools. */
const withTool = (id: string, tool: string, before = ''): string => `{
  "id": "${id}",
  "version": "1.0.0",
  "name": "${titleOf(id)}",
  "description": "What it is for",
${before}  "tools": [
    {
${tool}
    }
  ]
}
`;

function titleOf(id: string): string {
  const words = id.replace(/[_.-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What *New Capability Definition…* offers. Each parses without a problem as it stands. */
export const definitionTemplates: readonly DefinitionTemplate[] = [
  {
    id: 'http',
    words: (t) => ({
      label: t('Call a web API'),
      detail: t('A tool that sends an HTTP request and picks the result from the answer'),
    }),
    format: 'capability',
    text: (id) =>
      withTool(
        id,
        `      "name": "get_item",
      "description": "Get one item by its id. Use it when the user names an item. Returns its name and state.",
      "parameters": { "id": { "type": "string", "required": true, "description": "Id of the item" } },
      "handler": {
        "type": "http",
        "method": "GET",
        // The host is literal; values are escaped. A secret is \${secret:NAME}.
        "url": "https://api.example.com/items/\${input.id}",
        "response": { "map": { "name": "/name", "state": "/state" } }
      }`,
      ),
  },
  {
    id: 'process',
    words: (t) => ({
      label: t('Run a program'),
      detail: t('A tool that runs a program with fixed arguments, without a shell'),
    }),
    format: 'capability',
    text: (id) =>
      withTool(
        id,
        `      "name": "show_log",
      "description": "Show the latest commits. Use it to see what changed. Returns one line for each commit.",
      "parameters": { "count": { "type": "integer", "minimum": 1, "maximum": 100, "default": 10, "description": "How many commits" } },
      "handler": { "type": "process", "command": "git", "args": ["log", "--oneline", "--max-count=\${input.count}"], "output": "lines" }`,
      ),
  },
  {
    id: 'module',
    words: (t) => ({
      label: t('Run JavaScript or TypeScript'),
      detail: t('A tool whose handler file runs in the sandbox'),
    }),
    format: 'capability',
    text: (id) =>
      withTool(
        id,
        `      "name": "run",
      "description": "Compute something. Use it when …. Returns ….",
      "parameters": { "text": { "type": "string", "required": true, "description": "What to work on" } },
      // Declare what it may reach: "ports": { "fetch": ["api.example.com"], "files": "read", "secrets": ["NAME"] }
      "handler": { "type": "module", "file": "./handlers/${id}.js" }`,
      ),
    files: (id) => ({
      [`handlers/${id}.js`]: `export default async function (input, context) {\n  return { length: input.text.length };\n}\n`,
    }),
  },
  {
    id: 'compose',
    words: (t) => ({ label: t('Combine tools'), detail: t('A tool made of steps, each of which passes the gate') }),
    format: 'capability',
    text: (id) =>
      withTool(
        id,
        `      "name": "add_and_double",
      "description": "Add two numbers and double the sum. Use it to see how steps work. Returns the result.",
      "parameters": { "a": { "type": "number", "required": true, "description": "First number" }, "b": { "type": "number", "required": true, "description": "Second number" } },
      "handler": {
        "type": "compose",
        "steps": [
          { "id": "sum", "tool": "add", "input": { "a": "\${input.a}", "b": "\${input.b}" } },
          { "id": "twice", "tool": "multiply", "input": { "a": "\${steps.sum.result}", "b": 2 } }
        ],
        "output": { "result": "\${steps.twice.result}" }
      }`,
        '  "dependencies": ["math"],\n',
      ),
  },
  {
    id: 'command',
    words: (t) => ({
      label: t('Run a command of the editor'),
      detail: t('A tool that runs an editor command with bound arguments'),
    }),
    format: 'capability',
    text: (id) =>
      withTool(
        id,
        `      "name": "format_document",
      "description": "Format the active document. Use it after larger edits. Returns nothing.",
      "handler": { "type": "command", "command": "editor.action.formatDocument" }`,
      ),
  },
  {
    id: 'channel',
    words: (t) => ({ label: t('Connect a channel'), detail: t('The capabilities of an HTTP service as tools') }),
    format: 'channel',
    text: (id) => `{
  "channel": "${id}",
  "baseUrl": "http://127.0.0.1:9000",
  "capabilities": [
    { "id": "items", "type": "data", "name": "Items", "endpoint": "/api/items", "metadata": { "searchable": true, "paginated": true } }
  ]
}
`,
  },
];
