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
  const does = words.filter((word) => !word.startsWith('-'));
  if (readsOthers.has(program))
    return words.length > 0 && ![...does.slice(0, 2), words[0] ?? ''].some((word) => silent.test(word));
  return registries.get(program)?.test(does[0] ?? '') === true;
}
