import { againstOthers, mayAsk } from '../hooks/answers';
import { shellWord } from '../shell/shellWord';
import type { Agent } from './agents';

/** What an entry starts: a program that runs JavaScript, and our hook. */
export interface HookProgram {
  /** The absolute path of Node, or of the editor's own program. */
  readonly node: string;
  /** True where `node` is the editor's program, which is Node only when it is told so. */
  readonly isEditor: boolean;
  /** The absolute path of the hook. */
  readonly hook: string;
  readonly platform: string;
  /** Where hooks and editors meet, where it is not below the user's home folder. */
  readonly privateFolder?: string;
}

/** How long a person may take to answer, in seconds; the wrapper and the agent itself wait longer than that. */
export const answerSeconds = 50;
const wrapperSeconds = 55;
/** How long the agent is told to wait for its hook, in seconds. */
export const agentSeconds = 60;

const noAnswer = 'the gate of Agent Capabilities gave no answer';

/** What our program prints where a call may run, so that ending well is not enough: an empty file does that too. */
const allowedWord = 'allowed';

/** Where systems keep `timeout` and `perl`. */
const systemFolders = '/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin:/run/current-system/sw/bin';

/**
 * The command line of an entry for a POSIX shell. Whatever becomes of our program, a crash, a kill, a hang, that it
 * prints something else (whole JSON too) or nothing, or that it is not there any more, the agent sees the status that
 * denies in all of them. It starts with an empty environment: what a folder's `.env` or settings put there would load
 * code (`NODE_OPTIONS`, `OPENSSL_CONF`) or bring a `timeout` of its own. A call without an answer leaves its status in
 * a note beside the launcher.
 */
export function entryCommand(agent: Agent, event: string, program: HookProgram): string {
  const { node, hook, isEditor, platform, privateFolder } = program;
  const clean = `/usr/bin/env -i PATH=${systemFolders}${isEditor ? ' ELECTRON_RUN_AS_NODE=1' : ''}`;
  // macOS has no `timeout`; an alarm outlives `exec` and kills what it became.
  const limit =
    platform === 'darwin' ? `perl -e 'alarm shift; exec @ARGV' ${wrapperSeconds}` : `timeout -k 1 ${wrapperSeconds}`;
  const note = `${folderOf(hook)}/${unansweredName(agent)}`;
  const own = privateFolder === undefined ? '' : ` --private ${shellWord(privateFolder)}`;
  const started = `${clean} ${limit} ${shellWord(node)} ${shellWord(hook)} ${argumentsOf(agent, event)}${own}`;
  const answers = goodEndings(agent).map((answer) => `0:{*'"permissionDecision":"${answer}"'*}|`);
  const known = `0:${allowedWord}) exit 0;; ${answers.join('')}2:{*':"deny"'*}) printf '%s\\n' "$o"; exit $c;;`;
  // Copilot takes the reason from its own JSON alone; the status denies all the same.
  const said = `${noAnswer} ($c), so the call is denied`;
  const told =
    agent.form === 'copilot'
      ? `echo "{\\"permissionDecision\\":\\"deny\\",\\"permissionDecisionReason\\":\\"${said}\\"}"; `
      : '';
  const why =
    agent.dialect === 'qwen' ? JSON.stringify({ decision: 'deny', reason: said, ...againstOthers(said) }) : said;
  const failed = `{ echo $c >${shellWord(note)}; } 2>/dev/null; ${told}echo "${why.replaceAll('"', '\\"')}" >&2; exit 2`;
  return `o=$(${started}); c=$?; case "$c:$o" in ${known} *) ${failed};; esac`;
}

/** What our program answers with a status that is no denial: VS Code reads its JSON only then, and so are questions. */
const goodEndings = ({ form, dialect }: Agent): readonly string[] => [
  ...(form === 'copilot' ? ['deny'] : []),
  ...(mayAsk(dialect) ? ['ask'] : []),
];

/** The same for PowerShell, which Copilot and VS Code start on Windows; there the hook's own limit has to do. */
export function entryPowerShell(agent: Agent, event: string, { node, hook, isEditor }: HookProgram): string {
  const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
  const clean = `$env:NODE_OPTIONS=$null; $env:NODE_PATH=$null; $env:ELECTRON_RUN_AS_NODE=${isEditor ? "'1'" : '$null'}`;
  const started = `try { $o=($input | & ${text(node)} ${text(hook)} ${argumentsOf(agent, event)}) -join ' '; $c=$LASTEXITCODE } catch {}`;
  // A double quote would end the argument that the line is, so `?` stands for each.
  const said = (status: number, answer: string): string => `($c -eq ${status} -and $o -clike '${answer}')`;
  const known = [
    ...goodEndings(agent).map((answer) => said(0, `{*?permissionDecision?:?${answer}?*}`)),
    said(2, '{*?:?deny?*}'),
  ];
  const passed = `if (${said(0, allowedWord)}) { exit 0 }; if (${known.join(' -or ')}) { Write-Output $o; exit $c }`;
  return `${clean}; $c=1; $o=''; ${started}; ${passed}; [Console]::Error.WriteLine('${noAnswer}, so the call is denied'); exit 2`;
}

/** The note of the last call that our program did not answer; its text is the exit status. */
export const unansweredName = ({ dialect }: Agent): string => `unanswered-${dialect}`;

const folderOf = (file: string): string => file.replace(/[\\/][^\\/]*$/, '');

/** The name of the launcher that entries start, in whichever folder it is. */
export const launcherName = 'hook.cjs';

/** True for a command that an installer of ours wrote, whichever version, for this dialect. */
export const isOurCommand = (command: unknown, { dialect }: Agent): boolean =>
  typeof command === 'string' && command.includes(`${launcherName}' --dialect ${dialect} --event `);

const argumentsOf = ({ dialect }: Agent, event: string): string =>
  `--dialect ${dialect} --event ${event} --limit ${answerSeconds * 1000} --allowed ${allowedWord}`;
