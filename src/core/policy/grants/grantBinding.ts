import { canonicalJson } from '../../base/json';
import { worded } from '../../base/sentence';
import type { Crypto } from '../../ports/platform';
import type { RegisteredTool } from '../../registry/registry';
import { sourceKind } from '../../vocabulary/toolSource';

/** What everything is bound to that was allowed for a tool of ours: its id says all. */
const builtinBinding = 'builtin';

/** True for a tool that a repository brings, and for one that does not say who brought it. */
export function isFromRepository({ source, capability }: RegisteredTool): boolean {
  return !sourceKind(source).isOurs && capability.provenance?.by !== 'user';
}

/**
 * Names which tool a person allowed something for, beyond its id: where it comes from, what was approved of it, and all
 * that it says about itself. A tool of that id of another repository, or the same one after a change, is another.
 */
export function toolBindings(crypto: Crypto): (tool: RegisteredTool) => string {
  const known = new WeakMap<RegisteredTool, string>();
  const make = ({ source, definition, capability }: RegisteredTool): string => {
    // The reasons in their words, as they stood when the first grants were made.
    const reasons = definition.reasons?.map((one) => worded(one));
    return crypto.sha256(
      canonicalJson({ source, provenance: capability.provenance, definition: { ...definition, reasons } }),
    );
  };
  return (tool) => {
    if (sourceKind(tool.source).isOurs) return builtinBinding;
    const binding = known.get(tool) ?? make(tool);
    known.set(tool, binding);
    return binding;
  };
}
