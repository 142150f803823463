import { guestFiles } from '../../core/files/guestFiles';
import { need } from '../../core/ports/need';
import type { SandboxHost } from '../../core/ports/sandbox';
import { noAccesses, type ToolContext, type ToolHandler } from '../../core/capability/tool';

export interface ExecuteCodeInput {
  readonly code: string;
  readonly language: 'javascript' | 'typescript';
  readonly timeout_ms: number;
  readonly memory_mb: number;
  readonly allow_files: boolean;
}

/** Characters of output and result; the editor moves larger results to a file anyway. */
const maxOutput = 20_000;

export const executeCode: ToolHandler<ExecuteCodeInput> = {
  accesses: noAccesses,
  async run(input, context) {
    const sandbox = need(context.ports.sandbox, 'execute_code', 'the sandbox');
    const outcome = await sandbox.run(
      {
        code: input.code,
        fileName: input.language === 'typescript' ? 'code.ts' : 'code.js',
        language: input.language,
        hostFunctions: input.allow_files ? ['files.read', 'files.list'] : [],
      },
      { timeoutMs: input.timeout_ms, memoryMb: input.memory_mb, maxOutput },
      filesHost(context),
      context.signal,
    );
    return {
      payload: {
        result: outcome.value ?? null,
        output: outcome.output,
        ...(outcome.outputCut ? { truncated: true } : {}),
      },
    };
  },
};

function filesHost(context: ToolContext): SandboxHost {
  const files = guestFiles(context, 'the code');
  return async (name, [path]) => {
    if (name === 'files.list') return files.list(path);
    if (name === 'files.read') return files.read(path);
    throw new TypeError(`${name} is not offered`);
  };
}
