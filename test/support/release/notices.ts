import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A package of which code stands in what we ship. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** As its manifest names it, in SPDX. */
  readonly license: string;
  readonly url: string;
  /** What its own license and notice files say; empty where it has none. */
  readonly text: string;
}

const isNotice = /^(?:licen[cs]e|copying|notice)(?:[-.].*)?$/i;

/** The packages behind the files of a bundle. @param inputs the metafile's inputs, from the root of the repository */
export function bundledPackages(inputs: Iterable<string>, root: string): readonly BundledPackage[] {
  const folders = new Set([...inputs].flatMap((input) => folderOf(input) ?? []));
  const found = new Map<string, BundledPackage>();
  for (const folder of folders) {
    const one = readPackage(path.resolve(root, folder));
    found.set(`${one.name}@${one.version}`, one);
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function folderOf(input: string): string | undefined {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input.replaceAll('\\', '/'))?.[1];
}

function readPackage(folder: string): BundledPackage {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const { name, version, license, repository, homepage } = manifest;
  const url = typeof repository === 'string' ? repository : (repository?.url ?? homepage ?? '');
  const texts = readdirSync(folder)
    .filter((file) => isNotice.test(file))
    .sort()
    .map((file) => readFileSync(path.join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());
  return {
    name,
    version,
    license: typeof license === 'string' ? license : (license?.type ?? 'unknown'),
    url: plainUrl(String(url), name),
    text: texts.join('\n\n'),
  };
}

function plainUrl(url: string, name: string): string {
  const plain = url
    .replace(/^git\+/, '')
    .replace(/^(?:github:)?([\w.-]+\/[\w.-]+)$/, 'https://github.com/$1')
    .replace(/^(?:git|ssh):\/\/(?:git@)?/, 'https://')
    .replace(/\.git$/, '');
  return plain.startsWith('https://') ? plain : `https://www.npmjs.com/package/${name}`;
}

export function noticesText(packages: readonly BundledPackage[]): string {
  const parts = packages.map(({ name, version, license, url, text }) =>
    [
      `## ${name} ${version}`,
      `License: ${license}. Source: ${url}`,
      ...(text ? [`\`\`\`\`text\n${text}\n\`\`\`\``] : []),
    ].join('\n\n'),
  );
  const head =
    'Code of these packages stands in what is shipped in `dist/`. The list is made from what the bundler put there ' +
    '(`UPDATE=1 npm run test:fast -- meta/package`).';
  return `# Third-party notices\n\n${head}\n\n${parts.join('\n\n')}\n`;
}

/** What the build said of itself. */
export interface BuildRecord {
  readonly metafile: {
    readonly outputs: Readonly<Record<string, { readonly inputs: Readonly<Record<string, object>> }>>;
  };
}

export function readBuild(root: string): BuildRecord {
  const file = path.join(root, '.build', 'bundle.json');
  if (!existsSync(file)) throw new Error('`.build/bundle.json` is missing: run `npm run build` first');
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Every source of which something was put into an output. */
export function inputsOf({ metafile }: BuildRecord): readonly string[] {
  return [...new Set(Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs)))];
}
