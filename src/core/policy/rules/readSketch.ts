import { camelCase, defined, isObject, type Json } from '../../base/json';
import { got, gotJson } from '../../base/jsonReader';
import { nearestNames, proposal } from '../../base/nearest';
import { eitherOf, SaidError, saidBy, say, type Sentence } from '../../base/sentence';
import { type Access, readAccess } from '../../vocabulary/access';
import { flowLabels } from '../../vocabulary/flow';
import { type CallSketch, type RuleAnswer, type RuleExample, ruleAnswers } from '../../vocabulary/callSketch';
import { ClauseReading, readClause } from './clauses';

/** Takes what is wrong, with the place below the value that was read. */
type Fault = (at: string, said: Sentence) => void;

const reading = (): ClauseReading => new ClauseReading();

function text(value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new SaidError(say('must_have_text', got(value)));
}

/** How each property of a sketch is read; each throws an Error that says what was expected. */
const readers: { readonly [K in keyof CallSketch]-?: (value: unknown) => unknown } = {
  tool: text,
  capability: text,
  input: (value) => value as Json,
  requires: (value) => value as Json,
  accesses: (value) => {
    if (!Array.isArray(value)) throw new SaidError(say('must_be', 'array', got(value)));
    return value.map(sketchedAccess);
  },
  labels: (value) => {
    const list = Array.isArray(value) ? value : [value];
    const names: readonly unknown[] = flowLabels;
    const odd: unknown = list.find((one) => !names.includes(one));
    if (odd === undefined) return list;
    throw new SaidError(say('must_be', eitherOf(flowLabels), gotJson(odd)));
  },
  actor: (value) => readClause('actor', value, reading()),
  riskLevel: (value) => readClause('riskLevel', value, reading()),
  costClass: (value) => readClause('costClass', value, reading()),
  source: (value) => readClause('source', value, reading()),
  sideEffects: (value) => {
    if (!Array.isArray(value)) throw new SaidError(say('must_be', 'array', got(value)));
    return value.map(text);
  },
};

const sketchKeys = Object.keys(readers) as readonly (keyof CallSketch)[];

const isSketchKey = (key: string): key is keyof CallSketch => Object.hasOwn(readers, key);

/** `"fs.delete src recursive"` or an object; the words at the end of a text are the flags that are true. */
function sketchedAccess(value: unknown): Access {
  const wrong = (): SaidError =>
    new SaidError(say('sketch_no_access', JSON.stringify(value)?.slice(0, 100) ?? say('nothing')));
  if (typeof value === 'string') {
    const found = /^(\S+) (?=.)(.*?)((?: (?:recursive|permanent))*)$/s.exec(value);
    if (!found) throw wrong();
    const [, effect = '', resource = '', flags = ''] = found;
    const has = (flag: string): true | undefined => flags.includes(flag) || undefined;
    return defined({ effect, resource, recursive: has('recursive'), permanent: has('permanent') });
  }
  const access = readAccess(value);
  if (!access) throw wrong();
  return access.method === undefined ? access : { ...access, method: access.method.toUpperCase() };
}

/**
 * Reads what an object says of a call, in camelCase or in snake_case; undefined where anything of it cannot be read, so
 * that nothing is checked that nobody wrote.
 * @param more properties that the object may hold beside.
 */
export function readSketch(raw: unknown, more: readonly string[], fault: Fault): CallSketch | undefined {
  if (!isObject(raw)) {
    fault('', say('sketch_no_object', got(raw)));
    return undefined;
  }
  const sketch: Record<string, unknown> = {};
  let isWhole = true;
  for (const [rawKey, value] of Object.entries(raw)) {
    const key = camelCase(rawKey) === 'risk' ? 'riskLevel' : camelCase(rawKey);
    try {
      if (more.includes(key)) continue;
      if (!isSketchKey(key)) {
        const names = [...sketchKeys, ...more];
        throw new SaidError(say('is_unknown', nearestNames(key, names, 1).length > 0 ? proposal(key, names) : ''));
      }
      sketch[key] = readers[key](value);
    } catch (error) {
      isWhole = false;
      fault(`/${rawKey}`, saidBy(error));
    }
  }
  if (
    isWhole &&
    sketch['tool'] === undefined &&
    sketch['capability'] === undefined &&
    sketch['accesses'] === undefined
  ) {
    fault('', say('sketch_empty'));
    return undefined;
  }
  return isWhole ? sketch : undefined;
}

const isAnswer = (value: unknown): value is RuleAnswer => (ruleAnswers as readonly unknown[]).includes(value);

/** Reads the examples of a rule; one that cannot be read is reported and left out. */
export function readExamples(raw: unknown, report: Fault): readonly RuleExample[] | undefined {
  if (raw === undefined || raw === null) return undefined;
  if (!Array.isArray(raw)) {
    report('/examples', say('calls_no_array', typeof raw === 'symbol' ? say('two') : got(raw)));
    return undefined;
  }
  return raw.flatMap((one: unknown, index): RuleExample[] => {
    const at = `/examples/${index}`;
    const sketch = readSketch(one, ['expect', 'comment'], (below, said) => report(`${at}${below}`, said));
    if (!sketch || !isObject(one)) return [];
    const expect = one['expect'] === 'require_approval' ? 'ask' : one['expect'];
    if (isAnswer(expect)) return [{ ...sketch, expect }];
    const words = ruleAnswers.map((answer) => `\`${answer}\``).join(', ');
    report(`${at}/expect`, say('must_be', words, gotJson(expect)));
    return [];
  });
}
