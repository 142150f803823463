import { connectingRows } from './connectingPrograms';
import { fileRows } from './filePrograms';
import { byName, type ProgramRow } from './programRow';
import { readingRows } from './readingPrograms';
import { runningRows } from './runningPrograms';
import { startingRows } from './startingPrograms';

/** The rows of all programs, by the names that a row holds for. */
export const programRows: Readonly<Record<string, ProgramRow>> = {
  ...readingRows,
  ...fileRows,
  ...runningRows,
  ...connectingRows,
  ...startingRows,
};
const table = byName(programRows);
const nothing: ProgramRow = {};

/** The row of a program by its name alone; undefined for one that is not known. */
export const programRow = (name: string): ProgramRow | undefined => table.get(name);

/** The row of a program that is known. */
export const rowOf = (name: string): ProgramRow => table.get(name) ?? nothing;
