import { noteChange } from './noteChange';
import type { Event } from '../base/event';
import { canonicalJson } from '../base/json';
import { type Disposable, DisposableStore } from '../base/lifecycle';
import { say, type Sentence } from '../base/sentence';
import type { Boundary } from '../vocabulary/boundary';
import type { Grant } from '../policy/grants/grant';
import type { FrozenPlan } from '../policy/plans/frozenPlan';
import type { Clock } from '../ports/platform';
import type { ResolvedProfile } from '../profiles/profile';
import type { AuditSink, ChangeType } from './event';

/** A definition as it stands now: whether it acts, and where it comes from. */
export interface SettledDefinition {
  readonly capabilityId: string;
  readonly file: string;
  readonly state: 'active' | 'pending' | 'failed';
  /** Another text where what the definition says is another, while it is active. */
  readonly signature?: string;
}

/** What is watched; each event says that its list may have changed. */
interface WatchedParts {
  readonly audit: AuditSink;
  readonly clock: Clock;
  readonly profiles: { active(): ResolvedProfile; readonly onDidChange: Event<void> };
  readonly policy: { readonly boundaries: readonly Boundary[]; readonly onDidChange: Event<void> };
  readonly grants: { list(): readonly Grant[]; readonly onDidChange: Event<void> };
  /** The first reading after the start is what stood there; what later ones find is a change. */
  readonly definitions?: { definitions(): readonly SettledDefinition[]; readonly onDidChange: Event<void> };
  readonly plans: {
    list(): readonly FrozenPlan[];
    readonly active: FrozenPlan | undefined;
    readonly onDidChange: Event<void>;
  };
}

/** More ids than a reader takes in are counted instead. */
const mostNamed = 10;

/**
 * Records what changes while the window is open: the profile, the rules, grants, frozen plans and definitions. What
 * stood there at the start is no change. The surface cannot tell who edited a file, so changes are the user's: an agent
 * has no tool for any of them.
 */
export function recordChanges(parts: WatchedParts): Disposable {
  const store = new DisposableStore();
  const record = (what: ChangeType, id: string, detail: Sentence): void => noteChange(parts, what, id, detail);

  const follow = <State>(event: Event<void>, read: () => State, tell: (before: State, now: State) => void): void => {
    let state = read();
    store.add(
      event(() => {
        const before = state;
        state = read();
        tell(before, state);
      }),
    );
  };

  follow(
    parts.profiles.onDidChange,
    () => profileState(parts.profiles.active()),
    (before, profile) => {
      if (before.id !== profile.id) return record('profile', profile.id, say('note_switched', before.id));
      if (isEdited(before, profile)) return record('profile', profile.id, say('note_edited'));
      // Servers and definitions that come and go are in a profile and out of it, and nobody edits it.
      const differences = difference(before.entries, profile.entries);
      if (differences.length > 0) record('profile', profile.id, say('as_it_is', differences));
    },
  );
  follow(
    parts.policy.onDidChange,
    () => new Map(parts.policy.boundaries.map((one) => [`${one.scope}/${one.id}`, JSON.stringify(one)])),
    (before, rules) => {
      const differences = difference(before, rules);
      if (differences.length > 0) record('policy', 'boundaries', say('as_it_is', differences));
    },
  );
  follow(
    parts.grants.onDidChange,
    () => new Map(parts.grants.list().map((one) => [one.id, one])),
    (before, grants) => {
      for (const [id, grant] of grants)
        if (!before.has(id)) record('grant', id, say('note_grant_added', grantSaid(grant)));
      for (const [id, grant] of before)
        if (!grants.has(id)) record('grant', id, say(endOf(grant, parts.clock.now()), grantSaid(grant)));
    },
  );
  follow(
    parts.plans.onDidChange,
    () => ({ plans: new Map(parts.plans.list().map((one) => [one.hash, one])), active: parts.plans.active?.hash }),
    (before, { plans, active }) => {
      for (const [hash, plan] of plans) {
        const old = before.plans.get(hash);
        if (!old || old.frozenAt !== plan.frozenAt) record('plan', hash, frozenSaid(plan.calls.length));
        if (plan.isApproved && !old?.isApproved) record('plan', hash, say('note_plan_approved'));
      }
      for (const hash of before.plans.keys()) if (!plans.has(hash)) record('plan', hash, say('note_plan_revoked'));
      if (active === undefined && before.active !== undefined && plans.has(before.active))
        record('plan', before.active, say('note_plan_ended'));
    },
  );
  if (parts.definitions) store.add(watchDefinitions(parts.definitions, record));
  return store;
}

function watchDefinitions(
  parts: NonNullable<WatchedParts['definitions']>,
  record: (what: ChangeType, id: string, detail: Sentence) => void,
): Disposable {
  const now = (): ReadonlyMap<string, SettledDefinition> =>
    new Map(parts.definitions().map((one) => [one.capabilityId, one]));
  let known: ReadonlyMap<string, SettledDefinition> | undefined;
  return parts.onDidChange(() => {
    const before = known;
    known = now();
    if (!before) return;
    for (const [id, one] of known) {
      const old = before.get(id);
      if (!old) record('definition', id, say('note_definition_added', one.file, stateSaid[one.state]));
      else if (old.state !== one.state) {
        const states = [stateSaid[one.state], stateSaid[old.state]] as const;
        record('definition', id, say('note_definition_turned', one.file, ...states));
      } else if (old.signature !== one.signature) record('definition', id, say('note_definition_edited', one.file));
    }
    for (const [id, old] of before)
      if (!known.has(id)) record('definition', id, say('note_definition_removed', old.file));
  });
}

interface ProfileState {
  readonly id: string;
  /** All but the capabilities. */
  readonly text: string;
  readonly entries: ReadonlyMap<string, string>;
}

function profileState({ id, profile, mode }: ResolvedProfile): ProfileState {
  const { capabilities, ...rest } = profile;
  return {
    id,
    text: canonicalJson({ profile: rest, mode }),
    entries: new Map(capabilities.map((entry) => [entry.ref, canonicalJson(entry)])),
  };
}

/** Whether more changed than that capabilities came, went or have another entry: something else, or their order. */
function isEdited(before: ProfileState, now: ProfileState): boolean {
  const order = ({ entries }: ProfileState, { entries: others }: ProfileState): string =>
    JSON.stringify([...entries.keys()].filter((ref) => others.has(ref)));
  return before.text !== now.text || order(before, now) !== order(now, before);
}

const stateSaid = {
  active: say('note_definition_active'),
  pending: say('note_definition_pending'),
  failed: say('note_definition_failed'),
} as const;

const scopeSaid = {
  once: say('note_once'),
  session: say('note_session'),
  workspace: say('note_workspace'),
  always: say('note_always'),
} as const;

const frozenSaid = (lines: number): Sentence => (lines === 1 ? say('note_frozen_one') : say('note_frozen', lines));

/** What a grant allows, where, and for how long; its end as an ISO time. */
function grantSaid({ cover, scope, expiresAt, toolName }: Grant): Sentence {
  const what = cover.type === 'files' ? say('note_file_changes') : toolName;
  const term = scopeSaid[scope];
  return expiresAt === undefined
    ? say('note_grant', what, whereSaid(cover), term)
    : say('note_grant_until', what, whereSaid(cover), term, new Date(expiresAt).toISOString());
}

function whereSaid(cover: Grant['cover']): Sentence | string {
  if (cover.type === 'files') return `${cover.folder}/**`;
  if (cover.type === 'resources') return cover.accesses.map((one) => one.pattern.replace(/^=/, '')).join(', ');
  return say(cover.type === 'tool' ? 'note_any_call' : 'note_exact_arguments');
}

/** A grant with one use left that goes was used up; nothing else takes it before its time but a person. */
function endOf(grant: Grant, now: number): 'note_grant_expired' | 'note_grant_used_up' | 'note_grant_revoked' {
  if (grant.expiresAt !== undefined && now >= grant.expiresAt) return 'note_grant_expired';
  return grant.usesLeft === 1 ? 'note_grant_used_up' : 'note_grant_revoked';
}

function difference(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly Sentence[] {
  const added = [...after.keys()].filter((key) => !before.has(key));
  const removed = [...before.keys()].filter((key) => !after.has(key));
  const changed = [...after].filter(([key, text]) => before.has(key) && before.get(key) !== text).map(([key]) => key);
  return [
    ...(added.length > 0 ? [say('note_added', named(added))] : []),
    ...(removed.length > 0 ? [say('note_removed', named(removed))] : []),
    ...(changed.length > 0 ? [say('note_changed', named(changed))] : []),
  ];
}

function named(ids: readonly string[]): Sentence | string {
  const shown = ids.slice(0, mostNamed).join(', ');
  return ids.length > mostNamed ? say('and_more', shown, ids.length - mostNamed) : shown;
}
