import { type CliArgs, type CliIo, UsageError } from './args';

/** `bundle key|make|sign|verify|show …`; each is loaded when it is called. Exit 0 success, 1 where a bundle is refused. */
export async function runBundle(args: CliArgs, io: CliIo): Promise<number> {
  const [action, ...words] = args.words;
  switch (action) {
    case 'key':
      return (await import('./bundleSign')).runBundleKey(words, args, io);
    case 'make':
      return (await import('./bundleMake')).runBundleMake(words, args, io);
    case 'sign':
      return (await import('./bundleSign')).runBundleSign(words, args, io);
    case 'verify':
      return (await import('./bundleShow')).runBundleVerify(words, args, io);
    case 'show':
      return (await import('./bundleShow')).runBundleShow(words, args, io);
    default:
      throw new UsageError(
        `\`${action ?? ''}\` is not an action of \`bundle\`; known are key, make, sign, verify and show`,
      );
  }
}
