import { readFileSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '../core/base/errorText';
import { loadLinearRegex } from '../core/base/linearRegex';
import { didYouMean } from '../core/base/nearest';
import { SaidError } from '../core/base/sentence';
import { exportedRules } from '../core/exchange/exportRules';
import { formatNames, ruleFormat } from '../core/exchange/formats';
import { importedRules } from '../core/exchange/importRules';
import { Notes, type RuleFormat } from '../core/exchange/statement';
import { homeOf } from '../node/folders/userFolders';
import { type CliArgs, type CliIo, hand, UsageError } from './args';
import { withWorkspace } from './openWorkspace';
import { brief } from './problemLines';
import { policyRules } from './policyDiff';
import { workspaceFolder } from './workspace';

/**
 * `policy import --format FORMAT FILE… [--out FILE]`: the rules of another tool as rules here, and on the other stream
 * what cannot be said here. Exit 0, or 1 where something that restricts was not understood.
 */
export async function runPolicyImport(files: readonly string[], args: CliArgs, io: CliIo): Promise<number> {
  const format = await formatOf(args);
  if (files.length === 0) throw new UsageError('`policy import` needs the files of the other tool');
  const slashed = (folder: string): string => path.resolve(folder).replaceAll('\\', '/');
  const place = { folder: slashed(workspaceFolder(args)), home: slashed(homeOf(io.environment)) };
  const notes = new Notes();
  const statements = files.flatMap((file) => {
    try {
      return format.read(readFileSync(file, 'utf8'), place, notes);
    } catch (error) {
      if (error instanceof SaidError) throw new UsageError(`${file}: ${error.message}`);
      throw new UsageError(`\`${file}\` cannot be read (${messageOf(error)})`);
    }
  });
  print(JSON.stringify(importedRules(statements, format), undefined, 2), notes, args, io);
  return notes.problems.some(({ severity }) => severity === 'error') ? 1 : 0;
}

/**
 * `policy export --format FORMAT [POLICY] [--strict] [--out FILE]`: the rules in force, or another policy, as a file of
 * another tool, and on the other stream what cannot be said there.
 */
export async function runPolicyExport(words: readonly string[], args: CliArgs, io: CliIo): Promise<number> {
  const format = await formatOf(args);
  const [name = 'now', ...rest] = words;
  if (rest.length > 0) throw new UsageError('`policy export` takes one policy');
  return withWorkspace(args, io, async ({ core }) => {
    const notes = new Notes();
    const regex = await loadLinearRegex();
    print(
      exportedRules(policyRules(core, name), format, notes, { strict: args.has('strict'), regex }),
      notes,
      args,
      io,
    );
    return 0;
  });
}

function formatOf(args: CliArgs): Promise<RuleFormat> {
  const name = args.value('format');
  const format = formatNames.find((one) => one === name);
  if (format === undefined)
    throw new UsageError(
      `\`--format\` must be one of ${formatNames.join(', ')}${name === undefined ? '' : ` (got \`${name}\`)${didYouMean(name, formatNames)}`}`,
    );
  return ruleFormat(format);
}

function print(text: string, notes: Notes, args: CliArgs, io: CliIo): void {
  for (const one of notes.problems) io.error(brief(one));
  hand(`${text.trimEnd()}\n`, args, io);
}
