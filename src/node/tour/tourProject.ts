import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../folders/makeFolder';

/** The project of the tour: what its calls read and change. */
const files: Readonly<Record<string, string>> = {
  'README.md': `# Ferry times

A made-up service that answers when the next ferry leaves. *Play the Tour* wrote it and takes it away again.
`,
  '.env': `# Made up. The policy keeps agents away from this file.
OPERATOR_API_TOKEN=sample-0000-not-a-real-token
`,
  '.env.example': 'OPERATOR_API_TOKEN=\n',
  'src/timetable.ts': `export interface Departure {
  /** Minutes after midnight, local time. */
  minute: number;
  from: string;
}

export const TIMETABLE: Departure[] = [
  { minute: 6 * 60 + 15, from: 'Northquay' },
  { minute: 11 * 60 + 30, from: 'Northquay' },
  { minute: 21 * 60, from: 'Isle' },
];

/** The next departure of the day, or undefined after the last one. */
export function nextDeparture(from: string, minute: number): Departure | undefined {
  // Known problem: a ferry that leaves this very minute is missed.
  return TIMETABLE.find((departure) => departure.from === from && departure.minute > minute);
}
`,
};

/** Writes the project into a folder. */
export async function writeTourProject(folder: string): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    makeFolder(path.dirname(file));
    await writeFile(file, content);
  }
}
