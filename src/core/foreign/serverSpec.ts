import { canonicalJson, isObject, sanitizeJson, typeName } from '../base/json';
import { proposal } from '../base/nearest';
import { visibleText } from '../base/visible';
import { shortHash } from '../vocabulary/names';
import { type Problem, problem } from '../base/problem';
import { say, type Sentence } from '../base/sentence';
import { parseMapping, parseOverrides, type ToolOverride } from './overrides';
import { referencesOf, transportTexts } from './references';
import { workspaceFaults } from './workspaceEntry';
import type { McpTransportSpec, OAuthSpec } from './transportSpec';
import type { AccessMapping } from './argumentEffect';

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
}

interface ParsedServers {
  readonly servers: readonly McpServerSpec[];
  readonly problems: readonly Problem[];
}

const keys: ReadonlySet<string> = new Set(
  'type command args env envFile cwd url headers oauth enabled disabled timeoutMs protocol roots accessMapping tools dev gallery version description name'.split(
    ' ',
  ),
);

/** The capability's id of a server, unique because a name that had to be changed carries a digest of the whole. */
export function serverCapabilityId(name: string): string {
  const safe = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
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
  if (raw === undefined) return { servers, problems };
  const report = (
    name: string,
    fault: Sentence,
    severity: Problem['severity'] = 'error',
    code = 'invalid_mcp_server',
  ): undefined => {
    problems.push(problem({ severity, code, said: say('server_fault', name, fault), subject: name }));
  };
  if (!isObject(raw)) {
    const said = say('mcp_servers_no_object', typeName(raw));
    problems.push(problem({ severity: 'error', code: 'invalid_mcp_server', said }));
    return { servers, problems };
  }
  const ids = new Map<string, string>();
  for (const [name, value] of Object.entries(raw)) {
    if (name.trim() === '' || name.length > 64 || /[\u0000-\u001f\u007f:]/.test(name)) {
      report(name.slice(0, 64), say('server_name_characters'));
      continue;
    }
    // It stands in questions and in texts for models: two names must not look alike.
    if (visibleText(name).count > 0) {
      report(visibleText(name).text, say('server_name_invisible'));
      continue;
    }
    const spec = parseServer(name, value, origin, (fault, severity, code) => report(name, fault, severity, code));
    if (!spec) continue;
    const other = ids.get(spec.capabilityId);
    if (other !== undefined) report(name, say('server_name_alike', other));
    else {
      ids.set(spec.capabilityId, name);
      servers.push(spec);
    }
  }
  return { servers, problems };
}

/** Reports a fault; answers what a reader answers that found one. */
type Report = (fault: Sentence, severity?: Problem['severity'], code?: string) => undefined;

function parseServer(
  name: string,
  value: unknown,
  origin: McpServerSpec['origin'],
  report: Report,
): McpServerSpec | undefined {
  if (!isObject(value)) return report(say('must_be', say('an_object'), typeName(value)));
  let clean: Record<string, unknown>;
  try {
    clean = sanitizeJson(value, 16) as Record<string, unknown>;
  } catch {
    return report(say('nested_too_deep'));
  }
  for (const key of Object.keys(clean))
    if (!keys.has(key)) report(say('at_key', key, say('unknown_key', proposal(key, keys))), 'warning');
  if (clean['envFile'] !== undefined) report(say('env_file_unread'), 'warning');
  const transport = parseTransport(clean, report);
  if (!transport) return undefined;
  const faults = origin === 'workspace' ? workspaceFaults(transport) : [];
  for (const { code, said } of faults) report(said, 'error', code);
  if (faults.length > 0) return undefined;
  for (const text of origin === 'workspace' ? [] : transportTexts(transport))
    for (const { type: kind, whole } of referencesOf(text))
      if (kind === 'unknown') report(say('reference_unknown', whole), 'warning');
  const timeoutMs = clean['timeoutMs'] ?? 60_000;
  if (typeof timeoutMs !== 'number' || !(timeoutMs >= 100 && timeoutMs <= 86_400_000))
    return report(say('timeout_from_to'));
  const protocol = clean['protocol'] ?? 'auto';
  if (protocol !== 'auto' && protocol !== '2025-11-25' && protocol !== '2026-07-28')
    return report(say('protocol_one_of'));
  const roots = clean['roots'] ?? transport.type === 'stdio';
  if (typeof roots !== 'boolean') return report(say('at_key', 'roots', say('must_be', 'boolean', typeName(roots))));
  return {
    name,
    capabilityId: serverCapabilityId(name),
    origin,
    transport,
    enabled: clean['enabled'] !== false && clean['disabled'] !== true,
    timeoutMs,
    protocol,
    roots,
    accessMapping: parseMapping(clean['accessMapping'], report),
    tools: parseOverrides(clean['tools'], report),
    content: canonicalJson(clean),
  };
}

function parseTransport(clean: Readonly<Record<string, unknown>>, report: Report): McpTransportSpec | undefined {
  const type = clean['type'] ?? (clean['url'] !== undefined ? 'http' : 'stdio');
  const text = (key: string): string | undefined => {
    const value = clean[key];
    return typeof value === 'string' && value.trim() !== '' ? value : undefined;
  };
  const record = (key: string): Record<string, string> | undefined => {
    const value = clean[key];
    if (value === undefined || value === null) return {};
    if (!isObject(value)) return report(say('at_key', key, say('must_be', say('an_object'), typeName(value))));
    const out: Record<string, string> = {};
    for (const [name, item] of Object.entries(value)) {
      if (item === null) continue;
      if (typeof item !== 'string' && typeof item !== 'number' && typeof item !== 'boolean')
        return report(say('at_key', `${key}/${name}`, say('must_be', 'string', typeName(item))));
      out[name] = String(item);
    }
    return out;
  };
  if (type === 'stdio' || type === 'local') {
    const command = text('command');
    if (command === undefined) return report(say('at_key', 'command', say('no_empty_string')));
    const args = clean['args'] ?? [];
    if (!Array.isArray(args) || !args.every((one): one is string => typeof one === 'string'))
      return report(say('at_key', 'args', say('strings_only')));
    const env = record('env');
    if (!env) return undefined;
    const cwd = text('cwd');
    return { type: 'stdio', command, args, env, ...(cwd === undefined ? {} : { cwd }) };
  }
  if (type === 'http' || type === 'streamable-http' || type === 'streamableHttp') {
    const url = text('url');
    if (url === undefined || !/^https?:\/\//i.test(url) || !URL.canParse(url))
      return report(say('at_key', 'url', say('server_url_scheme')));
    const { username, password } = new URL(url);
    if (username !== '' || password !== '') return report(say('at_key', 'url', say('url_with_user')));
    const headers = record('headers');
    // A token that the user wrote is the user's choice: then nobody is asked to sign in.
    const hasToken =
      headers !== undefined && Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
    const oauth = clean['oauth'] === undefined ? (hasToken ? false : {}) : parseOAuth(clean['oauth'], report);
    return headers && oauth !== undefined ? { type: 'http', url, headers, oauth } : undefined;
  }
  return report(type === 'sse' ? say('transport_sse') : say('transport_type', JSON.stringify(type)));
}

function parseOAuth(value: unknown, report: Report): OAuthSpec | false | undefined {
  if (value === false) return false;
  if (!isObject(value)) return report(say('at_key', 'oauth', say('must_be', say('object_or_false'), typeName(value))));
  const out: Record<string, string> = {};
  for (const [key, text] of Object.entries(value)) {
    if (!oauthKeys.has(key))
      report(say('at_key', `oauth/${key}`, say('unknown_key', proposal(key, oauthKeys))), 'warning');
    else if (typeof text !== 'string' || text.trim() === '')
      return report(say('at_key', `oauth/${key}`, say('no_empty_string')));
    else out[key] = text;
  }
  const document = out['clientMetadataUrl'];
  if (document !== undefined && !/^https:\/\/[^/]+\/./i.test(document))
    return report(say('at_key', 'oauth/clientMetadataUrl', say('metadata_url')));
  if (out['clientSecret'] !== undefined && !/^\$\{secret:[^}]+\}$/.test(out['clientSecret']))
    return report(say('at_key', 'oauth/clientSecret', say('client_secret')));
  return out;
}

const oauthKeys: ReadonlySet<string> = new Set(['clientId', 'clientSecret', 'clientMetadataUrl', 'scope']);
