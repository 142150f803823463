import { readFileSync } from 'node:fs';
import type { Core } from '../app/compose';
import { isObject } from '../core/base/json';
import { type FoundPlan, readPlan } from '../core/agent/planText';
import { asked, type CliArgs, UsageError } from './args';

/**
 * Holds the calls of a command to the frozen plan of `--plan FILE`. A file whose calls are no longer those that were
 * frozen is a usage error. With `--state-dir` what was used of the plan stays used. Without `--plan` none
 * holds.
 */
export function followPlan({ policy: { plans } }: Core, args: CliArgs): void {
  const file = args.value('plan');
  if (file === undefined) {
    // A plan that an earlier command followed with the same `--state-dir` holds no other.
    if (plans.active) plans.activate(undefined);
    return;
  }
  const raw = readJson(file);
  const plan = planOf(raw, file);
  const hash = isObject(raw) ? raw['hash'] : undefined;
  if (hash === undefined)
    throw new UsageError(
      `\`${file}\` is not frozen; \`plan freeze\` freezes it, and \`--out\` names the file for \`--plan\``,
    );
  if (hash !== plans.hashOf(plan.calls))
    throw new UsageError(`the calls in \`${file}\` are not those that were frozen; freeze it anew`);
  if (plans.list().some((one) => one.hash === hash)) plans.activate(hash);
  else plans.freeze(plan.title, plan.calls);
  if (isObject(raw) && raw['isApproved'] === true) plans.approve(hash);
}

/** The plan of a file: `{ "title", "calls" }`, or the calls alone; what is wrong with it is a usage error. */
export function planOf(raw: unknown, file: string): Extract<FoundPlan, { ok: true }> {
  const found = readPlan(raw);
  if (!found.ok)
    throw new UsageError(`\`${file}\` holds no plan: ${found.problems.map(({ message }) => message).join('; ')}`);
  return found;
}

export function readJson(file: string): unknown {
  return asked(`the plan \`${file}\` cannot be read`, () => JSON.parse(readFileSync(file, 'utf8')));
}
