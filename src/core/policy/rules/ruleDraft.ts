import type { JsonObject } from '../../base/json';
import { pathGlob } from '../../base/pathGlob';
import { worded } from '../../base/sentence';
import { type Access, accessHost, familyOf, type SideEffect } from '../../vocabulary/access';
import { draftedReason } from './draftedReason';
import { literalPath } from './literalPath';
import { broadPathTest } from './pathRule';
import { accessFacts } from './subject';

/** A call of the past, as far as a rule about calls like it can be made from it. */
export interface JudgedCall {
  /** The tool's id; it matches after a renaming too. */
  readonly tool: string;
  readonly toolName: string;
  readonly accesses: readonly Access[];
  /** What became of it. */
  readonly outcome: 'denied' | 'ran';
  readonly isAgents: boolean;
}

/** The tool that a rule is about, and whose calls. */
export type RuleTool = Pick<JudgedCall, 'tool' | 'toolName' | 'isAgents'>;

/** What a rule is about. */
export type RuleTarget =
  | { readonly type: 'file' | 'folder' | 'pattern' | 'outside'; readonly changes: boolean; readonly pattern: string }
  | { readonly type: 'host'; readonly host: string }
  | { readonly type: 'tool' };

export type DraftDecision = 'deny' | 'ask';

const changing: readonly SideEffect[] = ['fs.write', 'fs.delete', 'fs.chmod'];

/**
 * What a rule made from a call may be about, the narrowest first: each file or host that it touched, the folder of each
 * file, and the tool. A call that was stopped before anybody knew what it touches leaves the tool alone.
 */
export function ruleTargets(call: JudgedCall): readonly RuleTarget[] {
  const targets: RuleTarget[] = [];
  for (const access of call.accesses) {
    const host = accessHost(access);
    if (host !== undefined) targets.push({ type: 'host', host });
    if (familyOf(access.effect) === 'fs' && access.resource !== '') targets.push(...fileTargets(access));
  }
  const order = ['file', 'folder', 'pattern', 'host', 'tool'];
  const seen = new Map(targets.map((one) => [JSON.stringify(one), one]));
  const sorted = [...seen.values()].sort((a, b) => order.indexOf(a.type) - order.indexOf(b.type));
  return [...sorted, { type: 'tool' }];
}

function fileTargets({ effect, resource }: Access): readonly RuleTarget[] {
  const changes = effect !== 'fs.read';
  const slash = resource.lastIndexOf('/');
  const name = resource.slice(slash + 1);
  // The folder of everything is the workspace; a path that leads out of it is named by nothing wider.
  if (resource === '.') return [{ type: 'folder', changes, pattern: '**' }];
  if (resource.split('/').includes('..')) return [{ type: 'file', changes, pattern: literalPath(resource) }];
  return [
    { type: 'file', changes, pattern: literalPath(resource) },
    ...(slash > 0
      ? [{ type: 'folder', changes, pattern: `${literalPath(resource.slice(0, slash))}/**` } as const]
      : []),
    { type: 'pattern', changes, pattern: `**/${literalPath(name)}` },
  ];
}

/**
 * What a person may be asked for, the first being what was answered to the call: whoever was refused is not let through
 * by default, and what ran is not closed by default.
 */
export function draftDecisions({ outcome }: Pick<JudgedCall, 'outcome'>): readonly DraftDecision[] {
  return outcome === 'denied' ? ['deny', 'ask'] : ['ask', 'deny'];
}

/**
 * Tells whether a path pattern of a rule takes in the call that the rule is made from; false where it cannot be read.
 */
export function coversCall(pattern: string, { accesses }: Pick<JudgedCall, 'accesses'>): boolean {
  try {
    pathGlob(pattern);
    const fits = broadPathTest([pattern]);
    return accesses.some((access) => {
      const { path } = accessFacts(access);
      return path !== undefined && fits(path);
    });
  } catch {
    return false;
  }
}

/**
 * Writes the rule as it stands in `boundaries.json` and in `policy.boundaries`.
 * @param call the call that it comes from, or the tool alone that it is about.
 * @param facts.taken ids that other rules have already.
 * @param facts.isNew true where no call was its reason.
 */
export function draftRule(
  call: RuleTool,
  decision: DraftDecision,
  target: RuleTarget,
  { taken, day, isNew }: { readonly taken: ReadonlySet<string>; readonly day: string; readonly isNew?: boolean },
): JsonObject & { readonly id: string } {
  const { name, match } = aboutOf(target, call);
  return {
    id: freeId(`${decision}-${name}`, taken),
    match: { ...(call.isAgents ? { actor: 'agent' } : {}), ...match },
    decision,
    reason: worded(draftedReason(day, isNew ? undefined : call.toolName)),
  };
}

/** What a rule is about, in its id and in its clauses. */
function aboutOf(target: RuleTarget, call: RuleTool): { readonly name: string; readonly match: JsonObject } {
  switch (target.type) {
    case 'tool':
      return { name: call.toolName, match: { tool: literalPath(call.tool) } };
    case 'host':
      return { name: target.host, match: { accessAny: ['network.*'], host: target.host } };
    case 'outside':
      return {
        name: `change-outside-${target.pattern}`,
        match: { accessAny: [...changing], pathNot: target.pattern },
      };
    default: {
      const accessAny = target.changes ? [...changing] : ['fs.read'];
      const name = `${target.changes ? 'change' : 'read'}-${target.pattern}`;
      return { name, match: { accessAny, path: target.pattern } };
    }
  }
}

function freeId(wanted: string, taken: ReadonlySet<string>): string {
  const plain = wanted
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '');
  for (let id = plain, next = 2; ; id = `${plain}-${next++}`) if (!taken.has(id)) return id;
}
