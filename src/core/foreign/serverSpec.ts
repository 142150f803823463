import { canonicalJson, defined, isObject, sanitizeJson } from '../base/json';
import { Findings, got, gotJson, ObjectReader, pointerTo } from '../base/jsonReader';
import { visibleText } from '../base/visible';
import { refusedVariables } from '../policy/rules/codeLoadingVariables';
import { plainName, shortHash } from '../vocabulary/names';
import { type Problem, problem } from '../base/problem';
import { say, type Sentence } from '../base/sentence';
import { type AccessMapping, parseMapping, parseOverrides, type ToolOverride } from './overrides';
import { holdsSecret, referencesOf, transportTexts } from './references';
import type { McpTransportSpec, OAuthSpec } from './transportSpec';

/** One entry of `agentCapabilities.mcp.servers`; the shape follows the editor's own mcp.json. */
export interface McpServerSpec {
  readonly name: string;
  /** The id of the capability that holds its tools: `mcp_<name>`. */
  readonly capabilityId: string;
  readonly origin: 'managed' | 'user' | 'workspace';
  readonly transport: McpTransportSpec;
  readonly enabled: boolean;
  /** How long one call may take, in milliseconds. */
  readonly timeoutMs: number;
  /** The protocol to speak; `auto` asks the server. */
  readonly protocol: 'auto' | '2025-11-25' | '2026-07-28';
  /**
   * Whether it is told the folders of the workspace where it asks for them; by default programs on this machine are,
   * others are not.
   */
  readonly roots: boolean;
  readonly accessMapping: AccessMapping;
  readonly tools: Readonly<Record<string, ToolOverride>>;
  /** The entry as canonical text; its hash is what a workspace entry's approval is remembered by. */
  readonly content: string;
  /** What signed bundles demand of the hash of its list of tools; all of them. */
  readonly pinned?: readonly string[];
}

export interface ParsedServers {
  readonly servers: readonly McpServerSpec[];
  readonly problems: readonly Problem[];
}

/** What entries hold for others, and what is read of them elsewhere. */
const unread = ['envFile', 'enabled', 'disabled', 'dev', 'gallery', 'version', 'description', 'name'];

/** The capability's id of a server, unique because a name that had to be changed carries a digest of the whole. */
export function serverCapabilityId(name: string): string {
  const safe = plainName(name, '_');
  const plain = `mcp_${safe}`;
  if (safe !== '' && safe === name && plain.length <= 60) return plain;
  return `mcp_${safe.slice(0, 40)}${safe === '' ? '' : '_'}${shortHash(name)}`;
}

/**
 * Reads the servers of one settings layer. An entry that cannot be read is a problem and no server; nothing is guessed.
 */
export function parseServers(raw: unknown, origin: McpServerSpec['origin']): ParsedServers {
  const servers: McpServerSpec[] = [];
  const problems: Problem[] = [];
  if (!isObject(raw)) {
    const said = say('mcp_servers_no_object', got(raw));
    problems.push(problem({ severity: 'error', code: 'invalid_mcp_server', said }));
    return { servers, problems };
  }
  const ids = new Map<string, string>();
  for (const [name, value] of Object.entries(raw)) {
    const shown = visibleText(name);
    const base = pointerTo('', name);
    const findings = new Findings({
      code: 'invalid_mcp_server',
      subject: shown.text,
      nullIsWrong: true,
      sentence: (pointer, _key, fault) => entryFault(shown.text, fault, pointer.slice(base.length)),
    });
    const refuse = (fault: Sentence): void => findings.error(base, entryFault(shown.text, fault));
    if (name.trim() === '' || name.length > 64 || /[\u0000-\u001f\u007f:]/.test(name))
      refuse(say('server_name_characters'));
    // It stands in questions and in texts for models: two names must not look alike.
    else if (shown.count > 0) refuse(say('server_name_invisible'));
    else {
      const spec = parseServer(name, value, origin, findings);
      const other = spec && ids.get(spec.capabilityId);
      if (other !== undefined) refuse(say('server_name_alike', other));
      else if (spec) {
        ids.set(spec.capabilityId, name);
        servers.push(spec);
      }
    }
    problems.push(...findings.problems);
  }
  return { servers, problems };
}

function entryFault(name: string, fault: Sentence, pointer = ''): Sentence {
  return say('server_fault', name.slice(0, 64), pointer === '' ? fault : say('property', pointer, fault));
}

/** Reads one entry; undefined where any of it but what it says about tools cannot be read. */
function parseServer(
  name: string,
  value: unknown,
  origin: McpServerSpec['origin'],
  findings: Findings,
): McpServerSpec | undefined {
  const tell = (severity: Problem['severity'], fault: Sentence, code?: string): void =>
    findings.add(severity, pointerTo('', name), entryFault(name, fault), code);
  if (!isObject(value)) return void tell('error', say('must_be', say('an_object'), got(value)));
  let clean: Record<string, unknown>;
  try {
    clean = sanitizeJson(value, 16) as Record<string, unknown>;
  } catch {
    return void tell('error', say('nested_too_deep'));
  }
  const entry = new ObjectReader(clean, pointerTo('', name), findings);
  const transport = parseTransport(entry);
  const timeoutMs = entry.number('timeoutMs', { minimum: 100, maximum: 86_400_000 }) ?? 60_000;
  const protocol = entry.oneOf('protocol', ['auto', '2025-11-25', '2026-07-28']) ?? 'auto';
  const roots = entry.flag('roots') ?? transport?.type === 'stdio';
  const isEnabled = entry.flag('enabled') ?? true;
  const isDisabled = entry.flag('disabled') ?? false;
  if (entry.raw('envFile') !== undefined) tell('warning', say('env_file_unread'));
  if (transport && origin === 'workspace')
    for (const { code, said } of workspaceFaults(transport)) tell('error', said, code);
  const isReadable = findings.errors() === 0;
  const accessMapping = parseMapping(entry);
  const tools = parseOverrides(entry);
  for (const key of [...transportKeys, ...unread]) entry.raw(key);
  entry.finish('warning', 'invalid_mcp_server');
  if (!transport || !isReadable) return undefined;
  for (const text of origin === 'workspace' ? [] : transportTexts(transport))
    for (const { type: kind, whole } of referencesOf(text))
      if (kind === 'unknown') tell('warning', say('reference_unknown', whole));
  return {
    name,
    capabilityId: serverCapabilityId(name),
    origin,
    transport,
    enabled: isEnabled && !isDisabled,
    timeoutMs,
    protocol,
    roots,
    accessMapping,
    tools,
    content: canonicalJson(clean),
  };
}

/** Why an entry of the workspace cannot act, whoever would approve it. */
interface EntryFault {
  readonly code: 'code_loading_variable' | 'unknown_reference' | 'secret_program';
  readonly said: Sentence;
}

/**
 * What no entry that comes with a repository may say: variables that make an approved program run other code, places
 * that nobody fills in, and a program or folder that is named by something secret, so that it could not be shown.
 */
function workspaceFaults(transport: McpTransportSpec): readonly EntryFault[] {
  const faults: EntryFault[] = [];
  const add = (code: EntryFault['code'], said: Sentence): void => void faults.push({ code, said });
  for (const { whole, type } of transportTexts(transport).flatMap(referencesOf))
    if (type === 'unknown') add('unknown_reference', say('reference_unknown_in_workspace', whole));
  if (transport.type !== 'stdio') return faults;
  for (const { name, reason } of refusedVariables(transport.env))
    add('code_loading_variable', say('variable_not_set_here', name, reason));
  for (const key of ['command', 'cwd'] as const)
    if (holdsSecret(transport[key] ?? '')) add('secret_program', say('secret_in_program', key));
  return faults;
}

/** What entries hold for how they are reached; of it only what belongs to their way counts. */
const transportKeys = ['type', 'command', 'args', 'env', 'cwd', 'url', 'headers', 'oauth'];

/** Reads how a server is reached; what cannot be read of it is an error. */
function parseTransport(entry: ObjectReader): McpTransportSpec | undefined {
  const type = entry.raw('type') ?? (entry.has('url') ? 'http' : 'stdio');
  if (type === 'stdio' || type === 'local') {
    const command = entry.required('command');
    const args = entry.texts('args') ?? [];
    const env = textsOf(entry, 'env');
    const cwd = entry.filled('cwd');
    return command === undefined ? undefined : { type: 'stdio', command, args, env, ...defined({ cwd }) };
  }
  if (type === 'http' || type === 'streamable-http' || type === 'streamableHttp') {
    const url = entry.required('url');
    if (url === undefined) return undefined;
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return void entry.error('url', say('server_url_scheme'));
    const { username, password } = new URL(url);
    if (username !== '' || password !== '') entry.error('url', say('url_with_user'));
    const headers = textsOf(entry, 'headers');
    // A token that the user wrote is the user's choice: then nobody is asked to sign in.
    const hasToken = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
    return { type: 'http', url, headers, oauth: entry.has('oauth') ? parseOAuth(entry) : hasToken ? false : {} };
  }
  return void entry.error('type', type === 'sse' ? say('transport_sse') : say('transport_type', gotJson(type)));
}

/** A table of texts; numbers and booleans are written as texts, and null is a name that is left out. */
function textsOf(entry: ObjectReader, key: string): Readonly<Record<string, string>> {
  const table = entry.table(key);
  const text = (value: unknown): string | undefined =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
  if (!table) return {};
  return table.each((name) =>
    table.raw(name) === null ? undefined : table.take(name, text, (value) => say('must_be', 'string', got(value))),
  );
}

function parseOAuth(entry: ObjectReader): OAuthSpec | false {
  if (entry.raw('oauth') === false) return false;
  const value = entry.take(
    'oauth',
    (one) => (isObject(one) ? one : undefined),
    (one) => say('must_be', say('object_or_false'), got(one)),
  );
  if (!value) return {};
  const reader = new ObjectReader(value, entry.at('oauth'), entry.findings);
  const [clientId, clientSecret] = [reader.filled('clientId'), reader.filled('clientSecret')];
  const [clientMetadataUrl, scope] = [reader.filled('clientMetadataUrl'), reader.filled('scope')];
  if (clientMetadataUrl !== undefined && !/^https:\/\/[^/]+\/./i.test(clientMetadataUrl))
    reader.error('clientMetadataUrl', say('metadata_url'));
  if (clientSecret !== undefined && !/^\$\{secret:[^}]+\}$/.test(clientSecret))
    reader.error('clientSecret', say('client_secret'));
  reader.finish('warning', 'invalid_mcp_server');
  return defined({ clientId, clientSecret, clientMetadataUrl, scope });
}
