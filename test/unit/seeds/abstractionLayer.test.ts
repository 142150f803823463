import { strict as assert } from 'node:assert';
import { knownSideEffects } from '../../../src/core/vocabulary/access';
import { toolId } from '../../../src/core/vocabulary/names';
import { readRiskLevel } from '../../../src/core/vocabulary/toolDefinition';
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
});
