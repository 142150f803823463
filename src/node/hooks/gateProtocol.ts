/** What an editor or a server writes into the user's private folder, so that hooks find it. */
export interface GateNotice {
  readonly version: 1;
  readonly pid: number;
  /** The socket, or the pipe on Windows. */
  readonly socket: string;
  /** Told with every question: who can read the file is the same user. */
  readonly token: string;
  /** The folders that it has open. */
  readonly folders: readonly string[];
}

/** A longer line is refused. */
export const longestMessage = 16_000_000;
