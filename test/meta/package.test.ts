// @tier full: packs the extension
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { bundledPackages, inputsOf, noticesText, readBuild } from '../support/release/notices';
import { linkedPages, shortJson, withAddresses } from '../support/release/stage';

const listed = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'THIRD-PARTY-NOTICES.md',
  'dist/cli.js',
  'dist/extension.js',
  'dist/hook.js',
  'dist/hookMain.js',
  'dist/quickjs.wasm.br',
  'dist/sandboxWorker.js',
  'dist/sqliteProcess.js',
  'dist/webview/audit.js',
  'dist/worker.js',
  'l10n/bundle.l10n.de.json',
  'media/container.svg',
  'media/icon.png',
  'media/panel-dark.svg',
  'media/panel-light.svg',
  'package.json',
  'package.nls.de.json',
  'package.nls.json',
];
/** What is named by its place: a file of the build, a schema, a picture that a page of ours shows. */
const byPlace = [
  /^dist\/chunks\/[\w.-]+\.js$/,
  /^media\/schemas\/\w+\.schema\.json$/,
  /^media\/walkthrough\/[\w-]+\.png$/,
];
const mostBytes = 2_000_000;

/** The files that a package would have, as the packager lists them. */
function packaged(): readonly string[] {
  if (process.env['AGENT_CAPABILITIES_BUILT'] !== 'true') spawnSync(process.execPath, ['esbuild.mjs']);
  const { stdout } = spawnSync(process.execPath, ['node_modules/@vscode/vsce/vsce', 'ls', '--no-dependencies'], {
    encoding: 'utf8',
  });
  return stdout.trim().split(/\r?\n/).sort();
}

describe('the package', () => {
  const files = packaged();

  it('D.package: holds what is listed and nothing else', () => {
    const others = files.filter((file) => !byPlace.some((place) => place.test(file)));
    assert.deepEqual(others, listed);
    const built = Object.keys(readBuild('.').metafile.outputs).map((file) => file.replaceAll('\\', '/'));
    assert.deepEqual(files.filter((file) => file.startsWith('dist/')).sort(), built.sort());
  });

  it('D.package: is at most 2 MB', async () => {
    const packed = async (file: string): Promise<number> => {
      const content = file.endsWith('.json') ? Buffer.from(await shortJson(file)) : readFileSync(file);
      return Math.min(content.length, deflateRawSync(content, { level: 6 }).length) + 200;
    };
    const bytes = (await Promise.all(files.map(packed))).reduce((sum, one) => sum + one, 0);
    assert.ok(bytes <= mostBytes, `${bytes} bytes`);
  });

  it('D.package: the notices name every package that was bundled, with its license', () => {
    const packages = bundledPackages(inputsOf(readBuild('.')), '.');
    assert.deepEqual(
      packages.filter(({ license }) => !/^[\w.()+ -]+$/.test(license) || license === 'unknown'),
      [],
    );
    const text = noticesText(packages);
    if (process.env['UPDATE']) writeFileSync('THIRD-PARTY-NOTICES.md', text);
    assert.equal(readFileSync('THIRD-PARTY-NOTICES.md', 'utf8'), text, 'run with UPDATE=1');
  });

  it('D.package: no link of its pages leads to a file that is not inside', () => {
    const { homepage } = JSON.parse(readFileSync('package.json', 'utf8'));
    const pages = files.filter((file) => file.endsWith('.md') && file !== 'THIRD-PARTY-NOTICES.md');
    assert.deepEqual(pages, linkedPages);
    for (const page of pages) {
      const text = readFileSync(page, 'utf8');
      const linked = withAddresses(text, files, homepage.replace(/#.*$/, ''));
      const inside = [...linked.matchAll(/(?<!!\[[^\]]*)\]\((?!https:)([^)#]+)/g)].map((match) => match[1] ?? '');
      assert.deepEqual(
        inside.filter((file) => !files.includes(file)),
        [],
        page,
      );
      assert.match(linked, /\(https:\/\/github\.com\/[\w-]+\/[\w-]+\/blob\/HEAD\/SECURITY\.md\)/);
      for (const [, file = ''] of text.matchAll(/\]\((?!https:)([^)#]+)/g)) assert.ok(existsSync(file), file);
    }
  });

  it('D.package: has what a market page shows: icon, pictures by their addresses, one place of the project, how to get help', () => {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
    assert.equal(manifest.private, true);
    const icon = readFileSync(manifest.icon);
    assert.deepEqual([icon.readUInt32BE(16), icon.readUInt32BE(20)], [256, 256]);
    assert.match(manifest.galleryBanner.color, /^#[0-9a-f]{6}$/);
    const { url } = manifest.repository;
    assert.deepEqual(
      [manifest.bugs.url, manifest.homepage],
      [`${url.replace(/\.git$/, '')}/issues`, `${url.replace(/\.git$/, '')}#readme`],
    );
    // With `main` and without `browser` the editor runs it where the workspace is; another test keeps the key out.
    assert.deepEqual(
      [typeof manifest.main, manifest.browser, manifest.extensionKind],
      ['string', undefined, undefined],
    );
    const readme = readFileSync('README.md', 'utf8');
    const pictures = [...readme.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map((match) => match[1] ?? '');
    assert.ok(pictures.length >= 4);
    const addresses = [...withAddresses(readme, [], 'https://x').matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)];
    assert.deepEqual(
      addresses.map((match) => match[1]),
      pictures.map((file) => `https://x/raw/HEAD/${file}`),
    );
    for (const file of pictures) assert.ok(existsSync(file), file);
    assert.match(readme, /[Nn]o telemetry/);
    assert.match(readme, /^## Support$/m);
  });
});
