import type { Field } from './field';
import type { Reader } from './reader';

/** Modes of a shell that change nothing of what is read here. */
const plainModes =
  /^(?:errexit|nounset|pipefail|xtrace|verbose|noclobber|noglob|monitor|notify|history|ignoreeof|vi|emacs|nolog|allexport|braceexpand|hashall|errtrace|functrace|interactive-comments|onecmd|nullglob|failglob|extglob|globstar|lastpipe|expand_aliases|inherit_errexit|check\w+|hist\w+|cmdhist|lithist|login_shell|prog\w*|sourcepath|huponexit|mailwarn|no_empty_cmd_completion|direxpand|dirspell|cdspell|complete_\w+|hostcomplete|force_fignore|gnu_errfmt|xpg_echo)$/;

/** A mode by which wildcards or changes of folder mean something else. */
export function readMode({ text }: Field, reader: Reader, words: string): void {
  if (plainModes.test(text)) return;
  reader.scope.hasWidePatterns = true;
  if (!/glob|dot/i.test(text)) reader.unknown('unknown_word', words);
}
