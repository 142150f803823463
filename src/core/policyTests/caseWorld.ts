import { SaidError, say } from '../base/sentence';
import type { ToolRouter } from '../gate/router';
import type { PolicyEngine } from '../policy/rules/engine';
import type { ResolvedProfile } from '../profiles/profile';
import type { ProfileStore } from '../profiles/profileStore';
import type { CapabilityRegistry } from '../registry/registry';
import type { CaseWorld } from './judgeCase';

/** The parts of the running system by which cases are judged. */
export interface CaseParts {
  readonly policy: PolicyEngine;
  readonly profiles: Pick<ProfileStore, 'active' | 'activeId' | 'resolve'>;
  readonly registry: Pick<CapabilityRegistry, 'tool' | 'toolsNamed'>;
  readonly gate: {
    readonly router: Pick<ToolRouter, 'describe'>;
    previewAs(profile: ResolvedProfile): ToolRouter['preview'];
  };
}

/** What one run of cases asks; profiles are resolved once, so a run takes them as they are when it begins. */
export function caseWorld({ policy, profiles, registry, gate }: CaseParts): CaseWorld {
  const previews = new Map<string, ToolRouter['preview']>();
  return {
    policy,
    tool: (reference) => registry.tool(reference) ?? registry.toolsNamed(reference)[0],
    describe: (invocation) => gate.router.describe(invocation),
    preview: (id, invocation) => {
      const wanted = id ?? profiles.activeId;
      let preview = previews.get(wanted);
      if (!preview) {
        const profile = id === undefined ? profiles.active() : profiles.resolve(id);
        if (!profile) throw new SaidError(say('case_profile_unknown', wanted));
        preview = gate.previewAs(profile);
        previews.set(wanted, preview);
      }
      return preview(invocation);
    },
  };
}
