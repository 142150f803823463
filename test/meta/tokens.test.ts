import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { builtinCapabilities } from '../../src/capabilities/index';
import { toolTokens } from '../../src/capabilities/toolTokens';
import { modelSchema } from '../../src/core/vocabulary/modelSchema';
import type { ModelInputs, ToolDefinition } from '../../src/core/vocabulary/toolDefinition';
import type { JsonSchema } from '../../src/core/base/schema';
import { shippedProfiles } from '../../src/core/profiles/shippedProfiles';

const file = 'src/capabilities/toolTokens.ts';
const definitions = builtinCapabilities.flatMap(({ tools }) => tools.map(({ definition }) => definition));

/** As a request carries it; the editor knows our tools by `cap_` and their name. */
const cost = (definition: ToolDefinition): number =>
  countTokens(
    JSON.stringify({
      name: `cap_${definition.name}`,
      description: definition.modelDescription,
      parameters: modelSchema(definition),
    }),
  );

/**
 * What Copilot's own tools for the same purpose cost, counted in the same way in a request of its agent mode (the
 * editor that the tests run; `read_file`, `create_file`, `replace_string_in_file`, `list_dir`, `file_search`,
 * `grep_search`, `manage_todo_list`).
 */
const host: Readonly<Record<string, number>> = {
  read_file: 163,
  write_file: 108,
  edit_file: 443,
  list_directory: 71,
  find_files: 275,
  grep_files: 575,
  write_todos: 447,
};

describe('what the tools cost in every request', () => {
  it('D.tokens: is counted with a tokenizer for each; `UPDATE=1 npm run test:fast -- meta` writes the table anew', () => {
    const counted = Object.fromEntries(definitions.map((definition) => [definition.name, cost(definition)]));
    if (process.env['UPDATE']) {
      const rows = Object.entries(counted).map(([name, tokens]) => `  ${name}: ${tokens},\n`);
      writeFileSync(
        file,
        readFileSync(file, 'utf8').replace(/\{[^{}]*\};\n$/, () => `{\n${rows.join('')}};\n`),
      );
    } else assert.deepEqual(toolTokens, counted);
  });

  it('D.tokens: the default profile costs at most 3,200 tokens, and no tool a tenth more than the host’s own', () => {
    const [profile] = shippedProfiles();
    const on = builtinCapabilities
      .filter(({ id }) => profile?.capabilities.some((entry) => entry.ref === id && entry.enabled))
      .flatMap(({ tools }) => tools.map(({ definition }) => definition));
    assert.ok(on.length >= 23, `${on.length} tools`);
    const sum = on.reduce((total, definition) => total + cost(definition), 0);
    assert.ok(sum <= 3200, `${sum} tokens`);
    for (const [name, tokens] of Object.entries(host)) {
      const own = on.find((definition) => definition.name === name);
      assert.ok(own && cost(own) <= tokens * 1.1, `${name}: ${own && cost(own)} tokens, the host's ${tokens}`);
    }
    for (const definition of definitions)
      assert.ok(cost(definition) <= 270, `${definition.name} costs ${cost(definition)} tokens`);
  });

  it('D.tokens: what a model is told of the arguments is a part of what is accepted, and all that is required', () => {
    const check = (wanted: ModelInputs, schema: JsonSchema, at: string): void => {
      const { properties = {}, required = [] } = schema.items ?? schema;
      for (const name of required) assert.ok(Object.hasOwn(wanted, name), `${at} requires ${name}`);
      for (const [name, told] of Object.entries(wanted)) {
        const property = properties[name];
        assert.ok(property, `${at} has no ${name}`);
        if (typeof told !== 'string') check(told, property, `${at}/${name}`);
      }
    };
    for (const { modelInputs, inputSchema, name } of definitions)
      if (modelInputs) check(modelInputs, inputSchema, name);
  });
});
