import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { parsedJson } from '../../core/base/json';

// Looks at what may not be there, or may not be looked at. Nothing is answered then, and nothing is thrown.

/** The names in a folder, in no order. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

export const jsonIn = (file: string): unknown => parsedJson(textIn(file));

/** Where a path leads once its links are followed. */
export function realOf(place: string): string | undefined {
  try {
    return realpathSync(place);
  } catch {
    return undefined;
  }
}

/** The folder itself, or the first one above it that is there. */
export function nearestThere(folder: string): string {
  const parent = path.dirname(folder);
  return existsSync(folder) || parent === folder ? folder : nearestThere(parent);
}

/** True for a folder itself and what lies below it, by what is written; links are not followed. */
export function isWithin(place: string, folder: string): boolean {
  const below = path.relative(folder, place);
  return below !== '..' && !below.startsWith(`..${path.sep}`) && !path.isAbsolute(below);
}
