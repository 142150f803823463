import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { builtinCapabilities } from '../../src/capabilities/index';
import { createCompiler } from '../../src/core/base/runtimeAjv';
import { capabilityFaults } from '../../src/core/registry/registry';
import { shippedProfiles } from '../../src/core/profiles/shippedProfiles';

const tools = builtinCapabilities.flatMap((capability) =>
  capability.tools.map((tool) => ({ capability, definition: tool.definition, tool })),
);

function testText(): string {
  return ['unit', 'corpus', 'editor', 'agent', 'person']
    .flatMap((folder) => {
      try {
        return readdirSync(path.join('test', folder), { withFileTypes: true, recursive: true });
      } catch {
        return [];
      }
    })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

/** Every property of a schema, also inside arrays and nested objects. */
function properties(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties: own, items } = schema as { properties?: Record<string, unknown>; items?: unknown };
  return [...Object.entries(own ?? {}).flatMap(([name, inner]) => [name, ...properties(inner)]), ...properties(items)];
}

/** Parameters that a model is told by their name and choices alone, which say enough; each word costs every request. */
const saidByName: Readonly<Record<string, string>> = {
  'calculate/base': 'decimal where nothing else is asked for',
  'calculate/mode': 'the answer says whether it is exact',
  'convert_time/format': 'ISO 8601 where nothing else is asked for',
  'convert_time/operation': 'the description names them',
  'get_current_time/format': 'ISO 8601 where nothing else is asked for',
  'list_capabilities/offset': 'the last field of an answer says it',
  'search_tools/limit': 'the best come first',
};

describe('every built-in capability', () => {
  it('S3.model: is valid, has its texts, and its ids and tool names are unique', () => {
    const faults = builtinCapabilities.flatMap((capability) =>
      capabilityFaults(capability).map((fault) => `${capability.id}: ${fault}`),
    );
    assert.deepEqual(faults, []);
    const ids = builtinCapabilities.map((capability) => capability.id);
    assert.deepEqual(ids, [...new Set(ids)]);
    const names = tools.flatMap(({ definition }) => [definition.name, ...(definition.aliases ?? [])]);
    assert.deepEqual(names, [...new Set(names)]);
    const aliases = builtinCapabilities.flatMap((capability) => [capability.id, ...(capability.aliases ?? [])]);
    assert.deepEqual(aliases, [...new Set(aliases)]);
    for (const capability of builtinCapabilities) {
      assert.ok(capability.description.length > 10, `${capability.id} has a description`);
      assert.ok(capability.icon && capability.category, `${capability.id} has an icon and a category`);
    }
  });

  it('describes each tool to the model: an imperative sentence, when to use it, what comes back, and no repetition in the prompt', () => {
    for (const { capability, definition } of tools) {
      const at = definition.name;
      assert.match(definition.name, /^[a-z]+(_[a-z]+)*$/, at);
      assert.ok(definition.name.length <= 40, at);
      assert.match(
        definition.modelDescription,
        /^(?!(?:A|An|It|The|This|Use|You)\b|[A-Za-z]+(?:s|ed|ing)\b)[A-Z][a-z]+ [^.]*\./,
        `${at} starts with an imperative sentence`,
      );
      assert.match(definition.modelDescription, /\bUse it\b/, `${at} says when to use it`);
      assert.match(definition.modelDescription, /\b[Rr]eturns? /, `${at} says what comes back`);
      assert.ok(definition.modelDescription.length >= 60, `${at}: the model is told enough`);
      assert.ok(
        definition.modelDescription.length <= 1500,
        `${at}: ${definition.modelDescription.length} characters cost too much`,
      );
      assert.ok(definition.userDescription.length > 5 && !definition.userDescription.endsWith('.'), at);
      assert.ok(!capability.systemPrompt?.includes(definition.modelDescription), at);
    }
  });

  it('has schemas that compile, with a description for every input property and nothing let through unnamed', () => {
    const compiler = createCompiler();
    for (const { definition } of tools) {
      compiler.compile(definition.inputSchema);
      if (definition.outputSchema) compiler.compile(definition.outputSchema);
      assert.equal(definition.inputSchema.additionalProperties, false, `${definition.name} refuses extra properties`);
      for (const [name, schema] of Object.entries(definition.inputSchema.properties ?? {}))
        assert.ok(schema.description, `${definition.name}/${name} is described`);
    }
  });

  it('tells the model what a parameter is where it is left out, or which words it takes', () => {
    const untold = tools.flatMap(({ definition: { name, inputSchema, modelInputs = {} } }) =>
      Object.entries(modelInputs)
        .filter(([, told]) => told === '')
        .filter(([key]) => {
          const { type, default: value, description = '', enum: choices } = inputSchema.properties?.[key] ?? {};
          if (type === 'boolean' || value === '/') return false;
          return value !== undefined || /\bdefault\b/i.test(description) || choices !== undefined;
        })
        .map(([key]) => `${name}/${key}`),
    );
    assert.deepEqual(untold.sort(), Object.keys(saidByName).sort());
  });

  it('names every input property in some test (a schema must not promise what the code does not do)', () => {
    const text = testText();
    const missing = tools.flatMap(({ definition }) =>
      properties(definition.inputSchema)
        .filter((name) => !new RegExp(`\\b${name}\\b`).test(text))
        .map((name) => `${definition.name}/${name}`),
    );
    assert.deepEqual(missing, []);
  });

  it('has handlers that load and answer accesses', async () => {
    for (const { tool } of tools) {
      const handler = await tool.load();
      assert.equal(typeof handler.accesses, 'function', tool.definition.name);
      assert.equal(typeof handler.run, 'function', tool.definition.name);
    }
  });

  it('asks an agent before it changes or deletes anything', () => {
    const writing = tools.filter(({ definition }) =>
      definition.sideEffects.some((effect) => /^fs\.(write|delete|chmod)$|^payments$|^system\.exec$/.test(effect)),
    );
    for (const { definition } of writing) assert.notEqual(definition.permissions.agent, 'allowed', definition.name);
  });

  it('is known to the shipped profiles by names that exist', () => {
    const known = new Map(
      builtinCapabilities.map((capability) => [
        capability.id,
        new Set(capability.tools.map((tool) => tool.definition.name)),
      ]),
    );
    for (const profile of shippedProfiles())
      for (const entry of profile.capabilities) {
        assert.ok(known.has(entry.ref), `${profile.id} names ${entry.ref}`);
        for (const name of Object.keys(entry.tools))
          assert.ok(known.get(entry.ref)?.has(name), `${profile.id} names ${entry.ref}/${name}`);
      }
  });
});
