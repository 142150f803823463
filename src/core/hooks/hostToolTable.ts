import type { SideEffect } from '../vocabulary/access';
import type { HostAgent } from './hostEvent';

/** What a tool of an agent does with its arguments. */
export type HostToolRow =
  /** Nothing outside the agent: lists of tasks, questions, sub-agents (whose own calls are told too). */
  | { readonly does: 'nothing' }
  /**
   * Files or folders that it names by any of the usual arguments; `elseAll` where it takes every file of the workspace
   * if it is told of none, and has no other argument than these; `mayNameNone` where it then reads none by itself.
   */
  | {
      readonly does: 'files';
      readonly effects: readonly SideEffect[];
      readonly elseAll?: ReadonlySet<string>;
      readonly mayNameNone?: true;
    }
  /** A folder that is listed, or searched for names or by an index, the working folder where none is named. */
  | { readonly does: 'search' }
  /** Text is looked for in the files below a folder, the working folder where none is named. */
  | HostGrepRow
  /** URLs in its arguments. */
  | { readonly does: 'fetch' }
  | {
      readonly does: 'shell';
      readonly language: 'posix' | 'powershell' | 'machine';
      /** True where the next line of the session is read by the same shell, in the folder where this one left it. */
      readonly staysOpen?: true;
    }
  /** Instructions from a file, whose command lines run without a question. */
  | { readonly does: 'skill' }
  /** Text that goes into a program that runs already. */
  | { readonly does: 'type' }
  | { readonly does: 'patch' }
  /** Runs what the workspace or the editor holds. */
  | { readonly does: 'run' };

/** How a tool looks for text in files, as ripgrep would with the same choice of files. */
export interface HostGrepRow {
  readonly does: 'grep';
  /** True where names that begin with a point are passed over. */
  readonly skipsHidden?: true;
  /** True where links are followed. */
  readonly follows?: true;
  /**
   * How its argument for files is read: as one glob of ripgrep (`glob`); as several, parted by white space and commas
   * (`globs`); as one that git or an editor may take for more: for a folder, or with stars that go over slashes
   * (`loose`).
   */
  readonly chooses: 'glob' | 'globs' | 'loose';
  /** The argument by which a glob with `!` before it leaves files out, where it does so for sure. */
  readonly leavesOut?: string;
  /** True where a file in the place of the folder has all that lies beside it searched. */
  readonly takesFolder?: true;
}

const nothing: HostToolRow = { does: 'nothing' };
const read: HostToolRow = { does: 'files', effects: ['fs.read'] };
const mayRead: HostToolRow = { does: 'files', effects: ['fs.read'], mayNameNone: true };
const write: HostToolRow = { does: 'files', effects: ['fs.read', 'fs.write'] };
const remove: HostToolRow = { does: 'files', effects: ['fs.delete'] };
const search: HostToolRow = { does: 'search' };
const ripgrep: HostToolRow = { does: 'grep', chooses: 'glob', leavesOut: 'glob' };
/** By git, by ripgrep or by `grep`, as the machine has them: hidden names are passed over by one of them alone. */
const gitGrep: HostToolRow = { does: 'grep', chooses: 'loose' };
const fetches: HostToolRow = { does: 'fetch' };
const shell: HostToolRow = { does: 'shell', language: 'posix' };
const terminal: HostToolRow = { does: 'shell', language: 'machine' };
const powershell: HostToolRow = { does: 'shell', language: 'powershell' };
const openShell: HostToolRow = { does: 'shell', language: 'posix', staysOpen: true };
const openTerminal: HostToolRow = { does: 'shell', language: 'machine', staysOpen: true };
const openPowershell: HostToolRow = { does: 'shell', language: 'powershell', staysOpen: true };
const types: HostToolRow = { does: 'type' };
const patch: HostToolRow = { does: 'patch' };
const run: HostToolRow = { does: 'run' };

type Rows = Readonly<Record<string, HostToolRow>>;

/** The same row for each name. */
const named = (row: HostToolRow, names: string): Rows =>
  Object.fromEntries(names.split(' ').map((name) => [name, row]));

const gemini: Rows = {
  run_shell_command: terminal,
  ...named(read, 'read_file read_many_files'),
  ...named(write, 'write_file replace edit'),
  ...named(search, 'list_directory glob'),
  ...named(gitGrep, 'search_file_content grep_search'),
  web_fetch: fetches,
  ...named(
    nothing,
    'google_web_search web_search update_topic invoke_agent read_background_output write_todos todo_write ask_user ask_user_question enter_plan_mode exit_plan_mode activate_skill skill task agent get_internal_docs tool_search complete_task list_background_processes',
  ),
};

const table: Readonly<Record<HostAgent, Rows>> = {
  claude: {
    Bash: shell,
    PowerShell: powershell,
    ...named(read, 'Read NotebookRead'),
    ...named(write, 'Write Edit MultiEdit NotebookEdit'),
    ...named(search, 'Glob LS'),
    Grep: { does: 'grep', chooses: 'globs', leavesOut: 'glob' },
    WebFetch: fetches,
    ...named({ does: 'skill' }, 'Skill SlashCommand'),
    ...named(
      nothing,
      'WebSearch TodoWrite TodoRead Task Agent TaskCreate TaskUpdate TaskList TaskGet TaskOutput TaskStop BashOutput KillShell KillBash AskUserQuestion EnterPlanMode ExitPlanMode ExitPlanModeV2 ToolSearch StructuredOutput SendMessage ListAgents ReportFindings ScheduleWakeup ListMcpResourcesTool',
    ),
  },
  codex: {
    ...named(shell, 'Bash shell exec_command local_shell shell_command'),
    apply_patch: patch,
    ...named(read, 'view_image read_file'),
    list_dir: search,
    grep_files: { does: 'grep', skipsHidden: true, chooses: 'glob', leavesOut: 'include' },
    ...named(
      nothing,
      'update_plan get_goal create_goal update_goal spawn_agent wait wait_agent send_input send_message close_agent resume_agent list_agents web_search tool_search request_user_input',
    ),
  },
  gemini,
  qwen: { ...gemini, notebook_edit: write, list_agents: nothing },
  copilot: {
    ...named(openShell, 'bash Bash'),
    ...named(openPowershell, 'powershell PowerShell'),
    ...named(types, 'write_bash write_powershell'),
    ...named(read, 'view Read'),
    ...named(write, 'create edit str_replace_editor Write Edit'),
    apply_patch: patch,
    ...named(search, 'glob Glob'),
    ...named(ripgrep, 'grep rg Grep'),
    ...named(fetches, 'web_fetch WebFetch'),
    ...named(
      nothing,
      'read_bash stop_bash list_bash read_powershell stop_powershell list_powershell task Agent Task update_todo report_intent ask_user skill task_complete exit_plan_mode read_agent list_agents web_search WebSearch TodoWrite sql fetch_copilot_cli_documentation',
    ),
  },
  vscode: {
    run_in_terminal: openTerminal,
    send_to_terminal: types,
    ...named(read, 'read_file view_image copilot_getNotebookSummary'),
    ...named(mayRead, 'read_notebook_cell_output list_code_usages vscode_listCodeUsages'),
    get_errors: { ...read, elseAll: new Set(['filePaths', 'ranges']) },
    ...named(
      write,
      'create_file replace_string_in_file multi_replace_string_in_file insert_edit_into_file edit_notebook_file create_directory',
    ),
    apply_patch: patch,
    ...named(search, 'list_dir file_search semantic_search test_search get_changed_files'),
    grep_search: { does: 'grep', follows: true, chooses: 'loose' },
    ...named(fetches, 'fetch_webpage open_simple_browser'),
    ...named(
      run,
      'run_vscode_command run_task create_and_run_task run_notebook_cell runTests install_extension create_new_workspace',
    ),
    ...named(
      nothing,
      'manage_todo_list runSubagent get_terminal_output await_terminal kill_terminal terminal_last_command terminal_selection get_task_output test_failure vscode_askQuestions ask_questions tool_search get_vscode_api get_project_setup_info get_search_view_results',
    ),
  },
  cursor: {
    ...named(openShell, 'Shell run_terminal_cmd run_terminal_command'),
    ...named(read, 'Read read_file'),
    ...named(write, 'Write Edit StrReplace MultiEdit edit_file search_replace EditNotebook'),
    ...named(remove, 'Delete delete_file'),
    ...named(search, 'Glob LS list_dir file_search codebase_search SemanticSearch'),
    Grep: ripgrep,
    grep_search: { does: 'grep', chooses: 'loose' },
    ...named(fetches, 'WebFetch'),
    ...named(nothing, 'Task TodoWrite todo_write WebSearch web_search AskQuestion ReadLints'),
  },
  opencode: {
    bash: shell,
    read,
    ...named(write, 'write edit multiedit'),
    ...named(patch, 'patch apply_patch'),
    ...named(search, 'glob list'),
    grep: { does: 'grep', chooses: 'glob', leavesOut: 'include', takesFolder: true },
    webfetch: fetches,
    ...named(nothing, 'todowrite todoread task skill question websearch codesearch plan_enter plan_exit invalid'),
  },
};

/** What is known of a tool of an agent; undefined for one of an MCP server and for one that nobody knows here. */
export function hostToolRow(agent: HostAgent, tool: string): HostToolRow | undefined {
  const rows = table[agent];
  return Object.hasOwn(rows, tool) ? rows[tool] : undefined;
}

/** Arguments that may be a command line, in any of the agents. */
export const lineArguments = ['command', 'cmd', 'script', 'input'] as const;

/** Every tool of an agent that is known. */
export const knownHostTools = (agent: HostAgent): readonly string[] => Object.keys(table[agent]);

/** True for a name that the agent gives to tools of MCP servers, each in a spelling of its own. */
export function isServerTool(agent: HostAgent, tool: string): boolean {
  if (tool.startsWith('mcp_')) return true;
  if (agent === 'cursor') return tool.startsWith('MCP:');
  if (agent === 'copilot') return /[-/]/.test(tool);
  return agent === 'opencode' && tool.includes('_');
}
