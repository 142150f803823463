import fs from 'node:fs';

// Loaded before a program (`node --require`): the process ends as a kill ends it, right before the call that would be
// its $DIE_AT_STEP-th to change something on the disk; where that would write over several pages, the first of them are
// written. All steps together are all that a kill can leave, for between two of them nothing changes on the disk.
const last = Number(process.env['DIE_AT_STEP']);
let step = 0;

type AnyFunction = (this: unknown, ...args: never[]) => unknown;
type Call = readonly unknown[];

const { fstatSync, readFileSync, writeSync, writeFileSync } = { ...fs };

/** Lets a function count as a step where its arguments say so; what `promisify` goes by is a property too. */
function count(holder: object, name: string, changes: (args: Call) => boolean, half: (args: Call) => void): void {
  const original = Reflect.get(holder, name) as AnyFunction | undefined;
  if (!original) return;
  const counted = function (this: unknown, ...args: never[]): unknown {
    if (changes(args) && ++step === last) {
      half(args);
      process.kill(process.pid, 'SIGKILL');
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

function writeFirst(fd: unknown, data: unknown, position: unknown): void {
  const at = typeof position === 'number' ? position : fstatSync(Number(fd)).size;
  writeSync(Number(fd), firstPages(data, at), 0, undefined, typeof position === 'number' ? at : null);
}

const writes: Readonly<Record<string, (args: Call) => void>> = {
  write([fd, data, offset, length, position]) {
    const from = Number(offset ?? 0);
    const part =
      data instanceof Uint8Array ? data.subarray(from, length === undefined ? undefined : from + Number(length)) : data;
    writeFirst(fd, part, position);
  },
  writev: ([fd, data, position]) => writeFirst(fd, data, position),
  writeFile: ([file, data, how]) => writeFileSync(file as string, firstPages(data, 0), how as object),
  copyFile: ([from, to]) => writeFileSync(to as string, firstPages(readFileSync(from as string), 0)),
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
  const nothing = (): void => undefined;
  for (const [name, half] of Object.entries(writes)) count(holder, name + end, () => true, half);
  for (const name of others) count(holder, name + end, () => true, nothing);
  count(holder, `open${end}`, isMaking, nothing);
}
