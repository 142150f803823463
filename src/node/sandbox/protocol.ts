import type { Json } from '../../core/base/json';
import type { SandboxLimits, SandboxOutcome, SandboxProgram } from '../../core/ports/sandbox';

/** To the sandbox's thread. */
export type ToSandbox =
  | { readonly type: 'run'; readonly program: SandboxProgram; readonly limits: SandboxLimits }
  | { readonly type: 'answer'; readonly id: number; readonly ok: true; readonly value: Json | undefined }
  | { readonly type: 'answer'; readonly id: number; readonly ok: false; readonly message: string };

export type SandboxFault = 'sandbox_error' | 'timeout' | 'too_large';

/** Of what the code threw. */
export type SandboxDetails = {
  /** Where in its file a module failed, which is for whoever wrote it. */
  readonly place?: string;
  /** The name of the error: `SyntaxError`. */
  readonly thrown?: string;
};

/** From it. */
export type FromSandbox =
  /** The interpreter is there and the time of the program runs. */
  | { readonly type: 'began' }
  | { readonly type: 'call'; readonly id: number; readonly name: string; readonly args: readonly Json[] }
  | { readonly type: 'done'; readonly outcome: SandboxOutcome }
  | {
      readonly type: 'failed';
      readonly code: SandboxFault;
      readonly message: string;
      readonly details?: SandboxDetails | undefined;
      /** The interpreter was taken apart cleanly, and the thread may serve again. */ readonly clean: boolean;
    };
