import type { Boundary } from '../../vocabulary/boundary';
import { type Access, familyOf } from '../../vocabulary/access';
import { judgeHost } from '../../hosts/address';
import { textOf } from '../../hosts/networkPlace';
import { firingOf } from './decide';
import type { CompiledRule } from './compile';
import { accessFacts, type AccessFacts, type PolicySubject } from './subject';

/** A rule that denies what an argument might mean. */
interface DeniedSuspect {
  readonly rule: CompiledRule;
  readonly reason: Boundary['reason'];
  readonly access: Access;
}

/** A place that nobody names: a rule that covers it too covers everything, and says nothing about a guess. */
const nowhere: Readonly<Record<'fs' | 'network', string>> = {
  fs: 'nowhere-7f3a',
  network: 'http://nowhere-7f3a.invalid/',
};

/**
 * Finds the rule that denies one of the places that a call's arguments might mean. Rules that ask, advise or allow have
 * no say here, and neither have those on trial or about the call as a whole, which judged the call already.
 */
export function deniedSuspect(rules: Iterable<CompiledRule>, subject: PolicySubject): DeniedSuspect | undefined {
  for (const rule of rules) {
    if (rule.isLoosening || !rule.hasAccessClauses || rule.boundary.severity === 'soft' || !rule.concerns(subject))
      continue;
    const { decision, sparesMentions } = rule.boundary;
    if (decision !== 'deny' && decision !== 'deny_unless_account') continue;
    const found = subject.accesses.find(
      (one) =>
        !(sparesMentions && one.access.mentioned && !isMetadata(one)) &&
        rule.matchesAccess(one) &&
        (one.access.suspected !== 'guessed' || namesIt(rule, one)),
    );
    if (!found) continue;
    // The reasons of a table are compiled when it is asked why: mostly none of its rules fires.
    const firing = firingOf(rule, subject);
    if (firing.kind === 'deny') return { rule, reason: firing.reason, access: found.access };
  }
  return undefined;
}

/** What answers there hands out the keys of a machine, so a text has no honest reason to lead to it. */
function isMetadata({ network }: AccessFacts): boolean {
  return (network?.hosts ?? []).some((host) => {
    const text = textOf(host);
    const verdict = text === undefined ? undefined : judgeHost(text).verdict;
    return verdict?.public === false && verdict.metadata;
  });
}

function namesIt(rule: CompiledRule, { access }: AccessFacts): boolean {
  const resource = nowhere[familyOf(access.effect) === 'fs' ? 'fs' : 'network'];
  return !rule.matchesAccess(accessFacts({ ...access, resource }));
}
