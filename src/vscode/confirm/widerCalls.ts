import { allowanceOf, beyond } from '../../core/profiles/allowance';
import { resolveProfile, type ResolvedProfile } from '../../core/profiles/profile';
import { switchCapabilities } from '../../core/profiles/profileEdit';
import type { ProfileStore } from '../../core/profiles/profileStore';
import type { CapabilityRegistry } from '../../core/registry/registry';
import { wideningLines } from '../../core/present/allowanceWords';
import type { Translate } from '../../core/base/translate';

interface WiderCallContext {
  readonly profiles: ProfileStore;
  readonly registry: CapabilityRegistry;
  readonly t: Translate;
}

/**
 * What a command of ours would allow beyond what holds now, where somebody else calls it with arguments; undefined
 * where it is nothing.
 */
export function widerCall(
  { profiles, registry, t }: WiderCallContext,
  id: string,
  args: readonly unknown[],
): readonly string[] | undefined {
  const [first] = args;
  const active = profiles.active();
  switch (id) {
    case 'switchProfile': {
      // Anything but a name is answered by the list, which a person picks from.
      const wanted =
        typeof first === 'string' && !profiles.isWithin(first, profiles.activeId) ? profiles.resolve(first) : undefined;
      return wanted && moreLines(active, wanted, t);
    }
    case 'setMode': {
      // `plan` only takes away; anything but a mode is answered by the list, which a person picks from.
      if (first !== 'execute' || active.profile.mode === 'execute') return undefined;
      return moreLines(active, resolveProfile({ ...active.profile, mode: 'execute' }, registry, active.kept), t);
    }
    case 'disableCapability': {
      const capability = typeof first === 'string' ? registry.capability(first)?.id : undefined;
      // An unknown name is answered by the command; a row that is none of ours could name anything.
      if (capability === undefined) return typeof first === 'string' ? undefined : [];
      const after = resolveProfile(
        switchCapabilities(registry, [capability], false)(active.profile),
        registry,
        active.kept,
      );
      return beyond(allowanceOf(after), allowanceOf(active)).length > 0 ? moreLines(active, after, t) : undefined;
    }
    default:
      return [];
  }
}

/** All that would be allowed or told to the model beyond what holds now. */
export function moreLines(from: ResolvedProfile, to: ResolvedProfile, t: Translate): readonly string[] {
  return [t('Beyond what holds now:'), ...wideningLines(from, to, t), ''];
}
