import type { BundledPolicy, Pinned } from '../settings/bundleLayer';

/** The version of the payload's form. */
export const bundleFormat = 1;

/** A definition file of the workspace as it was when the bundle was made. */
export interface PinnedDefinition extends Pinned {
  readonly text: string;
}

/** The payload of a bundle. */
export interface Bundle extends BundledPolicy<PinnedDefinition> {
  /** In milliseconds since 1970, UTC. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly description: string;
}
