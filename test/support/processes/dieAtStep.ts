import fs from 'node:fs';

// Loaded before a program (`node --require`): the process ends as a kill ends it, right before the call that would be
// its $DIE_AT_STEP-th to change something on the disk; of what that call would write, the first half is written. All
// steps together are all that a kill can leave, for between two of them nothing changes on the disk.
const last = Number(process.env['DIE_AT_STEP']);
let step = 0;

type AnyFunction = (this: unknown, ...args: never[]) => unknown;
type Call = readonly unknown[];

const { readFileSync, writeSync, writeFileSync, appendFileSync } = { ...fs };

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

const bytesOf = (data: unknown): Buffer => Buffer.concat([data].flat().map((one) => Buffer.from(one as Uint8Array)));
const firstHalf = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length >> 1);

const writes: Readonly<Record<string, (args: Call) => void>> = {
  write: ([fd, data]) => void writeSync(Number(fd), firstHalf(bytesOf(data))),
  writev: ([fd, data]) => void writeSync(Number(fd), firstHalf(bytesOf(data))),
  writeFile: ([file, data, how]) => writeFileSync(file as string, firstHalf(bytesOf(data)), how as object),
  copyFile: ([from, to]) => writeFileSync(to as string, firstHalf(readFileSync(from as string))),
  appendFile: ([file, data, how]) => appendFileSync(file as string, firstHalf(bytesOf(data)), how as object),
};
const others = 'rename unlink mkdir rmdir rm link symlink chmod fchmod truncate ftruncate'.split(' ');

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
