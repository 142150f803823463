/** What runtimes add to a name that they are told to run. */
const endings =
  ' .js .mjs .cjs .jsx .ts .mts .cts .tsx .json .node .py .pyz .rb .pl .pm .php .lua .sh .ps1 .class .java .jar .exe .cmd .bat'.split(
    ' ',
  );

/**
 * What runtimes look for in a folder that they are told to run. Of what only works on a folder, none of its files is
 * bound.
 */
const inFolders: readonly (readonly [programs: RegExp, files: string])[] = [
  [
    /^(?:node(?:js|mon)?|bun|deno|tsx|ts-node.*|vite-node|esno|esr|jiti|babel-node|swc-node|pm2|forever|electron|npm|pnpm|yarn)$/,
    'package.json index.js index.mjs index.cjs index.json index.node index.ts',
  ],
  [/^(?:py|pyw|python[\d.]*|pypy[\d.]*|ipython\d*|uv|poetry|pdm|hatch|rye|pipenv|conda)$/, '__main__.py __init__.py'],
];

/** Programs that run what a file of the folder in which they start, or of one above, tells them. */
const runners: readonly (readonly [programs: string, files: string])[] = [
  ['npm pnpm yarn bun', 'package.json .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs pnpm-workspace.yaml bunfig.toml'],
  ['npx pnpx bunx', '.npmrc .pnpmfile.cjs bunfig.toml'],
  ['--run', 'package.json'],
  ['tsx ts-node vite-node', 'tsconfig.json vite.config.ts vite.config.js vite.config.mjs'],
  ['uv poetry pdm hatch rye', 'pyproject.toml uv.toml poetry.toml pdm.toml hatch.toml'],
  ['uvx pipx', 'uv.toml'],
  ['tox nox', 'tox.ini noxfile.py'],
  ['deno', 'deno.json deno.jsonc package.json'],
  ['make gmake', 'GNUmakefile makefile Makefile'],
  ['just', 'justfile Justfile .justfile'],
  ['task', 'Taskfile.yml Taskfile.yaml taskfile.yml taskfile.yaml'],
  ['mise', 'mise.toml .mise.toml .tool-versions'],
  ['devbox', 'devbox.json'],
  ['direnv', '.envrc'],
  ['nix nix-shell', 'flake.nix shell.nix default.nix'],
  ['cargo', 'Cargo.toml build.rs .cargo/config.toml .cargo/config'],
  ['go', 'go.mod go.work main.go'],
  ['dotnet', 'global.json NuGet.config nuget.config Directory.Build.props Directory.Build.targets'],
  ['docker podman docker-compose', 'compose.yaml compose.yml docker-compose.yml docker-compose.yaml'],
  [
    'gradle mvn',
    'build.gradle build.gradle.kts settings.gradle gradle.properties pom.xml .mvn/jvm.config .mvn/maven.config .mvn/extensions.xml',
  ],
  ['bundle rake ruby', 'Gemfile Rakefile'],
  ['composer', 'composer.json'],
  ['mix', 'mix.exs'],
  ['swift', 'Package.swift'],
];

const packageRunners = ['npm', 'npx', 'pnpm', 'pnpx', 'yarn', 'bun', 'bunx'];
const builders = ['docker', 'podman', 'docker-compose', 'buildx', 'buildah'];

/**
 * The names of files by which a command line may run code, as they would stand in the folder in which it starts. A
 * program may be started by another (`cmd /c npx …`, `sh -c '…'`), so each word counts as a program too.
 */
interface RunnableFiles {
  /** What the words may mean: themselves, with the endings and in the folders that runtimes add. */
  readonly named: readonly string[];
  /** What programs look for by themselves, in the folder or above it. */
  readonly found: readonly string[];
  /** The words alone: one that is a folder may be where a program is told to start. */
  readonly words: readonly string[];
}

export function runnableFiles(command: string, args: readonly string[]): RunnableFiles {
  const words = [...new Set(args.flatMap(wordsOf))];
  const programs = new Set([command, ...words].map(programName));
  const runsAny = (names: readonly string[]): boolean => names.some((name) => programs.has(name));
  const found = runners.flatMap(([names, files]) => (runsAny(names.split(' ')) ? files.split(' ') : []));
  if (programs.has('build') && runsAny(builders)) found.push('Dockerfile', 'Containerfile');
  if (runsAny(packageRunners)) found.push(...words.flatMap(packageFiles));
  const entries = inFolders.flatMap(([names, files]) =>
    [...programs].some((name) => names.test(name)) ? files.split(' ') : [],
  );
  const meant = [...new Set(words.flatMap(meanings))];
  const named = meant.flatMap((name) => [
    ...endings.map((ending) => `${name}${ending}`),
    ...entries.map((file) => `${name}/${file}`),
  ]);
  return { named: [...new Set(named)], found: [...new Set(found)], words: meant };
}

/**
 * An argument, and each word of it where it is a command for a shell, a list or a setting; with the quotes and escapes
 * of a shell read, too.
 */
function wordsOf(arg: string): readonly string[] {
  const plain = arg.replace(/["'`^]|\\(?=[^\\])/g, '');
  return [arg, ...[arg, plain].flatMap((text) => text.split(/[\s'"`;|&()<>=,]+/))].filter(
    (word) => word !== '' && word.length <= 4096 && !word.includes('\0'),
  );
}

/**
 * The names that a word may stand for: a `file:` address, what follows an option's letters, a dotted module, one side
 * of a colon.
 */
function meanings(word: string): readonly string[] {
  const plain = word.replace(/^file:(?:\/\/(?:localhost)?(?=\/))?/i, '');
  const letters = /^-[A-Za-z]+/.exec(plain)?.[0].length ?? 0;
  // Letters of options may stand together: each rest may be the name.
  const names = [
    plain,
    ...Array.from({ length: Math.max(0, Math.min(letters, 8) - 1) }, (_, index) => plain.slice(index + 2)),
  ];
  return names.flatMap((name) => [
    name,
    ...(name.startsWith('$') ? [name.replace(/^\$\{?\w+\}?[\\/]/, '')] : []),
    ...(name.startsWith('@') ? [name.slice(1)] : []),
    ...(name.includes(':') ? [name.replaceAll('::', '/'), ...name.split(':').filter((part) => part !== '')] : []),
    ...(/^[\w-]+(?:\.[\w-]+)*(?::\w+)?$/.test(name) ? [name.replace(/:\w+$/, '').replaceAll('.', '/')] : []),
  ]);
}

/**
 * Runners of packages take one of the folder's own before one of that name from elsewhere, whatever version is asked
 * for.
 */
function packageFiles(word: string): readonly string[] {
  const name = /^(?:@[\w.~-]+\/)?[\w.~-]+(?=@|$)/.exec(word)?.[0];
  if (name === undefined || /^[-.]/.test(name)) return [];
  const folder = `node_modules/${name}`;
  return [`node_modules/.bin/${name.replace(/^@[^/]*\//, '')}`, folder, `${folder}/package.json`, `${folder}/index.js`];
}

function programName(command: string): string {
  return (command.split(/[\\/]/).at(-1) ?? '').toLowerCase().replace(/\.(?:exe|cmd|bat|com)$/, '');
}
