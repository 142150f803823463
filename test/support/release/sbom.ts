import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { BundledPackage } from './notices';

interface Product {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/** What stands in the package, as CycloneDX 1.6. @param at when it was made, ISO 8601 */
export function cycloneDx(product: Product, packages: readonly BundledPackage[], root: string, at: string): object {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const purl = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const own = `pkg:generic/${product.name}@${product.version}`;
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: at,
      component: {
        type: 'application',
        'bom-ref': own,
        name: product.name,
        version: product.version,
        licenses: [{ license: { id: product.license } }],
      },
    },
    components: packages.map(({ name, version, license, url }) => ({
      type: 'library',
      'bom-ref': purl(name, version),
      name,
      version,
      purl: purl(name, version),
      licenses: [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }],
      ...hashes(lock.packages, name, version),
      externalReferences: [{ type: 'vcs', url }],
    })),
    dependencies: [{ ref: own, dependsOn: packages.map(({ name, version }) => purl(name, version)) }],
  };
}

/** The digest that the lock file holds of the package's archive. */
function hashes(
  locked: Readonly<Record<string, { readonly version?: string; readonly integrity?: string }>>,
  name: string,
  version: string,
): object {
  const found = Object.entries(locked).find(
    ([place, one]) => place.endsWith(`node_modules/${name}`) && one.version === version && one.integrity,
  );
  const [, digest] = /^sha512-(.+)$/.exec(found?.[1].integrity ?? '') ?? [];
  if (!digest) return {};
  return { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] };
}
