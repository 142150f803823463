import { isObject } from '../base/json';
import { expand } from '../settings/readSettings';
import type { SettingsLayers } from '../settings/settings';

/** True where settings that count name bundles, whether or not that can be read. */
export function namesBundles({ managed, user }: SettingsLayers): boolean {
  return [managed, user].some((layer) => {
    const said = expand(layer)['policy.bundles'];
    return said !== undefined && !(isObject(said) && Object.keys(said).length === 0);
  });
}
