import type { Problem } from '../base/problem';
import type { Sentence } from '../base/sentence';

/** What has to be exactly as it was looked at. */
export interface Pinned {
  readonly sha256: string;
}

/** What a bundle says, whether or not it is in force. */
export interface BundledPolicy<Definition extends Pinned = Pinned> {
  readonly name: string;
  /** From 1; a higher one replaces a lower one, never the other way round. 0 where none is in force. */
  readonly revision: number;
  /**
   * Settings by key without `agentCapabilities.`, checked against their declarations: rules, limits, profiles, others.
   */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The hash of the list of tools that a server has to have, as its approval has it, by the server's name. */
  readonly servers: Readonly<Record<string, Pinned>>;
  /** The hash of the text that a definition file of the workspace has to have, by the file's name. */
  readonly definitions: Readonly<Record<string, Definition>>;
}

/** What one signed bundle adds: settings that only tighten (none where they count as the managed file's), and pins. */
export interface BundleLayer extends BundledPolicy {
  /** The SHA-256 of its payload. */
  readonly hash: string;
  /** The rules of one that may widen; they hold beside the managed file's, and like them. */
  readonly managedRules?: unknown;
  /** Why no bundle of this name is in force: nobody can say what it was to tighten. */
  readonly fault?: Sentence;
  readonly problems: readonly Problem[];
}

/** The hashes that bundles in force demand of a server or of a definition file; all of them count. */
export function pinnedHashes(
  bundles: readonly BundleLayer[] | undefined,
  kind: 'servers' | 'definitions',
  name: string,
): readonly string[] {
  return (bundles ?? []).flatMap((bundle) => {
    const pinned = Object.hasOwn(bundle[kind], name) ? bundle[kind][name] : undefined;
    return pinned ? [pinned.sha256] : [];
  });
}
