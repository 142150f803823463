import { foreignLine } from '../base/foreignWords';
import { worded } from '../base/sentence';
import type { Missing } from '../vocabulary/missing';
import type { Verdict } from '../vocabulary/requirement';
import type { RequiredAction, Resolution, ResolverFinding } from '../vocabulary/resolution';

/** A resolution in the form of its JSON: its field names and lines are those that agents and programs read. */
export interface ResolutionLines {
  readonly verdict: Verdict;
  /** `<requirement>: red`, `policy:<boundary>`. */
  readonly blocking: readonly string[];
  /** `probe:<requirement>`, `approval:<boundary or capability>`, `set-up:<kind>:<name>`. */
  readonly required_actions: readonly string[];
  /** `<requirement>: stale`, `<boundary>: advisory`. */
  readonly warnings: readonly string[];
}

type Word = (id: string) => string;

/**
 * The lines of a resolution, each once. They are only written: whoever acts on what was found looks at the resolution.
 * @param word how an id is told; as it is written where nobody says otherwise.
 */
export function resolutionLines(resolution: Resolution, word: Word = (id) => id): ResolutionLines {
  const { verdict, blocking, actions, warnings } = resolution;
  const found = (findings: readonly ResolverFinding[]): readonly string[] => [
    ...new Set(findings.map((one) => findingLine(one, word))),
  ];
  return {
    verdict,
    blocking: found(blocking),
    required_actions: [...new Set(actions.map((one) => actionLine(one, word)))],
    warnings: found(warnings),
  };
}

function findingLine(finding: ResolverFinding, word: Word): string {
  switch (finding.kind) {
    case 'requirement':
      return `${word(finding.id)}: ${finding.state}`;
    case 'rule':
      return `policy:${word(finding.id)}${finding.noAccount ? `: ${worded(finding.noAccount)}` : ''}`;
    case 'advice':
      return `${word(finding.rule)}: advisory`;
    case 'lack': {
      const { missing, tool } = finding;
      return `${tool === undefined ? '' : `${word(tool)}: `}${missingName(missing, word)}: ${foreignLine(worded(missing.why))}`;
    }
  }
}

function actionLine(action: RequiredAction, word: Word): string {
  switch (action.kind) {
    case 'probe':
      return `probe:${word(action.requirement)}`;
    case 'approval':
      return `approval:${word(action.id)}`;
    case 'set-up':
      return `set-up:${missingName(action.missing, word)}`;
  }
}

const missingName = ({ kind, name }: Missing, word: Word): string => word(`${kind}:${name}`);
