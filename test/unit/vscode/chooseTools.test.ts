import { strict as assert } from 'node:assert';
import { builtinCapabilities } from '../../../src/capabilities/index';
import { chooseTools } from '../../../src/vscode/commands/chooseTools';
import { CapabilitySwitch } from '../../../src/vscode/tree/capabilitySwitch';
import { until } from '../../support/mcp/harness';
import { shownWindow } from '../../support/fakeVscode';
import { profileWorld } from '../../support/profiles';

/** The command over settings in memory, with the list that is open. */
function choosing(capabilities: readonly unknown[]) {
  const world = profileWorld(builtinCapabilities, { user: { default: { capabilities } } });
  const { registry, store: profiles, editor } = world;
  const capabilitySwitch = new CapabilitySwitch(registry, profiles, editor);
  const command = async (): Promise<void> =>
    void (await chooseTools({ registry, profiles, capabilitySwitch, view: { isShown: () => true } as never }));
  const done = command();
  const open = async () => {
    await new Promise(setImmediate);
    assert.ok(shownWindow.pick, 'no list is open');
    return shownWindow.pick;
  };
  const on = (): readonly string[] => profiles.active().tools.map(({ definition }) => definition.name);
  return { done: done.finally(() => world.dispose()), open, on };
}

const labels = (items: readonly { label: string }[]): readonly string[] => items.map(({ label }) => label);

describe('Choose Tools…', () => {
  it('S1.filters S0.filter: Enter on a filter narrows the list by risk, side effects and permissions', async () => {
    const { done, open, on } = choosing(['math', 'file_system']);
    const all = (await open()).items.length;
    for (const [filter, has, hasNot] of [
      ['risk_level_max:MED exclude_side_effects:fs.write,fs.delete', 'read_file', 'delete_file'],
      ['risk:<=medium -effect:fs.write', 'read_file', 'write_file'],
      ['permissions:http:read', 'web_fetch', 'read_file'],
      ['category:"file operations" is:on', 'write_file', 'multiply'],
    ] as const) {
      const pick = await open();
      pick.type(filter);
      pick.enter();
      const { items, title } = await open();
      assert.ok(labels(items).includes(has) && !labels(items).includes(hasNot) && items.length < all, filter);
      assert.ok(title.endsWith(`${filter} (${items.length} of ${all})`), title);
    }
    const before = on();
    (await open()).hide();
    assert.deepEqual(on(), before);
    await done;
  });

  it('S1.filters: what was ticked stays so while a filter hides it, and words alone are the search of the editor', async () => {
    const { done, open, on } = choosing([{ ref: 'math', tools: { divide: false } }]);
    const first = await open();
    first.tick('multiply');
    first.type('scope:http:read');
    first.enter();
    const second = await open();
    assert.ok(!labels(second.items).includes('multiply'));
    second.tick('http_get');
    second.type('http');
    second.enter();
    await until(() => on().includes('http_get') && !on().includes('multiply'));
    assert.ok(on().includes('http_get') && on().includes('add'));
    assert.ok(!on().includes('multiply') && !on().includes('divide') && !on().includes('web_fetch'));
    await done;
  });

  it('S1.filters: the button explains and completes the filter, counts what it finds and says what is wrong', async () => {
    const { done, open } = choosing(['math', 'file_system']);
    const tools = await open();
    tools.press();
    const filter = await open();
    const keys = filter.items.slice(1);
    assert.deepEqual(labels(keys), ['risk:', 'effect:', 'scope:', 'source:', 'kind:', 'category:', 'agent:', 'is:']);
    assert.ok(keys.every(({ description }) => description !== undefined && description.length > 5));
    filter.type('-eff');
    filter.enter('-effect:');
    assert.equal(filter.value, '-effect:');
    assert.ok(['-effect:fs', '-effect:fs.write'].every((one) => labels(filter.items).includes(one)));
    filter.enter('-effect:fs.write');
    filter.type(`${filter.value}risk:huge`);
    assert.match(filter.items[0]?.description ?? '', /`risk:` must be one of low, medium, high, critical/);
    filter.type('-effect:fs risk:low is:on');
    assert.match(filter.items[0]?.description ?? '', /Show \d+ of \d+ tools/);
    filter.enter();
    assert.deepEqual(
      labels((await open()).items).filter((one) => /file|divide/.test(one)),
      ['divide'],
    );
    (await open()).hide();
    await done;
  });
});
