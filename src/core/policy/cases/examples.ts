import { type Problem, problem } from '../../base/problem';
import { saidBy, say, type Sentence } from '../../base/sentence';
import type { Boundary } from '../../vocabulary/boundary';
import type { RuleAnswer } from '../../vocabulary/callSketch';
import type { CompiledRule } from '../rules/compile';
import { firingOf, fires } from '../rules/decide';
import type { PolicySubject } from '../rules/subject';
import { examplesOf } from '../rules/presetExamples';
import { sketchSubject, sketchText, type SketchWorld } from './sketchSubject';

/** A problem of an example, with the rule that it stands in. */
interface ExampleProblem extends Problem {
  readonly boundary: Boundary;
  /** Its place in `examples`. */
  readonly example: number;
}

/**
 * Holds every example against its own rule, all other rules aside. One that the rule answers otherwise is an error; one
 * that cannot be checked here, because its tool is not there, is information.
 */
export async function exampleProblems(
  rules: readonly CompiledRule[],
  world: SketchWorld,
): Promise<readonly ExampleProblem[]> {
  const found: ExampleProblem[] = [];
  for (const rule of rules) {
    const { boundary } = rule;
    for (const [example, sketch] of examplesOf(boundary).entries()) {
      const report = (severity: Problem['severity'], code: string, about: Sentence): void => {
        const said = say('boundary_note', boundary.id, about);
        found.push({ ...problem({ severity, code, said, subject: boundary.id }), boundary, example });
      };
      let subject: PolicySubject;
      try {
        subject = await sketchSubject(sketch, world);
      } catch (error) {
        const about = say('example_unchecked', example + 1, sketchText(sketch), saidBy(error));
        report('information', 'unchecked_example', about);
        continue;
      }
      // A rule on trial is asked as if it were in force.
      const answer: RuleAnswer = fires(rule, subject) ? firingOf(rule, subject).kind : 'pass';
      if (answer === sketch.expect) continue;
      const missed = rule
        .clauses(subject)
        .filter(({ matched }) => !matched)
        .map(({ clause }) => clause);
      const why = answer === 'pass' && missed.length > 0 ? say('example_why_not', missed) : '';
      const about = say('example_wrong', example + 1, sketchText(sketch), sketch.expect, answer, why);
      report('error', 'wrong_example', about);
    }
  }
  return found;
}
