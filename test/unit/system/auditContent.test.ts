import { strict as assert } from 'node:assert';
import { auditLine } from '../../../src/core/audit/line';
import { toRecord } from '../../../src/core/audit/makeRecord';
import { createRedactor } from '../../../src/core/audit/redact';
import type { Capability } from '../../../src/core/capability/capability';
import { hookInvocation, ranElsewhere } from '../../../src/core/gate/hookCall';
import type { HostEvent } from '../../../src/core/hooks/hostEvent';
import { RecentCalls } from '../../../src/core/audit/recentCalls';
import { toolError } from '../../../src/core/vocabulary/errors';
import { nodeCrypto } from '../../../src/node/system';
import { capabilityOf, definition } from '../../support/gate';
import { makeSandbox } from '../../support/sandbox';
import { openSystem } from '../../support/system';

/** Stands in files, arguments and answers, and nowhere in names or places. */
const canary = 'kanarienvogel';
const line = `const ${canary} = 'a line of the file';`;
const file = `${line}\n${'const other = 1;\n'.repeat(5)}`;

const redactor = createRedactor();
const recordOf = (event: Parameters<typeof toRecord>[0], content: 'shape' | 'redacted' = 'shape'): string =>
  JSON.stringify(toRecord(event, { content, redactor }) ?? '');

/** A tool of a server that fails in its own words. */
const server: Capability = {
  ...capabilityOf(definition({ name: 'ask_server', inputSchema: { type: 'object' } }), {
    run: () => Promise.reject(toolError('mcp_error', `the server says: ${file}`)),
  }),
  id: 'house',
  source: { type: 'mcp', server: 'house' },
  provenance: { by: 'user', from: 'house' },
};

/** A tool that only calls another one, as a definition may be; twice, so that one lies within the other. */
const around: Capability = {
  ...capabilityOf(definition()),
  id: 'around',
  tools: [
    ['pass_on', 'read_file'],
    ['pass_on_again', 'pass_on'],
    ['ask_host_and_read', 'read_file'],
    ['pass_on_answer', 'ask_host_and_read'],
  ].flatMap(
    ([name = '', other = '']) =>
      capabilityOf(definition({ name, inputSchema: { type: 'object' } }), {
        // What it touches itself is no file, which hides what it called.
        ...(name === 'ask_host_and_read'
          ? { accesses: () => [{ effect: 'network.outbound' as const, resource: 'a.example' }] }
          : {}),
        run: async (input, context) => {
          const result = await context.invokeTool(other, input);
          return result.success ? { payload: result.payload } : assert.fail(result.error.message);
        },
      }).tools,
  ),
};

async function open(user: Readonly<Record<string, unknown>> = {}) {
  const sandbox = await makeSandbox();
  const system = await openSystem({
    approve: true,
    files: { 'a.ts': file, 'read.capability': '' },
    user: {
      'policy.preset': 'open',
      'research.searchEndpoint': 'https://search.example/?q={query}',
      'database.connections': { main: { type: 'sqlite', path: ':memory:' } },
      profiles: {
        all: { capabilities: ['file_system', 'sandbox', 'http', 'research', 'database', 'math', 'house', 'around'] },
      },
      activeProfile: 'all',
      ...user,
    },
    platform: {
      http: () => ({
        send: async ({ url }) => {
          if (!url.includes('search')) throw toolError('network_error', `broke off after ${file}`);
          return {
            ...{ url, status: 500, statusText: '', headers: { 'content-type': 'application/json' } },
            body: new TextEncoder().encode(JSON.stringify({ error: line })),
          } as never; // reason: what the tools look at is there
        },
      }),
      extras: {
        sandbox,
        databases: {
          query: () => Promise.reject(toolError('database_error', `near "${file}"`)),
          tables: async () => [],
        },
      },
    },
  });
  const registrations = [server, around].map((one) => system.core.tools.registry.register(one));
  return {
    ...system,
    dispose: () => {
      for (const one of registrations) one.dispose();
      system.dispose();
    },
  };
}

type System = Awaited<ReturnType<typeof open>>;

/** Calls that fail, each with what its record says. */
const failures: readonly (readonly [tool: string, input: object, told: RegExp])[] = [
  [
    'edit_file',
    { path: 'a.ts', edits: [{ old_text: line.replace('line', 'lime'), new_text: 'x' }] },
    /^\/edits\/0: old_text is not in `\/?a\.ts`; the nearest place is line 1, \(\d+ characters, not kept\)$/,
  ],
  ['edit_file', { path: 'a.ts', edits: [{ old_text: line, new_text: line }] }, /^input is not valid: \(\d+ char/],
  ['write_file', { path: 'a.ts', content: 7, mode: canary }, /^input is not valid: \/content must be string/],
  ['read_file', { path: 'none.ts' }, /^nothing is at `\/?none\.ts`; list_directory or/],
  ['grep_files', { pattern: `(${canary}` }, /not kept/],
  [
    'execute_code',
    { code: 'const text = await files.read("a.ts"); throw new Error(text)', allow_files: true },
    /^the words of the tool \(\d+ characters\) are not kept$/,
  ],
  ['http_get', { url: 'https://a.example/' }, /^the words of the tool \(\d+ characters\) are not kept$/],
  ['web_search', { query: 'birds' }, /^the server answered 500: \(\d+ characters, not kept\)$/],
  ['db_query', { query: 'select 1' }, /^the words of the tool \(\d+ characters\) are not kept$/],
  ['house_ask_server', {}, /^the words of the tool \(\d+ characters\) are not kept$/],
];

const hooked: HostEvent = {
  ...{ agent: 'claude', kind: 'after', event: 'PostToolUse', tool: 'Edit', session: 's', callId: '1' },
  input: { file_path: '/tmp/a.ts', old_string: line, new_string: 'x' },
  error: `String to replace not found: ${file}`,
};

async function failed(system: System): Promise<void> {
  await system.core.tools.loadHostTools();
  await system.core.gate.router.finishedElsewhere(hookInvocation(hooked, nodeCrypto), ranElsewhere(hooked));
}

describe('what the record keeps of a failure', () => {
  for (const [tool, input, told] of failures)
    it(`S1.audit: is no content of files, arguments or answers at \`shape\`: ${tool} ${JSON.stringify(input).slice(0, 40)}`, async () => {
      const system = await open();
      try {
        const result = await system.call(tool, input);
        assert.ok(!result.success, 'it fails');
        const last = system.events.at(-1) ?? assert.fail('nothing is recorded');
        const record = toRecord(last, { content: 'shape', redactor });
        assert.match(String(record?.['error.message']), told);
        assert.equal(record?.['error.type'], result.error.code);
        for (const event of system.events) {
          assert.ok(!recordOf(event).includes(canary), recordOf(event));
          assert.ok(!auditLine(event, redactor)?.text.includes(canary), 'nor is it in the channel');
        }
      } finally {
        system.dispose();
      }
    });

  it('S1.audit: is not what another agent tells of its own tool, which the window shows all the same', async () => {
    const system = await open();
    try {
      await failed(system);
      const last = system.events.at(-1) ?? assert.fail('nothing is recorded');
      for (const content of ['shape', 'redacted'] as const)
        assert.ok(!recordOf(last, content).includes(canary), recordOf(last, content));
      const recent = new RecentCalls();
      recent.record(last);
      assert.ok(recent.list()[0]?.message?.includes(canary));
    } finally {
      system.dispose();
    }
  });

  it('S1.audit: at `redacted` it is what tools say, but for calls on files', async () => {
    const system = await open();
    try {
      const kept = new Map<string, boolean>();
      for (const [tool, input] of failures) {
        await system.call(tool, input);
        const last = system.events.at(-1) ?? assert.fail('nothing is recorded');
        const { 'error.message': message, steps } = toRecord(last, { content: 'redacted', redactor }) ?? {};
        kept.set(tool, (kept.get(tool) ?? false) || JSON.stringify([message, steps]).includes(canary));
      }
      assert.deepEqual(Object.fromEntries(kept), {
        ...{ edit_file: false, write_file: false, read_file: false, grep_files: false, execute_code: false },
        // A database of SQLite is a file.
        db_query: false,
        ...{ http_get: true, web_search: true, house_ask_server: true },
      });
    } finally {
      system.dispose();
    }
  });

  it('S1.audit: at `redacted` a call around one on files keeps no content of them', async () => {
    const system = await open();
    try {
      for (const tool of ['pass_on_again', 'pass_on_answer']) {
        const result = await system.call(tool, { path: 'a.ts' });
        assert.ok(result.success && JSON.stringify(result.payload).includes(canary), tool);
      }
      assert.equal(system.events.filter(({ type }) => type === 'invocation.finished').length, 6);
      for (const event of system.events) assert.ok(!recordOf(event, 'redacted').includes(canary), event.type);
    } finally {
      system.dispose();
    }
  });

  it('S1.audit: holds no value of what a frozen plan allows, no key that is content and no data of a URL', async () => {
    const system = await open();
    try {
      await system.call('calculate', { expression: '1', variables: { [`${canary} of a file`]: [] } });
      await system.call('http_get', { url: `data:text/plain,${canary}` });
      await system.call('house_ask_server', { path: `\u0000${canary} of a file` });
      const write = { path: { equals: 'p.txt' }, content: { equals: file } };
      system.core.policy.plans.freeze('t', [{ tool: 'write_file', arguments: write, count: 1 }]);
      const denied = await system.call('write_file', { path: 'other.txt', content: 'x' });
      assert.ok(!denied.success && denied.error.message.includes(canary), 'the model reads it all the same');
      for (const event of system.events) assert.ok(!recordOf(event).includes(canary), recordOf(event));
    } finally {
      system.dispose();
    }
  });

  it('S1.audit: at `redacted` a call that was denied before anybody knew what it touches keeps no content of a file', async () => {
    const system = await open({ profiles: { all: { capabilities: ['math'] } } });
    try {
      const result = await system.call('write_file', { path: 'a.ts', content: file });
      assert.ok(!result.success);
      for (const event of system.events) assert.ok(!recordOf(event, 'redacted').includes(canary));
    } finally {
      system.dispose();
    }
  });
});
