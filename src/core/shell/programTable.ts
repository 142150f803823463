import { fileRows } from './filePrograms';
import type { ProgramRow } from './programRow';
import { runningRows } from './runningPrograms';

/** The row of a program by its name alone. */
export const programTable: ReadonlyMap<string, ProgramRow> = new Map(
  [...fileRows, ...runningRows].flatMap(([names, row]) => names.split(' ').map((name) => [name, row] as const)),
);
