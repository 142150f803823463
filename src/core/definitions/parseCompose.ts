import { defined, isObject, type Json } from '../base/json';
import { type Findings, ObjectReader, pointerTo, readerOf } from '../base/jsonReader';
import { say } from '../base/sentence';
import type { ComposeHandlerSpec, ComposeStep, Condition } from './handlers/handlerSpec';
import { references, templatesIn } from '../vocabulary/template';

/** More steps would be a program; programs are modules. */
const mostSteps = 50;

/**
 * Reads the steps of a composition. A step may refer to steps before it only, so that the order is the order of the
 * text.
 */
export function parseCompose(reader: ObjectReader): ComposeHandlerSpec | undefined {
  const raw = reader.list('steps');
  const output = reader.raw('output');
  if (!raw || raw.length === 0) {
    if (raw || !reader.has('steps')) reader.error('steps', say('no_step'));
    return undefined;
  }
  if (raw.length > mostSteps) reader.error('steps', say('many_steps', mostSteps, raw.length));
  const steps: ComposeStep[] = [];
  const known = new Set<string>();
  raw.slice(0, mostSteps).forEach((item, index) => {
    const step = parseStep(item, index, pointerTo(reader.at('steps'), index), reader.findings, known);
    if (!step) return;
    if (known.has(step.id)) reader.findings.error(pointerTo(reader.at('steps'), index), say('step_twice', step.id));
    known.add(step.id);
    steps.push(step);
  });
  if (output !== undefined) checkSteps(output, reader.at('output'), known, false, reader.findings);
  return defined({ type: 'compose', steps, output: output as Json | undefined });
}

function parseStep(
  raw: unknown,
  index: number,
  pointer: string,
  findings: Findings,
  known: ReadonlySet<string>,
): ComposeStep | undefined {
  const reader = readerOf(raw, pointer, findings, say('a_step'));
  if (!reader) return undefined;
  const id = reader.text('id') ?? `step${index + 1}`;
  if (!/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(id)) reader.error('id', say('must_be_name', id));
  const tool = reader.required('tool');
  const input = reader.object('input') ?? {};
  const condition = reader.has('if') ? parseCondition(reader.raw('if'), reader.at('if'), findings) : undefined;
  const forEach = reader.text('forEach');
  if (forEach !== undefined && !/^\$\{[^}]+\}$/.test(forEach)) reader.error('forEach', say('for_each'));
  const onError = parseOnError(reader);
  reader.finish();
  checkSteps(raw, pointer, known, forEach !== undefined, findings);
  if (tool === undefined) return undefined;
  return defined({ id, tool, input: input as Json, condition, forEach, onError, pointer });
}

function parseOnError(reader: ObjectReader): ComposeStep['onError'] {
  const raw = reader.raw('onError');
  if (isObject(raw)) {
    const inner = new ObjectReader(raw, reader.at('onError'), reader.findings);
    const tool = inner.required('tool');
    const input = inner.object('input') ?? {};
    inner.finish();
    return tool === undefined ? 'stop' : { tool, input: input as Json };
  }
  return reader.oneOf<'stop' | 'continue'>('onError', ['stop', 'continue']) ?? 'stop';
}

const comparisons = ['equals', 'notEquals', 'greaterThan', 'lessThan', 'in'] as const;

function parseCondition(raw: unknown, pointer: string, findings: Findings): Condition | undefined {
  if (typeof raw === 'string' || typeof raw === 'boolean') return { type: 'truthy', value: raw };
  const reader = readerOf(raw, pointer, findings, say('a_condition'), say('reference_or_object'));
  if (!reader) return undefined;
  let condition: Condition | undefined;
  const inner = (key: string): readonly Condition[] =>
    (reader.list(key) ?? []).flatMap(
      (item, index) => parseCondition(item, pointerTo(reader.at(key), index), findings) ?? [],
    );
  if (reader.has('not')) {
    const negated = parseCondition(reader.raw('not'), reader.at('not'), findings);
    if (negated) condition = { type: 'not', condition: negated };
  } else if (reader.has('all')) condition = { type: 'all', conditions: inner('all') };
  else if (reader.has('any')) condition = { type: 'any', conditions: inner('any') };
  else if (reader.has('value')) {
    const value = reader.raw('value') as Json;
    const is = comparisons.find((one) => reader.has(one));
    if (reader.has('exists')) condition = { type: 'exists', value, expected: reader.flag('exists') ?? true };
    else if (is) condition = { type: 'compare', value, is, to: reader.raw(is) as Json };
    else condition = { type: 'truthy', value };
  } else findings.error(pointer, say('condition_needs'));
  reader.finish();
  return condition;
}

/** A reference to a step that has not run yet can never have a value. */
function checkSteps(
  raw: unknown,
  pointer: string,
  known: ReadonlySet<string>,
  inLoop: boolean,
  findings: Findings,
): void {
  for (const { pointer: at, template } of templatesIn(raw, pointer))
    for (const reference of references(template)) {
      const word = template.text.slice(reference.offset, reference.offset + reference.length);
      if (reference.root === 'steps' && !known.has(reference.path[0] ?? ''))
        findings.error(
          at,
          say('no_step_before', word, known.size > 0 ? say('known_are', [...known]) : ''),
          'unknown_reference',
        );
      if ((reference.root === 'item' || reference.root === 'index') && !inLoop && !at.endsWith('/forEach'))
        findings.error(at, say('in_loop_only', word), 'unknown_reference');
    }
}
