import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import type { Capability } from '../../src/core/capability/capability';
import { type AllowanceField, allowanceFields } from '../../src/core/profiles/allowance';
import type { Profile, ProfileEntry, ResolvedProfile } from '../../src/core/profiles/profile';

/**
 * What a field of a profile or capability comes to: fields of the allowance, or why it decides nothing and no model
 * reads it.
 */
type Meaning = readonly AllowanceField[] | { readonly decidesNothing: string };

/** `ProfileStore.wordsFor` sees to it. */
const markedForModels =
  'people see it; a model reads it as a word or as data of the workspace where this user neither wrote nor accepted it';

/**
 * Says of every field where it counts; a field that is added without a line here does not compile.
 */
const fieldMeanings: {
  readonly profile: { readonly [F in keyof Required<Profile>]: Meaning };
  readonly entry: { readonly [F in keyof Required<ProfileEntry>]: Meaning };
  readonly resolved: { readonly [F in keyof Required<ResolvedProfile>]: Meaning };
  readonly capability: { readonly [F in keyof Required<Capability>]: Meaning };
} = {
  profile: {
    id: { decidesNothing: 'a name' },
    name: { decidesNothing: markedForModels },
    description: { decidesNothing: markedForModels },
    systemPrompt: ['basePrompt'],
    systemPromptFile: ['basePrompt'],
    mode: ['mode'],
    scopes: ['scopes'],
    capabilities: ['tools', 'configuration', 'boundaries', 'limits', 'requirements', 'promptAdditions'],
    origin: { decidesNothing: 'says which settings it stands in' },
  },
  entry: {
    ref: ['tools'],
    enabled: ['tools', 'boundaries', 'limits', 'requirements', 'promptAdditions'],
    tools: ['tools', 'promptAdditions'],
    config: ['configuration', 'promptAdditions'],
  },
  resolved: {
    profile: ['basePrompt'],
    id: { decidesNothing: 'a name' },
    entries: ['configuration', 'requirements', 'promptAdditions'],
    kept: ['configuration', 'boundaries', 'limits'],
    carriers: ['boundaries', 'limits'],
    tools: ['tools'],
    scopes: ['scopes'],
    mode: ['mode'],
    problems: { decidesNothing: 'people see them' },
    isToolEnabled: ['tools'],
    config: ['configuration'],
  },
  capability: {
    id: { decidesNothing: 'a name' },
    version: { decidesNothing: 'people see it' },
    name: { decidesNothing: 'people see it' },
    local: { decidesNothing: 'people see it' },
    description: { decidesNothing: 'bound by the approval of what brings the capability' },
    summary: { decidesNothing: 'people see it' },
    forDevelopers: { decidesNothing: 'people see it' },
    missing: { decidesNothing: 'it takes away' },
    status: ['tools', 'promptAdditions'],
    source: { decidesNothing: 'part of the ids of its tools' },
    provenance: { decidesNothing: 'bound by the approval of what brings the capability' },
    icon: { decidesNothing: 'people see it' },
    category: { decidesNothing: 'people see it' },
    systemPrompt: ['promptAdditions'],
    tools: ['tools'],
    dependencies: { decidesNothing: 'a missing one is a problem' },
    requires: ['requirements'],
    composed: ['requirements'],
    freshnessBudgetHours: { decidesNothing: 'the same under every profile' },
    configSchema: ['configuration'],
    stricterConfig: ['configuration'],
    boundaries: ['boundaries'],
    limits: ['limits'],
    aliases: { decidesNothing: 'names' },
    replacement: { decidesNothing: 'people see it' },
  },
};

/** The members of an interface as its file declares them. */
function membersOf(file: string, name: string): readonly string[] {
  const text = readFileSync(file, 'utf8');
  const body = new RegExp(`(?:export )?interface ${name} \\{\\n([^]*?)\\n\\}`).exec(text)?.[1] ?? '';
  const members = body.split('\n').flatMap((line) => /^ {2}(?:readonly )?(\w+)\??[:(]/.exec(line)?.[1] ?? []);
  assert.ok(members.length > 3, `${name} in ${file}`);
  return members;
}

describe('the allowance', () => {
  const places = {
    profile: ['src/core/profiles/profile.ts', 'Profile'],
    entry: ['src/core/profiles/profile.ts', 'ProfileEntry'],
    resolved: ['src/core/profiles/profile.ts', 'ResolvedProfile'],
    capability: ['src/core/capability/capability.ts', 'Capability'],
  } as const;

  for (const kind of ['profile', 'entry', 'resolved', 'capability'] as const)
    it(`D.tightens: every field of ${places[kind][1]} has an order, or a reason why it decides nothing`, () => {
      const [file, name] = places[kind];
      const meanings: Readonly<Record<string, unknown>> = fieldMeanings[kind];
      assert.deepEqual([...membersOf(file, name)].sort(), Object.keys(meanings).sort());
      for (const [field, meaning] of Object.entries(meanings)) {
        if (Array.isArray(meaning)) {
          assert.ok(meaning.length > 0, field);
          for (const one of meaning) assert.ok(allowanceFields.includes(one), `${field}: ${one}`);
        } else assert.match(String(Object(meaning).decidesNothing), /\w{3}/, field);
      }
    });

  it('D.tightens: every field of the allowance has an order and comes from somewhere', () => {
    const used = new Set(
      Object.values(fieldMeanings).flatMap((one) =>
        Object.values(one).flatMap((meaning) => (Array.isArray(meaning) ? meaning : [])),
      ),
    );
    assert.deepEqual([...membersOf('src/core/profiles/allowance.ts', 'Allowance')].sort(), [...allowanceFields].sort());
    assert.deepEqual([...used].sort(), [...allowanceFields].sort());
  });
});
