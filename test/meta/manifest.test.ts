import { strict as assert } from 'node:assert';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { builtinCapabilities } from '../../src/capabilities/index';
import { aboutRows } from '../../src/vscode/commands/index';
import { capabilityCommandTable } from '../../src/vscode/manifest/commands/capabilityCommandTable';
import { specsOf } from '../../src/vscode/manifest/commands/commandSpec';
import { commandSpecs } from '../../src/vscode/manifest/commands/commandTable';
import { sectionsOf } from '../../tools/manifest/configuration';
import { manifestPart, manifestTexts } from '../../tools/manifest/manifest';
import { capabilityTable } from '../../tools/manifest/documentation';

import { parseServers } from '../../src/core/foreign/serverSpec';
import { settingSpecs } from '../../src/core/settings/settingTable';

type Manifest = Record<string, any>;

const read = (file: string): Manifest => JSON.parse(readFileSync(file, 'utf8'));
const write = (file: string, value: unknown): void => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

/** The settings of all sections. */
const settingProperties = (manifest: Manifest): Record<string, Manifest> =>
  Object.assign({}, ...manifest['contributes'].configuration.map((section: Manifest) => section['properties']));

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

const region = /<!-- capabilities-start -->\n([\s\S]*?)<!-- capabilities-end -->/;

describe('the documentation', () => {
  it('lists the capabilities that there are; `UPDATE=1 npm test` writes the table anew', () => {
    const table = `${capabilityTable(builtinCapabilities)}\n`;
    const text = readFileSync('README.md', 'utf8');
    if (process.env['UPDATE'])
      writeFileSync(
        'README.md',
        text.replace(region, () => `<!-- capabilities-start -->\n${table}<!-- capabilities-end -->`),
      );
    assert.equal(region.exec(readFileSync('README.md', 'utf8'))?.[1], table);
  });

  it('names commands and settings that exist', () => {
    const manifest = read('package.json');
    const settings = new Set(Object.keys(settingProperties(manifest)));
    const named = [...readFileSync('README.md', 'utf8').matchAll(/`(agentCapabilities\.[\w.]+)`/g)].map(
      (match) => match[1] ?? '',
    );
    assert.ok(named.length > 3);
    assert.deepEqual(
      named.filter((name) => !settings.has(name)),
      [],
    );
    for (const [, file] of readFileSync('README.md', 'utf8').matchAll(/!\[[^\]]+\]\(([^)]+)\)/g))
      assert.ok(existsSync(file ?? ''), file);
  });
});

describe('the manifest', () => {
  const part = manifestPart(builtinCapabilities, read('media/schemas/boundaries.schema.json')['items']) as Manifest;
  const texts = manifestTexts(builtinCapabilities);

  it('S1.risk: what a person says of a foreign tool is completed and checked by the names that are read', () => {
    const own = {
      riskLevel: 'high',
      sideEffects: ['fs.write'],
      kind: 'action',
      permission: 'forbidden',
      enabled: false,
    };
    const { problems } = parseServers({ s: { command: 'x', tools: { t: own } } }, 'user');
    assert.deepEqual(problems, []);
    const settings = settingProperties(read('package.json'));
    for (const [name, entry] of [
      ['mcp.servers', { command: 'x' }],
      ['extensionTools', {}],
    ] as const) {
      const valid = new Ajv({ strict: false }).compile(settings[`agentCapabilities.${name}`] ?? {});
      assert.ok(valid({ s: { ...entry, tools: { t: own } } }), `${name}: ${JSON.stringify(valid.errors)}`);
      assert.ok(!valid({ s: { ...entry, tools: { t: { ...own, risklevel: 'high' } } } }), name);
    }
  });

  before(() => {
    if (!process.env['UPDATE']) return;
    write('package.json', { ...read('package.json'), ...part });
    write('package.nls.json', texts);
  });

  it('is what the definitions generate; `UPDATE=1 npm test` writes it anew', () => {
    const manifest = read('package.json');
    assert.deepEqual(
      Object.fromEntries(Object.keys(part).map((key) => [key, manifest[key]])),
      JSON.parse(JSON.stringify(part)),
    );
    assert.deepEqual(read('package.nls.json'), texts);
  });

  it('D.tools: names every built-in tool in both ways that the editor needs, hidden until its context key is true', () => {
    const tools: Manifest[] = part['contributes'].languageModelTools;
    assert.deepEqual(
      tools.map(({ name, toolReferenceName, canBeReferencedInPrompt, when }) => ({
        name,
        toolReferenceName,
        canBeReferencedInPrompt,
        when,
      })),
      builtinCapabilities
        .flatMap((capability) => capability.tools)
        .map(({ definition: { name } }) => ({
          name: `cap_${name}`,
          toolReferenceName: `cap${name.replace(/(?:^|_)([a-z0-9])/g, (_m, letter: string) => letter.toUpperCase())}`,
          canBeReferencedInPrompt: true,
          when: `agentCapabilities.tool.${name}`,
        })),
    );
    assert.equal(new Set(tools.map((tool) => tool['toolReferenceName'])).size, tools.length);
    for (const tool of tools) {
      assert.match(tool['name'], /^(?!copilot_|vscode_)[\w-]{1,64}$/);
      for (const tag of tool['tags']) assert.doesNotMatch(tag, /^(copilot|vscode)_/);
    }
  });

  it('holds nothing that stable VS Code refuses', () => {
    const manifest = { ...read('package.json'), ...part };
    assert.deepEqual(
      ['enabledApiProposals', 'extensionKind'].filter((key) => key in manifest),
      [],
    );
    assert.equal('languageModelToolSets' in manifest['contributes'], false);
    assert.doesNotMatch(JSON.stringify(part), /legacyToolReferenceFullNames|pastTenseMessage/);
  });

  it('has a text for every key that it names, and names every text', () => {
    const named = new Set(stringsIn(part).flatMap((text) => (/^%[^%]+%$/.test(text) ? [text.slice(1, -1)] : [])));
    assert.deepEqual(
      {
        missing: [...named].filter((key) => !(key in texts)),
        unused: Object.keys(texts).filter((key) => !named.has(key)),
      },
      { missing: [], unused: [] },
    );
  });

  it('writes bold and code in the walkthrough as the page of the editor reads them, with two signs each', () => {
    for (const file of ['package.nls.json', 'package.nls.de.json'])
      for (const [key, text] of Object.entries<string>(read(file)))
        if (key.startsWith('walkthrough.')) assert.doesNotMatch(text, /(?<![*`])[*`](?![*`])/, `${file}: ${key}`);
  });

  it('D.settings: the settings editor has them in sections, each setting in the one that names it', () => {
    const sections: Manifest[] = read('package.json')['contributes'].configuration;
    const keys = sections.flatMap((section) => Object.keys(section['properties']));
    assert.equal(new Set(keys).size, keys.length);
    assert.deepEqual(keys.sort(), settingSpecs.map(({ key }) => `agentCapabilities.${key}`).sort());
    assert.deepEqual(
      sections.filter((section) => Object.keys(section['properties']).length < 3),
      [],
    );
    assert.deepEqual(
      settingSpecs.map(({ key }) => [key, sectionsOf(key).length]),
      settingSpecs.map(({ key }) => [key, 1]),
    );
    const named = { 'approvals.reader': 'policy', 'redaction.hosts': 'privacy', 'changes.checkpoints': 'changes' };
    for (const [key, section] of Object.entries(named)) assert.deepEqual(sectionsOf(key), [section]);
    assert.deepEqual(sectionsOf('anything.else'), [], 'no section takes what is left');
  });

  it('D.settings: no two sections and no two settings stand at one place', () => {
    const sections: Manifest[] = read('package.json')['contributes'].configuration;
    const orders = Object.values(settingProperties(read('package.json'))).map(({ order }) => order);
    for (const all of [sections.map(({ order }) => order), orders]) assert.equal(new Set(all).size, all.length);
  });

  it('D.settings: every table and list says what its entries are, so that it completes while it is written', () => {
    const saysLittle = ({ type, items, properties, additionalProperties }: Manifest): boolean => {
      if (type === 'array') return items === undefined || saysLittle(items);
      return type === 'object' && properties === undefined && additionalProperties === undefined;
    };
    const all = Object.entries(settingProperties(read('package.json')));
    assert.deepEqual(
      all.filter(([, schema]) => saysLittle(schema)).map(([key]) => key),
      [],
    );
  });

  it('D.settings: each choice says what it means, and rules and limits complete and are checked while they are written', () => {
    const properties: Record<string, Manifest> = settingProperties(read('package.json'));
    const chosen = Object.entries(properties).filter(([, schema]) => schema['enum']);
    assert.ok(chosen.length >= 8);
    assert.deepEqual(
      chosen.filter(([, schema]) => schema['enumDescriptions']?.length !== schema['enum'].length).map(([key]) => key),
      [],
    );
    const check = (key: string): ValidateFunction =>
      new Ajv({ strict: false }).compile(properties[`agentCapabilities.${key}`] ?? {});
    const rules = check('policy.boundaries');
    const example = /A boundary:\s+```json\n([\s\S]*?)```/.exec(readFileSync('docs/rules.md', 'utf8'))?.[1] ?? '';
    assert.equal(rules([JSON.parse(example)]), true, JSON.stringify(rules.errors));
    assert.equal(rules([{ ...JSON.parse(example), decision: 'perhaps' }]), false);
    const limits = check('limits');
    const all = {
      perTool: '100 per 1h',
      all: { requests: 5, window: '30s' },
      tools: { read_file: '1/1s' },
      budget: { calls: 9 },
    };
    assert.equal(
      limits({ ...all, repetition: 0, circuit: { failures: 2, cooldownSeconds: 1.5 } }),
      true,
      JSON.stringify(limits.errors),
    );
    assert.deepEqual([limits({ perTool: 100 }), limits({ budget: { calls: -1 } })], [false, false]);
  });

  it('D.commands: writes titles in title case, without please, exclamation marks or three dots', () => {
    const small = new Set(['a', 'an', 'the', 'to', 'with', 'of', 'and', 'or', 'by', 'in', 'for', 'from', 'on', 'as']);
    const wrong = commandSpecs.filter(
      ({ title }) =>
        /!|\.\.\.|please/i.test(title) ||
        title.split(' ').some((word, index) => (index === 0 || !small.has(word)) && /^[a-z]/.test(word)),
    );
    assert.deepEqual(wrong, []);
    assert.equal(new Set(commandSpecs.map((spec) => spec.id)).size, commandSpecs.length);
  });

  it('D.commands: what stands on a row, as a button, in its menu or by key, is about that row, whichever is selected', () => {
    const aboutSelection = commandSpecs.filter(({ enablement }) => enablement?.includes('hasSelection'));
    assert.ok(aboutSelection.length >= 9);
    assert.deepEqual(
      aboutSelection.flatMap(({ id, enablement, menus = [], keys = [] }) => [
        ...(menus.some((one) => one.menu === 'view/item/context') && !enablement?.includes('|| viewItem =~')
          ? [`the menu of ${id}`]
          : []),
        ...keys.flatMap((one) => (one.onRow ? [] : [`the key ${one.key} of ${id}`])),
      ]),
      [],
    );
  });

  it('D.tree: the commands that take the rows of the Capabilities view before they load are those of its keys', () => {
    const ofTheView = specsOf<string>(capabilityCommandTable);
    assert.deepEqual(
      ofTheView.flatMap(({ id, keys = [] }) => (keys.some(({ onRow }) => onRow) ? [id] : [])).sort(),
      [...aboutRows].sort(),
    );
  });

  it('D.tree: Ctrl+Z in a view never reaches the text editor, which would undo what was typed there', () => {
    // A key that is about a row takes the row first, which is enabled always.
    const undoing = commandSpecs.filter(({ keys = [] }) =>
      keys.some(({ key, onRow }) => /^ctrl\+(shift\+)?z$/.test(key) && onRow !== true),
    );
    assert.deepEqual(
      undoing.map(({ id, enablement }) => [id, enablement]),
      [
        ['undo', undefined],
        ['todo.undo', undefined],
        ['todo.redo', undefined],
      ],
    );
  });

  it('D.commands: no key of a view fires while somebody types, as into its box to find rows', () => {
    const keys: Manifest[] = part['contributes'].keybindings;
    const ofViews = keys.filter(({ when }) => /focusedView/.test(when));
    assert.ok(ofViews.length > 10);
    for (const { command, when } of ofViews) assert.match(when, /!inputFocus/, command);
  });
});
