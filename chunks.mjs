// What esbuild's splitting leaves is some four hundred files, of which a start would read more than a hundred, each
// with the same half kilobyte of module wrapping. What is loaded together is put together here, and what is small too.
import { build } from 'esbuild';
import path from 'node:path';

const LATE = 'late:';

/**
 * Leaves the given modules out of what imports them, each as an entry of its own: `mergeChunks` makes such an import a
 * load at first use. Nothing in our sources happens at import, so that nobody can tell the difference but by the time.
 * @param modules paths of sources, from the root
 */
export function lateModules(modules, root) {
  const wanted = new Set(modules);
  return {
    entryPoints: modules.map((file) => ({ in: file, out: lateName(file).replace(/\.js$/, '') })),
    plugin: {
      name: 'late-modules',
      setup(b) {
        b.onResolve({ filter: /^\./ }, async ({ path: name, kind, resolveDir, importer }) => {
          if (kind !== 'import-statement') return undefined;
          const file = path
            .relative(root, path.join(resolveDir, `${name}.ts`))
            .split(path.sep)
            .join('/');
          return wanted.has(file) && importer !== '' ? { path: LATE + file, external: true } : undefined;
        });
      },
    },
  };
}

const lateName = (file) => `chunks/late.${path.posix.basename(file, '.ts')}.js`;
/** The output of an import of the first pass: late ones name their source. */
const lateOutput = (wanted) => `dist/${lateName(wanted.slice(LATE.length))}`;
/** What stands for a late module: an object that loads it when something of it is asked for. */
const lateObject = 'var __late=f=>{let m;return new Proxy({},{get:(_,n)=>(m??=f())[n]})};';

/**
 * Turns the split ES modules of a first pass into CommonJS. The chunks that the start always loads become one file for
 * each set of programs that need them, so that a worker or the command line never loads what only the editor has.
 * @param outputs the first pass's `metafile.outputs`
 * @param texts the first pass's files by the same paths
 * @param options.start an entry and the part of a chunk's name, behind whose first `import()` everything is loaded
 * @param options.soon the sources that the start itself loads at their time, which are put together too
 * @param options.finish options for esbuild
 * @returns the finished files by path, and the metafile's outputs as they are now
 */
export async function mergeChunks(outputs, texts, { start, soon, finish }) {
  outputs = withLateEdges(outputs);
  ({ outputs, texts } = withoutUnused(outputs, texts, start.entry));
  const entries = Object.keys(outputs).filter((file) => !path.dirname(file).endsWith('chunks'));
  const groups = groupStart(outputs, entries, start);
  const loaded = [start.entry, ...[...groups.values()].flat()];
  const lumps = groupSoon(outputs, entries, loaded, soon);
  for (const [name, files] of groupSmall(outputs, entries, [...loaded, ...[...lumps.values()].flat()]))
    lumps.set(name, files);
  for (const [name, files] of lumps) groups.set(name, files);
  const groupOf = new Map([...groups].flatMap(([name, files]) => files.map((file) => [file, name])));
  // An output that only an `import()` reaches keeps its name, and hands on what its group has.
  const late = new Set(
    Object.values(outputs).flatMap(({ imports }) =>
      imports.filter(({ kind }) => kind === 'dynamic-import').map((one) => one.path),
    ),
  );
  const isLumped = (file) => lumps.has(groupOf.get(file));
  const kept = Object.keys(outputs).filter((file) => !groupOf.has(file) || (late.has(file) && !isLumped(file)));
  const result = await build({
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    supported: { 'dynamic-import': false },
    logLevel: 'warning',
    legalComments: 'none',
    ...finish,
    write: false,
    metafile: true,
    outdir: '.',
    entryPoints: [...kept, ...groups.keys()].map((file) => ({ in: file, out: file.replace(/\.js$/, '') })),
    plugins: [chunkPlugin(outputs, texts, groups, groupOf, late, isLumped)],
  });
  const files = new Map(
    result.outputFiles.map((file) => [
      path.relative(finish.absWorkingDir, file.path).split(path.sep).join('/'),
      loadMembers(loadLate(file.text.replace(unreached, ''))),
    ]),
  );
  return { files, outputs: tell(outputs, files, groups, groupOf, isLumped) };
}

/** An import of a late module counts as one that comes later. */
function withLateEdges(outputs) {
  const isLate = ({ path: to }) => to.startsWith(LATE);
  const later = (one) => (isLate(one) ? { path: lateOutput(one.path), kind: 'dynamic-import' } : one);
  return Object.fromEntries(
    Object.entries(outputs).map(([file, output]) => [file, { ...output, imports: output.imports.map(later) }]),
  );
}

/**
 * The same, without what an entry loads and takes nothing of: esbuild keeps such an import for what happens in it, and
 * in ours nothing does.
 */
function withoutUnused(outputs, texts, entry) {
  const gone = new Set();
  const text = texts.get(entry).replaceAll(/\bimport"(\.[^"]+)";?/g, (_, name) => {
    gone.add(path.posix.join(path.posix.dirname(entry), name));
    return '';
  });
  const imports = outputs[entry].imports.filter((one) => !isStatic(one) || !gone.has(one.path));
  return {
    outputs: { ...outputs, [entry]: { ...outputs[entry], imports } },
    texts: new Map([...texts, [entry, text]]),
  };
}

/** What esbuild leaves for tools that read a module without running it; nobody reads ours so. */
const unreached = /\b0&&\(module\.exports=\{[^{}]*\}\);?\s*$/;

function loadLate(text) {
  const changed = text.replaceAll(/\brequire\("late:([^"]+)"\)/g, (_, wanted) => `__late(()=>require("${wanted}"))`);
  return changed === text ? text : lateObject + changed;
}

/** What esbuild writes for an `import()`, which the start has two hundred times. */
const thenFunction = 'var __then=f=>Promise.resolve().then(f);';

/** What is loaded later of a lump is one of its exports, not a file. */
function loadMembers(text) {
  const changed = text
    .replaceAll(/[\w$]+\((require\("[^"#]+)#(\w+)"\)(?:,1)?\)/g, '$1").$2')
    .replaceAll(/\b(require\("[^"#]+)#(\w+)"\)/g, '$1").$2')
    .replaceAll('Promise.resolve().then(()=>require(', '__then(()=>require(');
  return changed.includes('__then(') ? thenFunction + changed : changed;
}

/** A group is named in each `require` of it, so the names of the programs are short there. */
const shortNames = { extension: 'ext', hookMain: 'hook', sandboxWorker: 'sandbox', sqliteProcess: 'sql' };

/** Names a group by the programs that reach a file: `start.cli.ext.js`. */
function namerOfGroups(outputs, entries) {
  const programOf = (file) => shortNames[path.basename(file, '.js')] ?? path.basename(file, '.js');
  const reached = new Map();
  for (const program of entries)
    for (const file of reach(outputs, [program], () => true))
      reached.set(file, [...(reached.get(file) ?? []), programOf(program)]);
  return (kind, file) => `${path.dirname(file)}/${kind}.${[...(reached.get(file) ?? [])].sort().join('.')}.js`;
}

const isStatic = ({ kind }) => kind !== 'dynamic-import';

/** What the start loads after itself, with all that it needs at once, by the programs that reach it. */
function groupSoon(outputs, entries, loaded, soon) {
  const nameOf = namerOfGroups(outputs, entries);
  const byName = new Map(Object.entries(outputs).map(([file, { entryPoint }]) => [entryPoint, file]));
  const missing = soon.filter((source) => !byName.has(source));
  if (missing.length > 0) throw new Error(`no chunk begins with ${missing.join(', ')}: nothing loads it at its time`);
  const before = new Set(reach(outputs, loaded, isStatic));
  const groups = new Map();
  for (const file of reach(
    outputs,
    soon.map((source) => byName.get(source)),
    isStatic,
  )) {
    if (before.has(file)) continue;
    const name = nameOf('soon', file);
    groups.set(name, [...(groups.get(name) ?? []), file]);
  }
  return withoutTiny(groups, outputs);
}

/** A chunk of fewer bytes costs more as a file of its own than it saves whoever does not need it. */
const smallBytes = 12_000;

/**
 * Small chunks in groups, by the programs that reach them. What needs a large chunk at once stays alone: it would have
 * that loaded with every other of its group, and a group that needs only groups of more programs is in no circle.
 * @param taken what is in another group, or loaded with the start's entry
 */
function groupSmall(outputs, entries, taken) {
  const nameOf = namerOfGroups(outputs, entries);
  const before = new Set(reach(outputs, taken, isStatic));
  const isFree = (file) => path.dirname(file).endsWith('chunks') && !before.has(file);
  const groups = new Map();
  for (const file of Object.keys(outputs).filter(isFree)) {
    const needed = reach(outputs, [file], isStatic).filter((one) => !before.has(one));
    if (!needed.every((one) => isFree(one) && outputs[one].bytes < smallBytes)) continue;
    const name = nameOf('small', file);
    groups.set(name, [...(groups.get(name) ?? []), file]);
  }
  return groups;
}

/** The chunks of the start in groups, each named as its file, by the programs that reach them. */
function groupStart(outputs, entries, { entry, chunk }) {
  const nameOf = namerOfGroups(outputs, entries);
  const first =
    outputs[entry]?.imports.filter((one) => one.kind === 'dynamic-import' && one.path.includes(chunk)) ?? [];
  if (first.length !== 1)
    throw new Error(`\`${entry}\` loads ${first.length} chunks named \`${chunk}\`, one was expected`);
  const atOnce = new Set(reach(outputs, [entry], isStatic));
  const groups = new Map();
  for (const file of reach(outputs, [first[0].path], isStatic)) {
    // What the entry itself needs is loaded before anything else, and stays small.
    if (atOnce.has(file)) continue;
    const name = nameOf('start', file);
    groups.set(name, [...(groups.get(name) ?? []), file]);
  }
  return withoutTiny(groups, outputs);
}

/** A group of fewer bytes costs more as a file of its own than it would cost who loads it and does not need it. */
const fewestBytes = 3000;

/** The same groups; a tiny one is put into one that more programs share and that all of its own load anyway. */
function withoutTiny(groups, outputs) {
  const programsOf = (name) => path.basename(name, '.js').split('.').slice(1);
  const merged = new Map(groups);
  for (const [name, files] of groups) {
    if (files.reduce((sum, file) => sum + outputs[file].bytes, 0) >= fewestBytes) continue;
    const own = programsOf(name);
    const wider = [...merged.keys()].find(
      (other) => other !== name && own.every((program) => programsOf(other).includes(program)),
    );
    if (wider === undefined) continue;
    merged.set(wider, [...merged.get(wider), ...files]);
    merged.delete(name);
  }
  return merged;
}

function reach(outputs, from, follows) {
  const seen = new Set();
  const walk = (file) => {
    if (!outputs[file] || seen.has(file)) return;
    seen.add(file);
    for (const one of outputs[file].imports) if (follows(one)) walk(one.path);
  };
  from.forEach(walk);
  return [...seen];
}

/** `Aa` to `Zz`: before the name of an export as short as it can be, because the start names thousands. */
function shortName(at) {
  if (at >= 26 * 26) throw new Error('a group has more chunks than there are names of two letters');
  return String.fromCharCode(65 + Math.floor(at / 26), 97 + (at % 26));
}

function chunkPlugin(outputs, texts, groups, groupOf, late, isLumped) {
  const names = new Map([...groups.values()].flatMap((files) => files.map((file, at) => [file, shortName(at)])));
  const used = usedNames(texts, groupOf);
  const handOn = (file, own) =>
    outputs[file].exports
      .filter((name) => (late.has(file) && !isLumped(file)) || used.get(file)?.has(name))
      .map((name) => (own ? `${name} as ${names.get(file)}${name}` : `${names.get(file)}${name} as ${name}`))
      .join(',');
  const relative = (from, to) => {
    const way = path.posix.relative(from, to);
    return way.startsWith('.') ? way : `./${way}`;
  };
  /** What an import at its time loads: a file, or what a lump exports for one. */
  const laterFile = (folder, file) =>
    isLumped(file) ? `${relative(folder, groupOf.get(file))}#${names.get(file)}` : relative(folder, file);
  return {
    name: 'chunks',
    setup(b) {
      b.onResolve({ filter: /.*/ }, ({ path: wanted, importer, kind, namespace, pluginData }) => {
        if (kind === 'entry-point') return { path: wanted, namespace: groups.has(wanted) ? 'group' : 'kept' };
        if (wanted.startsWith(LATE))
          return { path: LATE + laterFile(path.posix.dirname(importer), lateOutput(wanted)), external: true };
        if (!wanted.startsWith('.')) return { path: wanted, external: true };
        const folder = path.posix.dirname(namespace === 'handed' ? pluginData.from : importer);
        const file = path.posix.join(folder, wanted);
        const within = namespace === 'group' ? importer : namespace === 'inner' ? groupOf.get(importer) : undefined;
        if (kind === 'dynamic-import') return { path: laterFile(folder, file), external: true };
        if (namespace === 'handed') return { path: relative(folder, file), external: true };
        if (within !== undefined && groupOf.get(file) === within) return { path: file, namespace: 'inner' };
        if (groupOf.has(file))
          return { path: `${folder} ${file}`, namespace: 'handed', pluginData: { from: importer, file } };
        return { path: relative(folder, file), external: true };
      });
      b.onLoad({ filter: /.*/, namespace: 'group' }, ({ path: name }) => ({
        contents: groups
          .get(name)
          .map((file) => {
            const from = `from"${relative(path.posix.dirname(name), file)}";`;
            const whole = late.has(file) && isLumped(file) ? `export*as ${names.get(file)} ${from}` : '';
            return `${whole}export{${handOn(file, true)}}${from}`;
          })
          .join('\n'),
        pluginData: {},
      }));
      b.onLoad({ filter: /.*/, namespace: 'inner' }, ({ path: file }) => ({ contents: texts.get(file) }));
      b.onLoad({ filter: /.*/, namespace: 'kept' }, ({ path: file }) => ({
        contents: groupOf.has(file)
          ? `export{${handOn(file, false)}}from"${relative(path.posix.dirname(file), groupOf.get(file))}";`
          : texts.get(file),
      }));
      b.onLoad({ filter: /.*/, namespace: 'handed' }, ({ path: key, pluginData }) => {
        const [folder, file] = key.split(' ');
        return {
          contents: `export{${handOn(file, false)}}from"${relative(folder, groupOf.get(file))}";`,
          pluginData: { from: pluginData.from },
        };
      });
    },
  };
}

/** Which names of a grouped chunk others import; a name that is missing here would stop the build. */
function usedNames(texts, groupOf) {
  const used = new Map();
  for (const [from, text] of texts)
    for (const [, names, wanted] of text.matchAll(/\bimport\{([^{}]*)\}from"(\.[^"]+)"/g)) {
      const file = path.posix.join(path.posix.dirname(from), wanted);
      if (groupOf.get(file) === groupOf.get(from)) continue;
      const own = used.get(file) ?? used.set(file, new Set()).get(file);
      for (const name of names.split(',')) own.add(name.split(' as ')[0].trim());
    }
  return used;
}

/** The metafile's outputs in the shape of the first pass: what went into each file, and what it loads when. */
function tell(before, files, groups, groupOf, isLumped) {
  const told = {};
  for (const file of files.keys()) {
    const sources = groups.get(file) ?? (groupOf.has(file) ? [] : [file]);
    const inputs = Object.assign({}, ...sources.map((one) => before[one].inputs));
    const imports = new Map(
      sources
        .flatMap((one) => before[one].imports)
        .concat(groupOf.has(file) ? [{ path: groupOf.get(file), kind: 'import-statement' }] : [])
        .map((one) => {
          const to =
            one.kind === 'dynamic-import' && !isLumped(one.path) ? one.path : (groupOf.get(one.path) ?? one.path);
          return [`${one.kind} ${to}`, { ...one, path: to }];
        })
        .filter(([, one]) => one.path !== file),
    );
    told[file] = { ...before[file], bytes: Buffer.byteLength(files.get(file)), inputs, imports: [...imports.values()] };
  }
  return told;
}
