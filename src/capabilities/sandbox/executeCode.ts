import { guestFiles } from '../../core/files/guestFiles';
import { missingPort, need } from '../../core/ports/need';
import type { SandboxHost } from '../../core/ports/sandbox';
import { isToolError, toolError } from '../../core/vocabulary/errors';
import { noAccesses, type ToolContext, type ToolHandler } from '../../core/capability/tool';
import type { ExecuteCodeInput } from './inputs';

/** Characters of output and result; the editor moves larger results to a file anyway. */
const maxOutput = 20_000;

export const executeCode: ToolHandler<ExecuteCodeInput> = {
  missing: async ({ ports }) => missingPort(ports.sandbox, 'sandbox'),
  accesses: noAccesses,
  async run(input, context) {
    const sandbox = need(context.ports.sandbox, 'execute_code', 'sandbox');
    const running = sandbox.run(
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
    const outcome = await running.catch((error: unknown) => {
      throw hinted(error, input);
    });
    return {
      payload: {
        result: outcome.value ?? null,
        output: outcome.output,
        ...(outcome.outputCut ? { truncated: true } : {}),
      },
    };
  },
};

const outside = 'the sandbox has no network, no modules, no process and no timers';

/** What a name that code often uses is missing for. */
const missing: Readonly<Record<string, string>> = {
  files: 'set `allow_files` to true, and it is there',
  ...Object.fromEntries(
    ['fetch', 'XMLHttpRequest', 'require', 'module', 'process', 'Buffer', 'setTimeout', 'setInterval'].map((name) => [
      name,
      outside,
    ]),
  ),
};

/** The error of a program with what would mend it, where the call as a whole is to blame and not its code. */
function hinted(error: unknown, input: ExecuteCodeInput): unknown {
  if (!isToolError(error) || error.data.code !== 'sandbox_error') return error;
  const { code, message, ...more } = error.data;
  const thrown = more.details?.['thrown'];
  // These are the interpreter's words.
  const name = (thrown === 'ReferenceError' && /'(\w+)' is not defined/.exec(message)?.[1]) || '';
  const isSyntax = input.language === 'javascript' && thrown === 'SyntaxError';
  const mend = Object.hasOwn(missing, name)
    ? missing[name]
    : isSyntax && 'it was read as JavaScript; for TypeScript set `language` to `typescript`';
  return mend ? toolError(code, `${message}; ${mend}`, more) : error;
}

function filesHost(context: ToolContext): SandboxHost {
  const files = guestFiles(context, 'the code');
  return async (name, [path]) => {
    if (name === 'files.list') return files.list(path);
    if (name === 'files.read') return files.read(path);
    throw new TypeError(`${name} is not offered`);
  };
}
