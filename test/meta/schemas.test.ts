import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { camelCase, isObject } from '../../src/core/base/json';
import type { Problem } from '../../src/core/base/problem';
import { parseBoundaries } from '../../src/core/policy/rules/parse';
import { parseDelegations, parseRequirements } from '../../src/core/resolver/requirement';
import { parsed, type Path, samples, withValue } from '../support/definitionSamples';

type Node = Record<string, unknown>;

/** Every word that the readers of these files could take for a property. */
const words = new Set(
  [
    ...['parseActions', 'parseCapability', 'parseChannel', 'parseCompose', 'parseHandler', 'parseTool'].map(
      (name) => `definitions/${name}`,
    ),
    ...['clauses', 'parse', 'readSketch'].map((name) => `policy/rules/${name}`),
    'capability/composed',
    'resolver/requirement',
  ].flatMap((name) =>
    [...readFileSync(`src/core/${name}.ts`, 'utf8').matchAll(/'([a-z]\w*)'|\b([a-z]\w*)\??:/gi)].map(
      ([, quoted, key]) => camelCase(quoted ?? key ?? ''),
    ),
  ),
);

/** A clause that stands beside `match` counts, and is told of as one that does not belong there. */
const says = /"(?:is_unknown|unknown_clause|unknown_comparison|clause_counts|clause_in_both)"/;

/** The places of what a reader does not know; a clause of a rule is told of with its place alone. */
const unknownTo = (problems: readonly Problem[]): readonly string[] =>
  problems.flatMap(({ said, pointer = '' }) => (says.test(JSON.stringify(said)) ? [pointer] : []));

/** The schemas that say what a value may hold, of several those of its form. */
function schemasFor(root: Node, schema: unknown, value: unknown): readonly Node[] {
  if (!isObject(schema)) return [];
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const [, , name = ''] = reference.split('/');
    return schemasFor(root, isObject(root['definitions']) ? root['definitions'][name] : undefined, value);
  }
  const choices = [schema['oneOf'], schema['anyOf']].flatMap((one) => (Array.isArray(one) ? one : []));
  const inner = choices.flatMap((one) => schemasFor(root, one, value));
  return [schema, ...inner].filter((one) => isOfForm(one, value));
}

/** Whether a schema is for objects, and for those of this one's `type`. */
function isOfForm({ type, properties }: Node, value: unknown): boolean {
  if (Array.isArray(value)) return type === 'array' || type === undefined;
  if (!isObject(value) || (type !== undefined && type !== 'object')) return false;
  const kind = isObject(properties) ? properties['type'] : undefined;
  if (!isObject(kind) || typeof value['type'] !== 'string') return true;
  const kinds = [kind['const'] ?? kind['enum'] ?? value['type']].flat();
  return kinds.includes(value['type']);
}

interface Place {
  readonly path: Path;
  readonly has: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  /** False where the schema lets any other name stand. */
  readonly isClosed: boolean;
}

/** Every object of a document of which a schema names the properties. */
function placesOf(root: Node, schema: unknown, value: unknown, path: Path = []): readonly Place[] {
  const schemas = schemasFor(root, schema, value);
  if (Array.isArray(value))
    return value.flatMap((item, index) =>
      schemas.flatMap(({ items }) => placesOf(root, items, item, [...path, index])),
    );
  if (!isObject(value)) return [];
  const tables = schemas.map(({ properties }) => (isObject(properties) ? properties : {}));
  const names = new Set(tables.flatMap((table) => Object.keys(table)));
  const isClosed = schemas.some((one) => one['additionalProperties'] === false);
  const inner = Object.entries(value).flatMap(([key, item]) =>
    schemas.flatMap(({ additionalProperties }, index) =>
      placesOf(root, tables[index]?.[key] ?? additionalProperties, item, [...path, key]),
    ),
  );
  const has = new Set(Object.keys(value).map(camelCase));
  return [...(names.size > 0 ? [{ path, has, names: new Set([...names].map(camelCase)), isClosed }] : []), ...inner];
}

interface Format {
  readonly schema: string;
  readonly documents: readonly unknown[];
  readonly problemsOf: (document: unknown) => readonly Problem[];
  /** Where a reader passes over what it does not know, as in data that others write. */
  readonly passesOver?: RegExp;
}

const rule = {
  id: 'a',
  decision: 'deny',
  match: { flow: { private: true, untrusted: true, out: 'any' }, argument: { n: { glob: 'x*' } } },
  examples: [{ tool: 'add', accesses: [{ effect: 'fs.read', resource: 'src/a.ts' }], expect: 'deny' }],
};

const probes = [
  { type: 'http', url: 'https://x.example/me' },
  { type: 'command', command: 'git' },
  { type: 'file', path: 'x' },
  { type: 'env', name: 'X' },
  { type: 'secret', name: 'x' },
  { type: 'mcp', server: 's' },
  { type: 'channel', channel: 'media' },
  { type: 'vscode', command: 'c' },
];

const formats: readonly Format[] = [
  ...samples.map(({ file, url, documents }) => ({
    schema: /\.(\w+)\.json$/.exec(file)?.[1] ?? '',
    documents,
    problemsOf: (document: unknown) => parsed(file, document, url).problems,
  })),
  {
    schema: 'boundaries',
    documents: [[rule]],
    problemsOf: (document) => parseBoundaries(document, 'user').problems,
    passesOver: /\/accesses\/\d+$/,
  },
  {
    schema: 'requirements',
    documents: probes.map((probe) => [{ id: 'a', critical: true, probe, lastProbe: { state: 'fresh' } }]),
    problemsOf: (document) => parseRequirements(document).problems,
  },
  {
    schema: 'grants',
    documents: [[{ fromParty: 'a', toParty: 'b', scopeAccount: 'c' }]],
    problemsOf: (document) => parseDelegations(document).problems,
  },
];

const schemaFile = (name: string): string => `media/schemas/${name}.schema.json`;
const schemaOf = (name: string) => JSON.parse(readFileSync(schemaFile(name), 'utf8'));

describe('the schemas by which the editor completes and checks the files of `.vscode/capabilities`', () => {
  for (const { schema: name, documents, problemsOf, passesOver } of formats)
    it(`D.definitions: know the properties that are read in ${name}, and no others`, () => {
      const root: Node = schemaOf(name);
      const wrong = new Set<string>();
      // Of two names for one thing the second is not read where the first stands too.
      const read = new Map<string, boolean>();
      for (const document of documents) {
        assert.deepEqual(unknownTo(problemsOf(document)), []);
        for (const { path, has, names, isClosed } of placesOf(root, root, document)) {
          const at = path.map((one) => `/${one}`).join('');
          const isUnknown = (key: string): boolean =>
            unknownTo(problemsOf(withValue(document, [...path, key], null))).some(
              (one) => one === `${at}/${key}` || at.startsWith(one),
            );
          if (!isUnknown('zzzUnheardOf')) {
            if (isClosed && passesOver?.test(at) !== true) wrong.add(`${at}: only the schema refuses what is unknown`);
            continue;
          }
          for (const key of has) if (!names.has(key)) wrong.add(`${at}/${key}: the schema does not know it`);
          for (const key of names) {
            const place = `${at}/${key} of ${[...names].join(' ')}`;
            if (!read.get(place)) read.set(place, has.has(key) || !isUnknown(key));
          }
          // All at once first: a definition takes its time.
          const others = [...words].filter((key) => !has.has(key) && !names.has(key));
          const all = others.reduce((made: unknown, key) => withValue(made, [...path, key], null), document);
          const told = new Set(unknownTo(problemsOf(all)));
          for (const key of others)
            if (!told.has(`${at}/${key}`) && !isUnknown(key)) wrong.add(`${at}/${key}: the schema does not know it`);
        }
      }
      const unread = [...read].flatMap(([place, isRead]) => (isRead ? [] : [`${place}: nobody reads it`]));
      assert.deepEqual([...wrong, ...unread], []);
      assert.ok(read.size > 0);
    });

  it('D.definitions: say of an action what they say of a tool; `UPDATE=1 npm test` writes it anew', () => {
    const { tool, ...handlers } = schemaOf('capability').definitions;
    const actions = schemaOf('actions');
    const { id, name } = actions.definitions.action.properties;
    const properties = { ...tool.properties, name };
    const definitions = {
      action: { ...tool, required: ['id', 'handler'], properties: { id, ...properties } },
      ...handlers,
    };
    if (process.env['UPDATE'])
      writeFileSync(schemaFile('actions'), `${JSON.stringify({ ...actions, definitions }, null, 2)}\n`);
    assert.deepEqual(schemaOf('actions').definitions, definitions);
  });
});
