import type { Sentence } from '../base/sentence';
import type { Probe, Requirement } from '../vocabulary/requirement';

/** What a probe found. A probe that could not be run at all throws, which says nothing about the requirement. */
export interface ProbeResult {
  readonly isGood: boolean;
  /** Holds no secrets: `status 401`, `exit code 1`. */
  readonly detail: Sentence;
}

/**
 * Runs one probe. It changes nothing, follows no redirect to another host, and never answers the content of what it
 * read.
 */
export interface Prober {
  probe(requirement: Requirement, probe: Probe, signal: AbortSignal): Promise<ProbeResult>;
}
