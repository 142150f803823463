import { type CliArgs, type CliIo, UsageError } from './args';

/** `policy test|diff|import|export …`; each is loaded when it is called. Exit 0 success, 1 where something failed or differs. */
export async function runPolicy(args: CliArgs, io: CliIo): Promise<number> {
  const [action, ...words] = args.words;
  switch (action) {
    case 'test':
      return (await import('./policyTest')).runPolicyTest(words, args, io);
    case 'diff':
      return (await import('./policyDiff')).runPolicyDiff(words, args, io);
    case 'import':
      return (await import('./policyExchange')).runPolicyImport(words, args, io);
    case 'export':
      return (await import('./policyExchange')).runPolicyExport(words, args, io);
    default:
      throw new UsageError(
        `\`${action ?? ''}\` is not an action of \`policy\`; known are test, diff, import and export`,
      );
  }
}
