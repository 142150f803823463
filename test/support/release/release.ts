import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../editor/root';
import { buildAndPackage } from '../start/packageExtension';
import { bundledPackages, inputsOf, noticesText, readBuild } from './notices';
import { provenance } from './provenance';
import { cycloneDx } from './sbom';

const usage = 'usage: npm run release -- --dry-run [--skip-tests]';

/** The part of the changelog about one version, without its heading; undefined where there is none. */
export function changesOf(changelog: string, version: string): string | undefined {
  const lines = changelog.split('\n');
  const from = lines.findIndex((line) => line === `## ${version}` || line.startsWith(`## ${version} `));
  if (from < 0) return undefined;
  const to = lines.findIndex((line, index) => index > from && line.startsWith('## '));
  return lines
    .slice(from + 1, to < 0 ? undefined : to)
    .join('\n')
    .trim();
}

const sha256 = async (file: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');

/** What a command prints; undefined where it fails. */
function asked(command: string, args: readonly string[], cwd: string): string | undefined {
  const { status, stdout } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

function must(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(otherwise);
}

/** Makes everything that a release consists of, and publishes unless it is a dry run or the manifest is private. */
async function release(): Promise<void> {
  const { values } = parseArgs({
    options: { 'dry-run': { type: 'boolean', default: false }, 'skip-tests': { type: 'boolean', default: false } },
  });
  const root = projectRoot();
  const started = new Date().toISOString();
  const json = async (file: string) => JSON.parse(await readFile(path.join(root, file), 'utf8'));
  const manifest = await json('package.json');
  must(
    values['dry-run'] || manifest.private !== true,
    `\`private\` is true in package.json: take it out to publish, or run with --dry-run\n${usage}`,
  );
  const step = (text: string): void => console.log(`- ${text}`);

  const { name, version } = manifest;
  must(/^\d+\.\d+\.\d+$/.test(version), `the version \`${version}\` is none of three numbers`);
  must(
    (await json('package-lock.json')).version === version,
    'package-lock.json names another version: run npm install',
  );
  step(`version ${version}`);

  const changes = changesOf(await readFile(path.join(root, 'CHANGELOG.md'), 'utf8'), version);
  must(Boolean(changes), `CHANGELOG.md has no part \`## ${version}\``);
  step(`changelog: ${changes?.split('\n').length} lines about ${version}`);

  if (values['skip-tests']) step('tests: SKIPPED (--skip-tests)');
  else {
    const { status } = spawnSync(process.execPath, ['test/run.mjs'], { cwd: root, stdio: 'inherit' });
    must(status === 0, 'the tests fail');
    step('tests: passed');
  }

  const out = path.join(root, '.build', 'release');
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const vsix = path.join(out, `${name}-${version}.vsix`);
  await cp(await buildAndPackage(root), vsix);
  step(`package: ${path.relative(root, vsix)}, ${((await readFile(vsix)).length / 1000).toFixed(0)} KB`);

  const packages = bundledPackages(inputsOf(readBuild(root)), root);
  const notices = await readFile(path.join(root, 'THIRD-PARTY-NOTICES.md'), 'utf8');
  must(notices === noticesText(packages), 'THIRD-PARTY-NOTICES.md is old: UPDATE=1 npm run test:fast -- meta/package');
  step(`notices: ${packages.length} packages, as bundled`);

  const sbom = path.join(out, `${name}-${version}.cdx.json`);
  await writeFile(sbom, `${JSON.stringify(cycloneDx(manifest, packages, root, started), undefined, 2)}\n`);
  step(`SBOM: ${path.relative(root, sbom)} (CycloneDX 1.6)`);

  const artifacts = await Promise.all(
    [vsix, sbom].map(async (file) => ({ name: path.basename(file), sha256: await sha256(file) })),
  );
  const statement = path.join(out, `${name}-${version}.intoto.json`);
  const origin = {
    repository: manifest.repository.url,
    commit: asked('git', ['rev-parse', 'HEAD'], root),
    changed: asked('git', ['status', '--porcelain'], root) !== '',
    lockSha256: await sha256(path.join(root, 'package-lock.json')),
    node: process.version,
    started,
    finished: new Date().toISOString(),
  };
  await writeFile(statement, `${JSON.stringify(provenance(artifacts, origin), undefined, 2)}\n`);
  step(`provenance: ${path.relative(root, statement)} (SLSA v1, unsigned)`);
  if (origin.changed) step('note: files differ from the commit');

  const all = [...artifacts, { name: path.basename(statement), sha256: await sha256(statement) }];
  await writeFile(path.join(out, 'SHA256SUMS'), all.map((one) => `${one.sha256}  ${one.name}\n`).join(''));
  await writeFile(path.join(out, 'CHANGES.md'), `${changes}\n`);
  step('checksums: SHA256SUMS; the changes of this version: CHANGES.md');

  const file = path.relative(root, vsix);
  const commands = [
    ['vsce', 'publish', '--packagePath', file],
    ['ovsx', 'publish', file],
  ];
  console.log(values['dry-run'] ? '\nA release would run:' : '\nPublishing:');
  for (const command of commands) {
    console.log(`  npx ${command.join(' ')}`);
    if (values['dry-run']) continue;
    const { status } = spawnSync('npx', command, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
    must(status === 0, `\`npx ${command.join(' ')}\` failed`);
  }
}

release().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
