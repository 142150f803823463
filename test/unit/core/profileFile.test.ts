import { plainWords } from '../../../src/core/base/translate';
import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { parseProfile } from '../../../src/core/profiles/profile';
import { exportProfile, isProfileId, profileIdFor, readProfileFile } from '../../../src/core/profiles/profileFile';
import { worded } from '../../../src/core/base/sentence';
import { grantLines } from '../../../src/core/present/allowanceWords';
import { CapabilityRegistry } from '../../../src/core/registry/registry';
import { runs } from '../../support/counts';
import { anyRawProfile, fiveCapabilities } from '../../support/profiles';

const registry = new CapabilityRegistry();
for (const capability of fiveCapabilities) registry.register(capability);

describe('a shared profile', () => {
  it('S3.profiles: comes back from its file as it was', () => {
    fc.assert(
      fc.property(anyRawProfile, (raw) => {
        const profile = parseProfile('shared', raw, 'user').value;
        const read = readProfileFile(exportProfile(profile));
        assert.ok(read.ok);
        assert.deepEqual(read.profile, profile);
      }),
      { numRuns: runs(20, 1000) },
    );
  });

  it('says what is wrong with a file instead of importing half of it', () => {
    const message = (text: string): string => {
      const read = readProfileFile(text);
      return read.ok ? 'ok' : worded(read.said);
    };
    assert.match(message('{'), /not JSON: .*; the fault is in line 1/);
    assert.match(message('{"a": 1}'), /not an exported profile/);
    assert.match(message('{"agentCapabilitiesProfile": 2, "id": "a", "profile": {}}'), /version 2 .* reads version 1/);
    assert.match(message('{"agentCapabilitiesProfile": 1, "id": "__proto__", "profile": {}}'), /`id` must be/);
    assert.match(message('{"agentCapabilitiesProfile": 1, "id": "a", "profile": []}'), /must be an object/);
    assert.equal(
      message('\ufeff// mine\n{"agentCapabilitiesProfile": 1, "id": "a", "profile": {"capabilities": [],},}'),
      'ok',
    );
  });

  it('tells before the import what it would grant', () => {
    const profile = parseProfile('p', { capabilities: ['file_system', 'unknwon'], systemPrompt: 'abc' }, 'user').value;
    assert.deepEqual(grantLines(profile, registry, plainWords).slice(0, 5), [
      'Mode: execute',
      'Runs without asking (1): read_file',
      'Asks first (1): write_file',
      'Scopes: file:read, file:write',
      'Base prompt: 3 characters',
    ]);
    assert.match(
      grantLines(profile, registry, plainWords)[5] ?? '',
      /^Problem: .*`unknwon`, which is not a capability/,
    );
  });

  it('makes an id of any name, which nobody has', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (name, others) => {
        const taken = new Set(others);
        const id = profileIdFor(name, taken);
        assert.ok(isProfileId(id) && !taken.has(id), id);
      }),
      { numRuns: runs(20, 1000) },
    );
    assert.deepEqual(
      [
        profileIdFor('My Reviewer', new Set()),
        profileIdFor('My Reviewer', new Set(['myReviewer'])),
        profileIdFor('Über 9', new Set()),
      ],
      ['myReviewer', 'myReviewer2', 'uber9'],
    );
  });
});
