import { say, type Sentence, type SentenceCode } from '../base/sentence';
import type { Missing } from '../vocabulary/missing';
import type { Verdict } from '../vocabulary/requirement';
import type { RequiredAction, Resolution, ResolverFinding } from '../vocabulary/resolution';

const verdicts = {
  yes: 'verdict_yes',
  'yes-after-probe': 'verdict_after_probe',
  'yes-after-approval': 'verdict_after_approval',
  'blocked-by-policy': 'verdict_blocked',
  no: 'verdict_no',
} as const satisfies Readonly<Record<Verdict, SentenceCode>>;

/** A verdict as people read it. */
export const verdictSaid = (verdict: Verdict): Sentence => say(verdicts[verdict]);

/** What the resolver found, as people read it; the reason of a rule goes beside it where there is room. */
export function findingSaid(finding: ResolverFinding): Sentence {
  switch (finding.kind) {
    case 'requirement':
      return say(`requirement_${finding.state}`, finding.id);
    case 'rule':
      return finding.noAccount ? say('rule_denies_for', finding.id, finding.noAccount) : say('rule_denies', finding.id);
    case 'advice':
      return say('rule_advises', finding.rule);
    case 'lack': {
      const { why } = finding.missing;
      return finding.tool === undefined ? why : say('tool_lacks', finding.tool, why);
    }
  }
}

/** What would have to be done, as people read it. */
export function actionSaid(action: RequiredAction): Sentence {
  switch (action.kind) {
    case 'probe':
      return say('action_probe', action.requirement);
    case 'approval':
      return say(`${action.of}_asks`, action.id);
    case 'set-up':
      return say('action_set_up', missingSaid(action.missing));
  }
}

/** What is to be set up: `the setting agentCapabilities.email.host`. */
export const missingSaid = ({ kind, name }: Missing): Sentence => say(`missing_${kind}`, name);

/** `yes-after-probe: key.meta_page_token is stale`: the verdict and what it hangs on most. */
export function resolutionSaid({ verdict, blocking, actions, warnings }: Resolution): Sentence {
  const approval = actions.find(({ kind }) => kind === 'approval');
  const [first] = [
    ...blocking.map(findingSaid),
    ...(approval ? [actionSaid(approval)] : []),
    ...warnings.map(findingSaid),
  ];
  return first === undefined ? verdictSaid(verdict) : say('verdict_because', verdictSaid(verdict), first);
}
