import { strict as assert } from 'node:assert';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';

const packages = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies?: Record<string, string> };
const nodeNames = new Set(builtinModules);

/** Which layers a layer may import, itself always included; `roots` are the files that stand directly in src/. */
const allowed: Record<string, readonly string[]> = {
  core: [],
  capabilities: ['core'],
  node: ['core'],
  mcp: ['core'],
  vscode: ['core'],
  webview: ['core'],
  cli: ['core', 'capabilities', 'node', 'mcp', 'app', 'roots'],
  app: ['core', 'capabilities', 'node', 'mcp', 'vscode', 'roots'],
  roots: ['core', 'capabilities', 'node', 'mcp', 'vscode', 'cli', 'app', 'roots'],
};

/**
 * The folders of core: each may import only itself and those above it. `src/core/README.md` says what belongs in each.
 */
const coreOrder = [
  'sentences',
  'base',
  'hosts',
  'vocabulary',
  'settings',
  'ports',
  'bundles',
  'capability',
  'net',
  'registry',
  'profiles',
  'call',
  'policy/rules',
  'policy/cases',
  'policy/grants',
  'policy/approvals',
  'policy/plans',
  'policy/limits',
  'resolver',
  'secrets',
  'audit',
  'files',
  'changes',
  'stakes',
  'learning',
  'places',
  'shell',
  'foreign',
  'hooks',
  'exchange',
  'definitions',
  'todos',
  'flow',
  'gate',
  'protection',
  'explain',
  'policyTests',
  'agent',
  'present',
];

/** The place in the order of core's folders; -1 for a file that stands in none of them. */
const coreRank = (file: string): number => coreOrder.findIndex((folder) => file.startsWith(`src/core/${folder}/`));

/** Packages that do io, or speak a protocol, and the only layers that may import them. */
const confined: Record<string, readonly string[]> = {
  pg: ['node'],
  nodemailer: ['node'],
  '@modelcontextprotocol/client': ['mcp'],
  '@modelcontextprotocol/server': ['mcp'],
  '@modelcontextprotocol/node': ['mcp'],
};

/** Files directly in src/ that must work without an editor. */
const editorFree = new Set(
  ['', 'Agents', 'Cli', 'Definitions', 'Gate', 'Policy', 'Servers', 'Tools']
    .map((part) => `src/app/compose${part}.ts`)
    .concat('src/app/platform.ts', 'src/cli.ts', 'src/worker.ts'),
);

function sources(): string[] {
  return readdirSync('src', { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => path.posix.join(entry.parentPath.replaceAll(path.sep, '/'), entry.name))
    .sort();
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const found = new Set<string>();
  for (const match of text.matchAll(/^\s*(?:import|export)\s(?:[^'";]*?\sfrom\s*)?['"]([^'"]+)['"]/gm))
    if (match[1]) found.add(match[1]);
  for (const match of text.matchAll(/\b(?:import|require)\(\s*['"]([^'"]+)['"]\s*\)/g))
    if (match[1]) found.add(match[1]);
  return [...found];
}

/** The file of ours that an import means; undefined for a package. */
function fileOf(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const target = path.posix.normalize(path.posix.join(path.posix.dirname(from), specifier));
  return [`${target}.ts`, `${target}/index.ts`].find((one) => existsSync(one));
}

/** The rings among nodes that point at others, each once, by Tarjan's algorithm. */
function rings(edges: ReadonlyMap<string, ReadonlySet<string>>): readonly (readonly string[])[] {
  const found: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const visit = (node: string): number => {
    let low = order.size;
    order.set(node, low);
    stack.push(node);
    for (const next of edges.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (stack.includes(next)) low = Math.min(low, lowest.get(next) ?? order.get(next) ?? low);
    }
    lowest.set(node, low);
    if (low === order.get(node)) {
      const ring = stack.splice(stack.indexOf(node));
      if (ring.length > 1) found.push(ring.sort());
    }
    return low;
  };
  for (const node of edges.keys()) if (!order.has(node)) visit(node);
  return found;
}

const layerOf = (file: string): string => {
  const parts = file.split('/');
  return parts.length === 2 ? 'roots' : (parts[1] ?? '');
};

/** Says why one import is not allowed; undefined where it is. */
function fault(file: string, specifier: string): string | undefined {
  const layer = layerOf(file);
  const rule = allowed[layer];
  if (!rule) return `${file} is in no layer`;
  if (specifier.startsWith('.')) {
    const target = path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier));
    if (!target.startsWith('src/')) return `${file} imports ${specifier}, which is outside src`;
    const to = layerOf(`${target}.ts`);
    if (to === layer && layer === 'capabilities') {
      const own = file.split('/')[2];
      const other = target.split('/')[2];
      if (own !== 'index.ts' && own !== other && !target.startsWith('src/capabilities/shared'))
        return `${file} imports ${specifier}: capabilities do not import one another`;
    }
    return to === layer || rule.includes(to)
      ? undefined
      : `${file} imports ${specifier}: ${layer} must not import ${to}`;
  }
  if (specifier.startsWith('virtual:'))
    return layer === 'roots' || layer === 'app' ? undefined : `${file} imports ${specifier}`;
  if (specifier === 'vscode') {
    if (layer === 'vscode') return undefined;
    return (layer === 'roots' || layer === 'app') && !editorFree.has(file) ? undefined : `${file} imports the editor`;
  }
  const name = specifier.startsWith('node:') ? 'node' : specifier;
  const base = name.startsWith('@') ? name.split('/').slice(0, 2).join('/') : (name.split('/')[0] ?? name);
  if (base === 'node' || nodeNames.has(base)) {
    if (!specifier.startsWith('node:')) return `${file} imports ${specifier} without \`node:\``;
    return layer === 'node' || layer === 'mcp' || layer === 'cli' || layer === 'roots' || layer === 'app'
      ? undefined
      : `${file} imports ${specifier}: ${layer} must not use Node`;
  }
  if (!packages.dependencies?.[base]) return `${file} imports ${specifier}, which is not in the dependencies`;
  const only = confined[base];
  return only && !only.includes(layer) ? `${file} imports ${specifier}, which only ${only.join(', ')} may` : undefined;
}

describe('layers', () => {
  it('every import points in an allowed direction', () => {
    const files = sources();
    assert.ok(files.length > 20, 'the walker found the sources');
    const faults = files.flatMap((file) =>
      importsOf(file)
        .map((specifier) => fault(file, specifier))
        .filter((one) => one !== undefined),
    );
    assert.deepEqual(faults, []);
  });

  it('each folder of core imports only itself and those above it', () => {
    const files = sources().filter((file) => file.startsWith('src/core/'));
    const faults = files.flatMap((file) => {
      if (coreRank(file) < 0) return [`${file} stands in no folder of core's order`];
      return importsOf(file).flatMap((specifier) => {
        const target = fileOf(file, specifier);
        return target !== undefined && coreRank(target) > coreRank(file) ? [`${file} imports ${target}`] : [];
      });
    });
    assert.deepEqual(faults, []);
  });

  it('the map of core names every folder, in this order, with what belongs in it', () => {
    const map = readFileSync('src/core/README.md', 'utf8');
    const rows = [...map.matchAll(/^\| `([\w/]+)\/` \| (.+) \|$/gm)];
    assert.deepEqual(
      rows.map(([, folder]) => folder),
      coreOrder,
    );
    for (const [, folder] of rows) assert.ok(existsSync(`src/core/${folder}`), `src/core/${folder}`);
  });

  it('no files and no folders import one another in a ring', () => {
    const files = new Map<string, Set<string>>();
    const folders = new Map<string, Set<string>>();
    for (const file of sources()) {
      const targets = importsOf(file).flatMap((specifier) => fileOf(file, specifier) ?? []);
      files.set(file, new Set(targets));
      const folder = path.posix.dirname(file);
      const others = folders.get(folder) ?? new Set();
      for (const target of targets) if (path.posix.dirname(target) !== folder) others.add(path.posix.dirname(target));
      folders.set(folder, others);
    }
    assert.deepEqual(rings(files), []);
    assert.deepEqual(rings(folders), []);
    assert.deepEqual(
      rings(
        new Map([
          ['a', new Set(['b'])],
          ['b', new Set(['c'])],
          ['c', new Set(['b'])],
        ]),
      ),
      [['b', 'c']],
    );
  });

  it('the check itself finds each kind of fault', () => {
    assert.match(fault('src/core/a.ts', 'vscode') ?? '', /imports the editor/);
    assert.match(fault('src/core/a.ts', 'node:fs') ?? '', /must not use Node/);
    assert.match(fault('src/core/a.ts', '../node/x') ?? '', /core must not import node/);
    assert.match(fault('src/capabilities/a/a.ts', '../b/b') ?? '', /do not import one another/);
    assert.match(fault('src/vscode/a.ts', '../node/x') ?? '', /vscode must not import node/);
    assert.match(fault('src/app/compose.ts', 'vscode') ?? '', /imports the editor/);
    assert.match(fault('src/node/a.ts', 'left-pad') ?? '', /not in the dependencies/);
    assert.equal(fault('src/capabilities/a/a.ts', '../../core/x'), undefined);
  });

  it('one gate: nothing but the gate calls a handler', () => {
    const callers = sources().filter((file) => /\bhandler\.run\(|\.load\(\)\)\.run\(/.test(readFileSync(file, 'utf8')));
    assert.deepEqual(callers, ['src/core/gate/execute.ts']);
  });

  it('a module of core keeps nothing between calls but what follows from an object that never changes', () => {
    const state =
      /^(?:export )?let |^(?:export )?const \w+ = (?:\(\(\) => \{\n {2}let |new (?:Map|Set)(?:<.*>)?\(\)|\[\];)/m;
    const keeping = sources().filter((file) => file.startsWith('src/core/') && state.test(readFileSync(file, 'utf8')));
    const named = ['src/core/base/lifecycle.ts', 'src/core/base/runtimeAjv.ts', 'src/core/secrets/finder.ts'];
    assert.deepEqual(keeping, named);
    const readme = readFileSync('src/core/README.md', 'utf8');
    for (const file of named) assert.ok(readme.includes(`\`${file.slice('src/core/'.length)}\``), file);
    for (const line of ['let made = 0;', 'const seen = new Set<string>();', 'const all = (() => {\n  let one;'])
      assert.match(line, state);
    assert.doesNotMatch('const made = new WeakMap<object, string>();\nconst two = new Set([1]);', state);
  });

  it('what makes the manifest when it is generated needs no editor and no Node, and nothing of what runs later', () => {
    const files = readdirSync('tools/manifest').map((name) => `tools/manifest/${name}`);
    const other = files.flatMap((file) =>
      importsOf(file)
        .map((specifier) => (specifier.startsWith('.') ? (fileOf(file, specifier) ?? specifier) : specifier))
        .filter((target) => !/^(?:tools\/manifest|src\/core|src\/vscode\/manifest)\//.test(target))
        .map((target) => `${file} imports ${target}`),
    );
    assert.ok(files.length > 5);
    assert.deepEqual(other, []);
  });

  it('no file is longer than 400 lines', () => {
    const long = sources()
      .map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length }))
      .filter((one) => one.lines > 400);
    assert.deepEqual(long, []);
  });

  it('no file uses `any`, a suppressed error or a double cast', () => {
    const faults = sources().flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .map((line, index, all) => ({ at: `${file}:${index + 1}`, line, before: all[index - 1] ?? '' }))
        .filter(
          ({ line, before }) =>
            /@ts-(ignore|nocheck|expect-error)|\bas any\b|: any\b|as unknown as\b/.test(line) &&
            !/^\s*\*|^\s*\/\/|\/\/ reason:/.test(line) &&
            !/^\s*\/\/ (Safe|reason:)/.test(before),
        )
        .map(({ at }) => at),
    );
    assert.deepEqual(faults, []);
  });
});
