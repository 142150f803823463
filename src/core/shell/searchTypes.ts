import type { ReadArguments } from './arguments';

/** The files of the types by which `rg`, `ag` and `ack` choose, by name; all that any of them takes for such a file. */
const filesOfType: Readonly<Record<string, string>> = {
  'ts typescript': '*.ts *.tsx *.cts *.mts',
  'js javascript': '*.js *.jsx *.cjs *.mjs *.vue',
  'py python': '*.py *.pyi *.pyx',
  rust: '*.rs',
  go: '*.go',
  'c cc cpp': '*.c* *.h* *.C* *.H* *.inl *.in *.xs',
  'cs csharp': '*.cs',
  java: '*.java *.jsp *.jspx *.properties',
  kotlin: '*.kt *.kts',
  swift: '*.swift',
  'rb ruby': '*.rb *.rbw *.gemspec *.rake *.rhtml *.rjs *.rxml *.erb *.spec Gemfile Rakefile config.ru .irbrc',
  php: '*.php* *.phtml',
  'css less sass': '*.css *.scss *.sass *.less',
  html: '*.htm* *.xhtml *.shtml *.ejs',
  json: '*.json *.jsonl *.sarif *.lock',
  'md markdown': '*.md *.mdx *.mdown *.mdwn *.mkd *.mkdn *.markdown',
  'yaml yml': '*.yaml *.yml',
};
const globsOfType: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(filesOfType).flatMap(([names, globs]) =>
    names.split(' ').map((one) => [one, globs.split(' ')] as const),
  ),
);

/**
 * The names of the files that a search reads because of types; undefined where it reads others too, or any may.
 * @param byNames true where an option of a type's name is one: `ack --ts`.
 */
export function chosenByType({ values, options }: ReadArguments, byNames: boolean): readonly string[] | undefined {
  if ([...options].some((name) => /^--type-(?:add|set|del|clear)$|^--ignore-ack-defaults$/.test(name)))
    return undefined;
  const named = values.filter(({ name }) => name === '-t' || name === '--type');
  const types = [
    ...named.map(({ field }) => (field.isKnown ? field.text : '')),
    ...(byNames ? [...options].map((name) => name.slice(2)).filter((name) => globsOfType.has(name)) : []),
  ];
  const globs = types.map((type) => globsOfType.get(type));
  return types.length > 0 && globs.every((one) => one !== undefined) ? globs.flat() : undefined;
}
