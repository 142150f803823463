import { strict as assert } from 'node:assert';
import { dependencyCycles, dependentsOf, missingDependencies, neededBy } from '../../../src/core/profiles/dependencies';
import { parseProfile } from '../../../src/core/profiles/profile';
import { CapabilityRegistry } from '../../../src/core/registry/registry';
import { named } from '../../support/profiles';

const registry = new CapabilityRegistry();
const needs = (...ids: string[]) => ({ dependencies: ids.map((id) => ({ id })) });
registry.register(named('a', ['one'], needs('b')));
registry.register(named('b', ['two'], needs('c', 'missing')));
registry.register(named('c', ['three']));
registry.register(named('x', ['four'], needs('y')));
registry.register(named('y', ['five'], needs('x')));
const profile = (...capabilities: unknown[]) => parseProfile('p', { capabilities }, 'user').value;

describe('dependencies of capabilities', () => {
  it('S3.composition: brings what is needed, through others too, but not what is on already', () => {
    assert.deepEqual(neededBy(registry, 'a'), ['b', 'c']);
    assert.deepEqual(missingDependencies(registry, profile('c'), ['a']), ['b']);
    assert.deepEqual(missingDependencies(registry, profile(), ['c']), []);
  });

  it('S3.composition: names the enabled ones that need what is to be switched off', () => {
    assert.deepEqual(dependentsOf(registry, profile('a', 'b', 'c'), ['c']), ['a', 'b']);
    assert.deepEqual(dependentsOf(registry, profile('a', 'b', 'c'), ['c', 'b']), ['a']);
    assert.deepEqual(dependentsOf(registry, profile({ ref: 'a', enabled: false }, 'b'), ['c']), ['b']);
  });

  it('S3.conflicts: finds each cycle once and ends at it', () => {
    assert.deepEqual(dependencyCycles(registry), [['x', 'y', 'x']]);
    assert.deepEqual(neededBy(registry, 'x'), ['y']);
  });
});
