import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { agentOf } from '../../src/core/protection/agents';
import type { AgentPlace, RealAgent } from './agents';

/** Something that becomes of our program, and whether the call is denied all the same. */
export interface Fault {
  readonly name: string;
  /** What stands where our program was; undefined where nothing does. */
  readonly program: string | undefined;
  /** Agents that run the call all the same: no hook can deny there. */
  readonly opens: readonly RealAgent['id'][];
  /** True for one that the whole run leaves out. */
  readonly isThorough?: boolean;
}

/** Ends the shell of the entry and the program above it that `timeout` is. */
const killShell = `const { readFileSync } = require('node:fs');
let pid = process.ppid;
for (let at = 0; at < 3; at++) {
  const text = readFileSync('/proc/' + pid + '/stat', 'utf8');
  const [name, , parent] = [text.slice(text.indexOf('(') + 1, text.lastIndexOf(')')), ...text.slice(text.lastIndexOf(')') + 2).split(' ')];
  if (/^(?:sh|bash|dash)$/.test(name)) process.kill(pid, 'SIGKILL');
  pid = Number(parent);
}`;

export const faults: readonly Fault[] = [
  { name: 'killed', program: "process.kill(process.pid, 'SIGKILL');", opens: [] },
  { name: 'hanging', program: 'setInterval(() => undefined, 1000);', opens: [] },
  { name: 'printing junk and ending well', program: 'console.log(\'{"decision":"allow\');', opens: [] },
  {
    name: 'printing whole junk JSON and ending well',
    program: `console.log('{"decision":"allow","permission":"allow","hookSpecificOutput":{}}');`,
    opens: [],
  },
  { name: 'missing', program: undefined, opens: [] },
  { name: 'an empty file', program: '', opens: [], isThorough: true },
  { name: 'crashed', program: "throw new Error('broken');", opens: [], isThorough: true },
  {
    name: 'printing junk and failing',
    program: "console.log('{'); process.exitCode = 2;",
    opens: [],
    isThorough: true,
  },
  { name: 'killed with its shell', program: killShell, opens: ['claude', 'codex', 'gemini', 'qwen'], isThorough: true },
];

/** Puts a fault in the place of our program. */
export function breakHook(place: AgentPlace, { program }: Fault): void {
  const launcher = path.join(place.home, '.agent-capabilities', 'hook.cjs');
  if (program === undefined) rmSync(launcher);
  else writeFileSync(launcher, program);
}

/** Has the entry wait for a second where it waits for a minute. */
export function shortenEntry(agent: RealAgent, place: AgentPlace): void {
  const entry = path.join(place.home, agentOf(agent.id)?.file ?? '');
  const text = readFileSync(entry, 'utf8');
  const shorter = text.replaceAll('timeout -k 1 55 ', 'timeout -k 1 1 ');
  if (shorter === text) throw new Error(`no limit of time stands in ${entry}`);
  writeFileSync(entry, shorter);
}
