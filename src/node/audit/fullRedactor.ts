import { createRedactor, type Redactor } from '../../core/audit/redact';
import { findByRules } from '../../core/secrets/finder';

/**
 * The redactor that uses the finder by which contexts are redacted besides the built-in rules: nothing that is hidden
 * from a model stands in the record. In a chunk of its own, so that no start waits for it.
 */
export const fullRedactor = (): Redactor => createRedactor([findByRules]);
