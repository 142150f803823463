/** Lines that reckon with what they hold, and other ways to change what a name runs; as in the other tables. */
import { asks, passes } from './variableLines';

/** Each is asked about for what it reckons with, whatever else it reads. */
const asksOf = (reads: string, lines: readonly string[]): readonly (readonly [string, string])[] =>
  asks(lines).map(([line, does]) => [line, `${reads} | ${does}`] as const);

export const reckonedLines: readonly (readonly [line: string, does: string])[] = [
  // A variable that is a number reckons with whatever it is given.
  ...asks([
    'declare -i x; read x <<< PATH=1',
    'declare -i x; for x in PATH=1; do :; done',
    'declare -i x; printf -v x PATH=1',
    'declare -ai x; mapfile x <<< PATH=1',
    'declare -i x; read -a x <<< PATH=1',
    'declare -i x; : ${x:=PATH=1}',
    'declare -i x; select x in PATH=1; do break; done',
    'declare -i REPLY; read <<< PATH=1',
    'declare -i REPLY; select x in a; do break; done',
    'declare -i MAPFILE; mapfile <<< PATH=1',
    'declare -i OPTARG; getopts a: x -a PATH=1',
    'declare -i OPTARG; set -- -aPATH=1; getopts a: x',
    'declare -i x; x+=PATH=1',
    'declare -i x; f(){ local x; }; f; x=PATH=1',
    'f(){ local -i x; read x <<< PATH=1; }; f',
    'declare -i A; export "$x" A=PATH=1',
    ...'OPTIND RANDOM SRANDOM HISTCMD SECONDS UID EUID COLUMNS LINES HISTSIZE SHLVL FUNCNEST'
      .split(' ')
      .map((name) => `${name}=PATH=1`),
    'read OPTIND <<< PATH=1',
    'for RANDOM in PATH=1; do :; done',
    'printf -v RANDOM PATH=1',
    'export RANDOM=PATH=1',
    'OPTIND=PATH=1 true',
  ]),
  ...asksOf('r f', [
    'declare -i x; x=$(cat f)',
    'declare -i x=$(cat f)',
    'declare -i x; x+="$(cat f)"',
    'declare -i x; x=($(cat f))',
    'declare -i x; read x < f',
    'declare -i x; export x=$(cat f)',
    'OPTIND=$(cat f)',
    'read OPTIND < f',
  ]),
  ...passes([
    'declare -i x; x=$y+1',
    'declare -i x; x+=1',
    'declare -i x=$(nproc)',
    'declare -i x; f(){ local x=PATH=1; }; f',
    'declare -A m; m[a]=PATH=1; ((m2++))',
    ...['OPTIND=1', 'RANDOM=$$', 'SECONDS=0', 'COLUMNS=$(tput cols)', 'LINES=40', 'read -r UID2 <<< PATH=1'],
    'f(){ local OPTIND OPTARG; }; f',
  ]),

  // What others wrote may set anything, or run something, where it is reckoned with.
  ...asksOf('r f', [
    ...[
      'x=$(cat f); ((x))',
      'x=$(cat f); : $((x))',
      'x=$(cat f); : $(($x + 1))',
      ': $(( $(cat f) ))',
      'read x < f; ((x))',
    ],
    ...['let x=$(cat f)', 'x=$(cat f); [[ $x -eq 1 ]]', 'x=$(cat f); [[ x -eq 1 ]]', 'x=$(cat f); y=x; ((y + 1))'],
    ...[
      'x=$(cat f); : ${y:x}',
      'x=$(cat f); y[x]=1',
      'read x < f; y[$x]=1',
      'x=$(cat f); : ${y[$x]}',
      'x=$(cat f)a; ((x))',
    ],
    ...['set -- $(cat f); (( $1 ))', 'mapfile -t a < f; ((a[0]))', 'x=$(cat f); ((x$#))', 'x=$(cat f); ((${x%.*}))'],
    ...['for x in $(cat f); do ((x)); done', 'for ((i = 0; i < $(cat f); i++)); do :; done', 'x=$(cat f); y=$x; ((y))'],
    ...[
      'while read -r n; do ((s += n)); done < f',
      'g(){ (($1)); }; g "$(cat f)"',
      'x=$(cat f); shift $x',
      'return $(cat f)',
    ],
    ...[
      '[[ $(cat f) =~ (.*) ]]; ((BASH_REMATCH[1]))',
      'x=$(cat f); [ -t "$x" ]',
      'printf %d "$(cat f)"',
      'printf "%*s" "$(cat f)" a',
    ],
    'wc(){ cat f; }; x=$(wc -l); ((x))',
  ]),
  ['x=$(wc -l f); ((x))', 'r f | ? environment'],
  ['x=$(grep -c a f g); ((x))', 'rR f | rR g | ? environment'],
  ['x=$(date +PATH=1); ((x))', '? environment'],
  ['x=$(seq -f PATH=%g 1); ((x))', '? environment'],
  ...asks([
    'declare -u x=path=1; ((x))',
    ': PATH=1; ((_))',
    '[[ PATH=1 =~ .* ]]; ((BASH_REMATCH))',
    'getopts a: x -aPATH=1; ((OPTARG))',
    'for c in P A T H = 1; do s=$s$c; done; ((s))',
    'for c in P A T H = 1; do e=$d; d=$b; b=$a; a=$a$c; done; ((e))',
    'x=PATH=1; ((x$#))',
    'x1=PATH=1; ((x$(nproc)))',
    'x=PATH=1; a=(b x); ((a[1]))',
    'x=PATH=1; f(){ ((x)); }; f',
    'x=PATH=1 bash -c "((x))"',
    'shift PATH=1',
    'return PATH=1',
    'printf %d PATH=1',
    '[ -t PATH=1 ]',
    'echo "$x[PATH=1]"',
    'echo $x[1,PATH=1]',
    'echo *([PATH=1])',
    ': ${(l:PATH=1:)x}',
  ]),
  ...passes([
    'usage="PATH=dir run"; (( $# < 1 ))',
    'for kv in NODE_ENV=dev PATH=x; do i=$((i+1)); done',
    'x="a[$(nproc)]"; ((i++))',
    'x=$(nproc); ((x > 3))',
    'x=$(date +%s); : $((x - 60))',
    'x=$(jobs | wc -l | tr -d " "); ((x > 3))',
    'x=$(git rev-list --count HEAD); : $((x + 1))',
    'x=abc; : ${x:${#y}-1}',
    'n=$(nproc); : ${x:0:$n} ${a[$n]}',
    'n=$((n+1)); a[$n]=x; unset a[$n]; read "a[$n]"',
    'for i in {1..100}; do ((s += i)); done',
    'for i in $(seq 1 5); do ((s += i)); done',
    'rc=$?; ((rc == 0))',
    '((BASH_VERSINFO[0] > 4))',
    '[[ 1.2 =~ ^([0-9]+) ]]; ((BASH_REMATCH[1] + 1))',
    'IFS=. read -r a b c <<< 1.2.3; : $((c + 1))',
    'declare -A m; for w in a b; do ((m[$w]++)); done',
    'f(){ local n=$1; : $((n * 2)); }; f 3',
    'while true; do n=$((n + 1)); s=$s$n; ((n > 3)) && break; done',
    'printf "%d files" 3',
    'printf "%s %d" PATH=1 3',
    'shift $((OPTIND - 1))',
    '[ -t 1 ]',
    'echo "$name[0]"',
  ]),
  ['x=$(wc -l < f); ((x > 3))', 'r f'],
  ['x=$(wc -l f | awk "{print \\$1}"); ((x))', 'r f'],
  ['x=$(grep -c a f); ((x))', 'rR f'],
  ['x=$(stat -c %s f); ((x))', 'r f'],

  // Where an expansion ends is not told by brackets in quotes.
  [": $(( $(cat f '(') + (PATH = 1) ))", 'r f | r ( | ? environment'],
  [": $(( $(cat 'f(') + (PATH = 1) ))", 'r f( | ? environment'],
  ["(( $(echo '(' | wc -l) + (PATH = 1) ))", '? environment'],
  ['(( $(echo \\( | wc -l) + (PATH = 1) ))', '? environment'],

  // Words that a builtin gets without quotes, or that the shell takes for a pattern.
  ...asksOf('r f', [
    ...['\\export a=$(cat f)', "'export' a=$(cat f)", 'builtin export a=$(cat f)', 'command export a=$(cat f)'],
    ...['e=export; $e a=$(cat f)', '\\declare a=$(cat f)', 'export "a"=$(cat f)', 'x=$(cat f); \\readonly a=$x'],
    ...['x=$(cat f); unset a[$x]', 'x=$(cat f); read a[$x]', 'g(){ \\local a=$(cat f); }; g'],
  ]),
  ...asks(["x='1 PATH=./b'; \\export a=$x", "x='0] PATH b['; unset a[$x]"]),
  ...asks(['read PAT[H]', 'printf -v PAT[H] x', 'unset PAT[H]', 'mapfile PAT[GH]', 'read PAT[!a]']),
  ['x=$(cat f); export a=$x b="$x" c[0]=$x', 'r f'],
  ['\\export a="$(cat f)"', 'r f'],
  ['x=e; cat .[$x]nv', 'r .[e]nv'],
  ...passes(['unset a[0]', 'read a[1]', 'printf -v ARR[0] x', '\\export a=$x']),

  // Names and values that all are known, in loops.
  ...passes([
    'for k in a b c d e f g h i j k l m n; do declare "$k=1"; done',
    'for k in A B C; do for v in 1 2 3 4 5; do declare "$k=$v"; unset "$k"; done; done',
    'for k in A B C D E F G H I J K L M N O; do unset $k; done',
  ]),
  ...asks(['for k in A B C D E F G H I J K L M N PATH; do unset $k; done']),

  // Text of others that is read as a line.
  ['eval "echo $(cat f)"', 'r f | ? runs_code'],
  ['x=$(cat f); eval echo $x', 'r f | ? runs_code'],
  ['alias $(cat f)\nls', 'r f | r . | ? runs_code'],
  ['alias "$(cat f)"', 'r f | ? runs_code'],
  ['alias $x', '? runs_code'],
  ...passes(['alias ll="jobs -l"', 'i=1; eval "v$i=1"']),

  // Each argument with a sign in it is a variable, by a mode.
  ["bash -k -c 'ls PATH=./b'", 'r PATH=./b | ? environment'],
  ["bash -kc 'ls'", 'r . | ? environment'],
  ["bash +k -c 'ls'", 'r .'],
  ["bash -c 'ls' -k", 'r .'],
  ...passes(['set +k', 'set +P', 'set +ex']),

  // Arrays and tables by which zsh finds what a name runs.
  ...asks([
    ...['path=(./b)', 'path+=(./b)', 'path[1]=./b', 'read -A path <<< ./b', 'set -A path ./b', 'typeset -a path=(b)'],
    ...['commands[ls]=./x', 'aliases[ls]=./x', 'functions[ls]=./x', 'commands=(ls ./x)', "read 'commands[ls]'"],
    ...[': ${PATH::=./b}', ': ${(A)path::=./b}', ': ${commands[ls]::=./x}', "printf -v 'commands[ls]' ./x"],
  ]),
  ['hash ls=./x; git branch -a', 'r ls=./x | ? runs_script'],
  ...passes(['path=src/a.ts', 'for path in a b; do :; done', 'commands=("npm test" "npm run lint")', 'commands[0]=a']),
];
