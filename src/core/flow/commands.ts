/** Programs that show what others wrote: issues, reviews, mail, pages, news. */
const readsOthers: ReadonlySet<string> = new Set(
  'gh glab hub tea jira acli lynx links elinks w3m http https httpie xh mutt neomutt mail mailx himalaya newsboat'.split(
    ' ',
  ),
);
/** What they do without showing anything of others: they write, or tell of themselves. */
const silent = /^(?:auth|config|version|help|alias|completion|extension|create|-{1,2}(?:version|help|h))$/;
/** Packages, as their registries describe them. */
const registries: ReadonlyMap<string, RegExp> = new Map([
  ['npm', /^(?:view|v|info|show|search|s|find)$/],
  ['pnpm', /^(?:view|info|show|search)$/],
  ['yarn', /^(?:info|npm)$/],
  ['pip', /^(?:search|index)$/],
  ['pip3', /^(?:search|index)$/],
  ['cargo', /^(?:search|info)$/],
  ['gem', /^(?:search|specification|info)$/],
  ['brew', /^(?:info|search|home)$/],
]);

/**
 * Whether a command brings what strangers wrote though it names no host: whoever may open an issue or publish a package
 * speaks by it.
 * @param command one command, its program first, as the reader of shell lines names it.
 */
export function bringsStrangers(command: string): boolean {
  const [first = '', ...words] = command.trim().split(/\s+/);
  const program = (first.split(/[/\\]/).at(-1) ?? '').replace(/\.(?:exe|cmd)$/i, '').toLowerCase();
  if (readsOthers.has(program)) return words.length > 0 && !silent.test(words[0] ?? '') && !isSilent(words, 2);
  const shows = registries.get(program);
  return shows !== undefined && subcommandsAt(words).some((at) => shows.test(words[at] ?? ''));
}

/**
 * Where the subcommand may stand: it is the first word that is no option, but whoever does not know the options of a
 * program cannot tell the value of one (`--prefix packages view`) from a subcommand behind one (`--silent view`).
 */
function subcommandsAt(words: readonly string[]): readonly number[] {
  const found: number[] = [];
  for (const [at, word] of words.entries()) {
    if (/^[-+]/.test(word)) continue;
    // Paths and names of hosts and repositories are values alone.
    if (/^\w[\w-]*$/.test(word)) found.push(at);
    if (!/^-[^=]*$/.test(words[at - 1] ?? '')) break;
  }
  return found;
}

/** Whether a command shows nothing of others wherever its subcommands stand, of which so many are looked at. */
function isSilent(words: readonly string[], depth: number): boolean {
  const places = depth === 0 ? [] : subcommandsAt(words);
  return (
    places.length > 0 && places.every((at) => silent.test(words[at] ?? '') || isSilent(words.slice(at + 1), depth - 1))
  );
}
