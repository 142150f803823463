import * as vscode from 'vscode';
import { worded } from '../core/base/sentence';
import { errorSaid } from '../core/vocabulary/errors';

/** What an error says to the person, in the editor's language where the words are ours. */
export const saidToPerson = (error: unknown): string => worded(errorSaid(error), vscode.l10n.t);
