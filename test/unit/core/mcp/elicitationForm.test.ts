import { strict as assert } from 'node:assert';
import type { JsonSchema } from '../../../../src/core/base/schema';
import { type FormField, readField } from '../../../../src/core/base/formField';
import { elicitationFields } from '../../../../src/core/foreign/elicitationForm';

const field = (schema: JsonSchema, required = false): FormField => {
  const [one] = elicitationFields({
    type: 'object',
    properties: { f: schema },
    ...(required ? { required: ['f'] } : {}),
  });
  assert.ok(one);
  return one;
};
const fault = (schema: JsonSchema, text: string, required = false): string | undefined => {
  const one = field(schema, required);
  assert.ok(one.type === 'text' || one.type === 'number');
  const read = readField(one, text);
  if (read.ok) return undefined;
  return 'bound' in read.fault ? `${read.fault.type} ${read.fault.bound}` : read.fault.type;
};

describe('the form of an elicitation', () => {
  it('knows every kind of field that the protocol has, with its default', () => {
    const kinds = [
      field({ type: 'string', default: 'x', title: 'Na\u202Eme' }),
      field({ type: 'integer', default: 42 }),
      field({ type: 'boolean', default: false }),
      field({ type: 'string', enum: ['a', 'b'], enumNames: ['A'], default: 'b' }),
      field({ type: 'string', oneOf: [{ const: 'h', title: 'Hero' }], default: 'other' }),
      field({ type: 'array', items: { type: 'string', enum: ['a', 'b'] }, default: ['b', 'z'], maxItems: 1 }),
      field({ type: 'array', items: { anyOf: [{ const: 'f', title: 'Fish' }] } }, true),
    ];
    assert.deepEqual(
      kinds.map((one) => [one.type, one.initial]),
      [
        ['text', 'x'],
        ['number', '42'],
        ['boolean', false],
        ['choice', 'b'],
        ['choice', undefined],
        ['choices', ['b']],
        ['choices', []],
      ],
    );
    assert.equal(kinds[0]?.label, 'Na⟨U+202E⟩me');
    assert.deepEqual(
      kinds.flatMap((one) =>
        one.type === 'choice' || one.type === 'choices' ? [one.choices.map(({ label }) => label)] : [],
      ),
      [['A', 'b'], ['Hero'], ['a', 'b'], ['Fish']],
    );
    const many = kinds.flatMap((one) => (one.type === 'choices' ? [[one.minItems, one.maxItems]] : []));
    assert.deepEqual(many, [
      [0, 1],
      [1, Number.POSITIVE_INFINITY],
    ]);
  });

  it('says what is wrong with an answer before it is sent', () => {
    assert.deepEqual(
      [
        fault({ type: 'string' }, ''),
        fault({ type: 'string' }, '', true),
        fault({ type: 'integer', minimum: 1, maximum: 100 }, '1.5'),
        fault({ type: 'integer', minimum: 1, maximum: 100 }, '0'),
        fault({ type: 'integer', minimum: 1, maximum: 100 }, '101'),
        fault({ type: 'integer', minimum: 1, maximum: 100 }, '100'),
        fault({ type: 'number' }, 'x'),
        fault({ type: 'string', minLength: 2 }, '😀'),
        fault({ type: 'string', maxLength: 1 }, '😀'),
        fault({ type: 'string', format: 'email' }, 'nobody'),
        fault({ type: 'string', format: 'email' }, 'a@b'),
        fault({ type: 'string', format: 'uri' }, 'no'),
        fault({ type: 'string', format: 'date' }, '2026-13-01'),
        fault({ type: 'string', format: 'date-time' }, '2026-03-14T09:30:00Z'),
      ],
      [
        undefined,
        'missing',
        'integer',
        'below 1',
        'above 100',
        undefined,
        'number',
        'short 2',
        undefined,
        'email',
        undefined,
        'uri',
        'date',
        undefined,
      ],
    );
  });
});
