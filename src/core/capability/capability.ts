import type { Json } from '../base/json';
import type { Sentence } from '../base/sentence';
import type { JsonSchema } from '../base/schema';
import type { Boundary } from '../vocabulary/boundary';
import type { Provenance } from '../vocabulary/provenance';
import type { CapabilityStatus, CostClass, Idempotency, RateLimit, RiskLevel } from '../vocabulary/toolDefinition';
import type { Tool } from './tool';
import type { SideEffect } from '../vocabulary/access';
import type { ToolSource } from '../vocabulary/toolSource';

export interface CapabilityDependency {
  readonly id: string;
  /** A semantic version range; any version where it is left out. */
  readonly range?: string;
}

/** A unit of function: what is switched, ordered and configured per profile. */
export interface Capability {
  /** snake_case; stable for ever. */
  readonly id: string;
  readonly version: string;
  readonly name: string;
  /** What a person reads of a built-in one, where the surface has it in their language. */
  readonly local?: { readonly name: string; readonly category?: string | undefined };
  readonly description: string;
  /**
   * What it is for in a few words, for people; left out, they are shown the description. A sentence where it names
   * something.
   */
  readonly summary?: string | Sentence;
  readonly status: CapabilityStatus;
  readonly source: ToolSource;
  /**
   * Who brought it and what was approved of it; built-in capabilities have none. What is neither built-in nor says so
   * counts as a repository's.
   */
  readonly provenance?: Provenance;
  /** A codicon id without `$()`. */
  readonly icon?: string;
  readonly category?: string;
  /**
   * Added to the runtime agent's prompt at the capability's place in the profile. Never repeats what the tools'
   * descriptions say.
   */
  readonly systemPrompt?: string;
  readonly tools: readonly Tool[];
  /** Why its tools cannot work here, whatever the call; undefined where they can. They are offered to nobody then. */
  readonly missing?: () => Sentence | undefined;
  /**
   * True for samples, which are of use only to who works on capabilities: shown to them, and where a profile names it.
   */
  readonly forDevelopers?: true;
  readonly dependencies?: readonly CapabilityDependency[];
  /** Ids of requirements that the resolver checks before a call. */
  readonly requires?: readonly string[];
  /** What a definition declares for the capability as a whole; left out, it follows from the tools. */
  readonly composed?: Omit<ComposedCapability, 'aliases'>;
  /** The probe results of this capability's requirements count as fresh for so long. */
  readonly freshnessBudgetHours?: number;
  /** Describes the per-profile configuration. */
  readonly configSchema?: JsonSchema;
  /**
   * For keys of the configuration, their values from least to most strict. Where a workspace's profile and the user's
   * own say different things the stricter one counts. A key that stands here nowhere, and a value that its order does
   * not name, is not the workspace's to change.
   */
  readonly stricterConfig?: Readonly<Record<string, readonly Json[]>>;
  /** Boundaries and limits that hold while it is enabled. */
  readonly boundaries?: readonly Boundary[];
  readonly limits?: RateLimit;
  /** Other ids under which profiles may name it, such as `test_math`. */
  readonly aliases?: readonly string[];
  /** What to use instead, where the status is `deprecated`. */
  readonly replacement?: string;
}

/** A capability as the resolver sees it: what it requires, what happens, and at what risk. */
export interface ComposedCapability {
  readonly id: string;
  readonly name: string;
  /** As written; the account of `deny_unless_account` is searched in its JSON text. */
  readonly requires: Json;
  readonly sideEffects: readonly SideEffect[];
  readonly riskLevel: RiskLevel;
  readonly costClass: CostClass;
  readonly idempotency: Idempotency;
  readonly approvalRequired: boolean;
  readonly freshnessBudgetHours?: number;
  readonly aliases: readonly string[];
  /** True where we wrote it, so that its aliases are nobody else's. */
  readonly isOurs?: boolean | undefined;
  /** The file it stands in. */
  readonly file?: string;
}
