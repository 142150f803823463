import fs from 'node:fs';
import path from 'node:path';

// Loaded before a program (`node --require`): the process ends as a kill ends it, right before the call that would be
// its $DIE_AT_STEP-th to change something on the disk; where that would write over several pages, the first of them are
// written. All steps together are all that a kill can leave, for between two of them nothing changes on the disk.
// With $KEEP_STEPS_OF it goes on instead, and puts what each kill would leave of that folder into $KEEP_STEPS_IN, by
// the number of the step: one process for all of them. On Linux alone, and for programs of one thread.
const last = Number(process.env['DIE_AT_STEP']);
const { KEEP_STEPS_OF: watched, KEEP_STEPS_IN: copies } = process.env;
let step = 0;

type AnyFunction = (this: unknown, ...args: never[]) => unknown;
type Call = readonly unknown[];

/** What stands in a place once the first pages of a write are there. */
interface Half {
  /** A descriptor or a path. */
  readonly place: unknown;
  readonly bytes: Buffer;
  /** Where the bytes go; where a descriptor stands if it is not said. */
  readonly position?: number | undefined;
  readonly how?: unknown;
}

// What is counted is not used for keeping.
const own = { ...fs };

function writeHalf({ place, bytes, position, how }: Half): void {
  if (typeof place === 'number') own.writeSync(place, bytes, 0, undefined, position ?? null);
  else own.writeFileSync(place as string, bytes, how as object);
}

function copyFolder(from: string, to: string): void {
  const { mode, atime, mtime } = own.lstatSync(from);
  own.mkdirSync(to, { recursive: true });
  for (const entry of own.readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) copyFolder(source, target);
    else if (entry.isSymbolicLink()) own.symlinkSync(own.readlinkSync(source), target);
    else {
      own.copyFileSync(source, target);
      const times = own.statSync(source);
      own.utimesSync(target, times.atime, times.mtime);
    }
  }
  own.chmodSync(to, mode);
  own.utimesSync(to, atime, mtime);
}

/** Keeps what a kill would leave now, with the first pages of what is about to be written. */
function keep(root: string, copy: string, half: Half | undefined): void {
  copyFolder(root, copy);
  if (!half) return;
  const { place, bytes, how } = half;
  const file = typeof place === 'number' ? own.readlinkSync(`/proc/self/fd/${place}`) : path.resolve(String(place));
  const inside = path.relative(root, file);
  if (inside.startsWith('..')) return;
  const target = path.join(copy, inside);
  if (typeof place !== 'number') return own.writeFileSync(target, bytes, how as object);
  // A file without a name any more is nothing that a kill leaves.
  if (!own.existsSync(target)) return;
  const said = own.readFileSync(`/proc/self/fdinfo/${place}`, 'utf8');
  const isAppending = (Number.parseInt(/^flags:\s*(\d+)/m.exec(said)?.[1] ?? '0', 8) & own.constants.O_APPEND) !== 0;
  const now = isAppending ? own.statSync(target).size : Number(/^pos:\s*(\d+)/m.exec(said)?.[1]);
  const handle = own.openSync(target, 'r+');
  own.writeSync(handle, bytes, 0, undefined, half.position ?? now);
  own.closeSync(handle);
}

/** Lets a function count as a step where its arguments say so; what `promisify` goes by is a property too. */
function count(
  holder: object,
  name: string,
  changes: (args: Call) => boolean,
  half: (args: Call) => Half | undefined,
): void {
  const original = Reflect.get(holder, name) as AnyFunction | undefined;
  if (!original) return;
  const counted = function (this: unknown, ...args: never[]): unknown {
    if (changes(args)) {
      step++;
      if (watched !== undefined && copies !== undefined) keep(watched, path.join(copies, String(step)), half(args));
      else if (step === last) {
        const begun = half(args);
        if (begun) writeHalf(begun);
        process.kill(process.pid, 'SIGKILL');
      }
    }
    return original.apply(this, args);
  };
  Reflect.set(holder, name, Object.defineProperties(counted, Object.getOwnPropertyDescriptors(original)));
}

const pageBytes = 4096;

/** What a kill in the middle of a write leaves of it: a page is written whole or not at all. */
function firstPages(data: unknown, position: number): Buffer {
  const bytes = Buffer.concat([data].flat().map((one) => Buffer.from(one as Uint8Array)));
  const pageEnd = (at: number): number => (Math.floor(at / pageBytes) + 1) * pageBytes - position;
  const cut = pageEnd(position + (bytes.length >> 1)) < bytes.length ? bytes.length >> 1 : 0;
  const end = pageEnd(position + cut);
  return bytes.subarray(0, end < bytes.length ? end : 0);
}

function firstOf(fd: unknown, data: unknown, position: unknown): Half {
  const at = typeof position === 'number' ? position : own.fstatSync(Number(fd)).size;
  return { place: Number(fd), bytes: firstPages(data, at), position: typeof position === 'number' ? at : undefined };
}

const writes: Readonly<Record<string, (args: Call) => Half>> = {
  write([fd, data, offset, length, position]) {
    const from = Number(offset ?? 0);
    const part =
      data instanceof Uint8Array ? data.subarray(from, length === undefined ? undefined : from + Number(length)) : data;
    return firstOf(fd, part, position);
  },
  writev: ([fd, data, position]) => firstOf(fd, data, position),
  writeFile: ([place, data, how]) => ({ place, bytes: firstPages(data, 0), how }),
  copyFile: ([from, to]) => ({ place: to, bytes: firstPages(own.readFileSync(from as string), 0) }),
};
const others = 'appendFile rename unlink mkdir rmdir rm link symlink chmod fchmod truncate ftruncate'.split(' ');

/** To open a file changes something only where that makes it. */
const isMaking = ([, flags]: Call): boolean =>
  typeof flags === 'number' ? (flags & fs.constants.O_CREAT) !== 0 : typeof flags === 'string' && /[wa]/.test(flags);

for (const [holder, end] of [
  [fs, ''],
  [fs, 'Sync'],
  [fs.promises, ''],
] as const) {
  const nothing = (): undefined => undefined;
  for (const [name, half] of Object.entries(writes)) count(holder, name + end, () => true, half);
  for (const name of others) count(holder, name + end, () => true, nothing);
  count(holder, `open${end}`, isMaking, nothing);
}
