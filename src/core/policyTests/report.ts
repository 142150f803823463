import { counted } from '../base/figures';
import { visible } from '../base/visible';
import type { RuleCoverage } from '../policy/cases/coverage';
import type { CompiledRule } from '../policy/rules/compile';
import type { PolicyCase } from './caseFile';
import { failureLines } from './failure';
import { hasPassed, type JudgedCase } from './judgeCase';
import type { MutationResult } from './mutation';

/** What a run of cases found. */
export interface PolicyTestRun {
  readonly cases: readonly JudgedCase[];
  /** The rules by which failures are explained. */
  readonly rules: readonly CompiledRule[];
  readonly durationMs: number;
  readonly coverage?: readonly RuleCoverage[];
  readonly mutation?: MutationResult;
}

const placeOf = ({ file, line }: PolicyCase): string => `${file}:${line}`;

/** For people: each failure with its reasons, then the sums. */
export function reportText(run: PolicyTestRun): string {
  const lines: string[] = [];
  for (const judged of run.cases) {
    if (hasPassed(judged)) continue;
    lines.push(`✗ ${placeOf(judged.case)} ${judged.case.name}`);
    lines.push(...failureLines(judged, run.rules).map((line) => `    ${line}`), '');
  }
  const failed = run.cases.filter((one) => !hasPassed(one)).length;
  const passed = run.cases.length - failed;
  lines.push(
    `${counted(run.cases.length, 'case')}: ${passed} passed, ${failed} failed (${Math.round(run.durationMs)} ms)`,
  );
  if (run.coverage) lines.push(...coverageLines(run.coverage));
  if (run.mutation) lines.push(...mutationLines(run.mutation));
  return visible(lines.join('\n'));
}

function coverageLines(rules: readonly RuleCoverage[]): readonly string[] {
  const reached = rules.filter(({ fired }) => fired > 0).length;
  const lines = [`coverage: ${reached} of ${counted(rules.length, 'rule')} spoke for a case`];
  for (const { boundary, fired, untested } of rules) {
    if (fired === 0) lines.push(`  ${boundary.id}: no case reaches it`);
    else if (untested.length > 0) lines.push(`  ${boundary.id}: no case depends on ${untested.join(', ')}`);
  }
  return lines;
}

function mutationLines({ planted, found, score, survivors }: MutationResult): readonly string[] {
  return [
    `mutation score ${score.toFixed(3)}: ${found} of ${planted} planted mistakes were noticed`,
    ...survivors.map(({ rule, change }) => `  nobody noticed: ${rule}: ${change}`),
  ];
}

/** For harnesses that read the Test Anything Protocol, version 13. */
export function reportTap({ cases, rules }: PolicyTestRun): string {
  const lines = ['TAP version 13', `1..${cases.length}`];
  cases.forEach((judged, index) => {
    // A hash would begin a directive.
    const name = visible(`${judged.case.name} (${placeOf(judged.case)})`)
      .replaceAll(/[\r\n]+/g, ' ')
      .replaceAll('#', '\\#');
    lines.push(`${hasPassed(judged) ? 'ok' : 'not ok'} ${index + 1} - ${name}`);
    if (hasPassed(judged)) return;
    lines.push('  ---', ...failureLines(judged, rules).map((line) => `  - ${JSON.stringify(visible(line))}`), '  ...');
  });
  return lines.join('\n');
}

/** For services that show results of tests: one suite for each file. */
export function reportJunit({ cases, rules, durationMs }: PolicyTestRun): string {
  const files = [...new Set(cases.map((one) => one.case.file))];
  const failed = (some: readonly JudgedCase[]): number => some.filter((one) => !hasPassed(one)).length;
  const suites = files.map((file) => {
    const own = cases.filter((one) => one.case.file === file);
    const rows = own.map((judged) => {
      const head = `    <testcase name="${xml(judged.case.name)}" classname="${xml(file)}" line="${judged.case.line}"`;
      if (hasPassed(judged)) return `${head}/>`;
      const text = failureLines(judged, rules);
      return `${head}>\n      <failure message="${xml(text[2] ?? '')}">${xml(text.join('\n'))}</failure>\n    </testcase>`;
    });
    return `  <testsuite name="${xml(file)}" tests="${own.length}" failures="${failed(own)}">\n${rows.join('\n')}\n  </testsuite>`;
  });
  const sums = `tests="${cases.length}" failures="${failed(cases)}" time="${(durationMs / 1000).toFixed(3)}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${sums}>\n${suites.join('\n')}\n</testsuites>`;
}

/** A text as XML may hold it; what it may not is shown as what it is. */
function xml(text: string): string {
  return visible(text)
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\u{fffd}')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
