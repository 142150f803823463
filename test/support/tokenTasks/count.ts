import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { TaskCall } from './tasks';

/** A project's place as people have it; what a test's own folder is called costs more tokens and says nothing. */
export const usualFolder = '/home/ada/projects/timetable';
export const usualUrl = 'https://ferries.example/reference';

/** What a call and its answer cost: its name and arguments as a model writes them, and the text that it reads. */
export function callTokens({ tool, input }: TaskCall, answer: string): number {
  return countTokens(JSON.stringify({ name: tool, arguments: input })) + countTokens(answer);
}

/** The cost of a tool's definition as a request carries it. */
export const definitionTokens = (name: string, description: string, parameters: unknown): number =>
  countTokens(JSON.stringify({ name, description, parameters }));

/** What a task costs by our tools and by the host's. */
export interface TaskTokens {
  readonly name: string;
  readonly ours: number;
  readonly host: number;
}

const ratio = (ours: number, host: number): string => (ours / host).toFixed(2);

/** The rows of the table in `test/bench/README.md`. */
export function tokenRows(tasks: readonly TaskTokens[]): readonly string[] {
  const sum = (side: 'ours' | 'host'): number => tasks.reduce((all, one) => all + one[side], 0);
  return [
    ...tasks.map(({ name, ours, host }) => `| ${name} | ${ours} | ${host} | ${ratio(ours, host)} |`),
    `| all ${tasks.length} tasks | ${sum('ours')} | ${sum('host')} | ${ratio(sum('ours'), sum('host'))} |`,
  ];
}

/** The same rows, read. */
export function readTokenRows(text: string): ReadonlyMap<string, TaskTokens> {
  const section = /### Tokens by task\n([^]*?)(?=\n##|$)/.exec(text)?.[1] ?? '';
  const rows = section.matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \| [\d.]+ \|$/gm);
  return new Map(
    [...rows].map(([, name = '', ours, host]) => [name, { name, ours: Number(ours), host: Number(host) }]),
  );
}
