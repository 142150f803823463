import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire, wrap } from 'node:module';
import path from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { dropCompiled, noteUse } from './node/hooks/compiledFolder';
import { checkPrivate, privateFolderPath } from './node/hooks/privateFolder';

// Loads `hookMain.js` and what it requires with the code that the engine compiled the last time, kept in the user's
// private folder: a hook runs before every call of an agent, and compiling is a third of its time. Where nothing can be
// read or kept there, everything is compiled anew.
type Require = (name: string) => unknown;
type Body = (exports: object, require: Require, module: object, file: string, folder: string) => void;

function isBody(value: unknown): value is Body {
  return typeof value === 'function';
}

const loaded = new Map<string, { readonly exports: object }>();
/** What was compiled now, by the place to keep it. */
const compiled = new Map<string, Script>();
/** The folder of what was used for the first time in a day. */
let usedToday: string | undefined;

function load(file: string): object {
  const known = loaded.get(file);
  if (known) return known.exports;
  const module = { exports: {} };
  loaded.set(file, module);
  const folder = path.dirname(file);
  const outside = createRequire(file);
  const body = compile(file);
  if (!isBody(body)) throw new Error(`\`${path.basename(file)}\` is no module`);
  const require: Require = (name) => (name.startsWith('.') ? load(path.join(folder, name)) : outside(name));
  body(module.exports, require, module, file, folder);
  return module.exports;
}

function compile(file: string): unknown {
  const kept = placeOf(file);
  const cachedData = kept === undefined ? undefined : readKept(kept);
  const script = new Script(wrap(readFileSync(file, 'utf8')), {
    filename: file,
    ...(cachedData ? { cachedData } : {}),
  });
  if (kept !== undefined && (!cachedData || script.cachedDataRejected)) compiled.set(kept, script);
  return script.runInThisContext();
}

/** Where the compiled code of a file is kept; undefined where there is no such place. */
function placeOf(file: string): string | undefined {
  try {
    const { size, mtimeMs } = statSync(file);
    const at = process.argv.indexOf('--private');
    const folder = path.join(privateFolderPath(at < 0 ? undefined : process.argv[at + 1]), 'compiled');
    // What the engine checks (its version, its flags, the processor), so that processes with other flags keep theirs.
    const engine = cachedDataVersionTag().toString(16);
    const about = `${process.version}-${process.arch}-${engine}-${size}-${Math.round(mtimeMs)}`;
    return path.join(folder, `${path.basename(file, '.js')}-${about}.bin`);
  } catch {
    return undefined;
  }
}

function readKept(kept: string): Buffer | undefined {
  try {
    checkPrivate(path.dirname(kept), true);
    checkPrivate(kept, false);
    const found = readFileSync(kept);
    if (noteUse(kept, Date.now())) usedToday = path.dirname(kept);
    return found;
  } catch {
    return undefined;
  }
}

function keep(kept: string, script: Script): void {
  const folder = path.dirname(kept);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // It is there, or nothing can be kept.
  }
  try {
    checkPrivate(folder, true);
    const temporary = `${kept}.${process.pid}.tmp`;
    writeFileSync(temporary, script.createCachedData(), { mode: 0o600 });
    renameSync(temporary, kept);
  } catch {
    // The next start compiles again.
  }
}

// Kept at the end, when everything that was needed is compiled.
process.once('exit', () => {
  compiled.forEach((script, kept) => keep(kept, script));
  const [first] = compiled.keys();
  const folder = first === undefined ? usedToday : path.dirname(first);
  if (folder !== undefined) dropCompiled(folder, Date.now());
});
load(path.join(__dirname, 'hookMain.js'));
