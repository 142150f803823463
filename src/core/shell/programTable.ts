import { fileRows } from './filePrograms';
import { byName, type ProgramRow } from './programRow';
import { runningRows } from './runningPrograms';

const table = byName({ ...fileRows, ...runningRows });
const nothing: ProgramRow = {};

/** The row of a program by its name alone; undefined for one that is not known. */
export const programRow = (name: string): ProgramRow | undefined => table.get(name);

/** The row of a program that is known. */
export const rowOf = (name: string): ProgramRow => table.get(name) ?? nothing;
