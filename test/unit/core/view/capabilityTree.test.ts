import { strict as assert } from 'node:assert';
import { type Problem, problem } from '../../../../src/core/base/problem';
import { say } from '../../../../src/core/base/sentence';
import { plainWords, type Translate } from '../../../../src/core/base/translate';
import { parseProfile, resolveProfile } from '../../../../src/core/profiles/profile';
import { CapabilityRegistry } from '../../../../src/core/registry/registry';
import { budgetLine, budgetOf, budgetWords } from '../../../../src/core/present/budget';
import { capabilityTree, type Grouping } from '../../../../src/core/present/capabilityTree';
import type { TreeRow } from '../../../../src/core/present/treeRow';
import { describeSwitch } from '../../../../src/core/present/profileDiff';
import { parseFilter } from '../../../../src/core/present/treeFilter';
import { fiveCapabilities, named } from '../../../support/profiles';

const registry = new CapabilityRegistry();
for (const capability of fiveCapabilities) registry.register(capability);
registry.register(named('later', ['soon'], { status: 'coming_soon' }));
registry.register(
  named('evil\u202e'.replace('\u202e', ''), ['run_evil'], {
    name: 'Ev\u202eil',
    description: '<img src=x> [click](command:x) $(bug)',
  }),
);

/** The same with a capability that searches. */
const searchable = new CapabilityRegistry();
for (const capability of [...fiveCapabilities, named('capabilities', ['search_tools'])])
  searchable.register(capability);

const resolve = (raw: unknown) => resolveProfile(parseProfile('mine', raw, 'user').value, registry);

function tree(
  raw: unknown,
  more: { grouping?: Grouping; filter?: string; problems?: Problem[]; isDeveloper?: boolean } = {},
): readonly TreeRow[] {
  const profile = resolve(raw);
  const filter = parseFilter(registry, more.filter ?? '', plainWords);
  return capabilityTree({
    t: plainWords,
    registry,
    profile,
    problems: more.problems ?? [],
    budget: budgetOf(profile, 0),
    grouping: more.grouping ?? 'order',
    isDeveloper: more.isDeveloper ?? false,
    ...(filter ? { filter } : {}),
  });
}

const sketch = (rows: readonly TreeRow[]): string[] =>
  rows.flatMap((row) => [
    `${row.checkbox ? (row.checkbox.checked ? '☑' : '☐') : '·'} ${row.label}`,
    ...sketch(row.children()).map((line) => `  ${line}`),
  ]);

describe('what a foreign capability is for', () => {
  it('D.tree: is said in the language of the person, in its row and its tooltip', () => {
    const own = new CapabilityRegistry();
    const held = own.register(named('theirs', ['act'], { summary: say('tools_of_extension', 'acme.acts') }));
    const profile = resolveProfile(parseProfile('mine', {}, 'user').value, own);
    const t: Translate = (message, ...values) =>
      plainWords(message.replace('Tools of the extension', 'Tools der Erweiterung'), ...values);
    const input = { registry: own, profile, problems: [], budget: budgetOf(profile, 0), t } as const;
    const [row] = capabilityTree({ ...input, grouping: 'order', isDeveloper: false });
    assert.match(row?.description ?? '', /^Tools der Erweiterung acme\.acts/);
    assert.match(row?.tooltip() ?? '', /Tools der Erweiterung acme/);
    held.dispose();
    own.dispose();
  });
});

describe('what is for agents only', () => {
  it('S2.metadata: is shown to no person, and its capability says how many there are', () => {
    const own = new CapabilityRegistry();
    const media = named('media', ['play', 'whisper']);
    const [play, whisper] = media.tools;
    assert.ok(play && whisper);
    const tools = [play, { ...whisper, definition: { ...whisper.definition, agentOnly: true } }];
    const held = own.register({ ...media, tools });
    const parsed = parseProfile('mine', { capabilities: ['media'] }, 'user').value;
    for (const profile of [resolveProfile(parsed, own), resolveProfile({ ...parsed, capabilities: [] }, own)]) {
      const input = { registry: own, profile, problems: [], budget: budgetOf(profile, 0), t: plainWords } as const;
      const [row] = capabilityTree({ ...input, grouping: 'order' });
      assert.deepEqual(
        row?.children().map(({ label }) => label),
        ['play'],
      );
      assert.match(row?.tooltip() ?? '', /Tools for agents only, which are not shown: 1/);
    }
    held.dispose();
    own.dispose();
  });
});

describe('the rows of the Capabilities view', () => {
  it("D.tree: show the profile's capabilities in its order, then those that it does not list", () => {
    assert.deepEqual(
      sketch(
        tree({
          capabilities: [
            'math',
            { ref: 'file_system', tools: { write_file: false } },
            { ref: 'todo_list', enabled: false },
          ],
        }),
      ),
      [
        '☑ Math',
        '  ☑ add',
        '  ☑ divide',
        '☑ File System',
        '  ☑ read_file',
        '  ☐ write_file',
        '☐ Todo List',
        '  ☐ write_todos',
        '  ☐ read_todos',
        '☐ Web Fetch',
        '  ☐ web_fetch',
        '☐ Current Time',
        '  ☐ get_current_time',
        '· Later',
        '  · soon',
        '☐ Ev⟨U+202E⟩il',
        '  ☐ run_evil',
      ],
    );
  });

  it('D.tree: tell a screen reader name, state and position, and name every checkbox', () => {
    const [files] = tree({ capabilities: ['file_system'] });
    assert.equal(files?.accessibleLabel, 'File System, enabled, position 1 of 7, 2 tools, 1 needs confirmation');
    assert.equal(files?.checkbox?.label, 'Disable File System');
    assert.deepEqual(
      files?.children().map((row) => row.accessibleLabel),
      [
        'read_file, enabled, position 1 of 2, low risk, allowed for agents',
        'write_file, enabled, position 2 of 2, medium risk, agents need a confirmation',
      ],
    );
  });

  it('D.tree: say risk and permission of each tool in words', () => {
    const [files] = tree({ capabilities: ['file_system'] });
    assert.deepEqual(
      files?.children().map((row) => row.description),
      ['allowed · low risk', 'asks · medium risk'],
    );
    assert.deepEqual(
      files?.children().map((row) => row.icon),
      ['symbol-method', 'question'],
      'what asks is seen where the words have no room',
    );
    assert.match(files?.description ?? '', /^⚠ 1 asks · /);
    assert.match(files?.tooltip() ?? '', /Source: built in/);
  });

  it('D.tree: show problems first, and those of a capability at its row; unknown ids come with the nearest names', () => {
    const rows = tree({ capabilities: ['file_sytem', { ref: 'math', tools: { adds: true } }] });
    assert.equal(rows[0]?.kind, 'problem');
    assert.match(rows[0]?.description ?? '', /"file_sytem", which is not a capability; did you mean "file_system"/);
    const math = rows.find((row) => row.label === 'Math');
    assert.equal(math?.warns, true);
    assert.match(math?.description ?? '', /"adds", which "math" does not have; did you mean "add"/);
  });

  it('D.tree: show no backticks, which a row draws as they are, and of a server what matters first', () => {
    const said = say('server_fault', 'my`s', say('server_tools_unapproved'));
    const problems = [problem({ severity: 'warning', code: 'mcp_not_approved', said, subject: 'my-s' })];
    const rows = tree({ capabilities: ['file_sytem', { ref: 'math', tools: { adds: true } }] }, { problems });
    const [server] = rows.filter((row) => row.kind === 'problem' && row.problem.code === 'mcp_not_approved');
    assert.equal(server?.label, 'my`s');
    assert.equal(server.description, 'not approved, so none of its tools is offered');
    assert.match(server.accessibleLabel, /the MCP server "my"s": not approved/);
    for (const { description, accessibleLabel } of rows) assert.doesNotMatch(description + accessibleLabel, /`/);
  });

  it('D.tree: show what foreign texts hold as text, never as markup', () => {
    const evil = tree({ capabilities: ['evil'] })[0];
    const tooltip = evil?.tooltip() ?? '';
    assert.doesNotMatch(tooltip, /\u202e/);
    assert.match(tooltip, /\\<img src=x\\> \\\[click\\\]\\\(command\\:x\\\) \\\$\\\(bug\\\)/);
  });

  it('D.tree: group by category or source, and keep ids apart and stable', () => {
    const rows = tree({ capabilities: ['math'] }, { grouping: 'source' });
    assert.deepEqual(
      rows.map((row) => row.label),
      ['Built in'],
    );
    const ids = (some: readonly TreeRow[]): string[] => some.flatMap((row) => [row.id, ...ids(row.children())]);
    const all = ids(tree({ capabilities: ['math', 'file_system'] }));
    assert.equal(new Set(all).size, all.length);
    assert.deepEqual(
      [...all].sort(),
      [...ids(tree({ capabilities: ['file_system', { ref: 'math', enabled: false }] }))].sort(),
    );
  });

  it('D.tree: filter by words, risk, side effect, source and state, all of which must hold', () => {
    const profile = { capabilities: ['file_system', 'web_fetch', 'math'] };
    const found = (filter: string): string[] => sketch(tree(profile, { filter })).slice(1);
    assert.deepEqual(found('risk:medium'), ['☑ File System', '  ☑ write_file']);
    assert.deepEqual(found('effect:fs is:asks'), ['☑ File System', '  ☑ write_file']);
    assert.deepEqual(found('math'), ['☑ Math', '  ☑ add', '  ☑ divide']);
    assert.deepEqual(sketch(tree(profile, { filter: 'fetch is:off' })), []);
    assert.equal(parseFilter(registry, '   ', plainWords), undefined);
  });

  it('D.tree: filter by the words that a row shows, in English and in the language of the person', () => {
    const profile = { capabilities: ['file_system', 'web_fetch'] };
    const found = (filter: string): string[] => sketch(tree(profile, { filter })).slice(1);
    assert.deepEqual(found('asks'), ['☑ File System', '  ☑ write_file']);
    assert.deepEqual(found('medium'), ['☑ File System', '  ☑ write_file']);
    assert.deepEqual(found('file allowed'), ['☑ File System', '  ☑ read_file']);
    assert.deepEqual(found('on fetch'), ['☑ Web Fetch', '  ☑ web_fetch']);
    assert.ok(found('off').every((line) => line.includes('☐') || line.includes('·')));
    const german = parseFilter(registry, 'fragt', (text) => (text === 'asks' ? 'fragt' : text));
    const [files] = resolve(profile).entries;
    assert.deepEqual(
      german?.keep(files!.capability, files!.tools)?.map(({ tool }) => tool.definition.name),
      ['write_file'],
    );
  });

  it('D.tree: a filter is said in words above what it leaves, and changes no number', () => {
    const profile = { capabilities: ['file_system', 'web_fetch', 'math'] };
    const all = tree(profile);
    const [filter, found, ...rest] = tree(profile, { filter: 'write_file' });
    assert.deepEqual(rest, []);
    assert.equal(filter?.label, 'Filter: write_file');
    assert.equal(filter?.description, '1 of 10 tools · Esc clears it');
    assert.equal(filter?.contextValue, 'filter');
    assert.equal(found?.accessibleLabel, all[0]?.accessibleLabel);
    assert.equal(found?.description, all[0]?.description);
  });

  it('D.tree: a tool that is off does not say that it asks, and a capability that is partly on says so', () => {
    const [files] = tree({ capabilities: [{ ref: 'file_system', tools: { write_file: false } }] });
    assert.match(files?.description ?? '', /^1 of 2 tools on · What file_system does/);
    assert.equal(files?.accessibleLabel, 'File System, enabled, position 1 of 7, 1 of 2 tools on');
    assert.deepEqual(
      files?.children().map((row) => row.description),
      ['allowed · low risk', 'medium risk'],
    );
    assert.equal(files?.children()[1]?.accessibleLabel, 'write_file, disabled, position 2 of 2, medium risk');
  });

  it('S1.modes D.tree: in plan mode a tool says that the mode refuses it', () => {
    const [files, web] = tree({ mode: 'plan', capabilities: ['file_system', 'web_fetch'] });
    assert.deepEqual(
      files?.children().map((row) => row.description),
      ['allowed · low risk', 'refused in plan mode · medium risk'],
    );
    assert.match(files?.children()[1]?.accessibleLabel ?? '', /refused in plan mode$/);
    assert.doesNotMatch(files?.description ?? '', /asks/);
    assert.match(files?.tooltip() ?? '', /`write_file` refused in plan mode · medium risk/);
    assert.match(
      files?.children()[1]?.tooltip() ?? '',
      /for agents: refused in plan mode; for you: refused in plan mode/,
    );
    assert.deepEqual(web?.children()[0]?.description, 'allowed · low risk');
  });

  it('D.tree: samples for developers are shown to them, and to whoever has them in the profile', () => {
    const sample = registry.register(named('sample', ['try_it'], { forDevelopers: true }));
    const isShown = (raw: unknown, isDeveloper: boolean): boolean =>
      tree(raw, { isDeveloper }).some((row) => row.label === 'Sample');
    assert.equal(isShown({ capabilities: ['math'] }, false), false);
    assert.equal(isShown({ capabilities: ['math'] }, true), true);
    assert.equal(isShown({ capabilities: [{ ref: 'sample', enabled: false }] }, false), true);
    sample.dispose();
  });

  it('S3.profiles D.tree: what is held back of a workspace says so at its row and at its tools', () => {
    const profile = resolve({ capabilities: ['math'] });
    const [math, files] = capabilityTree({
      t: plainWords,
      registry,
      profile,
      heldBack: resolve({ capabilities: ['math', { ref: 'file_system', tools: { write_file: false } }] }),
      problems: [],
      budget: budgetOf(profile, 0),
      grouping: 'order',
    });
    assert.doesNotMatch(math?.description ?? '', /held back/);
    assert.match(files?.description ?? '', /^⚠ held back: review first · /);
    assert.match(files?.accessibleLabel ?? '', /^File System, disabled, held back: review first, /);
    assert.deepEqual(
      files?.children().map((row) => row.description),
      ['held back: review first · low risk', 'medium risk'],
    );
  });
});

describe('the budget of a profile', () => {
  it('D.tree: counts exactly what is sent and says the rest as an upper bound', () => {
    const profile = resolve({ name: 'Writer', capabilities: ['file_system', 'math'] });
    const budget = budgetOf(profile, 41);
    assert.match(budgetLine(profile, budget, plainWords), /^Writer · execute · 4 tools · ~\d+ tokens$/);
    assert.match(
      budgetWords(budget, plainWords),
      /^Each request carries 4 tools\. The editor and others may add up to 41; 128 is the most\.$/,
    );
    assert.equal(
      [...budget.tokensOf.values()].reduce((sum, one) => sum + one, 0),
      budget.tokens,
    );
    assert.deepEqual(
      [budget.state, budgetOf(profile, 120).state, budgetOf(profile, 125).state],
      ['ok', 'near', 'over'],
    );
  });

  it('D.tree: counts what is listed where the profile offers search instead of all, and what searches found', () => {
    const raw = {
      name: 'Writer',
      capabilities: ['file_system', 'math', { ref: 'capabilities', config: { offer: 'search' } }],
    };
    const profile = resolveProfile(parseProfile('mine', raw, 'user').value, searchable);
    const start = budgetOf(profile, 0);
    assert.deepEqual([start.own, start.bySearch], [1, 4]);
    assert.match(
      budgetWords(start, plainWords),
      /carries 1 tool\. 4 more are added when a search finds them\. 128 is the most\.$/,
    );
    const found = budgetOf(profile, 0, '', new Set(['add']));
    assert.deepEqual([found.own, found.bySearch], [2, 3]);
    assert.ok(found.tokens > start.tokens);
  });

  it('D.tree: counts a base prompt that stands in a file like one that stands in the profile', () => {
    const prompt = 'You review changes. '.repeat(40);
    const inside = resolve({ name: 'Writer', systemPrompt: prompt, capabilities: ['math'] });
    const inFile = resolve({ name: 'Writer', systemPromptFile: 'prompt.md', capabilities: ['math'] });
    assert.equal(budgetOf(inFile, 0, prompt).tokens, budgetOf(inside, 0).tokens);
    assert.equal(budgetOf(inFile, 0, prompt).tokens - budgetOf(inFile, 0).tokens, Math.ceil(prompt.trim().length / 4));
  });
});

describe('what a switch of profiles changes', () => {
  it('D.commands: names tools gained and lost and every permission that loosens', () => {
    const from = resolve({ mode: 'plan', scopes: ['file:read'], capabilities: ['file_system', 'todo_list'] });
    const to = resolve({ capabilities: ['file_system'] });
    assert.equal(
      describeSwitch(from, to, plainWords),
      '+ write_file · − write_todos, read_todos · loosens: mode plan → execute, scope file:write',
    );
    const t: Translate = (message, ...values) => plainWords(`«${message}»`, ...values);
    assert.match(describeSwitch(from, to, t), /«loosens: «mode plan → execute», «scope file:write»»/);
    assert.equal(describeSwitch(to, to, plainWords), 'same tools');
  });
});
