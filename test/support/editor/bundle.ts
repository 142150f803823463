import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { build, type BuildOptions, type OutputFile } from 'esbuild';
import { packageExtension } from '../start/packageExtension';
import { PLAN_FILE, type Plan } from './driver/plan';
import { projectRoot } from './root';

export type SuiteKind = 'editor' | 'agent' | 'person';

export interface SuiteSource {
  /** Path from the repository. */
  name: string;
  path: string;
  /** The folder its workspace is copied from: `// @workspace name`, by default `default`. */
  fixture: string;
  /**
   * `// @window own`: a file of host suites gets an extension host that no other file has used. Any other name, in
   * files of person tests: those with the same name use one window, one file after another.
   */
  window?: string | undefined;
  /** `// @machine own`: what it measures is about a machine that does nothing else, so nothing runs beside it. */
  ownMachine: boolean;
  lines: number;
}

export interface BundledSuite extends SuiteSource {
  bundle: string;
}

/** `name` is a folder of test/fixtures/workspaces; with a slash in it, a path from the repository. */
export function fixtureFolder(name: string): string {
  const root = projectRoot();
  const folder = name.includes('/') ? join(root, name) : join(root, 'test', 'fixtures', 'workspaces', name);
  if (!existsSync(folder)) throw new Error(`the fixture workspace ${relative(root, folder)} does not exist`);
  return folder;
}

function directive(source: string, name: string): string | undefined {
  return new RegExp(`^// @${name} (\\S+)\\s*$`, 'm').exec(source)?.[1];
}

/** Every file below `folder` (a path from the repository) that ends in `suffix`. */
export function findSuites(folder: string, suffix: string): SuiteSource[] {
  const root = projectRoot();
  const start = join(root, folder);
  if (!existsSync(start)) return [];
  const names = readdirSync(start, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith(suffix))
    .sort()
    .map((name) => describeSource(join(start, name), root));
}

function describeSource(path: string, root: string): SuiteSource {
  const source = readFileSync(path, 'utf8');
  return {
    name: relative(root, path).replaceAll('\\', '/'),
    path,
    fixture: fixtureFolder(directive(source, 'workspace') ?? 'default'),
    window: directive(source, 'window'),
    ownMachine: directive(source, 'machine') === 'own',
    lines: source.split('\n').length,
  };
}

const COMMON: BuildOptions = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  packages: 'external',
  external: ['vscode'],
  sourcemap: 'inline',
  logLevel: 'warning',
};

/** Bundles each suite file on its own. */
export async function bundleSuites(sources: SuiteSource[], folder: string): Promise<BundledSuite[]> {
  await rm(folder, { recursive: true, force: true });
  const entryPoints = Object.fromEntries(sources.map((source) => [source.name.replace(/\.ts$/, ''), source.path]));
  await build({ ...COMMON, entryPoints, outdir: folder });
  return sources.map((source) => ({ ...source, bundle: join(folder, source.name.replace(/\.ts$/, '.js')) }));
}

let driverFiles: Promise<OutputFile[]> | undefined;

/** Built once and written for each window. */
async function buildDriver(folder: string): Promise<void> {
  const source = join(projectRoot(), 'test', 'support', 'editor', 'driver');
  await mkdir(folder, { recursive: true });
  driverFiles ??= build({
    ...COMMON,
    entryPoints: [join(source, 'extension.ts'), join(source, 'run.ts')],
    outdir: source,
    write: false,
  }).then(({ outputFiles }) => outputFiles);
  for (const { path, contents } of await driverFiles) await writeFile(join(folder, basename(path)), contents);
  await cp(join(source, 'package.json'), join(folder, 'package.json'));
}

/** The driver as a packaged extension: a window without a development extension looks as users have it. */
export async function packageDriver(): Promise<string> {
  const root = projectRoot();
  const folder = join(root, '.build', 'driver');
  await buildDriver(folder);
  return packageExtension(folder, root, join(root, '.build', 'driver.vsix'));
}

/** The harness's small extension, packaged. */
export function packageFixture(): Promise<string> {
  const root = projectRoot();
  return packageExtension(
    join(root, 'test/support/editor/fixture-extension'),
    root,
    join(root, '.build/fixture-extension.vsix'),
  );
}

/**
 * A copy of the driver extension for one window, with its plan inside. Its `node_modules` is the repository's,
 * so that mocha and what suites import are found from it.
 */
export async function prepareDriver(folder: string, plan: Plan): Promise<string> {
  await buildDriver(folder);
  await symlink(join(projectRoot(), 'node_modules'), join(folder, 'node_modules'), 'junction');
  for (const file of plan.suites?.files ?? []) {
    const target = join(folder, 'suites', file.name.replaceAll('/', '__').replace(/\.ts$/, '.js'));
    await mkdir(join(folder, 'suites'), { recursive: true });
    await cp(file.bundle, target);
    file.bundle = target;
  }
  await writeFile(join(folder, PLAN_FILE), JSON.stringify(plan, undefined, 2) + '\n');
  return folder;
}
