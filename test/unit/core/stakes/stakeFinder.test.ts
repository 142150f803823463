import { strict as assert } from 'node:assert';
import { StakeFinder } from '../../../../src/core/stakes/stakeFinder';
import type { FileSystem } from '../../../../src/core/ports/files';
import type { Access } from '../../../../src/core/vocabulary/access';
import { fakeCall } from '../../../support/gateCall';
import { FakeClock, fakePorts } from '../../../support/toolContext';
import { makeWorkspace } from '../../../support/workspace';

describe('what a call puts at stake', () => {
  it('D.questions: is looked up for no longer than its time: no file is asked for after that, and what is told says so', async () => {
    const workspace = makeWorkspace();
    const names = Array.from({ length: 20 }, (_, at) => `a${at}.txt`);
    workspace.put(Object.fromEntries(names.map((name) => [name, 'text'])));
    const stake = async (effect: 'fs.write' | 'fs.delete', { slowFile = 0, slowGit = false }) => {
      const clock = new FakeClock();
      let stats = 0;
      let late = 0;
      const stat: FileSystem['stat'] = async (path) => {
        if (clock.monotonic() > 0) late++;
        if (++stats === slowFile) clock.advance(10_000);
        return workspace.files.stat(path);
      };
      const files = new Proxy<FileSystem>(workspace.files, {
        get(target, key) {
          const found: unknown = Reflect.get(target, key, target);
          return key === 'stat' ? stat : typeof found === 'function' ? found.bind(target) : found;
        },
      });
      const versions = {
        statesOf: async (places: readonly unknown[]) => {
          if (slowGit) clock.advance(10_000);
          return places.map(() => 'held' as const);
        },
      };
      const ports = fakePorts({ clock, files });
      const finder = new StakeFinder({ ports, versions: async () => versions });
      const accesses = names.map((resource): Access => ({ effect, resource }));
      const found = await finder.of(fakeCall({ accesses }), accesses, {}, () => false);
      return { found, late };
    };
    assert.deepEqual(await stake('fs.write', {}), {
      found: { versions: { held: 20, differs: 0, untracked: 0 } },
      late: 0,
    });
    assert.deepEqual(await stake('fs.write', { slowFile: 5 }), { found: {}, late: 0 });
    assert.deepEqual(await stake('fs.write', { slowGit: true }), { found: {}, late: 0 });
    const { found, late } = await stake('fs.delete', { slowFile: 5 });
    workspace.dispose();
    assert.equal(late, 0);
    assert.equal(found.removes?.isPartial, true);
    assert.ok((found.removes?.files ?? 20) < 20);
  });
});
