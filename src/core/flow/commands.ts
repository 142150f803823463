import { wordSet } from '../base/wordSet';

/** Programs that show what others wrote: issues, reviews, mail, pages, news. */
const readsOthers = wordSet(
  'gh glab hub tea jira acli lynx links elinks w3m http https httpie xh mutt neomutt mail mailx himalaya newsboat',
);
/** What they do without showing anything of others: they write, or tell of themselves. */
const silent = /^(?:auth|config|version|help|alias|completion|extension|create|-{1,2}(?:version|help|h))$/;

/** A program that shows packages as their registry describes them. */
interface Registry {
  readonly shows: RegExp;
  /** Options that take a value: letters and long names. */
  readonly valued: RegExp;
}

/** The names by which npm knows what shows a package, and their beginnings, which it takes for the whole. */
const npmShows = /^(?:v|vi|vie|view|inf|info|sho|show|s|se|sea|sear|searc|search|find)$/;
const none = /^(?!)/;
const pip: Registry = {
  shows: /^(?:search|index)$/,
  valued:
    /^-(?:-proxy|-timeout|-retries|-cert|-client-cert|-log|-cache-dir|-trusted-host|-exists-action|-python|i|-index-url)$/,
};
const registries: ReadonlyMap<string, Registry> = new Map([
  [
    'npm',
    {
      shows: npmShows,
      valued: /^-(?:-prefix|C|-registry|-userconfig|-cache|w|-workspace|-tag|-loglevel|-otp|-scope|-before|-depth)$/,
    },
  ],
  ['pnpm', { shows: npmShows, valued: /^-(?:-filter(?:-prod)?|F|C|-dir|-reporter|-loglevel|-registry|-store-dir)$/ }],
  ['yarn', { shows: /^(?:info|npm)$/, valued: /^-(?:-cwd|-registry|-cache-folder|-modules-folder|-mutex)$/ }],
  ['bun', { shows: /^info$/, valued: /^-(?:-cwd|-registry|c|-config)$/ }],
  ['pip', pip],
  ['pip3', pip],
  ['cargo', { shows: /^(?:search|info)$/, valued: /^-(?:Z|C|-color|-config|-manifest-path|-target-dir|-registry)$/ }],
  ['gem', { shows: /^(?:search|specification|info)$/, valued: /^-(?:-config-file|s|-source)$/ }],
  ['brew', { shows: /^(?:info|search|home)$/, valued: none }],
]);

/** Options without a value, which hold for all of them: those behind one are looked at as if it were not there. */
const flags =
  /^-(?:[gqvdyDSEO]+|s|-|-(?:silent|quiet|verbose|global|json|yes|offline|debug|force|recursive|frozen|locked|no-[\w-]+))$/;
/** What stands where the name of a program could: programs that run it, and how they are told to. */
const starters = /^(?:corepack|npx|pnpx|bunx|uvx)$/;
const pythons = /^(?:py|python[\d.]*|pypy[\d.]*)$/;
const startedBy: ReadonlyMap<string, RegExp> = new Map([
  ['npm', /^(?:exec|x)$/],
  ['pnpm', /^(?:dlx|exec)$/],
  ['yarn', /^(?:dlx|exec)$/],
  ['uv', /^(?:run|tool)$/],
  ['pipx', /^run$/],
  ['bun', /^x$/],
]);

/**
 * Whether a command brings what strangers wrote though it names no host: whoever may open an issue or publish a package
 * speaks by it.
 * @param command one command, its program first, as the reader of shell lines names it.
 */
export function bringsStrangers(command: string): boolean {
  const [first = '', ...words] = command.trim().split(/\s+/);
  return brings(
    first,
    words.map((word) => word.replace(/['"\\^]/g, '')),
  );
}

/** So many programs may start one another; behind more of them anything may stand. */
const mostStarted = 8;

function brings(first: string, words: readonly string[], started = 0): boolean {
  if (started > mostStarted) return true;
  const program = (first.replace(/['"]/g, '').split(/[/\\]/).at(-1) ?? '')
    .replace(/\.(?:exe|cmd)$/i, '')
    .replace(/(?<=.)@.*$/s, '')
    .toLowerCase();
  if (readsOthers.has(program)) return words.length > 0 && !silent.test(words[0] ?? '') && !isSilent(words, 2);
  const registry = registries.get(program);
  if (registry && subcommandsAt(words, registry.valued).some((at) => registry.shows.test(words[at] ?? ''))) return true;
  if (pythons.test(program)) {
    const [, module, rest = ''] = /^(?:-[^m ]*(?: [^- ]\S*)? )*-\w*m ?(pip3?) (.*)$/.exec(words.join(' ')) ?? [];
    return module !== undefined && brings(module, rest.split(' '), started + 1);
  }
  const isStarter = starters.test(program);
  const begin = isStarter ? 0 : words.findIndex((word) => startedBy.get(program)?.test(word)) + 1;
  if (begin === 0 && !isStarter) return false;
  const at = words.findIndex((word, index) => index >= begin && registries.has(word.replace(/(?<=.)@.*$/s, '')));
  if (at < 0 || !words.slice(begin, at).every(isBefore)) return false;
  return brings(words[at] ?? '', words.slice(at + 1), started + 1);
}

/** What may stand before the program that another one starts: options, and the words that they take. */
const isBefore = (word: string, index: number, all: readonly string[]): boolean =>
  word.startsWith('-') || word === 'run' || /^-[^=]*$/.test(all[index - 1] ?? '');

/**
 * Where the subcommand may stand: it is the first word that is no option, but whoever does not know an option cannot
 * tell its value (`--prefix packages view`) from a subcommand behind it (`--silent view`), nor what a variable becomes.
 */
function subcommandsAt(words: readonly string[], valued = none): readonly number[] {
  const found: number[] = [];
  for (const [at, word] of words.entries()) {
    const before = words[at - 1] ?? '';
    if (/^[-+]/.test(word) || valued.test(before) || /[$`]/.test(word)) continue;
    // Paths and names of hosts and repositories are values alone.
    if (/^\w[\w-]*$/.test(word)) found.push(at);
    const isBehindFlag = flags.test(before) && !/^(?:true|false|null)$/.test(word);
    if (isBehindFlag || !/^-[^=]*$|[$`]/.test(before)) break;
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
