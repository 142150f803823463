import type { ProgramRow } from './programRow';

/** Programs whose arguments are hosts; a number among them is a port. */
const connects = (plain: string, options: ProgramRow['options'] = {}): ProgramRow => ({
  operands: 'host',
  plain,
  options,
});

/** Programs that contact a host, each with its own letters: the same one takes a value here and none there. */
export const connectingRows: Readonly<Record<string, ProgramRow>> = {
  'ping ping6': connects('c i I l m M p s S t T w W'),
  dig: connects('b c p t y', { read: '-f -k', host: '-q -x' }),
  drill: connects('b o p y', { read: '-f -i -k -c', write: '-w -q' }),
  nslookup: connects(''),
  host: connects('c m N p R t W'),
  traceroute: connects('f i m N p q s t w z M P', { host: '-g' }),
  tracepath: connects('l m p'),
  whois: connects('p', { host: '-h --host' }),
  mtr: connects('a B c f G i I m o P Q s y Z', { read: '-F --filename' }),
  nmap: {
    operands: 'host',
    plain: 'D e g M m p s P T o S',
    optional: 'd v O',
    options: {
      read: '-iL --excludefile --script-args-file',
      write: '-oN -oX -oG -oS -oA -oM',
      script: '--script --datadir',
      host: '-sI -b --exclude --dns-servers --proxies',
    },
  },
  telnet: connects('b e k l S X', { write: '-n' }),
  'nc ncat netcat': connects('i I p P q s T w X', {
    shell: '-e -c --exec --sh-exec',
    script: '--lua-exec',
    write: '-o --output --hex-dump',
    host: '-x -g --proxy',
    read: '--ssl-cert --ssl-key --ssl-trustfile --allowfile --denyfile',
  }),
  'ftp sftp lftp': { operands: 'copy', options: { script: '-b -f', code: '-e -c' }, plain: 'P o i', runs: true },
  scp: {
    operands: 'copy',
    tree: { by: '-r', follows: 'always', as: 'names' },
    plain: 'c l o P X',
    options: { read: '-i', script: '-F', shell: '-S -D', code: '-o', host: '-J' },
  },
  rsync: {
    operands: 'copy',
    tree: {
      by: '-r --recursive -a --archive',
      follows: '-L --copy-links -k --copy-dirlinks --copy-unsafe-links',
      as: 'rsync',
    },
    plain:
      'B M --remote-option --bwlimit --timeout --contimeout --port --suffix --max-size --min-size --modify-window --chmod --chown --usermap --groupmap --info --debug --out-format --log-file-format --checksum-seed --block-size --skip-compress --compress-level --stop-after --stop-at --address --sockopts --outbuf --iconv --max-delete --max-alloc',
    options: {
      shell: '-e --rsh --rsync-path',
      read: '--exclude-from --include-from --password-file --read-batch --compare-dest --copy-dest --link-dest --early-input',
      write: '--log-file --backup-dir --partial-dir --temp-dir -T --write-batch --only-write-batch',
      text: '-f --filter --include --files-from',
      leftOut: '--exclude',
      script: '--config',
    },
  },
  aria2c: {
    operands: 'url',
    plain:
      's x j k m t u U --split --max-connection-per-server --max-concurrent-downloads --header --user-agent --checksum',
    options: {
      host: '--all-proxy --http-proxy --https-proxy',
      write: '-o --out -l --log --save-session --save-cookies',
      list: '-i --input-file',
      read: '--load-cookies -T --torrent-file -M --metalink-file',
      folder: '-d --dir',
      script: '--conf-path',
      shell:
        '--on-download-start --on-download-pause --on-download-stop --on-download-complete --on-download-error --on-bt-download-complete',
    },
  },
  'http https xh xhs': {
    operands: 'unknown',
    plain: 'a A s p --auth --auth-type --style --print --pretty --timeout --max-redirects --verify --format-options',
    options: { write: '-o --output --session', read: '--cert --cert-key --session-read-only', host: '--proxy' },
  },
};
