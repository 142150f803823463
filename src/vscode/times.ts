import * as vscode from 'vscode';

const written = (time: string | number, style: Intl.DateTimeFormatOptions): string =>
  new Date(time).toLocaleString(vscode.env.language, style);

/** A moment as people here write it, with its day: an ISO time, or milliseconds since 1970. */
export const localTime = (time: string | number): string => written(time, { dateStyle: 'medium', timeStyle: 'medium' });

/** The same where there is little room: without the day where that is today, and without seconds. */
export function shortTime(time: number): string {
  const isToday = new Date(time).toDateString() === new Date().toDateString();
  return written(time, isToday ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' });
}
