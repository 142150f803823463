import type { ExecuteCodeInput } from './executeCode';
import { harmless } from '../../core/vocabulary/toolDefinition';
import { defineTool } from '../../core/capability/tool';
import { boolean, builtin, object, strictObject, string } from '../../core/capability/declare';

/** JavaScript and TypeScript in an interpreter of its own. */
export const sandbox = builtin({
  id: 'sandbox',
  name: 'Sandbox',
  description: 'Sandboxed code execution environment for JavaScript and TypeScript.',
  summary: 'code in isolation',
  icon: 'package',
  category: 'Execution',
  systemPrompt: 'You can execute code in a sandboxed environment. Use the execute_code tool to run code safely.',
  tools: [
    defineTool<ExecuteCodeInput>(
      {
        ...harmless,
        name: 'execute_code',
        title: 'Execute code',
        kind: 'action',
        modelDescription:
          'Execute JavaScript or TypeScript in a sandbox. Use it to compute, parse or transform data exactly. There is no network, no modules, no process; files can be read with `await files.read(path)` when allow_files is true. The value of the last expression (or of `return`) comes back as result, console output as output.',
        userDescription: 'Run JavaScript or TypeScript in a sandbox',
        inputSchema: strictObject(
          {
            code: {
              type: 'string',
              minLength: 1,
              maxLength: 200_000,
              description: 'The program; top-level await is allowed',
            },
          },
          {
            language: {
              type: 'string',
              enum: ['javascript', 'typescript'],
              default: 'javascript',
              description: 'Language of the program',
            },
            timeout_ms: {
              type: 'integer',
              minimum: 10,
              maximum: 30_000,
              default: 5000,
              description: 'Time limit in milliseconds',
            },
            memory_mb: {
              type: 'integer',
              minimum: 4,
              maximum: 256,
              default: 64,
              description: 'Memory limit in megabytes',
            },
            allow_files: {
              type: 'boolean',
              default: false,
              description: 'Offers files.read(path) and files.list(path), each judged by policy',
            },
          },
        ),
        outputSchema: object({ result: {}, output: string }, { truncated: boolean }),
        scopes: ['code:execute'],
        timeoutMs: 45_000,
        icon: 'play',
        tags: ['code', 'javascript', 'typescript', 'run', 'eval', 'compute'],
      },
      async () => (await import('./executeCode')).executeCode,
    ),
  ],
});
