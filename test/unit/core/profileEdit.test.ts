import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { canonicalJson } from '../../../src/core/base/json';
import { parseProfile, resolveProfile, type Profile } from '../../../src/core/profiles/profile';
import {
  editRawProfile,
  moveCapabilities,
  placeCapabilities,
  switchCapabilities,
  switchTools,
} from '../../../src/core/profiles/profileEdit';
import { CapabilityRegistry } from '../../../src/core/registry/registry';
import { runs } from '../../support/counts';
import { anyRawProfile, fiveCapabilities } from '../../support/profiles';

const registry = new CapabilityRegistry();
for (const capability of fiveCapabilities) registry.register(capability);
const profile = (raw: unknown): Profile => parseProfile('p', raw, 'workspace').value;
const onTools = (one: Profile): string[] => resolveProfile(one, registry).tools.map((tool) => tool.definition.name);
const order = (one: Profile): string[] => one.capabilities.map((entry) => entry.ref);
const tool = (name: string) => registry.tool(name)!;

describe('changing a profile', () => {
  const two = profile({ capabilities: ['file_system', { ref: 'math', tools: { add: false } }] });

  it('D.tree: switches a capability off and on again and keeps what its tools were', () => {
    const off = switchCapabilities(registry, ['math'], false)(two);
    assert.deepEqual(onTools(off), ['read_file', 'write_file']);
    assert.deepEqual(onTools(switchCapabilities(registry, ['math'], true)(off)), ['read_file', 'write_file', 'divide']);
  });

  it('switches on all tools where the profile had switched every one of them off, because a check has to change something', () => {
    const none = profile({ capabilities: [{ ref: 'math', enabled: false, tools: { add: false, divide: false } }] });
    assert.deepEqual(onTools(switchCapabilities(registry, ['math'], true)(none)), ['add', 'divide']);
  });

  it('appends a capability that the profile does not list', () => {
    assert.deepEqual(order(switchCapabilities(registry, ['web_fetch'], true)(two)), [
      'file_system',
      'math',
      'web_fetch',
    ]);
  });

  it('D.tree: a tool that is switched on under a capability that is off comes alone', () => {
    const off = switchCapabilities(registry, ['math'], false)(two);
    assert.deepEqual(onTools(switchTools(registry, [tool('add')], true)(off)), ['read_file', 'write_file', 'add']);
    assert.deepEqual(onTools(switchTools(registry, [tool('add'), tool('divide')], true)(off)), [
      'read_file',
      'write_file',
      'add',
      'divide',
    ]);
  });

  it('D.tree: moves several together, keeping their order, and stops at the ends', () => {
    const all = profile({ capabilities: ['file_system', 'web_fetch', 'todo_list', 'math'] });
    assert.deepEqual(order(moveCapabilities(registry, ['web_fetch', 'todo_list'], -1)(all)), [
      'web_fetch',
      'todo_list',
      'file_system',
      'math',
    ]);
    assert.deepEqual(order(moveCapabilities(registry, ['web_fetch', 'todo_list'], 1)(all)), [
      'file_system',
      'math',
      'web_fetch',
      'todo_list',
    ]);
    assert.deepEqual(order(moveCapabilities(registry, ['file_system', 'web_fetch'], -1)(all)), order(all));
    assert.deepEqual(order(moveCapabilities(registry, ['todo_list', 'math'], 1)(all)), order(all));
  });

  it('places capabilities before another or at the end, also ones that were not listed', () => {
    const all = profile({ capabilities: ['file_system', 'web_fetch', 'math'] });
    assert.deepEqual(order(placeCapabilities(registry, ['math'], 'file_system')(all)), [
      'math',
      'file_system',
      'web_fetch',
    ]);
    assert.deepEqual(order(placeCapabilities(registry, ['file_system'], undefined)(all)), [
      'web_fetch',
      'math',
      'file_system',
    ]);
    const placed = placeCapabilities(registry, ['current_time'], 'web_fetch')(all);
    assert.deepEqual(order(placed), ['file_system', 'current_time', 'web_fetch', 'math']);
    assert.deepEqual(onTools(placed), onTools(all));
  });

  it('D.settings: writes only what changed: a profile that did not change leaves its text untouched, whatever it holds', () => {
    fc.assert(
      fc.property(anyRawProfile, (raw) => {
        assert.equal(canonicalJson(editRawProfile(raw, profile(raw))), canonicalJson(raw));
      }),
      { numRuns: runs(20, 2000) },
    );
  });

  it('D.settings: reads back what was meant after any change, and keeps what it does not know', () => {
    const ids = fc.subarray(
      fiveCapabilities.map((capability) => capability.id),
      { minLength: 1 },
    );
    const change = fc.oneof(
      fc.tuple(ids, fc.boolean()).map(([some, on]) => switchCapabilities(registry, some, on)),
      fc
        .tuple(ids, fc.constantFrom(-1 as const, 1 as const))
        .map(([some, delta]) => moveCapabilities(registry, some, delta)),
      fc.boolean().map((on) => switchTools(registry, [tool('divide'), tool('read_file')], on)),
      fc.constantFrom('plan' as const, 'execute' as const).map((mode) => (one: Profile) => ({ ...one, mode })),
    );
    fc.assert(
      fc.property(anyRawProfile, change, (raw, apply) => {
        const after = apply(profile(raw));
        const written = editRawProfile(raw, after);
        assert.deepEqual(profile(written), after);
        assert.deepEqual(written['x-mine'], raw['x-mine']);
        const notes = (value: any): string[] =>
          (value.capabilities as any[]).flatMap((item) => (item?.note === undefined ? [] : [item.note]));
        assert.ok(notes(raw).every((note) => notes(written).includes(note)));
      }),
      { numRuns: runs(20, 2000) },
    );
  });
});
