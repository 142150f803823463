import fc from 'fast-check';

/** Text that sets `PATH` where a shell reckons with it, splits it or reads it as a line. */
const texts = [
  ...['$(cat p)', '`cat p`', 'PATH=1', '$(< p)', '$(echo PATH=1)', '$(tr a a < p)', '$(cat split)', '$(cat line)'],
  ...['$(cat name)', '$(cat place)', "'a[PATH=1]'", '"$(cat p)"', 'PATH', '$(printf %s=1 PATH)'],
];

/** How a variable comes by it. */
const carriers = [
  ...['v=T', 'read v <<< T', 'read -r v < p', 'printf -v v %s T', 'for v in T; do :; done', 'declare v=T', ': ${v:=T}'],
  ...['mapfile -t v <<< T', 'read -a v <<< T', 'v=(T)', 'v+=T', 'set -- T; v=$1', 'f() { v=$1; }; f T', 'w=T; v=$w'],
  ...[
    '[[ T =~ .* ]]; v=$BASH_REMATCH',
    'w=T; v=w',
    'w=T; v=${w%z}',
    'w=xT; v=${w:1}',
    'w=T; v=${w/z/y}',
    'v=$(echo T)',
  ],
  ...['while read -r v; do break; done <<< T', 'for i in 1 2; do v=$w; w=T; done', 'getopts a: o -a T; v=$OPTARG'],
  ...[': T; v=$_', 'IFS== read -r v z <<< T', 'w=(b T); v="${w[*]:1}"', 'if true; then v=T; fi', 'true && export v=T'],
  // By a name of which only a run tells a part.
  ...[
    'i=$((2-1)); read "v$i" <<< T; v=$v1',
    'i=$((2-1)); declare "v$i=T"; v=v1',
    'i=$((2-1)); printf -v v$i %s T; v=$v1',
  ],
];

/** Where it is used. */
const uses = [
  ...['((v))', '(($v))', ': $((v+1))', 'let v', 'let "$v"', 'let z=$v', '[[ v -eq 1 ]]', '[[ $v -gt 1 ]]', 'z[v]=1'],
  ...['z[$v]=1', 'z=abc; : ${z:v}', 'z=abc; : ${z:0:$v}', ': ${z[$v]}', 'declare -i z=$v', 'declare -i z; z=$v'],
  ...[
    'declare -i z; read z <<< "$v"',
    'OPTIND=$v',
    'RANDOM=$v',
    'for ((i=0;i<v;i++)); do break; done',
    '\\export z=$v',
  ],
  ...[
    'command declare z=$v',
    'export $v',
    'eval ": $v"',
    'eval echo $v',
    'unset $v',
    'read "$v" <<< ./b',
    '[ -v "$v" ]',
  ],
  ...['printf -v $v ./b', 'mapfile "$v" < p', 'f() { (($1)); }; f $v', '[[ -v z[$v] ]]', ': ${!v}', ': ${!v:=./b}'],
  ...['read "z[$v]" <<< 1', 'exec {z[$v]}>/dev/null', 'declare -ai z; z+=($v)', 'wait -p $v', 'getopts a $v -a'],
];

const places = ['L', 'L', 'g() { L; }; g', '{ L; }', 'if true; then L; fi', 'for q in 1; do L; done', 'true && { L; }'];

/** Files that these lines read. */
export const setFiles: Readonly<Record<string, string>> = {
  p: 'PATH=1\n',
  split: 'x PATH=1\n',
  line: ':; PATH=1\n',
  name: 'PATH\n',
  place: 'a[PATH=1]\n',
};

/** Lines that bring such a text to where it may set a variable. */
export const setLine = fc
  .tuple(...[texts, carriers, uses, places].map((all) => fc.constantFrom(...all)))
  .map(([text = '', carrier = '', use = '', place = '']) =>
    place.replace('L', () => `${carrier.replace('T', () => text)}; ${use}`),
  );
