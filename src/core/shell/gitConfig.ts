import { applyRow } from './applyRow';
import { type Field, isOpenField, plainField } from './field';
import { inTree } from './pathspec';
import type { ProgramRow } from './programRow';
import type { Reader } from './reader';

/** Keys of a configuration that make no program run and move no file. */
const harmless =
  /^(?:user\.|color\.|advice\.|core\.(?:quotepath|autocrlf|eol|abbrev|safecrlf|filemode|ignorecase)$|init\.defaultbranch$|log\.|column\.|commit\.gpgsign$|tag\.gpgsign$|diff\.(?:renames|algorithm|noprefix|mnemonicprefix)$|pull\.|push\.|fetch\.|rebase\.auto|merge\.conflictstyle$|protocol\.version$)/i;

/** Tells of what a key of the configuration makes run. */
export function configured(key: string, value: Field, reader: Reader, words: string): void {
  if (harmless.test(key)) return;
  const isPlainPager = /pager/i.test(key) && /^(?:|cat|less|more|false|true)$/.test(value.text);
  if (isPlainPager) return;
  reader.unknown('runs_code', words);
  if (/^safe\./i.test(key)) return;
  reader.apart((inner) => inner.runText(value.text.replace(/^!/, '')));
}

const row: ProgramRow = {
  operands: 'unknown',
  plain: '--default --type -t --value --comment --url --blob -f --file',
};

/** Options with which the configuration is only asked for, and those that say how. */
const asking = /^--(?:get|get-all|get-regexp|get-urlmatch|get-color|get-colorbool|list)$|^-l$/;
const how =
  /^-[zflt]$|^--(?:global|system|local|worktree|file|blob|type|no-type|bool|int|bool-or-int|bool-or-str|path|expiry-date|null|name-only|show-names|no-show-names|show-origin|show-scope|includes|no-includes|default|fixed-value|all|regexp|value|url)$/;
const verbs = /^(?:get|list|set|unset|edit|rename-section|remove-section)$/;

/** `git config`: what it tells of; whatever else it is asked for changes the file. */
export function readConfig(args: readonly Field[], reader: Reader, words: string): void {
  const { operands, options, values } = applyRow(row, args, reader, words);
  const verb = verbs.exec(operands[0]?.text ?? '')?.[0];
  const isNew = verb !== undefined && !(options.has('--add') || [...options].some((one) => asking.test(one)));
  const rest = isNew ? operands.slice(1) : operands;
  const isPlain = [...options].every((one) => asking.test(one) || how.test(one));
  const isAsked = isNew
    ? verb === 'get' || verb === 'list'
    : [...options].some((one) => asking.test(one)) ||
      (rest.length === 1 && !rest.some(isOpenField)) ||
      args.length === 0;
  const file = values.find(({ name }) => name === '-f' || name === '--file')?.field;
  const blob = values.find(({ name }) => name === '--blob')?.field;
  if (blob) reader.touch('fs.read', inTree(blob), words, { recursive: true });
  if (isPlain && isAsked) return file ? reader.touch('fs.read', file, words) : undefined;
  reader.touch('fs.write', file ?? plainField(placeOf(options)), words);
  // An editor runs.
  if (verb === 'edit' || options.has('--edit') || options.has('-e')) reader.unknown('runs_code', words);
  const [key, value] = rest;
  const hasNoValue = [verb, ...options].some((one) => /unset|section/.test(one ?? ''));
  if (key && value && !hasNoValue) configured(key.text, value, reader, words);
}

function placeOf(options: ReadonlySet<string>): string {
  if (options.has('--global')) return '~/.gitconfig';
  if (options.has('--system')) return '/etc/gitconfig';
  return options.has('--worktree') ? '.git/config.worktree' : '.git/config';
}
