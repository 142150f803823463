// Runs every benchmark: test/bench/*.bench.ts, each exporting `bench(): Promise<Row[]>`. Ours and the peer are measured
// in one run, so that the ratio means something on any machine. `npm run bench [part of a name …]`
import { build } from 'esbuild';
import { createRequire } from 'node:module';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { shared, validators } from '../../esbuild.mjs';

const wanted = process.argv.slice(2);
const files = (await readdir('test/bench')).filter(
  (name) => name.endsWith('.bench.ts') && (wanted.length === 0 || wanted.some((part) => name.includes(part))),
);
await rm('.build/bench', { recursive: true, force: true });
await mkdir('.build/bench', { recursive: true });
await build({
  ...shared,
  entryPoints: files.map((name) => path.join('test/bench', name)),
  outdir: '.build/bench',
  format: 'cjs',
  packages: 'external',
  plugins: [validators],
  outExtension: { '.js': '.cjs' },
  define: { 'import.meta.url': 'undefined' },
});
const require = createRequire(import.meta.url);
let missed = 0;
const unreadable = [];
for (const name of files) {
  console.log(
    `\n## ${name.replace('.bench.ts', '')}\n\n| what | ours | peer | ratio | target |\n|---|---|---|---|---|`,
  );
  const { bench } = require(path.resolve('.build/bench', name.replace(/\.ts$/, '.cjs')));
  for (const row of await bench()) {
    const met = row.met ?? meets(row.ratio, row.target);
    if (met === false) missed++;
    if (met === undefined && !isInformational(row.target)) unreadable.push(`${name}: ${row.name}: \`${row.target}\``);
    const number = (value) =>
      typeof value === 'number' ? Number(value.toPrecision(3)).toLocaleString('en') : (value ?? '');
    console.log(
      `| ${row.name} | ${number(row.ours)} ${row.unit} | ${row.peer === undefined ? '' : `${number(row.peer)} ${row.unit}`} | ${number(row.ratio)} | ${row.target}${met === false ? ' **missed**' : ''} |`,
    );
  }
}
console.log(missed === 0 ? '\nevery target met' : `\n${missed} target(s) missed`);
if (unreadable.length > 0) {
  console.error(
    `a target must be such as \`<= 1.5\` with a ratio, or start with \`for information\` or \`aim\`; these are neither:\n${unreadable.join('\n')}`,
  );
}
process.exit(unreadable.length > 0 ? 1 : 0);

/** A row that no target belongs to says so; one that is judged by nobody without saying so is a mistake. */
function isInformational(target) {
  return /^(for information|aim)\b/.test(String(target));
}

/** Reads targets such as `<= 1.5` and `>= 3`. */
function meets(ratio, target) {
  const match = /^\s*(<=|>=|<|>)\s*(\d+(?:\.\d+)?)(?![\d.,])/.exec(String(target));
  if (!match || typeof ratio !== 'number') return undefined;
  const bound = Number(match[2]);
  return { '<=': ratio <= bound, '>=': ratio >= bound, '<': ratio < bound, '>': ratio > bound }[match[1]];
}
