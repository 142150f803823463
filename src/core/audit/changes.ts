import { counted } from '../base/figures';
import type { Event } from '../base/event';
import { canonicalJson } from '../base/json';
import { type Disposable, DisposableStore } from '../base/lifecycle';
import type { Boundary } from '../vocabulary/boundary';
import type { Grant } from '../policy/grants/grants';
import type { FrozenPlan } from '../policy/plans/plans';
import type { Clock } from '../ports/platform';
import type { ResolvedProfile } from '../profiles/profile';
import type { Actor } from '../vocabulary/toolDefinition';
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
  const actor: Actor = { type: 'user', id: 'editor' };
  const record = (what: ChangeType, id: string, detail: string): void =>
    parts.audit.record({ type: 'changed', time: parts.clock.now(), what, id, detail, actor });

  const profileNow = (): { id: string; text: string } => {
    const { id, profile, mode } = parts.profiles.active();
    return { id, text: canonicalJson({ profile, mode }) };
  };
  let profile = profileNow();
  store.add(
    parts.profiles.onDidChange(() => {
      const before = profile;
      profile = profileNow();
      if (before.id !== profile.id) record('profile', profile.id, `switched from ${before.id}`);
      else if (before.text !== profile.text) record('profile', profile.id, 'edited');
    }),
  );

  let rules = byKey(parts.policy.boundaries, (one) => `${one.scope}/${one.id}`);
  store.add(
    parts.policy.onDidChange(() => {
      const before = rules;
      rules = byKey(parts.policy.boundaries, (one) => `${one.scope}/${one.id}`);
      const detail = difference(before, rules);
      if (detail !== '') record('policy', 'boundaries', detail);
    }),
  );

  let grants = new Map(parts.grants.list().map((one) => [one.id, one]));
  store.add(
    parts.grants.onDidChange(() => {
      const before = grants;
      grants = new Map(parts.grants.list().map((one) => [one.id, one]));
      for (const [id, grant] of grants)
        if (!before.has(id)) record('grant', id, `added for ${grant.toolName}: ${reachOf(grant)}`);
      for (const [id, grant] of before)
        if (!grants.has(id)) record('grant', id, `${endOf(grant, parts.clock.now())} for ${grant.toolName}`);
    }),
  );

  let plans = new Map(parts.plans.list().map((one) => [one.hash, one]));
  let active = parts.plans.active?.hash;
  store.add(
    parts.plans.onDidChange(() => {
      const before = plans;
      plans = new Map(parts.plans.list().map((one) => [one.hash, one]));
      for (const [hash, plan] of plans) {
        const old = before.get(hash);
        if (!old || old.frozenAt !== plan.frozenAt)
          record('plan', hash, `frozen with ${counted(plan.calls.length, 'line')}`);
        if (plan.isApproved && !old?.isApproved) record('plan', hash, 'approved as a batch');
      }
      for (const hash of before.keys()) if (!plans.has(hash)) record('plan', hash, 'revoked');
      const now = parts.plans.active?.hash;
      if (now === undefined && active !== undefined && plans.has(active)) record('plan', active, 'ended');
      active = now;
    }),
  );
  if (parts.definitions) store.add(watchDefinitions(parts.definitions, record));
  return store;
}

function watchDefinitions(
  parts: NonNullable<WatchedParts['definitions']>,
  record: (what: ChangeType, id: string, detail: string) => void,
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
      if (!old) record('definition', id, `added by ${one.file}, ${one.state}`);
      else if (old.state !== one.state) record('definition', id, `${one.state}, ${old.state} before, in ${one.file}`);
      else if (old.signature !== one.signature) record('definition', id, `edited in ${one.file}`);
    }
    for (const [id, old] of before) if (!known.has(id)) record('definition', id, `removed with ${old.file}`);
  });
}

/** Where a grant holds and for how long, in a form that `noteWords` reads. */
function reachOf({ cover, scope, expiresAt }: Grant): string {
  const where =
    cover.type === 'files'
      ? `${cover.folder}/**`
      : cover.type === 'resources'
        ? cover.accesses.map((one) => one.pattern.replace(/^=/, '')).join(', ')
        : cover.type;
  return `${where} · ${scope}${expiresAt === undefined ? '' : ` until ${new Date(expiresAt).toISOString()}`}`;
}

/** A grant with one use left that goes was used up; nothing else takes it before its time but a person. */
function endOf(grant: Grant, now: number): string {
  if (grant.expiresAt !== undefined && now >= grant.expiresAt) return 'expired';
  return grant.usesLeft === 1 ? 'used up or revoked' : 'revoked';
}

function byKey(boundaries: readonly Boundary[], key: (one: Boundary) => string): ReadonlyMap<string, string> {
  return new Map(boundaries.map((one) => [key(one), JSON.stringify(one)]));
}

function difference(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string {
  const added = [...after.keys()].filter((key) => !before.has(key));
  const removed = [...before.keys()].filter((key) => !after.has(key));
  const changed = [...after].filter(([key, text]) => before.has(key) && before.get(key) !== text).map(([key]) => key);
  return [named('added', added), named('removed', removed), named('changed', changed)]
    .filter((text) => text !== '')
    .join('; ');
}

function named(verb: string, ids: readonly string[]): string {
  if (ids.length === 0) return '';
  const more = ids.length > mostNamed ? ` and ${ids.length - mostNamed} more` : '';
  return `${verb} ${ids.slice(0, mostNamed).join(', ')}${more}`;
}
