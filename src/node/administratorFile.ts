import { lstatSync, realpathSync, type Stats } from 'node:fs';
import path from 'node:path';
import { say, type Sentence } from '../core/base/sentence';
import { codeOf } from './errors/errno';
import { windowsSecurity } from './windowsSecurity';

/** Owner and mode of one place on the way to a file. */
type PlaceStat = Pick<Stats, 'uid' | 'mode'> & { isDirectory(): boolean; isSymbolicLink(): boolean };

/** How the machine is asked; tests answer for it. */
export interface MachineFacts {
  readonly platform: NodeJS.Platform;
  lstat(file: string): PlaceStat;
  realpath(file: string): string;
  /** The security descriptor of a file in text form (SDDL), on Windows. */
  sddl(file: string): string;
}

export const thisMachine: MachineFacts = {
  platform: process.platform,
  lstat: (file) => lstatSync(file),
  realpath: (file) => realpathSync.native(file),
  sddl: (file) => windowsSecurity(file),
};

/**
 * Says why a file is not one that only an administrator can have written; undefined where it is. On POSIX the file and
 * every folder on the way must belong to root, and nobody else may write there; in a folder with the sticky bit nobody
 * else can replace what is root's.
 */
export function notAdministrators(file: string, machine: MachineFacts = thisMachine): Sentence | undefined {
  try {
    const real = machine.realpath(file);
    if (machine.platform === 'win32') return notWindowsAdministrators(real, machine);
    for (const start of new Set([path.posix.resolve(file), real])) {
      for (let at = start; ; at = path.posix.dirname(at)) {
        const fault = faultOf(at, machine.lstat(at));
        if (fault !== undefined) return fault;
        if (at === '/') break;
      }
    }
    return undefined;
  } catch (error) {
    return say('owner_untold_because', codeOf(error));
  }
}

/**
 * Tells whether what lies in a folder there, and cannot be looked at, can only be an administrator's: as far as can be
 * seen the folder and those above it belong to root, and nobody else may make anything there.
 */
export function isAdministratorsFolder(folder: string, machine: MachineFacts = thisMachine): boolean {
  if (machine.platform === 'win32') return false;
  let isSeen = false;
  for (let at = path.posix.resolve(folder); ; at = path.posix.dirname(at)) {
    try {
      const stat = machine.lstat(at);
      if (faultOf(at, stat) !== undefined || (!isSeen && (!stat.isDirectory() || (stat.mode & othersWrite) !== 0)))
        return false;
      isSeen = true;
    } catch {
      // What cannot be seen is root's where the folder above it is.
    }
    if (at === '/') return isSeen;
  }
}

const sticky = 0o1000;
const othersWrite = 0o022;

function faultOf(place: string, stat: PlaceStat): Sentence | undefined {
  if (stat.uid !== 0) return say('owner_not_root', place, stat.uid);
  // The mode of a link says nothing; where it leads is looked at by itself.
  if (stat.isSymbolicLink() || (stat.mode & othersWrite) === 0) return undefined;
  if (stat.isDirectory() && (stat.mode & sticky) !== 0) return undefined;
  return say('writers_not_root', place, (stat.mode & 0o7777).toString(8));
}

function notWindowsAdministrators(file: string, machine: MachineFacts): Sentence | undefined {
  const folder = path.win32.dirname(file);
  return (
    descriptorFault(file, machine.sddl(file), fileRights) ?? descriptorFault(folder, machine.sddl(folder), folderRights)
  );
}

/** Administrators, the system, the installer of Windows; `CO` stands for whoever creates something below. */
const administrators = new Set([
  'BA',
  'SY',
  'CO',
  'S-1-5-32-544',
  'S-1-5-18',
  'S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464',
]);
/** What changes a file: write and append data, delete, change rights or owner, all, and the generic rights for them. */
const fileRights = 0x2 | 0x4 | 0x10000 | 0x40000 | 0x80000 | 0x40000000 | 0x10000000;
/** In a folder others may add files, which would belong to them; they may not delete or replace one. */
const folderRights = 0x40 | 0x10000 | 0x40000 | 0x80000 | 0x10000000;
const rightNames: Readonly<Record<string, number>> = {
  ...{ GA: 0x10000000, GW: 0x40000000, GR: 0, GX: 0, FA: 0x1f01ff, FW: 0x120116, FR: 0, FX: 0 },
  ...{
    RC: 0,
    SD: 0x10000,
    WD: 0x40000,
    WO: 0x80000,
    CC: 0x1,
    DC: 0x2,
    LC: 0x4,
    SW: 0x8,
    RP: 0x10,
    WP: 0x20,
    DT: 0x40,
    LO: 0x80,
    CR: 0x100,
  },
};

/** Reads a security descriptor (SDDL). What cannot be read is a fault. */
export function descriptorFault(place: string, sddl: string, forbidden: number): Sentence | undefined {
  const owner = /^O:(S-[\d-]+|[A-Z]{2})/.exec(sddl.trim())?.[1];
  if (owner === undefined) return say('owner_untold', place);
  if (owner === 'CO' || !administrators.has(owner)) return say('owner_no_administrator', place, owner);
  const list = /D:([A-Z]*)((?:\([^()]*\))*)/.exec(sddl);
  if (!list || list[1]?.includes('NO_ACCESS') === true) return say('writers_untold', place);
  for (const [, entry = ''] of (list[2] ?? '').matchAll(/\(([^()]*)\)/g)) {
    const [type = '', flags = '', rights = '', , , who = ''] = entry.split(';');
    // Only what allows, and holds for this place itself.
    if (!/^(?:A|XA|OA|ZA)$/.test(type) || flags.includes('IO') || administrators.has(who)) continue;
    const mask = rightsOf(rights);
    if (mask === undefined) return say('writers_untold', place);
    if ((mask & forbidden) !== 0) return say('writer_no_administrator', who, place);
  }
  return undefined;
}

function rightsOf(text: string): number | undefined {
  if (/^0x[0-9a-f]{1,8}$/i.test(text)) return Number(text);
  if (!/^(?:[A-Z]{2})*$/.test(text)) return undefined;
  let mask = 0;
  for (const name of text.match(/../g) ?? []) {
    const right = rightNames[name];
    if (right === undefined) return undefined;
    mask |= right;
  }
  return mask;
}
