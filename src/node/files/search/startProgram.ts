import { spawn } from 'node:child_process';

/** A program to run, its arguments as they are: there is no shell. */
export interface Program {
  /** The machine's path of the binary. */
  readonly binary: string;
  readonly args: readonly string[];
  /** The machine's path of the folder to run in. */
  readonly folder: string;
}

export type ProgramEnd =
  | { readonly started: false }
  | {
      readonly started: true;
      readonly code: number | undefined;
      /** What it wrote to its error output, cut somewhere after 64,000 characters. */
      readonly complaint: string;
    };

interface ProgramEvents {
  output(data: Buffer): void;
  /** Called once, after all output. */
  end(how: ProgramEnd): void;
}

export interface RunningProgram {
  /** Stops reading its output until `resume`, so that it waits; what is under way still comes. */
  pause(): void;
  resume(): void;
  kill(): void;
}

export const longestComplaint = 64_000;

/** Starts a program, whose output and end the events tell. */
export function startProgram({ binary, args, folder }: Program, events: ProgramEvents): RunningProgram {
  const child = spawn(binary, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
  let complaint = '';
  let hasEnded = false;
  const end = (how: ProgramEnd): void => {
    if (!hasEnded) events.end(how);
    hasEnded = true;
  };
  child.stdout.on('data', (data: Buffer) => events.output(data));
  child.stderr.on('data', (data: Buffer) => {
    if (complaint.length < longestComplaint) complaint += data.toString();
  });
  child.on('error', () => end({ started: child.pid !== undefined, code: undefined, complaint }));
  child.on('close', (code) => end({ started: true, code: code ?? undefined, complaint }));
  return {
    pause: () => child.stdout.pause(),
    resume: () => child.stdout.resume(),
    kill: () => {
      child.kill('SIGKILL');
      // Nothing ends as long as output waits to be read.
      child.stdout.resume();
    },
  };
}
