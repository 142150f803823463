import * as vscode from 'vscode';
import type { Problem } from '../../core/base/problem';
import { worded } from '../../core/base/sentence';

/** What a problem names in its file; where its end is not known, the rest of the line. */
export function rangeOf({ line = 1, column = 1, endLine = line, endColumn = 1000 }: Problem): vscode.Range {
  return new vscode.Range(
    Math.max(0, line - 1),
    Math.max(0, column - 1),
    Math.max(0, endLine - 1),
    Math.max(0, endColumn - 1),
  );
}

/** A problem as the Problems panel shows it. */
export function diagnosticOf(problem: Problem): vscode.Diagnostic {
  const severities: Readonly<Record<Problem['severity'], vscode.DiagnosticSeverity>> = {
    error: vscode.DiagnosticSeverity.Error,
    warning: vscode.DiagnosticSeverity.Warning,
    information: vscode.DiagnosticSeverity.Information,
  };
  const words = worded(problem.said, vscode.l10n.t);
  const diagnostic = new vscode.Diagnostic(rangeOf(problem), words, severities[problem.severity]);
  diagnostic.source = 'Agent Capabilities';
  diagnostic.code = problem.code;
  return diagnostic;
}
