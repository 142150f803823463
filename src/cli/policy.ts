import { type CliArgs, type CliIo, UsageError } from './args';

/** `policy test|diff …`; each is loaded when it is called. Exit 0 success, 1 where something failed or differs. */
export async function runPolicy(args: CliArgs, io: CliIo): Promise<number> {
  const [action, ...words] = args.words;
  switch (action) {
    case 'test':
      return (await import('./policyTest')).runPolicyTest(words, args, io);
    case 'diff':
      return (await import('./policyDiff')).runPolicyDiff(words, args, io);
    default:
      throw new UsageError(`\`${action ?? ''}\` is not an action of \`policy\`; known are test and diff`);
  }
}
