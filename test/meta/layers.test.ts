import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
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
  cli: ['core', 'capabilities', 'node', 'mcp', 'roots'],
  roots: ['core', 'capabilities', 'node', 'mcp', 'vscode', 'cli', 'roots'],
};

/** Packages that do io, or speak a protocol, and the only layers that may import them. */
const confined: Record<string, readonly string[]> = {
  pg: ['node'],
  nodemailer: ['node'],
  '@modelcontextprotocol/client': ['mcp'],
  '@modelcontextprotocol/server': ['mcp'],
  '@modelcontextprotocol/node': ['mcp'],
};

/** Files directly in src/ that must work without an editor. */
const editorFree = new Set(['src/compose.ts', 'src/cli.ts', 'src/worker.ts']);

function sources(): string[] {
  return readdirSync('src', { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => path.posix.join(entry.parentPath.replaceAll(path.sep, '/'), entry.name))
    .sort();
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const found = new Set<string>();
  for (const match of text.matchAll(/^\s*(?:import|export)\s(?:[^'";]*?\sfrom\s*)?['"]([^'"]+)['"]/gm)) if (match[1]) found.add(match[1]);
  for (const match of text.matchAll(/\b(?:import|require)\(\s*['"]([^'"]+)['"]\s*\)/g)) if (match[1]) found.add(match[1]);
  return [...found];
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
    return to === layer || rule.includes(to) ? undefined : `${file} imports ${specifier}: ${layer} must not import ${to}`;
  }
  if (specifier.startsWith('virtual:')) return layer === 'roots' ? undefined : `${file} imports ${specifier}`;
  if (specifier === 'vscode') {
    if (layer === 'vscode') return undefined;
    return layer === 'roots' && !editorFree.has(file) ? undefined : `${file} imports the editor`;
  }
  const name = specifier.startsWith('node:') ? 'node' : specifier;
  const base = name.startsWith('@') ? name.split('/').slice(0, 2).join('/') : (name.split('/')[0] ?? name);
  if (base === 'node' || nodeNames.has(base)) {
    if (!specifier.startsWith('node:')) return `${file} imports ${specifier} without \`node:\``;
    return layer === 'node' || layer === 'mcp' || layer === 'cli' || layer === 'roots'
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

  it('the check itself finds each kind of fault', () => {
    assert.match(fault('src/core/a.ts', 'vscode') ?? '', /imports the editor/);
    assert.match(fault('src/core/a.ts', 'node:fs') ?? '', /must not use Node/);
    assert.match(fault('src/core/a.ts', '../node/x') ?? '', /core must not import node/);
    assert.match(fault('src/capabilities/a/a.ts', '../b/b') ?? '', /do not import one another/);
    assert.match(fault('src/vscode/a.ts', '../node/x') ?? '', /vscode must not import node/);
    assert.match(fault('src/compose.ts', 'vscode') ?? '', /imports the editor/);
    assert.match(fault('src/node/a.ts', 'left-pad') ?? '', /not in the dependencies/);
    assert.equal(fault('src/capabilities/a/a.ts', '../../core/x'), undefined);
  });

  it('one gate: nothing but the gate calls a handler', () => {
    const callers = sources().filter((file) => /\bhandler\.run\(|\.load\(\)\)\.run\(/.test(readFileSync(file, 'utf8')));
    assert.deepEqual(callers, ['src/core/invocation.ts']);
  });

  it('no file is longer than 500 lines', () => {
    const long = sources()
      .map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length }))
      .filter((one) => one.lines > 500);
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
