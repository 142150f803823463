import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { isObject, type JsonObject } from '../../../src/core/base/json';
import { visibleText } from '../../../src/core/base/visible';
import { EntryApprovals } from '../../../src/core/foreign/entryApprovals';
import { parseServers } from '../../../src/core/foreign/serverSpec';
import type { ServerApproval } from '../../../src/core/foreign/serverUser';
import { memoryStore } from '../../../src/node/memory';
import { nodeCrypto } from '../../../src/node/system';
import { serverSchema } from '../../../tools/manifest/foreignTools';
import { runs } from '../../support/counts';
import { textOf, workspaceServers } from '../../support/mcp/workspaceServers';
import { stdio, http } from '../../support/mcp/serverEntries';

/** Fields of the contributed schema: where each stands, and values that it may have. */
interface Field {
  readonly way: readonly string[];
  readonly value: fc.Arbitrary<unknown>;
}

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const anyText = fc.oneof(
  word,
  fc.string({ minLength: 1, maxLength: 30 }),
  fc.constantFrom('a\u202Eb', 'x\ny', '${secret:q}', '${env:Q}', '${workspaceFolder}'),
);

function fieldsOf(schema: unknown, way: readonly string[] = []): readonly Field[] {
  if (!isObject(schema)) return [];
  const { properties, additionalProperties, anyOf, enum: values, type, const: only, pattern } = schema;
  if (isObject(properties)) return Object.entries(properties).flatMap(([key, inner]) => fieldsOf(inner, [...way, key]));
  if (isObject(additionalProperties)) return fieldsOf(additionalProperties, [...way, 'SOME_KEY']);
  if (Array.isArray(values)) return [{ way, value: fc.constantFrom(...(values as unknown[])) }];
  if (only !== undefined) return [{ way, value: fc.constant(only) }];
  if (Array.isArray(anyOf)) return anyOf.flatMap((one) => fieldsOf(one, way));
  if (type === 'array') return [{ way, value: fc.array(anyText, { minLength: 1, maxLength: 3 }) }];
  if (type === 'boolean') return [{ way, value: fc.boolean() }];
  if (type === 'number') return [{ way, value: fc.integer({ min: 100, max: 86_400_000 }) }];
  if (pattern === '^https?://') return [{ way, value: word.map((one) => `https://${one}.example/${one}`) }];
  if (pattern === '^https://') return [{ way, value: word.map((one) => `https://meta.example/${one}`) }];
  if (typeof pattern === 'string') return [{ way, value: word.map((one) => `\${secret:${one}}`) }];
  return [{ way, value: anyText }];
}

function withValue(entry: unknown, [key, ...rest]: readonly string[], value: unknown): JsonObject {
  const object = isObject(entry) ? entry : {};
  // Values of the schema's kinds are JSON.
  return {
    ...object,
    [key ?? '']: rest.length === 0 ? value : withValue(object[key ?? ''], rest, value),
  } as JsonObject;
}

const leaves = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value.flatMap(leaves) : isObject(value) ? Object.values(value).flatMap(leaves) : [value];

describe('D.approval-binding: a server that a workspace brings', () => {
  const fields = fieldsOf(serverSchema);
  const approvals = new EntryApprovals(memoryStore(), nodeCrypto, () => '/w');
  const bases: readonly JsonObject[] = [
    stdio,
    http,
    { ...http, oauth: {} },
    { ...stdio, url: 'https://x.example/mcp' },
  ];
  const read = (entry: JsonObject) => parseServers({ s: entry }, 'workspace').servers[0];
  for (const way of new Set(fields.map((one) => one.way.join('.'))))
    it(`D.approval-binding: any change of \`${way}\` is another approval, and the question shows what it is now`, () => {
      const values = fc.oneof(...fields.filter((one) => one.way.join('.') === way).map(({ value }) => value));
      let met = 0;
      fc.assert(
        fc.property(fc.constantFrom(...bases), values, values, (base, one, other) => {
          const [before, now] = [
            read(withValue(base, way.split('.'), one)),
            read(withValue(base, way.split('.'), other)),
          ];
          if (!before || !now || JSON.stringify(one) === JSON.stringify(other)) return;
          met++;
          assert.notEqual(approvals.hash('s', before.content, []), approvals.hash('s', now.content, []));
          const request: ServerApproval = {
            server: 's',
            entry: { spec: now, files: [] },
            before: { spec: before, files: [] },
          };
          const text = textOf(request);
          assert.match(text, /^What changed since you approved it:\n[-+] /);
          for (const leaf of leaves(other))
            assert.ok(text.includes(visibleText(JSON.stringify(leaf)).text), `${String(leaf)}\n${text}`);
        }),
        { numRuns: runs(10, 500, 2000) },
      );
      // Of what has one value only, the difference is whether it is there.
      const [fixed] = fc.sample(values, 1);
      const there = bases.flatMap((base) => read(withValue(base, way.split('.'), fixed)) ?? []);
      assert.ok(
        met > 0 || there.some((spec) => bases.every((base) => read(base)?.content !== spec.content)),
        'the field was reached',
      );
    });

  it('D.approval-binding: any key that nobody knows, at any depth, is hashed and shown', () => {
    fc.assert(
      fc.property(word, fc.jsonValue({ maxDepth: 4 }), (key, value) => {
        const [before, now] = [read(stdio), read({ ...stdio, [`x_${key}`]: value as never })];
        if (!before || !now) return assert.fail();
        assert.notEqual(approvals.hash('s', before.content, []), approvals.hash('s', now.content, []));
        const clean: unknown = JSON.parse(now.content)[`x_${key}`];
        const text = textOf({ server: 's', entry: { spec: now, files: [] } });
        for (const leaf of leaves(clean)) assert.ok(text.includes(visibleText(JSON.stringify(leaf)).text), text);
      }),
      { numRuns: runs(20, 1000, 2000) },
    );
  });

  it('D.approval-binding: it acts once approved, is asked about once, and again with each change, which is shown', async () => {
    const storage = memoryStore();
    let yes = false;
    const entry = { ...stdio, env: { MODE: 'one' } };
    const open = (workspace: object) =>
      workspaceServers({ workspace: { s: workspace }, storage, answers: { approveServer: async () => yes } });
    const first = open(entry);
    await first.servers.discover();
    await first.servers.discover();
    assert.deepEqual([first.state(), first.asked.length], ['unapproved', 1]);
    yes = true;
    await first.servers.start('s');
    assert.notEqual(first.state(), 'unapproved');
    first.change({ s: { ...entry, env: { MODE: 'two' } } });
    yes = false;
    await first.servers.discover();
    assert.equal(first.state(), 'unapproved');
    assert.match(
      first.texts().at(-1) ?? '',
      /^What changed since you approved it:\n- env\.MODE: "one"\n\+ env\.MODE: "two"\n/,
    );
    first.change({ s: entry });
    assert.notEqual(first.state(), 'unapproved', 'what was approved before is approved still');
    first.servers.dispose();
    const second = open(entry);
    await second.servers.discover();
    assert.deepEqual([second.state() === 'unapproved', second.asked.length], [false, 0]);
    second.servers.dispose();
  });

  it('D.approval-binding: what stands in the storage counts only as it was written', async () => {
    const storage = memoryStore();
    const yes = workspaceServers({ workspace: { s: stdio }, storage, answers: { approveServer: async () => true } });
    await yes.servers.discover();
    yes.servers.dispose();
    const good = storage.get('mcp.entry.s');
    const forged = JSON.parse(JSON.stringify(good).replace('\\"a\\"', '\\"other\\"'));
    for (const bad of [
      forged,
      {},
      'x',
      [1],
      [{ hash: 'x', content: '{}', files: [] }],
      [{ ...forged[0], files: 'none' }],
    ]) {
      await storage.set('mcp.entry.s', bad);
      const w = workspaceServers({ workspace: { s: { ...stdio, args: ['other'] } }, storage });
      assert.equal(w.state(), 'unapproved', JSON.stringify(bad));
      w.servers.dispose();
    }
  });

  it('D.approval-binding: a value of the environment is nowhere but in the program', async () => {
    const environment = { PATH: process.env['PATH'] ?? '', GITHUB_TOKEN: 'ghp_very_secret' };
    const entry = { ...stdio, env: { T: '${env:GITHUB_TOKEN}' }, args: ['${env:GITHUB_TOKEN}'] };
    const w = workspaceServers({ workspace: { s: entry }, environment, answers: { approveServer: async () => true } });
    await w.servers.discover();
    const all = JSON.stringify([
      w.texts(),
      w.audited,
      w.logged,
      w.servers.log('s'),
      w.servers.list(),
      w.servers.problems(),
      w.storage.get('mcp.entry.s'),
    ]);
    assert.ok(!all.includes('ghp_very_secret') && all.includes('GITHUB_TOKEN'));
    w.servers.dispose();
  });

  it('D.tightens S1.policy: nothing of an untrusted workspace is listed or asked about, until it is trusted', async () => {
    let trusted = false;
    const w = workspaceServers({
      workspace: { s: stdio },
      trusted: () => trusted,
      answers: { approveServer: async () => true },
    });
    await w.servers.discover();
    await w.servers.start('s');
    assert.deepEqual([w.state(), w.asked.length, w.servers.problems()], [undefined, 0, []]);
    trusted = true;
    await w.servers.discover();
    assert.equal(w.asked.length, 1);
    w.servers.dispose();
  });

  it('D.tightens: it takes neither the place of the user’s server of its name nor what was approved of that', async () => {
    const w = workspaceServers({ user: { s: { ...stdio, enabled: false } }, workspace: { s: { ...http } } });
    await w.servers.discover();
    assert.deepEqual([w.state(), w.asked.length], ['disabled', 0]);
    assert.ok(w.codes().includes('mcp_shadowed'));
    w.servers.dispose();
  });

  for (const name of ['s\u200B', '\u202Es', 'a\u2066b', 's\u00AD'])
    it(`D.approval-binding: a name with an invisible character is refused (${visibleText(name).text})`, () => {
      const { servers, problems } = parseServers({ [name]: stdio }, 'workspace');
      assert.deepEqual([servers.length, problems[0]?.code], [0, 'invalid_mcp_server']);
    });
});
