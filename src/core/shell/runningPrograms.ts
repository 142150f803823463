import type { ProgramRow } from './programRow';

const runs: ProgramRow = { operands: 'unknown', runs: true };
const code = (options: string, plain = ''): ProgramRow => ({
  operands: 'text',
  first: 'script',
  noFirst: options,
  plain,
  runs: true,
  options: Object.fromEntries(options.split(' ').map((name) => [name, 'code' as const])),
});
const shell: ProgramRow = {
  operands: 'text',
  first: 'script',
  plain: 'O +O o',
  options: { '--rcfile': 'script', '--init-file': 'script' },
};
const manager = (installs: Partial<ProgramRow> = {}): ProgramRow => ({ operands: 'unknown', runs: true, ...installs });
const editor: ProgramRow = {
  operands: 'change',
  options: {
    '-c': 'code',
    '--cmd': 'code',
    '-S': 'script',
    '-s': 'script',
    '-u': 'script',
    '-U': 'script',
    '-w': 'write',
    '-W': 'write',
    '-i': 'change',
    '--eval': 'code',
    '-l': 'script',
    '--load': 'script',
    '-f': 'code',
    '--funcall': 'code',
  },
  plain: 'T t',
  runs: true,
};
const compiler: ProgramRow = {
  operands: 'read',
  plain: 'x D U l f m O W std',
  options: {
    '-o': 'write',
    '-I': 'folder',
    '-L': 'folder',
    '-include': 'read',
    '-wrapper': 'shell',
    '-B': 'folder',
    '-specs': 'script',
    '-fplugin': 'script',
    '-MF': 'write',
  },
  runs: true,
};
const wrapper = (plain = '', command = 0, options: ProgramRow['options'] = {}): ProgramRow => ({
  command,
  plain,
  options,
});

/** Programs that contact, install or run something, and those that start others. */
export const runningRows: readonly (readonly [string, ProgramRow])[] = [
  [
    'wget2 aria2c',
    {
      operands: 'url',
      options: { '-o': 'write', '-O': 'write', '-i': 'read', '-d': 'folder', '--on-download-complete': 'shell' },
    },
  ],
  ['http https xh', { operands: 'unknown', first: 'url', options: { '-o': 'write', '--output': 'write' } }],
  [
    'ping ping6 dig nslookup host traceroute tracepath whois mtr nmap telnet nc ncat netcat openssl-s_client drill',
    {
      operands: 'host',
      plain: 'c i W w p q s l t I n k T',
      options: {
        '-e': 'shell',
        '-c': 'shell',
        '--exec': 'shell',
        '--sh-exec': 'shell',
        '-oN': 'write',
        '-f': 'read',
        '--script': 'script',
        '-iL': 'read',
      },
    },
  ],
  ['ping ping6', { operands: 'host', plain: 'c i W w s I t' }],
  [
    'ftp sftp lftp',
    {
      operands: 'copy',
      options: { '-b': 'script', '-e': 'code', '-c': 'code', '-f': 'script' },
      plain: 'P o i',
      runs: true,
    },
  ],
  [
    'scp',
    { operands: 'copy', plain: 'P l c o F J X', options: { '-i': 'read', '-F': 'read', '-S': 'shell', '-o': 'code' } },
  ],
  [
    'rsync',
    {
      operands: 'copy',
      plain: 'B T f --exclude --include --filter --bwlimit --timeout --port',
      options: {
        '-e': 'shell',
        '--rsh': 'shell',
        '--rsync-path': 'shell',
        '--exclude-from': 'read',
        '--include-from': 'read',
        '--files-from': 'read',
        '--password-file': 'read',
        '--log-file': 'write',
        '--backup-dir': 'write',
      },
    },
  ],
  ['rclone', { operands: 'copy', first: 'text', runs: true }],
  ['bash sh dash zsh ksh ash mksh rbash fish csh tcsh', shell],
  ['python python2 python3 pypy pypy3 ipython', code('-c -m', 'W X Q')],
  ['node nodejs deno bun tsx ts-node', code('-e --eval -p --print -pe', 'C --conditions')],
  ['perl', code('-e -E', '')],
  ['ruby irb', code('-e', '')],
  ['php', code('-r -R -B -E', 'd')],
  ['lua luajit', code('-e', '')],
  [
    'Rscript R julia elixir erl osascript swift groovy scala jshell clojure tclsh expect guile racket sbcl ocaml ghci runghc',
    code('-e --eval -E -eval', ''),
  ],
  [
    'sqlite3 sqlite duckdb',
    {
      operands: 'code',
      first: 'change',
      plain: 'separator',
      options: { '-cmd': 'code', '-init': 'script', '--init': 'script' },
      runs: true,
      singleDash: true,
    },
  ],
  [
    'psql mysql mariadb mongosh mongo redis-cli',
    {
      operands: 'text',
      plain: 'U p P d',
      options: {
        '-h': 'host',
        '--host': 'host',
        '-f': 'script',
        '--file': 'script',
        '-c': 'code',
        '-e': 'code',
        '--eval': 'code',
        '-o': 'write',
      },
      runs: true,
    },
  ],
  ['vi vim nvim view ex gvim rvim emacs emacsclient nano pico micro ed code code-insiders cursor subl', editor],
  ['gcc g++ cc c++ clang clang++ rustc javac tsc', compiler],
  [
    'make gmake cmake ninja meson just task rake ant mvn gradle gradlew bazel buck scons tox nox invoke fab npm npx pnpm pnpx yarn bunx corepack nvm fnm volta pip pip3 pipx uv uvx poetry pdm conda mamba virtualenv brew apt apt-get aptitude dpkg yum dnf rpm apk pacman snap flatpak port gem bundle bundler cargo rustup go dotnet nuget composer mix hex cabal stack opam cpan cpanm luarocks pod fastlane xcodebuild jest vitest mocha pytest eslint prettier webpack vite rollup esbuild turbo nx lerna playwright cypress tsc-watch nodemon pm2 forever java kotlin systemctl service launchctl crontab at batch su login chroot unshare nsenter runuser passwd useradd usermod visudo mount umount mkfs fdisk parted swapon reboot shutdown halt poweroff init iptables ufw firewall-cmd sysctl modprobe insmod docker-compose buildah skopeo kubectl helm terraform tofu pulumi ansible ansible-playbook vagrant packer aws gcloud az gsutil heroku fly vercel netlify gh glab hub svn hg fossil tmux screen script expect dialog open xdg-open start explorer pbcopy pbpaste xclip xsel defaults plutil security gdb lldb strace ltrace dtrace perf valgrind ffmpeg ffprobe convert magick pandoc latex pdflatex xelatex tex gs man info apropos openssl gpg age ssh-keygen ssh-add ssh-agent ssh-copy-id ssh-keyscan socat claude codex gemini copilot opencode',
    runs,
  ],
  [
    'docker podman nerdctl',
    manager({
      options: {
        '-v': 'mount',
        '--volume': 'mount',
        '--mount': 'mount',
        '--env-file': 'read',
        '-f': 'read',
        '--file': 'read',
      },
      plain: 'e p w u l H --name --network --env --publish',
    }),
  ],
  [
    'npm pnpm yarn',
    manager({
      options: {
        '--prefix': 'folder',
        '-C': 'folder',
        '--dir': 'folder',
        '--cwd': 'folder',
        '--userconfig': 'read',
        '--script-shell': 'shell',
      },
    }),
  ],
  [
    'pip pip3',
    manager({
      options: {
        '-r': 'read',
        '--requirement': 'read',
        '-t': 'write',
        '--target': 'write',
        '-c': 'read',
        '--index-url': 'url',
        '-i': 'url',
        '--extra-index-url': 'url',
      },
    }),
  ],
  [
    'make gmake',
    manager({
      options: {
        '-C': 'folder',
        '-f': 'script',
        '--file': 'script',
        '--makefile': 'script',
        '-I': 'folder',
        '--eval': 'code',
        '-E': 'code',
      },
      plain: 'j l o W',
    }),
  ],
  [
    'man',
    {
      operands: 'text',
      plain: 's S M L m e R p',
      options: {
        '-P': 'shell',
        '--pager': 'shell',
        '-H': 'shell',
        '--html': 'shell',
        '-l': 'read',
        '--local-file': 'read',
        '-C': 'read',
        '--preprocessor': 'shell',
      },
    },
  ],
  [
    'openssl',
    manager({
      options: {
        '-in': 'read',
        '-out': 'write',
        '-inkey': 'read',
        '-key': 'read',
        '-cert': 'read',
        '-CAfile': 'read',
        '-connect': 'host',
        '-config': 'read',
        '-kfile': 'read',
      },
      singleDash: true,
    }),
  ],
  [
    'gpg age',
    manager({ operands: 'read', options: { '-o': 'write', '--output': 'write', '--homedir': 'folder', '-i': 'read' } }),
  ],
  ['java', manager({ options: { '-jar': 'script', '-cp': 'read' }, singleDash: true })],
  [
    'env',
    {
      command: 0,
      plain: 'u --unset',
      options: { '-S': 'shell', '--split-string': 'shell', '-C': 'folder', '--chdir': 'folder' },
    },
  ],
  [
    'sudo doas pkexec gosu',
    wrapper('u g h p C T r t U --user --group --prompt --host', 0, {
      '-D': 'folder',
      '--chdir': 'folder',
      '-R': 'folder',
    }),
  ],
  [
    'nohup setsid command builtin exec time caffeinate unbuffer faketime rlwrap winpty proxychains proxychains4 torsocks busybox toybox noglob nocorrect stdbuf catchsegv dbus-run-session',
    wrapper('a i o e --input --output --error w t'),
  ],
  ['time', wrapper('f --format', 0, { '-o': 'write', '--output': 'write' })],
  ['nice ionice chrt taskset cpulimit', wrapper('n c p l e --adjustment --class --classdata')],
  ['taskset chrt', wrapper('', 1)],
  ['timeout gtimeout', wrapper('s k --signal --kill-after', 1)],
  ['strace ltrace', wrapper('e s p a u', 0, { '-o': 'write' })],
  ['flock', { command: 1, plain: 'w E --timeout', options: { '-c': 'shell', '--command': 'shell' } }],
  [
    'watch entr hyperfine',
    {
      operands: 'shell',
      plain: 'n d --interval w r --warmup --runs',
      options: { '--prepare': 'shell', '--setup': 'shell', '--cleanup': 'shell', '--shell': 'shell' },
    },
  ],
  ['parallel', { command: 0, plain: 'j I N n --jobs', options: { '-a': 'read', '--arg-file': 'read' }, runs: true }],
  [
    'xargs gxargs',
    {
      command: 0,
      plain: 'I i n L P s d E e --replace --max-args --max-procs --delimiter --max-lines',
      options: { '-a': 'read', '--arg-file': 'read' },
    },
  ],
  [
    'history fc',
    {
      operands: 'write',
      plain: 'd s p e',
      options: { '-s': 'shell', '-e': 'shell', '-a': 'write', '-w': 'write', '-r': 'read', '-n': 'read' },
    },
  ],
  ['mapfile readarray', { operands: 'text', plain: 'd n O s t u c', options: { '-C': 'shell' } }],
  ['trap', { operands: 'text', first: 'shell' }],
  ['caddy nginx httpd apache2 mysqld postgres redis-server', runs],
];
