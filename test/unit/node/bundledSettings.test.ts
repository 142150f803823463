import { strict as assert } from 'node:assert';
import { Emitter } from '../../../src/core/base/event';
import type { SettingsLayers } from '../../../src/core/settings/settings';
import { BundledSettings } from '../../../src/node/bundles/bundledSettings';
import type { HeldBundles } from '../../../src/node/bundles/heldBundles';

describe('settings with signed bundles', () => {
  it('a load that failed is tried again before the next call is judged, and then holds', async () => {
    const changed = new Emitter<void>();
    const named = { managed: { 'policy.bundles': [{ url: 'https://policy.example/b' }] } } as unknown as SettingsLayers;
    const errors: unknown[] = [];
    let opened = 0;
    let disposed = 0;
    const held = (fails: boolean) =>
      ({
        apply: (layers: SettingsLayers) => {
          if (fails) throw new Error('the file is locked');
          return { ...layers, bundles: [] };
        },
        onDidChange: changed.event,
        ask: async () => undefined,
        follow: () => undefined,
        lookAgain: () => undefined,
        dispose: () => void disposed++,
      }) as unknown as HeldBundles;
    const settings = new BundledSettings(
      { read: () => named, onDidChange: changed.event },
      {
        open: async () => {
          opened++;
          if (opened === 1) throw new Error('the disk is away');
          return held(opened === 2);
        },
        waits: false,
        onError: (error) => errors.push(String(error)),
      },
    );
    try {
      for (const failed of [1, 2]) {
        assert.equal(settings.read().bundles?.[0]?.fault?.code, 'bundle_unread');
        await settings.settled();
        assert.deepEqual([opened, errors.length], [failed, failed]);
      }
      assert.equal(disposed, 1, 'what failed half-way is let go');
      await settings.settled();
      assert.deepEqual([opened, settings.read().bundles], [3, []]);
      await settings.settled();
      assert.equal(opened, 3);
    } finally {
      settings.dispose();
      changed.dispose();
    }
  });
});
