import type { Json } from '../base/json';

export interface SandboxLimits {
  /** Wall time for the whole run, in milliseconds, waiting for the host included. */
  readonly timeoutMs: number;
  readonly memoryMb: number;
  /** Characters of captured console output and of the result's JSON. */
  readonly maxOutput: number;
}

export interface SandboxProgram {
  readonly code: string;
  /** For messages. */
  readonly fileName: string;
  readonly language: 'javascript' | 'typescript';
  /**
   * Calls the module's export with these arguments and `context`; left out, the value of the last expression is the
   * result.
   */
  readonly call?: { readonly exportName: string; readonly args: readonly Json[]; readonly context: Json };
  /**
   * Names of host functions that the code may call as `context.<name>` and, for `fetch`, as a global. All answer
   * promises.
   */
  readonly hostFunctions: readonly string[];
}

export interface SandboxOutcome {
  readonly value: Json | undefined;
  /** What the code wrote with `console`. */
  readonly output: string;
  readonly outputCut: boolean;
}

/** Answers a call of a host function; what it throws arrives in the sandbox as an error with its message. */
export type SandboxHost = (name: string, args: readonly Json[]) => Promise<Json | undefined>;

/**
 * Runs JavaScript and TypeScript in an interpreter of its own without any object of the host. Errors are ToolErrors:
 * `sandbox_error` for what the code throws or cannot be parsed (with the name of the error in `details.thrown`, and
 * `details.place` where a module failed), `timeout`, `too_large` for memory or output, `cancelled`.
 */
export interface Sandbox {
  run(program: SandboxProgram, limits: SandboxLimits, host: SandboxHost, signal: AbortSignal): Promise<SandboxOutcome>;
}

/** A module that the user trusted: its text, and where it was read, for messages. */
interface TrustedModule {
  readonly file: string;
  readonly code: string;
}

/** Runs a text as a Node module in the extension's own process; only for what the user trusted by this very text. */
export interface ModuleRunner {
  run(module: TrustedModule, exportName: string, args: readonly unknown[]): Promise<unknown>;
}
