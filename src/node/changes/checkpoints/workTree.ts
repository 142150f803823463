/** Runs git in a folder of the workspace. */
export type RunGit = (args: readonly string[]) => Promise<Buffer>;

/** Files that are not held, and folders of which nothing is. */
interface Unheld {
  readonly names: readonly string[];
  readonly tops: readonly string[];
}

/** And held files that may be otherwise now. */
interface Differing extends Unheld {
  readonly known: readonly string[];
}

/** Up to so many held files one process looks for all of it; beyond, two beside each other are sooner done. */
const lookedAtByOne = 5000;
const others = ['-z', '--others', '--directory', '--exclude-standard'];

/** @param held how many files are. */
export async function differingFiles(run: RunGit, held: number): Promise<Differing> {
  if (held > lookedAtByOne) {
    const changed = run(['diff-files', '-z', '--name-only', '--ignore-submodules=all']);
    const [known, unheld] = await Promise.all([changed, unheldFiles(run)]);
    return { known: namesIn(known), ...unheld };
  }
  // Such as `? a/` and `C b`; what is gone is named twice.
  const tagged = partsIn(await run(['ls-files', '-t', '-m', '-d', ...others]));
  const namesOf = (isOther: boolean): readonly string[] =>
    tagged.filter((one) => one.startsWith('? ') === isOther).map((one) => one.slice(2));
  return { known: [...new Set(namesOf(false))], ...parted(namesOf(true)) };
}

export async function unheldFiles(run: RunGit): Promise<Unheld> {
  return parted(partsIn(await run(['ls-files', ...others])));
}

const parted = (unheld: readonly string[]): Unheld => ({
  names: unheld.filter((name) => !name.endsWith('/')),
  tops: unheld.filter((name) => name.endsWith('/')).map((name) => name.slice(0, -1)),
});

/** Names that are no UTF-8 are left out. */
const partsIn = (output: Buffer): readonly string[] =>
  output
    .toString('utf8')
    .split('\0')
    .filter((name) => name !== '' && !name.includes('\ufffd'));

/** The same without folders, which are other repositories. */
export const namesIn = (output: Buffer): readonly string[] => partsIn(output).filter((name) => !name.endsWith('/'));
