import type { Problem } from '../core/base/problem';
import { visibleLine } from '../core/base/visible';

/** What waits for a person's answer that `--yes` gives. */
const answeredByYes: ReadonlySet<string> = new Set([
  'definition_pending',
  'prompt_pending',
  'mcp_not_approved',
  'probe_runs_program',
  'probe_sends_secret',
]);

/** How what waits is approved on the command line; empty for everything else. */
export const mend = (code: string): string => (answeredByYes.has(code) ? '; here `--yes` approves it' : '');

/** `file:line:column: `, as compilers write it. */
function placeOf({ file, line, column }: Problem): string {
  if (file === undefined) return '';
  return `${file}${line === undefined ? '' : `:${line}${column === undefined ? '' : `:${column}`}`}: `;
}

/** A problem as commands note it beside their answer. */
export const brief = (one: Problem): string =>
  `${placeOf(one)}${one.severity}: ${visibleLine(one.message)}${mend(one.code)}`;

/** A problem as `validate` lists it, with its code. */
export const problemLine = (one: Problem): string =>
  `${placeOf(one)}${one.severity}: ${visibleLine(one.message)}${mend(one.code)} [${one.code}]`;
