import * as vscode from 'vscode';

/** An ISO time as people here write it. */
export const localTime = (time: string): string =>
  new Date(time).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'medium' });
