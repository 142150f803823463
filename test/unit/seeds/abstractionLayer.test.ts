import { strict as assert } from 'node:assert';
import { knownSideEffects } from '../../../src/core/vocabulary/access';
import { toolId } from '../../../src/core/vocabulary/names';
import { readRiskLevel } from '../../../src/core/vocabulary/toolDefinition';
import { CapabilityRegistry } from '../../../src/core/registry/registry';
import { capabilityOf, definition, makeGate } from '../../support/gate';
import { runCli, temporaryWorkspace } from '../../support/cli';
import { named, scripted } from '../../support/mcp/harness';
import { itSays, seedLines } from '../../support/seeds';

/** The text of some lines, from 1. */
const text = (from: number, to = from): string =>
  seedLines(1)
    .slice(from - 1, to)
    .join('\n');

const list = async (...filter: readonly string[]): Promise<any[]> => {
  const { folder, dispose } = temporaryWorkspace();
  const { code, errors, json } = await runCli(['list', '--json', ...filter, '--workspace', folder]);
  dispose();
  assert.equal(code, 0, errors);
  return json().capabilities.flatMap((one: { tools: unknown[] }) => one.tools);
};

describe('the examples of the capability abstraction layer', () => {
  itSays(1, 91, 'S1.filters: `risk_level_max` lists what is at most of this risk', async () => {
    const [, name, level = ''] = /list_tools\((\w+)=RiskLevel\.(\w+)\)/.exec(text(91)) ?? [];
    const safe = await list(`${name}:${level}`);
    assert.ok(safe.length > 0);
    assert.ok(safe.every(({ riskLevel }) => ['low', readRiskLevel(level)].includes(riskLevel)));
    assert.ok((await list()).length > safe.length);
  });

  itSays(1, 94, 'S1.filters: `exclude_side_effects` leaves out what has one of them', async () => {
    const [, name] = /list_tools\(\s*(\w+)=/.exec(text(94, 96)) ?? [];
    const effects = [...text(94, 96).matchAll(/SideEffect\.(\w+)/g)].map(([, one = '']) =>
      one.toLowerCase().replace('_', '.'),
    );
    assert.deepEqual(effects, ['fs.write', 'fs.delete']);
    const tools = await list(`${name}:${effects.join(',')}`);
    assert.ok(tools.some((one) => one.name === 'read_file') && !tools.some((one) => one.name === 'write_file'));
    assert.ok(tools.every((one) => !one.sideEffects.some((effect: string) => effects.includes(effect))));
  });

  itSays(1, 102, 'S1.filters: the search of tools finds by words', async () => {
    const [, word = ''] = /search_tools\("(\w+)"\)/.exec(text(102)) ?? [];
    const names = (await list(word)).map(({ name }) => name);
    assert.ok(names.includes('http_get') && names.includes('http_request') && !names.includes('add'));
  });

  itSays(
    1,
    123,
    'S1.router S1.audit: an invocation has its id, inputs and actor, and a start, an end or a violation',
    async () => {
      const names = [...text(153, 157).matchAll(/emit_tool_invocation_(\w+)|emit_(policy_violation)/g)];
      assert.equal(names.length, 3);
      const fields = [...text(123, 129).matchAll(/^ {4}(\w+)=/gm)].map(([, one]) => one);
      assert.deepEqual(fields, ['invocation_id', 'tool_id', 'inputs', 'actor', 'timestamp']);
      const { folder, dispose } = temporaryWorkspace();
      const audit = `${folder}/audit`;
      const at = ['--workspace', folder, '--audit-dir', audit];
      const boundary = { id: 'none', match: { tool: 'subtract' }, decision: 'deny', reason: 'not here' };
      const rules = ['--set', `policy.boundaries=${JSON.stringify([boundary])}`];
      // What only reads and computes has its end alone.
      const write = '{"path":"a.txt","content":"x"}';
      const good = (await runCli(['call', 'write_file', write, '--yes', ...at])).json();
      const bad = (await runCli(['call', 'subtract', '{"a":1,"b":2}', ...at, ...rules])).json();
      const { records } = (await runCli(['audit', 'query', audit, '--json'])).json();
      dispose();
      const of = (id: string): any[] => records.filter((one: any) => one['gen_ai.tool.call.id'] === id);
      const eventsOf = (id: string): string[] =>
        of(id).flatMap(({ event }) => (/^(?:invocation|policy)/.test(event) ? [event] : []));
      assert.deepEqual(eventsOf(good.invocationId).sort(), ['invocation.finished', 'invocation.started']);
      assert.deepEqual(eventsOf(bad.invocationId), ['policy.violation']);
      for (const { actor, time, tool } of of(bad.invocationId))
        assert.deepEqual([actor, typeof time, tool], ['agent', 'string', 'cap:math:subtract']);
      // Lines 135 to 138: a result says whether it succeeded, and what it holds or why not.
      assert.deepEqual([good.success, good.payload.size_bytes], [true, 1]);
      assert.deepEqual([bad.success, typeof bad.error.message], [false, 'string']);
    },
  );

  itSays(1, 315, 'S1.filters: each parameter of the document lists, by its own name', async () => {
    const names = [...text(315, 318).matchAll(/^ +(\w+): /gm)].map(([, one]) => one);
    assert.deepEqual(names, ['source_types', 'risk_level_max', 'exclude_side_effects', 'enabled_only']);
    const all = await list();
    assert.deepEqual((await list('source_types:builtin')).length, all.length);
    assert.deepEqual(await list('source_types=mcp'), []);
    const on = await list('enabled_only=true');
    assert.ok(on.length > 0 && on.length < all.length && on.every(({ enabled }) => enabled));
    assert.deepEqual((await list('enabled_only:false')).length, all.length);
  });

  itSays(1, 204, 'S1.unified: a tool of an extension has the id of the document', () => {
    const [, extension = '', command = ''] = /`ext:([\w.]+):(\w+)`/.exec(text(204)) ?? [];
    assert.equal(
      toolId({ id: 'any', source: { type: 'extension', extensionId: extension } }, command),
      /Example: `(.*)`/.exec(text(204))?.[1],
    );
  });

  itSays(1, 207, 'S1.unified S1.router: a tool of an MCP server is called by the id of the document', async () => {
    const [, id = '', server = '', tool = ''] = /`(mcp:(\w+):(\w+))`/.exec(text(207)) ?? [];
    const { folder, dispose } = temporaryWorkspace();
    const servers = { [server]: scripted({ tools: named(tool) }) };
    const set = ['--set', `mcp.servers=${JSON.stringify(servers)}`];
    const { json, errors } = await runCli(['call', id, '{"text":"x"}', '--yes', '--workspace', folder, ...set], {
      PATH: process.env['PATH'],
    });
    dispose();
    assert.equal(json().toolId, id, errors);
    assert.equal(json().success, true, errors);
  });

  itSays(1, 218, 'S1.risk: each level of the table is one, in its spelling', () => {
    const levels = seedLines(1)
      .slice(217, 226)
      .flatMap((line) => /^\| (LOW|MED|HIGH|CRITICAL) /.exec(line)?.[1] ?? []);
    assert.deepEqual(
      levels.map((one) => readRiskLevel(one)),
      ['low', 'medium', 'high', 'critical'],
    );
  });

  itSays(1, 220, 'S1.risk: our tools have the levels of the table’s examples', async () => {
    const ours: Readonly<Record<string, string>> = {
      'List files': 'list_directory',
      'Create file': 'write_file',
      'HTTP GET': 'http_get',
      'Delete files': 'delete_file',
      'HTTP POST': 'http_request',
    };
    const tools = await list('is:on,off');
    const found = seedLines(1)
      .slice(217, 226)
      .flatMap((line) => {
        const [, level = '', examples = ''] = /^\| (\w+) +\|[^|]*\| ([^|]*?) \|/.exec(line) ?? [];
        return examples.split(', ').flatMap((one) => (ours[one] ? [[one, readRiskLevel(level)]] : []));
      });
    assert.equal(found.length, 5);
    assert.deepEqual(
      found.map(([one = '']) => [one, tools.find(({ name }) => name === ours[one])?.riskLevel]),
      found,
    );
  });

  itSays(1, 234, 'S1.risk: each side effect of the table is known', () => {
    const effects = seedLines(1)
      .slice(233, 245)
      .filter((line) => line.startsWith('| '))
      .flatMap((line) => [...line.matchAll(/`([a-z_.]+)`/g)].map(([, one = '']) => one));
    assert.equal(effects.length, 17);
    const known: readonly string[] = knownSideEffects;
    assert.deepEqual(
      effects.filter((one) => !known.includes(one)),
      [],
    );
  });

  itSays(1, 99, 'S1.unified: a tool is got by the id that the document writes, and a strange id gets none', () => {
    const [, id = '', extension = '', command = ''] = /get_tool\("(ext:([\w.]+):(\w+))"\)/.exec(text(99)) ?? [];
    const registry = new CapabilityRegistry();
    const source = { type: 'extension', extensionId: extension } as const;
    const registered = registry.register(capabilityOf(definition({ name: command }), {}, { id: 'postman', source }));
    assert.deepEqual([registry.tool(id)?.id, registry.tool(id)?.definition.name], [id, command]);
    assert.equal(registry.tool(`${id}x`), undefined);
    registered.dispose();
    registry.dispose();
  });

  itSays(
    1,
    177,
    'S1.policy: a decision says whether a call is allowed, why not, and that it wants approval',
    async () => {
      const asked = [...text(177, 189).matchAll(/decision\.(\w+)/g)].map(([, one]) => one);
      assert.deepEqual(asked, ['allowed', 'reason', 'requires_approval', 'approval_context']);
      const { folder, dispose } = temporaryWorkspace({ 'a.txt': 'a' });
      const rule = { id: 'closed', match: { path: 'secret/**' }, decision: 'deny', reason: 'nobody reads it' };
      const set = ['--set', `policy.boundaries=${JSON.stringify([rule])}`, '--workspace', folder];
      const decide = async (tool: string, input: object) =>
        (await runCli(['why', tool, JSON.stringify(input), '--json', ...set])).json();
      const allowed = await decide('read_file', { path: 'a.txt' });
      const denied = await decide('read_file', { path: 'secret/b.txt' });
      const asks = await decide('write_file', { path: 'a.txt', content: 'b' });
      dispose();
      assert.deepEqual([allowed.effect, denied.effect, asks.effect], ['pass', 'deny', 'ask']);
      assert.match(denied.message, /closed.*nobody reads it/);
      // What stands in the context of the approval: what would be done to what.
      assert.deepEqual(
        asks.accesses.map(({ effect, resource }: any) => [effect, resource]),
        [['fs.write', 'a.txt']],
      );
    },
  );

  itSays(1, 331, 'S1.router: a tool is invoked by its id, and a result comes back in every case', async () => {
    const code = text(331, 349);
    const parameters = [...code.matchAll(/^ {8}(\w+): (\w+)/gm)].map(([, name, type]) => `${name}: ${type}`);
    assert.deepEqual(parameters.slice(0, 2), ['registry: CapabilityRegistry', 'policy_engine: Optional']);
    assert.equal(parameters.filter((one) => one === 'tool_id: str').length, 2);
    assert.equal(code.match(/-> ToolResult/g)?.length, 2);
    // Without a policy engine: the router alone, over its registry.
    const gate = makeGate({ capabilities: [capabilityOf(definition())] });
    const good = await gate.call('cap:thing:do_thing', { value: 'x' });
    assert.deepEqual([good.success, good.success && good.payload], [true, { value: 'x' }]);
    const unknown = await gate.call('cap:thing:do_nothing', {});
    assert.deepEqual([unknown.success, !unknown.success && unknown.error.code], [false, 'tool_not_found']);
    gate.dispose();
  });

  itSays(1, 354, 'S1.policy: what needs a frozen spec or an admin is told by its risk', async () => {
    const methods = [...text(354, 363).matchAll(/def (\w+)\(/g)].map(([, one]) => one);
    assert.deepEqual(methods, ['check_allowed', 'requires_spec_freezing', 'requires_admin_approval']);
    const { folder, dispose } = temporaryWorkspace();
    const mail = ['send_email', '{"to":"a@example.com","subject":"s","body":"b"}'];
    const server = ['--set', 'email.host="mail.example"', '--set', 'email.from="me@example.com"'];
    const profiles = ['--set', 'profiles={"p":{"capabilities":["email","math"]}}', '--profile', 'p'];
    const call = async (what: readonly string[], setting: string) => {
      const at = ['--workspace', folder, '--yes', ...server, ...profiles, '--set', setting];
      const { success, error } = (await runCli(['call', ...what, ...at])).json();
      return success ? 'done' : `${error.code}: ${error.message}`;
    };
    const sum = ['add', '{"a":1,"b":2}'];
    assert.match(await call(mail, 'policy.requireFrozenSpec="high"'), /^plan_required: .*frozen plan/);
    assert.equal(await call(sum, 'policy.requireFrozenSpec="high"'), 'done');
    assert.match(await call(mail, 'policy.adminApproval="high"'), /admin token/);
    assert.equal(await call(sum, 'policy.adminApproval="high"'), 'done');
    dispose();
  });
});
