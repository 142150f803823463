import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { allowanceFields, fieldMeanings } from '../../src/core/profiles/allowance';

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
