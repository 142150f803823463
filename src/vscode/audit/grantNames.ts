import * as vscode from 'vscode';
import type { GrantRecords } from '../../core/audit/grantRecords';
import { timedWords } from '../../core/present/noteWords';
import { localTime } from '../times';

/** What a grant allows, as the log says it of its making; undefined where that is not there any more. */
export function grantWords(grants: GrantRecords, id: string): string | undefined {
  const made = grants.madeOf(id);
  return made && timedWords(made, vscode.l10n.t, localTime);
}
