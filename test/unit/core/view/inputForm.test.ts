import { strict as assert } from 'node:assert';
import { readField, type TypedField } from '../../../../src/core/base/formField';
import { formInput, inputFields, readWholeInput } from '../../../../src/core/present/inputForm';

const schema = {
  type: 'object',
  properties: {
    limit: { type: 'integer', default: 10, minimum: 1 },
    path: { type: 'string', description: 'Where', examples: ['src/a.ts'] },
    deep: { type: 'boolean' },
    how: { enum: ['fast', 'slow'] },
    list: { type: 'array' },
    maybe: { type: ['string', 'null'] },
  },
  required: ['path'],
};

describe('the form of Run Tool', () => {
  const fields = inputFields(schema);
  const field = (name: string) => fields.find((one) => one.name === name) as TypedField;

  it('D.commands: asks for what is required first, each by its kind', () => {
    assert.deepEqual(
      fields.map(({ name, type, initial }) => [name, type, initial]),
      [
        ['path', 'text', 'src/a.ts'],
        ['limit', 'number', '10'],
        ['deep', 'boolean', undefined],
        ['how', 'choice', undefined],
        ['list', 'json', ''],
        ['maybe', 'text', ''],
      ],
    );
  });

  it('D.commands: a place in the workspace is told from other texts, and what is given is where a field begins', () => {
    const fields = inputFields(
      {
        type: 'object',
        properties: {
          path: { type: 'string', description: "Path of the file (e.g., '/docs/readme.txt')." },
          destination: { type: 'string', description: 'The new path, its name included.' },
          source: { type: 'string', description: 'Where the news come from' },
          url: { type: 'string', format: 'uri', description: 'Path of the page' },
          limit: { type: 'integer', default: 10 },
        },
        required: ['path'],
      },
      { path: 'src/app.ts', limit: 3, unknown: 'x' },
    );
    assert.deepEqual(
      fields.map(({ name, type, initial }) => [name, type, initial]),
      [
        ['path', 'path', 'src/app.ts'],
        ['destination', 'path', ''],
        ['source', 'text', ''],
        ['url', 'text', ''],
        ['limit', 'number', '3'],
      ],
    );
  });

  it('reads what was typed and says what was expected', () => {
    assert.deepEqual(readField(field('limit'), '12'), { ok: true, value: 12 });
    assert.deepEqual(readField(field('limit'), ''), { ok: true, value: undefined });
    assert.deepEqual(readField(field('limit'), 'x'), { ok: false, fault: { type: 'number' } });
    assert.deepEqual(readField(field('list'), '[1]'), { ok: true, value: [1] });
    assert.deepEqual(readField(field('limit'), '1.5'), { ok: false, fault: { type: 'integer' } });
    assert.deepEqual(readField(field('limit'), '0'), { ok: false, fault: { type: 'below', bound: 1 } });
    assert.deepEqual(readField(field('list'), '[1'), { ok: false, fault: { type: 'json' } });
    assert.deepEqual(readField(field('path'), ''), { ok: true, value: '' });
    assert.deepEqual(
      formInput(
        new Map([
          ['path', 'a'],
          ['limit', undefined],
        ]),
      ),
      { path: 'a' },
    );
    assert.deepEqual(readWholeInput('{"a":1}'), { ok: true, value: { a: 1 } });
    assert.deepEqual(readWholeInput('[1]'), { ok: false, fault: { type: 'object' } });
  });
});
