import { isObject } from '../base/json';
import type { PlannedCall } from '../policy/plans/plannedCall';
import { parsePlannedCalls } from '../policy/plans/plans';
import { type Problem, problem } from '../base/problem';
import { parseJsonc } from '../base/jsonc';
import { say, type Sentence } from '../base/sentence';

/** Told to the model in plan mode, so that its answer ends in something that can be frozen. */
export const planInstructions = `You are in plan mode: you can read, and every call that would change something is denied.
Find out what you need, then answer with a plan. End the answer with one fenced block marked \`json plan\` that lists every call that
carrying out the plan will make, in order, and nothing else:

\`\`\`json plan
{ "title": "what the plan does", "calls": [ { "tool": "write_file", "arguments": { "path": "src/a.ts", "content": { "exists": true } }, "count": 1 } ] }
\`\`\`

An argument is a value that must be equal, or a matcher: { "glob": "src/**" }, { "exists": true }, { "oneOf": [...] }. Arguments that are not named must be left out of the call.`;

export type FoundPlan =
  | { readonly ok: true; readonly title: string; readonly calls: readonly PlannedCall[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Finds the last plan in a text; undefined where there is none. */
export function findPlan(text: string): FoundPlan | undefined {
  const blocks = [...text.matchAll(/```json plan[^\S\n]*\n([\s\S]*?)\n?```/g)];
  const last = blocks.at(-1)?.[1];
  if (last === undefined) return undefined;
  try {
    return readPlan(JSON.parse(last));
  } catch {
    return { ok: false, problems: [problem({ severity: 'error', code: 'invalid_plan', said: faultOf(last) })] };
  }
}

/** What keeps a text from being JSON, and where; comments and a comma at the end are none of JSON itself. */
function faultOf(text: string): Sentence {
  const [fault] = parseJsonc(text).faults;
  if (!fault) return say('plan_no_strict_json');
  const before = text.slice(0, fault.offset).split('\n');
  return say('plan_no_json', fault.said, before.length, (before.at(-1)?.length ?? 0) + 1);
}

/** Reads a plan: `{ "title", "calls" }`, or the calls alone. */
export function readPlan(raw: unknown): FoundPlan {
  const parsed = parsePlannedCalls(isObject(raw) ? raw['calls'] : raw);
  if (parsed.problems.length > 0) return { ok: false, problems: parsed.problems };
  const title = isObject(raw) && typeof raw['title'] === 'string' ? raw['title'].slice(0, 120) : 'plan';
  return { ok: true, title, calls: parsed.value };
}
