import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { createCompiler } from '../../../../src/core/base/runtimeAjv';
import { createValidator } from '../../../../src/core/base/validator';
import { configurationProblems } from '../../../../src/core/profiles/profileChecks';
import type { Problem } from '../../../../src/core/base/problem';
import { ProfileChecks } from '../../../../src/core/profiles/profileChecks';
import { basePromptOf } from '../../../../src/core/profiles/promptText';
import { buildRuntimeAgent } from '../../../../src/core/profiles/runtimeAgent';
import { readSettings } from '../../../../src/core/settings/readSettings';
import { worded } from '../../../../src/core/base/sentence';
import { plainWords, type Translate } from '../../../../src/core/base/translate';
import { budgetLine, budgetOf, budgetWords } from '../../../../src/core/present/budget';
import { capabilityTree } from '../../../../src/core/present/capabilityTree';
import { parseProfile, resolveProfile } from '../../../../src/core/profiles/profile';
import { CapabilityRegistry } from '../../../../src/core/registry/registry';
import { named, profileWorld } from '../../../support/profiles';

const german: Readonly<Record<string, string>> = JSON.parse(readFileSync('l10n/bundle.l10n.de.json', 'utf8'));
const t: Translate = (message, ...values) => plainWords(german[message] ?? `UNTRANSLATED ${message}`, ...values);

/** The problems that the code itself makes of profiles and settings with every fault. */
async function faults(): Promise<readonly Problem[]> {
  const needing = (id: string, need: string) => named(id, [`use_${id}`], { dependencies: [{ id: need }] });
  const schema = {
    type: 'object',
    properties: { depth: { type: 'integer', minimum: 1 } },
    additionalProperties: false,
  } as const;
  const capabilities = [
    named('plain', ['use_plain', 'shared']),
    named('web', ['look', 'shared'], { configSchema: schema }),
    needing('needy', 'lone'),
    needing('lost', 'nowhere'),
    needing('a', 'b'),
    needing('b', 'a'),
    named('lone', ['use_lone']),
  ];
  const raw = {
    name: 3,
    systemPrompt: 'x',
    systemPromptFile: 'gone.md',
    capabilities: [
      { ref: 'plain', config: { x: 1 }, tools: { use_plian: false } },
      'plain',
      { ref: 'web', config: { depth: 0 } },
      'needy',
      'lost',
      'wbe',
    ],
  };
  const world = profileWorld(capabilities, {
    user: { default: raw },
    workspace: { default: { capabilities: ['lone'] } },
  });
  const profile = world.store.active();
  const prompts = {
    read: () => ({ type: 'unreadable', fault: { code: 'missing' } }) as const,
    onDidChange: () => ({ dispose() {} }),
  };
  const validator = createValidator(
    async () => ({}),
    async () => createCompiler(),
  );
  const own = profileWorld(capabilities, { user: { default: raw } });
  const resolved = own.store.active();
  const checks = new ProfileChecks({
    promptsRead: async () => undefined,
    registry: own.registry,
    profiles: own.store,
    validator,
    agent: () => buildRuntimeAgent(resolved, basePromptOf(resolved.profile, prompts)),
    onError: (error) => assert.fail(String(error)),
  });
  const missing = own.store.activate('defualt');
  const settings = readSettings({
    managed: {},
    user: { 'activ.profile': 1 },
    workspace: { 'policy.preset': 'open' },
  });
  const found = [
    ...own.store.problems(),
    ...resolved.problems,
    ...checks.problems(),
    ...(await configurationProblems(resolved, validator)),
    ...world.store.problems(),
    ...profile.problems,
    ...(missing ? [missing] : []),
    ...settings.problems,
  ];
  for (const one of [checks, own, world]) one.dispose();
  return found;
}

describe('the words of the view', () => {
  it('D.tree: says in the language of the person what a built-in capability is for, and what others wrote as they wrote it', () => {
    const registry = new CapabilityRegistry();
    const capabilities = [
      named('math', ['add'], { summary: 'exact calculations' }),
      named('mine', ['look'], { summary: 'what I wrote' }),
    ];
    const registered = capabilities.map((one) => registry.register(one));
    const profile = resolveProfile(parseProfile('p', { capabilities: ['math', 'mine'] }, 'user').value, registry);
    // A text that is not in the bundle comes back as it is, as from the editor.
    const asEditor: Translate = (message, ...values) => plainWords(german[message] ?? message, ...values);
    const rows = capabilityTree({
      registry,
      profile,
      problems: [],
      budget: budgetOf(profile, 0),
      grouping: 'order',
      t: asEditor,
    });
    assert.deepEqual(
      rows.map(({ description }) => description?.split(' · ')[0]),
      ['genaue Rechnungen', 'what I wrote'],
    );
    assert.match(budgetLine(profile, budgetOf(profile, 3), asEditor), /^p · execute · 2 Tools · ~\d+ Token$/);
    assert.match(
      budgetWords(budgetOf(profile, 3), asEditor),
      /enthält 2 Tools\. [^]*bis zu 3 hinzufügen; mehr als 128 /,
    );
    for (const one of registered) one.dispose();
  });
});

describe('the words of problems', () => {
  it('every problem of profiles and settings is told in the language of the person, and in English as it is kept', async () => {
    const found = await faults();
    assert.deepEqual(
      [...new Set(found.map(({ code }) => code))].sort(),
      [
        'dependency_cycle',
        'dependency_missing',
        'dependency_off',
        'invalid_configuration',
        'invalid_profile',
        'name_clash',
        'prompt_file',
        'setting_ignored',
        'two_base_prompts',
        'unknown_capability',
        'unknown_profile',
        'unknown_setting',
        'unknown_tool',
        'widening_pending',
      ].sort(),
    );
    for (const problem of found) {
      assert.equal(worded(problem.said), problem.message);
      const said = worded(problem.said, t);
      assert.notEqual(said, problem.message, problem.message);
      assert.doesNotMatch(said, /UNTRANSLATED|did you mean/);
    }
  });
});
