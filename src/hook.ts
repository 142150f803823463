import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire, wrap } from 'node:module';
import path from 'node:path';
import { Script } from 'node:vm';
import { checkPrivate, privateFolderPath } from './node/hooks/privateFolder';

// Starts `hookMain.js` with the code that the engine compiled the last time, kept in the user's private folder: a hook
// runs before every call of an agent, and compiling is a third of its time. Without it, or with any fault, it is loaded
// like every other module.
const file = path.join(__dirname, 'hookMain.js');

type Loaded = (exports: object, require: NodeJS.Require, module: object, file: string, folder: string) => void;

function isFunction(value: unknown): value is Loaded {
  return typeof value === 'function';
}

function compiled(): Loaded | undefined {
  try {
    const { size, mtimeMs } = statSync(file);
    const at = process.argv.indexOf('--private');
    const folder = path.join(privateFolderPath(at < 0 ? undefined : process.argv[at + 1]), 'compiled');
    const kept = path.join(folder, `${process.version}-${process.arch}-${size}-${Math.round(mtimeMs)}.bin`);
    const cachedData = readKept(folder, kept);
    const script = new Script(wrap(readFileSync(file, 'utf8')), {
      filename: file,
      ...(cachedData ? { cachedData } : {}),
    });
    if (!cachedData || script.cachedDataRejected) process.once('exit', () => keep(folder, kept, script));
    const made: unknown = script.runInThisContext();
    return isFunction(made) ? made : undefined;
  } catch {
    return undefined;
  }
}

function readKept(folder: string, kept: string): Buffer | undefined {
  try {
    checkPrivate(folder, true);
    checkPrivate(kept, false);
    return readFileSync(kept);
  } catch {
    return undefined;
  }
}

/** Kept at the end, when everything that was needed is compiled. */
function keep(folder: string, kept: string, script: Script): void {
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

const load = createRequire(file);
const own = compiled();
if (own) own({}, load, {}, file, __dirname);
else load(file);
