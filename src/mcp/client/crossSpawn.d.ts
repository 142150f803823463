declare module 'cross-spawn' {
  import type { ChildProcess, SpawnOptions } from 'node:child_process';

  /** `spawn` of `node:child_process`, with batch files and shebangs understood on Windows. */
  export default function crossSpawn(command: string, args: readonly string[], options: SpawnOptions): ChildProcess;
}
