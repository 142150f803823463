import { spawn } from 'node:child_process';
import type { Agent } from '../../core/protection/agents';
import { say, type Sentence } from '../../core/base/sentence';
import { agentSeconds } from '../../core/protection/entryCommand';
import type { CanaryResult } from '../../core/protection/meter';

/** A path that the hook denies always, whatever the rules say. */
const canaryPath = '.agent-capabilities-canary';

/**
 * Makes a dry call through an installed entry: its own command line, with what the agent would write to it for reading
 * a path that is always denied. Nothing is read.
 * @param limitMs how long the agent would wait.
 */
export function tryEntry(
  agent: Agent,
  command: string,
  cwd: string,
  now: () => number,
  limitMs = agentSeconds * 1000,
): Promise<CanaryResult> {
  const started = now();
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', command], { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
    let [stdout, stderr] = ['', ''];
    const timer = setTimeout(() => {
      // What does not end is not waited for: the entry's own limit ends it.
      end('timeout', '');
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      child.kill('SIGKILL');
    }, limitMs);
    const end = (outcome: CanaryResult['outcome'], detail: CanaryResult['detail']): void => {
      clearTimeout(timer);
      resolve({ at: now(), durationMs: Math.round(now() - started), outcome, detail });
    };
    child.stdout.on('data', (data: Buffer) => (stdout = (stdout + data.toString()).slice(0, 20_000)));
    child.stderr.on('data', (data: Buffer) => (stderr = (stderr + data.toString()).slice(0, 20_000)));
    child.stdin.on('error', () => undefined);
    child.on('error', (error) => end('failed', error.message));
    child.on('close', (code) => {
      const isOurDenial = stdout.includes('deny') && (code === 2 || code === 0);
      if (isOurDenial) return end('denied', '');
      if (code === 0) return end('passed', '');
      end('failed', stderr.trim().slice(0, 300) || ended(code));
    });
    child.stdin.end(JSON.stringify(canaryPayload(agent, cwd)));
  });
}

const ended = (code: number | null): Sentence => (code === null ? say('exit_by_signal') : say('exit_status', code));

/** What an agent writes to its hook before it reads a file. */
function canaryPayload({ id, events }: Agent, cwd: string): object {
  const session = 'agent-capabilities-canary';
  const file = { file_path: `${cwd}/${canaryPath}` };
  const common = { session_id: session, cwd, hook_event_name: events[0], tool_use_id: session };
  switch (id) {
    case 'vscode':
      return {
        ...common,
        timestamp: new Date(0).toISOString(),
        transcript_path: cwd,
        hook_event_name: 'PreToolUse',
        tool_name: 'read_file',
        tool_input: { filePath: file.file_path },
      };
    case 'copilot':
      return { sessionId: session, timestamp: 0, cwd, toolName: 'view', toolArgs: { path: file.file_path } };
    case 'codex':
      return { ...common, tool_name: 'Bash', tool_input: { command: `cat ${canaryPath}` } };
    case 'gemini':
    case 'qwen':
      return { ...common, tool_name: 'read_file', tool_input: file };
    case 'opencode':
      return { ...common, tool_name: 'read', tool_input: { filePath: file.file_path } };
    default:
      return { ...common, tool_name: 'Read', tool_input: file };
  }
}
