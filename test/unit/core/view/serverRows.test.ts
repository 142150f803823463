import { say } from '../../../../src/core/base/sentence';
import { strict as assert } from 'node:assert';
import { foreignDefinition } from '../../../../src/core/foreign/foreignTool';
import type { ServerStatus } from '../../../../src/core/foreign/serverStatus';
import { isSetByUser, judgementLines } from '../../../../src/core/present/judgement';
import { serverRows } from '../../../../src/core/present/serverRows';
import { plainWords } from '../../../../src/core/base/translate';

const server = (name: string, state: ServerStatus['state'], more: Partial<ServerStatus> = {}): ServerStatus => ({
  name,
  capabilityId: `mcp_${name}`,
  origin: 'user',
  state,
  tools: 0,
  faults: [],
  ...more,
});

const rows = (...servers: ServerStatus[]) =>
  serverRows({ t: plainWords, servers, tools: () => ({ isOn: true, tools: [] }) });

describe('the group of MCP servers', () => {
  it('is left out where there is none', () => assert.deepEqual(rows(), []));

  it('S1.mcp: says every state in words and marks those that wait for the person', () => {
    const [group] = rows(
      server('a', 'running', { tools: 3 }),
      server('b', 'stopped', { tools: 1 }),
      server('c', 'failed', { detail: say('as_it_is', 'no such\u202Eprogram') }),
      server('d', 'blocked'),
      server('e', 'refused'),
      server('f', 'asking'),
      server('g', 'disabled', { origin: 'managed' }),
      server('h', 'unapproved', { origin: 'workspace' }),
      server('i', 'starting'),
      server('j', 'refused', { signsIn: true, signedOut: true }),
      server('k', 'running', { signsIn: true }),
    );
    assert.equal(group?.description, '2 of 11 running · 6 need you');
    assert.deepEqual(
      group?.children().map((row) => [row.description, row.warns, row.contextValue]),
      [
        ['running · 3 tools', false, 'server.running.user'],
        ['asleep until called · 1 tool', false, 'server.stopped.user'],
        ['failed: no such⟨U+202E⟩program', true, 'server.failed.user'],
        ['blocked: its tools changed', true, 'server.blocked.user'],
        ['its tools are not approved', true, 'server.refused.user'],
        ['waits for your answer', true, 'server.asking.user'],
        ['switched off', false, 'server.disabled.managed'],
        ['from the workspace, not approved', true, 'server.unapproved.workspace'],
        ['starting', false, 'server.starting.user'],
        ['signed out', true, 'server.refused.signedOut.user'],
        ['running', false, 'server.running.signsIn.user'],
      ],
    );
    assert.equal(group?.children()[1]?.accessibleLabel, 'MCP server b, asleep until called · 1 tool, 2 of 11');
  });

  it('says of one alone that it needs the person', () => {
    const [group] = rows(server('a', 'blocked'), server('b', 'running'));
    assert.equal(group?.description, '1 of 2 running · 1 needs you');
  });

  it('shows in the tooltip what changed, with foreign text that cannot act', () => {
    const [group] = rows(
      server('a', 'blocked', {
        diff: () => ['  tool x, description:', '+ `[click](command:evil)`'],
        faults: [say('as_it_is', 'one <b>')],
      }),
    );
    const tooltip = group?.children()[0]?.tooltip() ?? '';
    assert.match(tooltip, /Changed since you approved it/);
    assert.match(tooltip, /`` \+ `\[click\]\(command:evil\)` ``/);
    assert.match(tooltip, /one \\<b\\>/);
  });
});

describe('the words about a judgement', () => {
  const definition = (tool: object, options: object = {}) =>
    foreignDefinition(
      { name: 'delete_note', inputSchema: { type: 'object' }, ...tool },
      {
        from: 's',
        hintsConfirmed: false,
        override: undefined,
        timeoutMs: 1000,
        ...options,
      },
    ).definition;

  it('S1.risk: tell a guess from what the user confirmed and from what the user set', () => {
    const lines = (one: ReturnType<typeof definition>) => judgementLines(one, plainWords);
    assert.deepEqual(lines(definition({})), ['Risk high, inferred: the name says delete']);
    assert.deepEqual(lines(definition({ name: 'x', annotations: { destructiveHint: true } })), [
      'Risk high, inferred: its source calls it destructive (annotation destructiveHint)',
    ]);
    assert.deepEqual(lines(definition({ annotations: { readOnlyHint: true } }, { hintsConfirmed: true })), [
      'Risk low, lowered by you: you confirmed that it only reads (annotation readOnlyHint)',
    ]);
    const set = definition({}, { override: { risk: 'low', sideEffects: ['fs.read'], permission: 'allowed' } });
    assert.deepEqual(lines(set), [
      'Risk low, set by you; without that it is high: the name says delete',
      'What it touches: set by you',
      'What agents meet: set by you',
    ]);
    assert.deepEqual([isSetByUser(set), isSetByUser(definition({}))], [true, false]);
  });
});
