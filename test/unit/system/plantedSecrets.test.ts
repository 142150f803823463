import { strict as assert } from 'node:assert';
import { type LoopMessage, type LoopModel, runAgentLoop } from '../../../src/core/agent/loop';
import { toRecord } from '../../../src/core/audit/makeRecord';
import type { Capability } from '../../../src/core/capability/capability';
import type { ToolHandler } from '../../../src/core/capability/tool';
import { toolError } from '../../../src/core/vocabulary/errors';
import { fullRedactor } from '../../../src/node/audit/fullRedactor';
import { capabilityOf, definition } from '../../support/gate';
import { drawnSecret } from '../../support/secretSamples';
import { openSystem } from '../../support/system';

const found = drawnSecret(42).secret;
/** Nothing tells that it is one but that it stands in `.env`. */
const known = 'Tr0ub4dor-and-three';
const planted = `first ${found} then ${known} end`;
const base64 = Buffer.from(planted).toString('base64');

/** A server that has the same secrets, in each form in which one can answer. */
const tools: Readonly<Record<string, Partial<ToolHandler>>> = {
  read_resource: {
    run: async () => ({
      payload: {},
      parts: [
        { type: 'text', text: planted },
        { type: 'resource', resource: { uri: `x://${found}`, text: planted } },
        { type: 'blob', resource: { uri: 'x://a' }, data: base64 },
        { type: 'link', link: { uri: `x://${known}`, name: planted, title: planted, description: planted } },
      ],
    }),
  },
  get_prompt: { run: async () => ({ payload: { messages: [{ role: 'user', content: planted }] } }) },
  warn_of_it: { run: async () => ({ payload: {}, warnings: [planted] }) },
  fail_with_it: {
    run: async () => {
      throw toolError('extension_error', `cannot use ${planted}`, { details: { [found]: { of: [planted] } } });
    },
  },
  crash_with_it: {
    run: async () => {
      throw new Error(planted);
    },
  },
};

const house: Capability = {
  ...capabilityOf(definition()),
  id: 'house',
  source: { type: 'mcp', server: 'house' },
  provenance: { by: 'user', from: 'house' },
  tools: Object.entries(tools).flatMap(
    ([name, handler]) =>
      capabilityOf(
        definition({ name, modelDescription: `Use it. ${planted}`, inputSchema: { type: 'object' } }),
        handler,
      ).tools,
  ),
} as Capability;

const calls: readonly (readonly [tool: string, input: object])[] = [
  ['read_file', { path: 'a.txt' }],
  ['grep_files', { pattern: 'first' }],
  ['read_file', { path: 'none', encoding: 'utf-8' }],
  ['db_query', { query: 'select value from settings' }],
  ['db_query', { query: 'select fails' }],
  ['list_tables', {}],
  ...Object.keys(tools).map((name) => [name, {}] as const),
  ['write_note', { section: 'findings', text: planted }],
  ['read_notes', {}],
  ['search_notes', { query: 'first' }],
  ['write_todos', { todos: [{ content: planted, status: 'pending' }] }],
  ['read_todos', {}],
];

async function open() {
  const system = await openSystem({
    approve: true,
    files: { '.env': `PASSWORD=${known}\n`, 'a.txt': `${planted}\n` },
    user: {
      'policy.preset': 'open',
      'database.connections': { main: { type: 'sqlite', path: ':memory:' } },
      profiles: { all: { capabilities: ['file_system', 'database', 'research', 'todo_list', 'house'] } },
      activeProfile: 'all',
    },
    platform: {
      extras: {
        databases: {
          query: async (_connection, { sql }) => {
            if (sql.includes('fails')) throw toolError('database_error', `near ${planted}`);
            return { columns: ['value', found], rows: [{ value: planted, [found]: known }], truncated: false };
          },
          tables: async () => [
            {
              name: found,
              type: 'table',
              columns: [{ name: planted, type: 'text', nullable: true, primaryKey: false }],
            },
          ],
        },
      },
    },
  });
  const registration = system.core.tools.registry.register(house);
  return {
    ...system,
    dispose: () => {
      registration.dispose();
      system.dispose();
    },
  };
}

function assertHidden(told: unknown, what: string): void {
  const text = JSON.stringify(told);
  for (const secret of [found, known, base64])
    assert.ok(!text.includes(secret), `${what} shows ${secret}: ${text.slice(0, 400)}`);
}

describe('planted secrets', () => {
  let system: Awaited<ReturnType<typeof open>>;
  beforeEach(async () => (system = await open()));
  afterEach(() => system.dispose());

  it('D.redaction: come out by no tool, resource, prompt, note, row, warning or error, nor by the record of the call', async () => {
    const unknown: string[] = [];
    for (const [tool, input] of calls) {
      const result = await system.call(tool, input);
      if (!result.success && /unknown|not_offered|disabled|denied|invalid_input/.test(result.error.code))
        unknown.push(`${tool}: ${result.error.code} ${result.error.message}`);
      assertHidden(result, tool);
      const records = system.events.map((event) => toRecord(event, { content: 'redacted', redactor: fullRedactor() }));
      // What an agent writes itself is its own; a value that only `.env` knows is hidden in what it is answered.
      if (!tool.startsWith('write_')) assertHidden(records.at(-1), `the record of ${tool}`);
    }
    assert.deepEqual(unknown, []);
  });

  it('D.redaction: the chat participant sends a model none of them, in results or in what servers say of their tools', async () => {
    const sent: unknown[] = [];
    const left = [...calls];
    const model: LoopModel = {
      async *send(messages, offered) {
        // What the model itself wrote is not told back to it by us.
        sent.push(
          messages.filter(({ role }) => role === 'results'),
          offered,
        );
        const next = left.shift();
        if (!next) yield { type: 'text', text: 'done' };
        else yield { type: 'call', call: { callId: `c${left.length}`, name: next[0], input: next[1] } };
      },
    };
    const messages: LoopMessage[] = [{ role: 'user', text: 'go' }];
    const { registry } = system.core.tools;
    const result = await runAgentLoop({
      router: system.core.gate.router,
      model,
      view: { text() {}, started() {}, progress() {}, finished() {}, goOn: async () => true },
      tools: () => registry.tools().filter(({ capability }) => capability.id === 'house'),
      find: (name) => registry.tool(name),
      messages,
      maxRounds: 100,
      signal: new AbortController().signal,
    });
    assert.equal(result.end, 'answered');
    for (const one of sent) assertHidden(one, 'a request to the model');
    assert.match(JSON.stringify(sent), /\{\{secret:/);
  });
});
