import type { Problem } from '../core/problem';
import { type CliArgs, type CliIo, UsageError } from './args';
import { openWorkspace } from './platform';

/** `validate [--json]`: prints every problem of the workspace's policy files, definitions, settings and profiles. Exit 1 where there is one. */
export async function runValidate(args: CliArgs, io: CliIo): Promise<number> {
  if (args.words.length > 0) throw new UsageError('usage: validate [--json]');
  const opened = await openWorkspace(args, io);
  try {
    const problems = unique([...opened.problems, ...opened.core.problems(), ...(await opened.core.resolver.validate())]);
    if (args.has('json')) io.out(JSON.stringify(problems, undefined, 2));
    else for (const problem of problems) io.out(problemLine(problem));
    if (problems.length === 0 && !args.has('json')) io.out('no problem found');
    return problems.some((problem) => problem.severity !== 'information') ? 1 : 0;
  } finally {
    await opened.close();
  }
}

/** `file:line:column: severity: message [code]`, as compilers write it. */
export function problemLine({ file, line, column, severity, message, code }: Problem): string {
  const place = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}${column === undefined ? '' : `:${column}`}`}: `;
  return `${place}${severity}: ${message} [${code}]`;
}

/** Several parts read the same files and may find the same fault; it is said once. */
function unique(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Set<string>();
  return problems.filter(({ file, line, code, message }) => {
    const key = JSON.stringify([file ?? '', line ?? 0, code, message]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
