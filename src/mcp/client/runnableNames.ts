/** What runtimes add to a name that they are told to run, and what they look for in a folder. */
const endings = [
  '',
  '.js',
  '.mjs',
  '.cjs',
  '.ts',
  '.mts',
  '.cts',
  '.json',
  '.node',
  '.py',
  '.rb',
  '.pl',
  '.php',
  '.sh',
  '.exe',
  '.cmd',
  '.bat',
];
const inFolders = [
  'package.json',
  'index.js',
  'index.mjs',
  'index.cjs',
  'index.json',
  'index.node',
  'index.ts',
  '__main__.py',
  '__init__.py',
];

/** Programs that run what a file of the folder in which they start tells them. */
const runners: readonly (readonly [programs: string, files: string])[] = [
  ['npm pnpm yarn bun', 'package.json .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs pnpm-workspace.yaml bunfig.toml'],
  ['npx pnpx bunx', '.npmrc .pnpmfile.cjs bunfig.toml'],
  ['uv poetry pdm hatch rye', 'pyproject.toml uv.toml poetry.toml pdm.toml hatch.toml'],
  ['uvx pipx', 'uv.toml'],
  ['deno', 'deno.json deno.jsonc package.json'],
  ['make gmake', 'GNUmakefile makefile Makefile'],
  ['just', 'justfile Justfile .justfile'],
  ['task', 'Taskfile.yml Taskfile.yaml taskfile.yml taskfile.yaml'],
  ['mise', 'mise.toml .mise.toml .tool-versions'],
  ['cargo', 'Cargo.toml build.rs .cargo/config.toml .cargo/config'],
  ['docker podman docker-compose', 'compose.yaml compose.yml docker-compose.yml docker-compose.yaml'],
  ['gradle mvn', 'build.gradle build.gradle.kts settings.gradle pom.xml'],
  ['bundle rake ruby', 'Gemfile Rakefile'],
  ['composer', 'composer.json'],
];

const packageRunners: ReadonlySet<string> = new Set(['npm', 'npx', 'pnpm', 'pnpx', 'yarn', 'bun', 'bunx']);

/** The files that decide what a program runs, by its name alone. */
export function runnerFiles(command: string): readonly string[] {
  const name = programName(command);
  const found = runners.find(([programs]) => programs.split(' ').includes(name));
  return found ? found[1].split(' ') : [];
}

/**
 * The names of files that an argument may make a program run: the argument, what stands behind `=` or an option's letter, each word of a
 * command for a shell, a `file:` address, a module's name; with the endings and folders that runtimes add.
 */
export function runnableNames(arg: string, command: string): readonly string[] {
  const words = [arg, ...arg.split(/[\s'"`;|&()<>=,]+/)].filter((word) => word !== '' && word.length <= 4096 && !word.includes('\0'));
  const names = [...new Set(words)].flatMap((word) => {
    const plain = word.replace(/^file:(?:\/\/(?:localhost)?(?=\/))?/i, '');
    const isModule = /^[\w-]+(?:\.[\w-]+)*(?::\w+)?$/.test(plain);
    return [
      plain,
      ...(/^-[A-Za-z]./.test(plain) ? [plain.slice(2)] : []),
      ...(plain.startsWith('$') ? [plain.replace(/^\$\{?\w+\}?[\\/]/, '')] : []),
      ...(isModule ? [plain.replace(/:\w+$/, '').replaceAll('.', '/')] : []),
      ...(isModule || plain.startsWith('@') ? binNames(plain, command) : []),
    ];
  });
  return [...new Set(names)].flatMap((name) => [
    ...endings.map((ending) => `${name}${ending}`),
    ...inFolders.map((file) => `${name}/${file}`),
  ]);
}

/** Runners take a program of the folder's own before one of that name from elsewhere. */
function binNames(word: string, command: string): readonly string[] {
  if (!packageRunners.has(programName(command))) return [];
  const name = word.replace(/(?<=.)@[^/]*$/, '');
  return [`node_modules/.bin/${name.replace(/^@[^/]*\//, '')}`, `node_modules/${name}`];
}

function programName(command: string): string {
  return (command.split(/[\\/]/).at(-1) ?? '').toLowerCase().replace(/\.(?:exe|cmd|bat|com)$/, '');
}
