import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The editor writes its logs, log output channels among them, through a native module that is not compiled here, so
 * they would stay empty. This stands in for it in the cached copy: the same interface, plain appends.
 */
const MARK = '// stand-in of the editor tests';
const STAND_IN = `${MARK}
const fs = require('fs');
const path = require('path');
const names = ['trace', 'debug', 'info', 'warning', 'error', 'critical', 'off'];
class Logger {
  constructor(_type, _name, file) { this.file = file; this.level = 0; this.plain = false; }
  write(level, text) {
    if (level < this.level) return;
    const line = this.plain ? text : new Date().toISOString().replace('T', ' ').replace('Z', '') + ' [' + names[level] + '] ' + text + '\\n';
    try { fs.appendFileSync(this.file, line); } catch {}
  }
  trace(text) { this.write(0, text); }
  debug(text) { this.write(1, text); }
  info(text) { this.write(2, text); }
  warn(text) { this.write(3, text); }
  error(text) { this.write(4, text); }
  critical(text) { this.write(5, text); }
  getLevel() { return this.level; }
  setLevel(level) { this.level = level; }
  setPattern() {}
  clearFormatters() { this.plain = true; }
  flush() {}
  drop() {}
}
async function create(type, name, file) {
  await fs.promises.mkdir(path.dirname(file), { recursive: true });
  return new Logger(type, name, file);
}
exports.version = 1;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = (name, file) => create('rotating', name, file);
exports.createAsyncRotatingLogger = (name, file) => create('rotating_async', name, file);
`;

/** Puts the stand-in into the cached editor; a second time it changes nothing. */
export async function applyLogFiles(vscode: string): Promise<void> {
  const file = join(vscode, 'node_modules', '@vscode', 'spdlog', 'index.js');
  const source = await readFile(file, 'utf8');
  if (source === STAND_IN) return;
  if (!source.startsWith(MARK) && !source.includes("require('bindings')('spdlog')"))
    throw new Error(`${file} is not what was expected; look at this version by hand`);
  const temporary = `${file}.${process.pid}.tmp`;
  await writeFile(temporary, STAND_IN);
  await rename(temporary, file);
}
