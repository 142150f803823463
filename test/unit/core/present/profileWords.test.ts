import { strict as assert } from 'node:assert';
import { plainWords } from '../../../../src/core/base/translate';
import { profileWords, shippedProfiles } from '../../../../src/core/profiles/shippedProfiles';
import { budgetLine } from '../../../../src/core/present/budget';
import { resolveProfile } from '../../../../src/core/profiles/profile';
import { CapabilityRegistry } from '../../../../src/core/registry/registry';
import { inGerman } from '../../../support/german';

describe('the profiles that come with the extension, as a person reads them', () => {
  it('have their names and descriptions in the language of the person', () => {
    const words = shippedProfiles().map((profile) => profileWords(profile, inGerman));
    assert.deepEqual(
      words.map(({ name }) => name),
      ['Standard', 'Nur lesen'],
    );
    for (const { description } of words) assert.doesNotMatch(description, /UNTRANSLATED|files|nothing/);
    for (const profile of shippedProfiles()) {
      const { name, description } = profile;
      assert.deepEqual(profileWords(profile, plainWords), { name, description });
    }
  });

  it('keep what somebody wrote instead, and so does a profile of another id that is called the same', () => {
    const [profile] = shippedProfiles();
    assert.ok(profile);
    const shown = (more: object) => profileWords({ ...profile, ...more }, inGerman);
    assert.equal(shown({ name: 'Mine' }).name, 'Mine');
    assert.notEqual(shown({ name: 'Mine' }).description, profile.description);
    assert.equal(shown({ description: 'Read only' }).description, 'Read only');
    assert.deepEqual(shown({ id: 'other' }), { name: profile.name, description: profile.description });
    assert.equal(shown({ id: 'constructor', name: 'Object' }).name, 'Object');
  });

  it('are called so above the tree', () => {
    const [profile] = shippedProfiles();
    assert.ok(profile);
    const resolved = resolveProfile(profile, new CapabilityRegistry());
    const budget = { own: 1, tokens: 0 } as Parameters<typeof budgetLine>[1];
    assert.match(budgetLine(resolved, budget, inGerman), /^Standard · /);
    assert.match(budgetLine(resolved, budget, plainWords), /^Default · /);
  });
});
