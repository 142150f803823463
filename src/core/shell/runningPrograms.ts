import type { ProgramRow } from './programRow';

const runs: ProgramRow = { operands: 'unknown', runs: true };
const code = (options: string, plain = ''): ProgramRow => ({
  operands: 'text',
  first: 'script',
  noFirst: options,
  plain,
  runs: true,
  options: { code: options },
});
const shell: ProgramRow = {
  operands: 'text',
  first: 'script',
  plain: 'O +O o',
  options: { script: '--rcfile --init-file' },
};
const manager = (installs: Partial<ProgramRow> = {}): ProgramRow => ({ operands: 'unknown', runs: true, ...installs });
const npmOptions: ProgramRow['options'] = {
  folder: '--prefix -C --dir --cwd',
  read: '--userconfig',
  shell: '--script-shell',
};
const editor: ProgramRow = {
  operands: 'change',
  options: { code: '-c --cmd --eval -f --funcall', script: '-S -s -u -U -l --load', write: '-w -W', change: '-i' },
  plain: 'T t',
  runs: true,
};
const compiler: ProgramRow = {
  operands: 'read',
  plain: 'x D U l f m O W std',
  options: { write: '-o -MF', place: '-I -L -B', read: '-include', shell: '-wrapper', script: '-specs -fplugin' },
  runs: true,
};
/** Programs that run or install something. */
export const runningRows: Readonly<Record<string, ProgramRow>> = {
  rclone: { operands: 'copy', first: 'text', runs: true },
  'bash sh dash zsh ksh ash mksh rbash fish csh tcsh': shell,
  'pypy pypy3 ipython': code('-c -m', 'W X Q'),
  'python python2 python3': { ...code('-c -m', 'W X Q'), tells: /^(?:--version|-V)$/ },
  'deno bun tsx ts-node': code('-e --eval -p --print -pe', 'C --conditions'),
  'node nodejs': { ...code('-e --eval -p --print -pe', 'C --conditions'), tells: /^(?:--version|-v)$/ },
  perl: code('-e -E', ''),
  'ruby irb': code('-e', ''),
  php: code('-r -R -B -E', 'd'),
  'lua luajit': code('-e', ''),
  'Rscript R julia elixir erl osascript swift groovy scala jshell clojure tclsh expect guile racket sbcl ocaml ghci runghc':
    code('-e --eval -E -eval', ''),
  'sqlite3 sqlite duckdb': {
    operands: 'code',
    first: 'change',
    plain: 'separator',
    options: { code: '-cmd', script: '-init --init' },
    runs: true,
    singleDash: true,
  },
  'psql mysql mariadb mongosh mongo redis-cli': {
    operands: 'text',
    plain: 'U p P d',
    options: { host: '-h --host', script: '-f --file', code: '-c -e --eval', write: '-o' },
    runs: true,
  },
  'vi vim nvim view ex gvim rvim vimdiff emacs emacsclient nano pico micro ed code code-insiders cursor subl': editor,
  'gcc g++ cc c++ clang clang++ rustc javac tsc': compiler,
  'make gmake cmake ninja meson just task rake ant mvn gradle gradlew bazel buck scons tox nox invoke fab npm npx pnpm pnpx yarn bunx corepack nvm fnm volta pip pip3 pipx uv uvx poetry pdm conda mamba virtualenv brew apt apt-get aptitude dpkg yum dnf rpm apk pacman snap flatpak port gem bundle bundler cargo rustup go dotnet nuget composer mix hex cabal stack opam cpan cpanm luarocks pod fastlane xcodebuild jest vitest mocha pytest eslint prettier webpack vite rollup esbuild turbo nx lerna playwright cypress tsc-watch nodemon pm2 forever java kotlin systemctl service launchctl crontab at batch su login chroot unshare nsenter runuser passwd useradd usermod visudo mount umount mkfs fdisk parted swapon reboot shutdown halt poweroff init iptables ufw firewall-cmd sysctl modprobe insmod docker-compose buildah skopeo kubectl helm terraform tofu pulumi ansible ansible-playbook vagrant packer aws gcloud az gsutil heroku fly vercel netlify gh glab hub svn hg fossil tmux screen script expect dialog open xdg-open start explorer pbcopy pbpaste xclip xsel defaults plutil security gdb lldb dtrace perf valgrind ffmpeg ffprobe convert magick pandoc latex pdflatex xelatex tex gs man info apropos lessc aspell glow ugrep ug openssl gpg age ssh-keygen ssh-add ssh-agent ssh-copy-id ssh-keyscan socat claude codex gemini copilot opencode':
    runs,
  'docker podman nerdctl': manager({
    options: { mount: '-v --volume --mount', read: '--env-file -f --file' },
    plain: 'e p w u l H --name --network --env --publish',
  }),
  'pnpm yarn': manager({ options: npmOptions }),
  'pip pip3': manager({
    options: { read: '-r --requirement -c', write: '-t --target', url: '--index-url -i --extra-index-url' },
  }),
  'make gmake': manager({
    options: { folder: '-C --directory', place: '-I', script: '-f --file --makefile', code: '--eval -E' },
    plain: 'j l o W',
  }),
  man: {
    operands: 'text',
    plain: 's S M L m e R p',
    options: { shell: '-P --pager -H --html --preprocessor', read: '-l --local-file -C' },
  },
  npm: manager({ options: npmOptions, tells: /^(?:--version|-v)$/ }),
  openssl: manager({
    options: { read: '-in -inkey -key -cert -CAfile -config -kfile', write: '-out', host: '-connect' },
    singleDash: true,
  }),
  'gpg age': manager({ operands: 'read', options: { write: '-o --output', place: '--homedir', read: '-i' } }),
  java: manager({ options: { script: '-jar', read: '-cp' }, singleDash: true }),
  history: { operands: 'write', plain: 'd', options: { write: '-a -w', read: '-r -n' } },
  fc: { operands: 'write', options: { shell: '-s -e' } },
  'mapfile readarray': { operands: 'text', plain: 'd n O s u c', options: { shell: '-C' } },
  trap: { operands: 'text', first: 'shell' },
  'caddy nginx httpd apache2 mysqld postgres redis-server': runs,
};
