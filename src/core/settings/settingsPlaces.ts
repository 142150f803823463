import { isObject } from '../base/json';
import { pointerTo } from '../base/jsonReader';
import { readJsonDocument } from '../base/jsonDocument';
import type { Problem } from '../base/problem';
import type { SentenceCode } from '../base/sentence';

/** As settings files spell our keys. */
const prefix = 'agentCapabilities.';

/** Sentences whose first argument is the id of the profile that they are about. */
const profileCodes: ReadonlySet<SentenceCode> = new Set<SentenceCode>([
  'profile_at',
  'profile_no_object',
  'unknown_capability',
  'unknown_tool',
  'duplicate_capability',
  'takes_no_configuration',
  'invalid_configuration',
  'two_base_prompts',
]);

/** Problems whose subject is the key of a setting. */
const settingCodes: ReadonlySet<string> = new Set([
  'unknown_setting',
  'invalid_setting',
  'setting_ignored',
  'managed_file',
]);

/** Problems whose pointer leads into the value of one setting. */
const settingsByCode: Readonly<Record<string, string>> = {
  invalid_limits: 'limits',
  invalid_mcp_server: 'mcp.servers',
  invalid_extension_tools: 'extensionTools',
};

/** Problems of rules. */
const ruleCodes =
  /_?boundary$|^(?:cannot_loosen|never_matches|shadowed|contradictory|dead|unknown_property|unknown_exception|unknown_account|matches_everything|meets_everything)$/;

/**
 * Finds the place of a problem in the text of a settings file: the boundary that it is about, the profile, or the
 * setting that its message names. A problem that the file says nothing of comes back as it was.
 */
export function placeInSettings(problem: Problem, text: string, file: string): Problem {
  const document = readJsonDocument(text, file);
  const values = document.value;
  if (!isObject(values)) return problem;
  const at = (pointer: string): Problem => {
    const { line, column, endLine, endColumn } = document.range(pointer);
    return { ...problem, file, line, column, endLine, endColumn };
  };
  const inRule = ruleCodes.test(problem.code)
    ? pointerInRules(problem, values[`${prefix}policy.boundaries`])
    : undefined;
  if (inRule !== undefined) return at(`${pointerTo('', `${prefix}policy.boundaries`)}${inRule}`);
  const setting = Object.hasOwn(settingsByCode, problem.code) ? `${prefix}${settingsByCode[problem.code]}` : undefined;
  if (setting !== undefined && Object.hasOwn(values, setting))
    return at(`${pointerTo('', setting)}${problem.pointer ?? ''}`);
  if (settingCodes.has(problem.code) && Object.hasOwn(values, `${prefix}${problem.subject}`))
    return at(`${pointerTo('', `${prefix}${problem.subject}`)}${problem.pointer ?? ''}`);
  const profile = problem.said && profileCodes.has(problem.said.code) ? String(problem.said.args[0]) : undefined;
  const profiles = values[`${prefix}profiles`];
  if (profile !== undefined && isObject(profiles) && Object.hasOwn(profiles, profile))
    return at(pointerTo(pointerTo('', `${prefix}profiles`), profile));
  return problem;
}

/** Where in the list of rules the rule stands that a problem is about. */
function pointerInRules({ subject, pointer }: Problem, rules: unknown): string | undefined {
  const list: readonly unknown[] = Array.isArray(rules) ? rules : [];
  const index = list.findIndex((one) => isObject(one) && one['id'] === subject);
  if (index >= 0) return `/${index}${(pointer ?? '').replace(/^\/\d+/, '')}`;
  // A rule without an id is known by its place alone.
  const nameless = list[Number(/^\/(\d+)/.exec(pointer ?? '')?.[1])];
  const isNameless = nameless !== undefined && !(isObject(nameless) && typeof nameless['id'] === 'string');
  return rules !== undefined && (subject === undefined || isNameless) ? pointer : undefined;
}
