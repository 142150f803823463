import { defined, isObject } from '../base/json';
import { got, gotJson } from '../base/jsonReader';
import { readJsonDocument } from '../base/jsonDocument';
import { type Parsed, type Problem, problem } from '../base/problem';
import { linked, say, type Sentence } from '../base/sentence';
import { readSketch } from '../policy/rules/readSketch';
import type { CallSketch } from '../vocabulary/callSketch';
import { type Effect, type GateStep, gateSteps, type Mode } from '../vocabulary/decision';

/** What the author of a case expects; what is left out may be anything. */
interface Expectation {
  readonly effect: Effect;
  /** A rule that has to be among those that decided. */
  readonly rule?: string;
  /** The step of the gate that has to have decided. */
  readonly step?: GateStep;
}

/** One call with what is to become of it under the whole policy. */
export interface PolicyCase extends CallSketch {
  readonly name: string;
  /** The profile that is to be active; the command's own where it is left out. */
  readonly profile?: string;
  /** Tightens the profile's mode. */
  readonly mode?: Mode;
  readonly expect: Expectation;
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
}

/** The ending of files with cases. */
export const caseFileEnding = '.policy-test.json';

const own = ['name', 'profile', 'mode', 'expect', 'comment'];

const effects: Readonly<Record<string, Effect>> = {
  deny: 'deny',
  ask: 'ask',
  require_approval: 'ask',
  pass: 'pass',
  allow: 'pass',
};

/**
 * Reads a file of cases: a list, or `{ "profile": …, "cases": [ … ] }`, as JSON with comments. A case that cannot be
 * read whole is an error at its place and is left out; it never counts as passed.
 */
export function readCaseFile(text: string, file: string): Parsed<readonly PolicyCase[]> {
  const document = readJsonDocument(text, file);
  const problems: Problem[] = [...document.problems];
  const fault = (pointer: string, said: Sentence): void => {
    problems.push(document.place(problem({ severity: 'error', code: 'invalid_case', said, pointer })));
  };
  const root: unknown = document.value;
  if (problems.some(({ severity }) => severity === 'error')) return { value: [], problems };
  const list: unknown = isObject(root) ? root['cases'] : root;
  const at = isObject(root) ? '/cases' : '';
  if (!Array.isArray(list)) {
    fault(at, say('cases_no_array', got(list)));
    return { value: [], problems };
  }
  for (const key of Object.keys(isObject(root) ? root : {}))
    if (!['$schema', 'profile', 'cases', 'comment'].includes(key)) fault(`/${key}`, say('is_unknown', ''));
  const profile = isObject(root) && typeof root['profile'] === 'string' ? root['profile'] : undefined;
  const value = list.flatMap((raw: unknown, index): PolicyCase[] => {
    const pointer = `${at}/${index}`;
    const sketch = readSketch(raw, own, (below, said) => fault(`${pointer}${below}`, said));
    if (!sketch || !isObject(raw)) return [];
    const wrong = (below: string, said: Sentence): PolicyCase[] => {
      fault(`${pointer}${below}`, said);
      return [];
    };
    const { name = `case ${index + 1}`, profile: ownProfile = profile, mode } = raw;
    if (typeof name !== 'string') return wrong('/name', say('must_have_text', got(name)));
    if (ownProfile !== undefined && typeof ownProfile !== 'string')
      return wrong('/profile', say('must_have_text', got(ownProfile)));
    if (mode !== undefined && mode !== 'plan' && mode !== 'execute')
      return wrong('/mode', say('must_be', linked('either', ['`plan`', '`execute`']), gotJson(mode)));
    const expect = readExpectation(raw['expect'], (below, said) => wrong(`/expect${below}`, said));
    const { line } = document.range(pointer);
    return expect ? [{ ...sketch, name, ...defined({ profile: ownProfile, mode }), expect, file, line }] : [];
  });
  return { value, problems };
}

/** `"deny"`, or `{ "effect": "deny", "rule": "no-keys", "step": "boundaries" }`. */
function readExpectation(raw: unknown, wrong: (at: string, said: Sentence) => void): Expectation | undefined {
  const given = isObject(raw) ? raw : { effect: raw };
  const { effect: word, rule, step, ...others } = given;
  const effect = typeof word === 'string' && Object.hasOwn(effects, word) ? effects[word] : undefined;
  const known = gateSteps.find((one) => one === step);
  const [stray] = Object.keys(others);
  if (effect === undefined)
    wrong(isObject(raw) ? '/effect' : '', say('must_be', say('either', '`deny`, `ask`', '`pass`'), gotJson(word)));
  else if (rule !== undefined && (typeof rule !== 'string' || rule === ''))
    wrong('/rule', say('must_have_text', got(rule)));
  else if (step !== undefined && known === undefined)
    wrong('/step', say('must_be', gateSteps.map((one) => `\`${one}\``).join(', '), gotJson(step)));
  else if (stray !== undefined) wrong(`/${stray}`, say('is_unknown', ''));
  else return defined({ effect, rule, step: known });
  return undefined;
}
