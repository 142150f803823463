import type { Capability } from '../capability/capability';
import { say } from '../base/sentence';
import { isReadOnly, type Access } from '../vocabulary/access';
import {
  notAvailable,
  notEnabled,
  permissionDenied,
  planMode,
  refusal,
  scopeMissing,
  toolAmbiguous,
  toolNotFound,
} from '../vocabulary/errors';
import { isHiddenFrom, missingScopes, type ResolvedProfile } from '../profiles/profile';
import type { CapabilityRegistry, RegisteredTool } from '../registry/registry';
import type { Actor } from '../vocabulary/toolDefinition';
import type { SchemaValidator } from '../base/schema';
import type { GateCall } from '../call/gateCall';
import { configurationViolations, unfitConfiguration } from '../profiles/configurationFit';
import { type Mode, permissionReasons, type Reason, type StepAnswer } from '../vocabulary/decision';
import { ask, deny, pass } from '../call/stepAnswer';
import { sourceKind } from '../vocabulary/toolSource';

/**
 * Step 1: an unknown name answers with the nearest ones; `coming_soon` is not available; `deprecated` passes with a
 * warning. Of several tools that share a plain name, the one that the profile has on is meant; the id tells two of them
 * apart.
 */
export function findTool(
  registry: CapabilityRegistry,
  reference: string,
  profile: ResolvedProfile,
): { tool: RegisteredTool; answer: StepAnswer } | StepAnswer {
  const exact = registry.tool(reference);
  const on =
    exact && profile.isToolEnabled(exact)
      ? [exact]
      : registry.toolsNamed(reference).filter((one) => profile.isToolEnabled(one));
  if (on.length > 1)
    return deny(
      'find',
      toolAmbiguous(
        reference,
        on.map((one) => one.modelName),
      ),
    );
  const tool = on[0] ?? exact ?? registry.toolsNamed(reference)[0];
  if (!tool) return deny('find', toolNotFound(reference, registry.toolNames()));
  const { status, replacement, name } = tool.capability;
  if (status === 'coming_soon') return deny('find', notAvailable(tool.modelName, say('coming_soon', name)));
  const missing = tool.capability.missing?.();
  if (missing) return deny('find', notAvailable(tool.modelName, missing));
  if (status !== 'deprecated') return { tool, answer: pass('find') };
  const said = replacement ? say('capability_replaced', name, replacement) : say('capability_deprecated', name);
  return { tool, answer: pass('find', [{ said, advisory: true }]) };
}

/** The capabilities whose configuration was found to fit. Neither a capability nor a resolved profile ever changes. */
const fitting = new WeakMap<ResolvedProfile, WeakSet<Capability>>();

/** Step 2 too: a capability whose configuration does not fit is off, and the caller hears everything that is wrong. */
export async function checkConfiguration(
  { capability, modelName }: RegisteredTool,
  profile: ResolvedProfile,
  validator: SchemaValidator,
): Promise<StepAnswer | undefined> {
  if (!capability.configSchema || fitting.get(profile)?.has(capability)) return undefined;
  const violations = await configurationViolations(capability, profile.config(capability.id), validator);
  if (violations.length === 0) {
    fitting.set(profile, (fitting.get(profile) ?? new WeakSet()).add(capability));
    return undefined;
  }
  return deny('enabled', notAvailable(modelName, unfitConfiguration(profile.id, capability, violations)));
}

/** Step 2: switched on in the profile and visible to this actor. */
export function checkEnabled(tool: RegisteredTool, profile: ResolvedProfile, actor: Actor): StepAnswer {
  if (sourceKind(tool.source).runsElsewhere) return pass('enabled');
  if (!profile.isToolEnabled(tool)) return deny('enabled', notEnabled(tool.modelName, profile.id));
  return isHiddenFrom(actor.type, tool.definition)
    ? deny('enabled', refusal('not_visible', say(`not_for_${actor.type}s`, tool.modelName)))
    : pass('enabled');
}

/** Step 3: the permission of this actor. With `requireAuth` a caller that nothing proves is denied. */
function checkPermission(tool: RegisteredTool, actor: Actor): StepAnswer {
  if (tool.definition.provenCallersOnly === true && (actor.isUnproven === true || actor.id.trim() === ''))
    return deny('permission', permissionDenied(tool.modelName, say('caller_unknown')));
  switch (tool.definition.permissions[actor.type]) {
    case 'forbidden':
      return deny('permission', permissionDenied(tool.modelName, say(`forbidden_for_${actor.type}s`)));
    case 'confirmation_required':
      return ask('permission', [{ said: say(permissionReasons[actor.type]), waivable: true }]);
    case 'allowed':
      return pass('permission');
  }
}

/** True where the confirmation that a tool needs is about what it changes, and this call only reads. */
export function asksNothing(tool: RegisteredTool, accesses: readonly Access[]): boolean {
  if (!sourceKind(tool.source).isOurs || tool.definition.confirmsOnlyChanges !== true) return false;
  return accesses.length > 0 && accesses.every(isReadOnly);
}

/** Takes the question of step 3 back, once the accesses of the call are known. */
export function waivePermission(steps: StepAnswer[]): void {
  const at = steps.findIndex((step) => step.step === 'permission' && step.effect === 'ask');
  if (at >= 0) steps[at] = pass('permission', [{ said: say('only_reads') }]);
}

/** Step 4: every scope that the tool needs is granted to the profile. */
export function checkScopes(tool: RegisteredTool, profile: ResolvedProfile): StepAnswer {
  if (sourceKind(tool.source).runsElsewhere) return pass('scopes');
  const missing = missingScopes(tool, profile);
  return missing.length === 0 ? pass('scopes') : deny('scopes', scopeMissing(tool.modelName, missing, profile.id));
}

/** True where a person takes back what is theirs, whatever the profile lets agents do. */
export const isOwnUse = (tool: RegisteredTool, actor: Actor): boolean =>
  actor.type === 'user' && tool.definition.alwaysForPeople === true;

/** Steps 2 to 4: what this caller meets whatever the arguments are. */
export const callerSteps = (tool: RegisteredTool, profile: ResolvedProfile, actor: Actor): readonly StepAnswer[] =>
  isOwnUse(tool, actor)
    ? [pass('enabled'), checkPermission(tool, actor)]
    : [checkEnabled(tool, profile, actor), checkPermission(tool, actor), checkScopes(tool, profile)];

/**
 * The accesses by which policy and mode judge a call: the concrete ones and, for each declared side effect that none of
 * them shows, one whose resource is unknown, so that a tool cannot pass by saying nothing about itself.
 */
function judgedAccesses(tool: RegisteredTool, found: readonly Access[]): readonly Access[] {
  if (sourceKind(tool.source).isOurs) return found;
  const accesses = found.filter(({ suspected }) => suspected === undefined);
  const shown = new Set(accesses.map((access) => access.effect));
  return [
    ...accesses,
    ...tool.definition.sideEffects
      .filter((effect) => !shown.has(effect))
      .map((effect): Access => ({ effect, resource: '' })),
  ];
}

/** The accesses of a call, and apart from them what its arguments only might mean. */
export function callAccesses(tool: RegisteredTool, found: readonly Access[]): Pick<GateCall, 'accesses' | 'suspects'> {
  const suspects = found.filter(({ suspected }) => suspected !== undefined);
  return { accesses: judgedAccesses(tool, found), suspects: suspects.length > 0 ? suspects : undefined };
}

/**
 * Step 6: in `plan` every access must be read-only. A foreign tool that declares no effect at all is not known to only
 * read.
 */
export function checkMode(mode: Mode, tool: RegisteredTool, accesses: readonly Access[]): StepAnswer {
  if (mode === 'execute') return pass('mode');
  const writing = judgedAccesses(tool, accesses).filter((access) => !isReadOnly(access));
  if (writing.length > 0)
    return deny('mode', planMode(tool.modelName, [...new Set(writing.map((access) => access.effect))].join(', ')));
  const saysNothing =
    !sourceKind(tool.source).isOurs && accesses.length === 0 && tool.definition.sideEffects.length === 0;
  const mayOnlyRead = tool.definition.kind !== 'action' && tool.definition.kind !== 'control';
  if (saysNothing && !mayOnlyRead) return deny('mode', planMode(tool.modelName, say('undeclared_effect')));
  return pass('mode');
}

/** The confirmations that are still open after the waivers: what nobody may remove stays. */
export function openAsks(steps: readonly StepAnswer[]): readonly Reason[] {
  let waived = false;
  let asked = false;
  for (const step of steps) {
    if (step.effect === 'ask') asked = true;
    if (step.waivedBy !== undefined && step.waivedBy.length > 0) waived = true;
  }
  if (!asked) return [];
  const open: Reason[] = [];
  for (const step of steps) {
    if (step.effect !== 'ask') continue;
    for (const reason of step.reasons)
      if (reason.advisory !== true && !(waived && reason.waivable === true)) open.push(reason);
  }
  return open;
}
