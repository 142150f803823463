/** The version of the payload's form. */
export const bundleFormat = 1;

/** The tools of an MCP server as they were when the bundle was made. */
interface PinnedServer {
  /** The hash of its listing, as approvals of tools have it. */
  readonly sha256: string;
}

/** A definition file of the workspace as it was when the bundle was made. */
export interface PinnedDefinition {
  /** The SHA-256 of the file's text. */
  readonly sha256: string;
  readonly text: string;
}

/** What a bundle says. */
export interface Bundle {
  readonly name: string;
  /** From 1; a higher one replaces a lower one, never the other way round. */
  readonly revision: number;
  /** In milliseconds since 1970, UTC. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly description: string;
  /** Settings by key without `agentCapabilities.`: rules, limits, profiles and others. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** By the server's name. */
  readonly servers: Readonly<Record<string, PinnedServer>>;
  /** By the file's name. */
  readonly definitions: Readonly<Record<string, PinnedDefinition>>;
}
