import type { Json } from '../../core/base/json';
import { permissionDenied } from '../../core/errors';
import { accessLabel, resolvePath } from '../../core/paths';
import { need } from '../../core/ports/need';
import type { SandboxHost } from '../../core/ports/sandbox';
import { noAccesses, type ToolContext, type ToolHandler } from '../../core/tool';

export interface ExecuteCodeInput {
  readonly code: string;
  readonly language: 'javascript' | 'typescript';
  readonly timeout_ms: number;
  readonly memory_mb: number;
  readonly allow_files: boolean;
}

/** Characters of output and result; the editor moves larger results to a file anyway. */
const maxOutput = 20_000;
const maxFileBytes = 5_000_000;

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
    return { payload: { result: outcome.value ?? null, output: outcome.output, ...(outcome.outputCut ? { truncated: true } : {}) } };
  },
};

/** Reading files, each judged by the gate as an access met while running. */
function filesHost(context: ToolContext): SandboxHost {
  const { files } = context.ports;
  const place = async (raw: Json | undefined) => {
    if (typeof raw !== 'string') throw new TypeError('the path must be a string');
    const path = await files.canonical(await resolvePath(files, raw));
    const verdict = await context.access({ effect: 'fs.read', resource: accessLabel(path, files) });
    if (!verdict.allowed) throw permissionDenied('the file', `may not be read: ${verdict.reason}`);
    return path;
  };
  return async (name, args) => {
    const path = await place(args[0] ?? '.');
    if (name === 'files.list') return (await files.readDirectory(path)).map((entry) => ({ name: entry.name, type: entry.type }));
    const bytes = await files.readFile(path, { offset: 0, length: maxFileBytes + 1 });
    if (bytes.byteLength > maxFileBytes) throw new TypeError(`the file has more than ${maxFileBytes} bytes`);
    return new TextDecoder().decode(bytes);
  };
}
