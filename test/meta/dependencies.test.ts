import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { minVersion, satisfies } from 'semver';

interface Locked {
  readonly engines?: { readonly node?: string };
  readonly optional?: boolean;
}

describe('the packages that a clone installs', () => {
  it('D.package: run on the oldest Node that the manifest names, so that `npm ci` warns of none', () => {
    const oldest = minVersion(JSON.parse(readFileSync('package.json', 'utf8')).engines.node);
    assert.ok(oldest);
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
    const newer = Object.entries<Locked>(packages)
      .filter(([, { engines, optional }]) => !optional && !satisfies(oldest, engines?.node ?? '*'))
      .map(([name, { engines }]) => `${name} wants ${engines?.node}`);
    assert.deepEqual(newer, []);
  });
});
