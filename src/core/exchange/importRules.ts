import { defined } from '../base/json';
import { say, worded } from '../base/sentence';
import type { BoundaryDecision, BoundaryMatch } from '../vocabulary/boundary';
import { anywhereInLine, onlyThisLine } from './commandText';
import type { RuleFormat, RuleRow, Statement, Verdict } from './statement';

const decisions: Readonly<Record<Verdict, BoundaryDecision>> = {
  deny: 'deny',
  ask: 'require_approval',
  allow: 'allow',
};
const running = ['system.exec', 'system.exec_fetched', 'system.exec_interactive'];
const changing = ['fs.write', 'fs.delete', 'fs.chmod'];
/** A command that only reads files is no file tool: what allows it are rules about commands. */
const noCommand = { '/command': { exists: false }, '/cmd': { exists: false } };
/** Tools that read a page and send nothing. */
const fetching = 'host:*:{WebFetch,web_fetch,webfetch,fetch_webpage}';

/**
 * The rules that say here what statements of another tool say there. What restricts does so at least as widely, what
 * allows at most: an `allow` covers a call only where it is about everything that the call touches.
 */
export function importedRules(statements: readonly Statement[], format: RuleFormat): readonly RuleRow[] {
  const rows = statements.flatMap((statement) => matchesOf(statement, format).map((match) => ({ statement, match })));
  return rows.map(({ statement: { verdict, from }, match }, index) => ({
    id: `${format.agent}.${verdict}.${index + 1}`,
    match: { actor: 'agent', ...match },
    decision: decisions[verdict],
    reason: worded(say('imported_from', format.title, from)),
  }));
}

function matchesOf({ verdict, reach }: Statement, format: RuleFormat): readonly BoundaryMatch[] {
  return verdict === 'allow' ? allowing(reach, format) : restricting(reach);
}

function restricting(reach: Statement['reach']): readonly BoundaryMatch[] {
  switch (reach.act) {
    case 'read':
      return [{ accessAny: ['fs.read'], ...defined({ path: reach.pattern }) }];
    case 'write':
      return [{ accessAny: changing, ...defined({ path: reach.pattern }) }];
    case 'fetch':
      return [{ accessAny: ['network.*'], ...defined({ host: reach.pattern }) }];
    case 'run': {
      const { pattern } = reach;
      if (pattern === undefined) return [{ accessAny: running }, { argument: { '/command': { exists: true } } }];
      // A line that is understood is judged by what it touches, so its text is asked for as well.
      return [{ command: [pattern, `*/${pattern}`] }, { argument: { '/command': { regex: anywhereInLine(pattern) } } }];
    }
    case 'tool':
      return [{ tool: reach.pattern }];
    case 'any':
      return [{}];
  }
}

function allowing(reach: Statement['reach'], { readsFreely }: RuleFormat): readonly BoundaryMatch[] {
  switch (reach.act) {
    case 'read':
      return [
        {
          sideEffectsAny: ['fs.read'],
          accessAny: ['fs.read'],
          ...defined({ path: reach.pattern }),
          argument: noCommand,
        },
      ];
    case 'write': {
      // An edit reads the file first; where reading needs no rule there, the rule covers it.
      const accessAny = readsFreely ? ['fs.read', 'fs.write'] : ['fs.write'];
      return [
        {
          sideEffectsAny: ['fs.read', 'fs.write'],
          accessAny,
          ...defined({ path: reach.pattern }),
          argument: noCommand,
        },
      ];
    }
    case 'fetch':
      return [
        {
          tool: fetching,
          sideEffectsAny: ['network.http'],
          accessAny: ['network.http'],
          ...defined({ host: reach.pattern }),
        },
      ];
    case 'run': {
      const { pattern } = reach;
      if (pattern === undefined) return [];
      return [
        {
          sideEffectsAny: ['system.exec'],
          accessAny: ['system.exec'],
          command: pattern,
          argument: { '/command': { regex: onlyThisLine(pattern) } },
        },
      ];
    }
    case 'tool':
      return [{ tool: reach.pattern }];
    case 'any':
      return [];
  }
}
