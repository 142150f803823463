import { harmless } from '../../core/vocabulary/toolDefinition';
import { defineTool } from '../../core/capability/tool';
import { boolean, builtin, object, string } from '../../core/capability/declare';
import { executeCodeInput } from './inputs';

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
    defineTool(
      {
        ...harmless,
        name: 'execute_code',
        title: 'Execute code',
        kind: 'action',
        modelDescription:
          'Execute JavaScript or TypeScript in a sandbox. Use it to compute, parse or transform data exactly; not for plain arithmetic (calculate), nor to run or change the project: there is no network, no modules, no process. Files can be read with `await files.read(path)` when allow_files is true. Returns the value of the last expression (or of `return`) as result, console output as output.',
        userDescription: 'Run JavaScript or TypeScript in a sandbox',
        inputSchema: executeCodeInput,
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
