import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { ownValue } from '../core/base/json';
import { withinMs } from '../core/base/pause';
import { say, type Sentence, withTexts } from '../core/base/sentence';
import { errorSaid, toolError } from '../core/vocabulary/errors';
import type { SecretStore } from '../core/ports/platform';
import type { HttpClient } from '../core/ports/http';
import type { Prober, ProbeResult } from '../core/ports/prober';
import type { Probe } from '../core/vocabulary/requirement';

export interface NodeProberOptions {
  readonly http: HttpClient;
  readonly secrets: SecretStore;
  readonly environment: NodeJS.ProcessEnv;
  /** Where commands run and relative paths start; undefined without an open folder. */
  readonly folder: () => string | undefined;
  /** Undefined where there is no such server. */
  readonly isServerUp?: (server: string) => boolean | undefined;
  /** True where the channel's manifest was read and its tools exist; undefined where there is no such channel. */
  readonly isChannelLoaded?: (channel: string) => boolean | undefined;
  /** Runs a command of the editor; a truthy answer or none at all is good. */
  readonly runEditorCommand?: (command: string, args: readonly unknown[]) => Promise<unknown>;
}

const mostOutput = 64 * 1024;

/**
 * Runs probes on this machine. Commands get a fixed argument list, no shell and no standard input; their output is not
 * kept.
 */
export function createNodeProber(options: NodeProberOptions): Prober {
  return {
    async probe(_requirement, probe, signal): Promise<ProbeResult> {
      switch (probe.type) {
        case 'http':
          return probeHttp(probe, options, signal);
        case 'command':
          return probeCommand(probe, options, signal);
        case 'file':
          return probeFile(probe.path, options.folder());
        case 'env': {
          const value = ownValue(options.environment, probe.name);
          return value === undefined || value === ''
            ? bad(say('probe_variable_missing'))
            : good(say('probe_variable_set'));
        }
        case 'secret':
          return (await options.secrets.get(probe.name)) === undefined
            ? bad(say('probe_secret_missing'))
            : good(say('probe_secret_stored'));
        case 'mcp': {
          const isUp = options.isServerUp?.(probe.server);
          if (isUp === undefined) return bad(say('probe_server_missing'));
          return isUp ? good(say('probe_server_up')) : bad(say('probe_server_down'));
        }
        case 'channel': {
          const isLoaded = options.isChannelLoaded?.(probe.channel);
          if (isLoaded === undefined) return bad(say('probe_channel_missing'));
          return isLoaded ? good(say('probe_channel_loaded')) : bad(say('probe_channel_unloaded'));
        }
        case 'vscode':
          return probeEditor(probe, options, signal);
      }
    },
  };
}

const good = (detail: Sentence): ProbeResult => ({ isGood: true, detail });
const bad = (detail: Sentence): ProbeResult => ({ isGood: false, detail });

/** Fills in `${secret:NAME}`. A secret that is not stored makes the probe red without a request. */
async function withSecrets(text: string, secrets: SecretStore): Promise<string | { readonly missing: string }> {
  let out = '';
  let from = 0;
  for (const match of text.matchAll(/\$\{secret:([^}]*)\}/g)) {
    const name = match[1] ?? '';
    const value = await secrets.get(name);
    if (value === undefined) return { missing: name };
    out += text.slice(from, match.index) + value;
    from = match.index + match[0].length;
  }
  return out + text.slice(from);
}

async function probeHttp(
  probe: Probe & { type: 'http' },
  { http, secrets }: NodeProberOptions,
  signal: AbortSignal,
): Promise<ProbeResult> {
  const headers: Record<string, string> = {};
  for (const [name, text] of Object.entries(probe.headers)) {
    const value = await withSecrets(text, secrets);
    if (typeof value !== 'string') return bad(say('probe_secret_needed', value.missing));
    headers[name] = value;
  }
  try {
    const response = await http.send({
      url: probe.url,
      method: probe.method,
      headers,
      firstByteTimeoutMs: probe.timeoutMs,
      bodyTimeoutMs: probe.timeoutMs,
      maxBytes: mostOutput,
      signal,
    });
    const { status } = response;
    return { isGood: probe.expectStatus.includes(status), detail: say('http_status', status) };
  } catch (error) {
    if (signal.aborted) throw error;
    return bad(withTexts(errorSaid(error), (text) => text.slice(0, 200)));
  }
}

function probeCommand(
  probe: Probe & { type: 'command' },
  options: NodeProberOptions,
  signal: AbortSignal,
): Promise<ProbeResult> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      probe.command,
      [...probe.args],
      {
        cwd: options.folder(),
        timeout: probe.timeoutMs,
        maxBuffer: mostOutput,
        windowsHide: true,
        shell: false,
        signal,
        env: safeEnvironment(options.environment),
      },
      (error) => {
        if (signal.aborted) {
          reject(toolError('cancelled', 'the probe was cancelled'));
          return;
        }
        if (error?.code === 'ENOENT') resolve(bad(say('not_installed', probe.command)));
        else if (error?.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') resolve(bad(say('probe_wrote_much')));
        else if (error?.killed) resolve(bad(say('probe_late', probe.timeoutMs)));
        else if (error && typeof error.code !== 'number')
          resolve(bad(say('probe_not_run', String(error.code ?? error.signal))));
        else {
          const exit = typeof error?.code === 'number' ? error.code : 0;
          resolve({ isGood: probe.expectExit.includes(exit), detail: say('probe_exit', exit) });
        }
      },
    );
    child.stdin?.end();
  });
}

/** What programs need to run at all; nothing that looks like a credential. */
function safeEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(
      ([name]) =>
        !/token|secret|passw|credential|api_?key|private|^AGENT_CAPABILITIES_|^NODE_OPTIONS$|^ELECTRON_/i.test(name),
    ),
  );
}

async function probeFile(file: string, folder: string | undefined): Promise<ProbeResult> {
  if (!path.isAbsolute(file) && folder === undefined) return bad(say('probe_no_folder'));
  try {
    await access(path.resolve(folder ?? '/', file));
    return good(say('probe_file_there'));
  } catch {
    return bad(say('probe_file_missing'));
  }
}

async function probeEditor(
  probe: Probe & { type: 'vscode' },
  { runEditorCommand }: NodeProberOptions,
  signal: AbortSignal,
): Promise<ProbeResult> {
  if (!runEditorCommand) throw toolError('unsupported', 'editor commands cannot be probed without the editor');
  try {
    const answer = runEditorCommand(probe.command, probe.args).then((value) =>
      value === undefined || Boolean(value) ? good(say('probe_answered')) : bad(say('probe_answered_no')),
    );
    return (await withinMs(answer, probe.timeoutMs)) ?? bad(say('probe_late', probe.timeoutMs));
  } catch (error) {
    if (signal.aborted) throw error;
    return bad(say('probe_command_failed'));
  }
}
