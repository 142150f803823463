import type { WorkspacePath } from './workspacePath';

export interface ProgramRequest {
  /** A plain name (looked up in PATH), an absolute path, or `./` and a path in the workspace. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: WorkspacePath;
  /**
   * Added to the few variables that every program gets (PATH, HOME, language, temporary folder); nothing else is
   * inherited.
   */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Each of standard output and standard error is cut at so many bytes; the program is then ended. */
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
}

export interface ProgramResult {
  /** Undefined where a signal ended it. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly cut: boolean;
}

/**
 * Runs programs without a shell. When the signal is aborted the whole process group ends. Errors are ToolErrors:
 * `process_error` where the program is not there or cannot be started, `cancelled`.
 */
export interface ProgramRunner {
  run(request: ProgramRequest): Promise<ProgramResult>;
}
