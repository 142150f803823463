import { defined } from '../base/json';
import { say, worded } from '../base/sentence';
import { lineArguments } from '../hooks/hostToolTable';
import type { SideEffect } from '../vocabulary/access';
import type { ArgumentMatcher, BoundaryDecision, BoundaryMatch } from '../vocabulary/boundary';
import { anywhereInLine, onlyThisLine } from './commandText';
import { lineTools } from './toolsOfActs';
import type { RuleFormat, RuleRow, Statement, Verdict } from './statement';

const decisions: Readonly<Record<Verdict, BoundaryDecision>> = {
  deny: 'deny',
  ask: 'require_approval',
  allow: 'allow',
};
const running = ['system.exec', 'system.exec_fetched', 'system.exec_interactive'];
const changing = ['fs.write', 'fs.delete', 'fs.chmod'];
/** No argument that may be a command line, but for one. */
const noLine = (but?: string): Readonly<Record<string, ArgumentMatcher>> =>
  Object.fromEntries(lineArguments.flatMap((name) => (name === but ? [] : [[`/${name}`, { exists: false }]])));
/** Tools whose argument of such a name is a patch. */
const patching = 'host:*:{apply_patch,patch}';
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
      if (pattern === undefined) return [{ accessAny: running }, ...lineMatches({ exists: true })];
      // A line that is understood is judged by what it touches, so its text is asked for as well.
      return [{ command: [pattern, `*/${pattern}`] }, ...lineMatches({ regex: anywhereInLine(pattern) })];
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
      // A command that only reads files is no file tool: what allows it are rules about commands.
      return [{ ...touching(['fs.read']), ...defined({ path: reach.pattern }), argument: noLine() }];
    case 'write': {
      // An edit reads the file first; where reading needs no rule there, the rule covers it.
      const accessAny = readsFreely ? ['fs.read', 'fs.write'] : ['fs.write'];
      const match = { sideEffectsAny: ['fs.read', 'fs.write'], accessAny, ...defined({ path: reach.pattern }) };
      return [
        { ...match, argument: noLine() },
        { ...match, tool: patching },
      ];
    }
    case 'fetch':
      return [{ tool: fetching, ...touching(['network.http']), ...defined({ host: reach.pattern }) }];
    case 'run': {
      const { pattern } = reach;
      if (pattern === undefined) return [];
      return (['command', 'cmd'] as const).map((name) => ({
        ...touching(['system.exec']),
        command: pattern,
        argument: { ...noLine(name), [`/${name}`]: { regex: onlyThisLine(pattern) } },
      }));
    }
    case 'tool':
      return [{ tool: reach.pattern }];
    case 'any':
      return [];
  }
}

/** A tool that says of itself what it touches, and a call that touches nothing else. */
const touching = (effects: readonly SideEffect[]): BoundaryMatch => ({ sideEffectsAny: effects, accessAny: effects });

/** Calls of which an argument that may be a command line is as `matcher` says. */
const lineMatches = (matcher: ArgumentMatcher): readonly BoundaryMatch[] =>
  lineArguments.map((name) => ({
    // Other tools have such arguments too, which are no command lines.
    ...(name === 'script' || name === 'input' ? { tool: lineTools } : {}),
    argument: { [`/${name}`]: matcher },
  }));
