import { wordSet } from '../base/wordSet';
import type { GateCall } from '../call/gateCall';
import { hostAgents } from '../hooks/hostEvent';
import { hostToolRow } from '../hooks/hostToolTable';
import { wordsOf } from '../vocabulary/names';
import { sourceKey, sourceKind, sourceName } from '../vocabulary/toolSource';

/** Who runs a tool that others wrote. */
interface Callee {
  /** As people and settings name it: `mcp:github`. */
  readonly name: string;
  /**
   * Names it so that no other can be meant: `mcp:github`, `claude>mcp:github`; undefined where its name may be split.
   */
  readonly origin?: string;
  /** For what was said to it before: its origin, or the one tool where it is not known whose that is. */
  readonly listener: string;
  /** True where the user confirmed that the tool only reads. */
  readonly onlyReads: boolean;
}

/**
 * The server, extension or channel that gets the arguments of a call; undefined for tools of ours, the user and agents.
 */
export function calleeOf({ tool }: Pick<GateCall, 'tool'>): Callee | undefined {
  const { source, definition } = tool;
  const { isOthers, runsElsewhere } = sourceKind(source);
  if (isOthers)
    return {
      name: sourceKey(source),
      origin: sourceKey(source),
      listener: sourceKey(source),
      onlyReads: definition.kind === 'data' && definition.origins?.kind !== 'inferred',
    };
  if (!runsElsewhere) return undefined;
  const agent = hostAgents.find((one) => one === sourceName(source));
  if (!agent || hostToolRow(agent, definition.name)) return undefined;
  const name = `mcp:${serverIn(definition.name)}`;
  const common = { name, onlyReads: false };
  if (!isPlain(definition.name)) return { ...common, listener: `${agent}>${definition.name}` };
  const origin = `${agent}>${name}`;
  return { ...common, origin, listener: origin };
}

/** True for tools of which it is known what their arguments do: ours, and those that each agent brings. */
export function isKnownTool({ tool: { source, definition } }: Pick<GateCall, 'tool'>): boolean {
  const { isOurs, runsElsewhere } = sourceKind(source);
  if (isOurs || !runsElsewhere) return isOurs === true;
  const agent = hostAgents.find((one) => one === sourceName(source));
  return agent !== undefined && hostToolRow(agent, definition.name) !== undefined;
}

/** True for `mcp__server__tool` that can be split in one place alone. */
function isPlain(tool: string): boolean {
  const parts = tool.split('__');
  const [first, ...names] = parts;
  return first === 'mcp' && names.length === 2 && names.every((one) => /^[^_-](?:.*[^_])?$/.test(one));
}

/** The server in `mcp__github__get_issue`, `mcp_github_get_issue`, `github-get_issue` and `github/get_issue`. */
function serverIn(tool: string): string {
  const plain = tool.replace(/^mcp_+/, '');
  if (isPlain(tool)) return plain.slice(0, plain.indexOf('__'));
  return /^(.+?)(?:__|[-/_.])/.exec(plain)?.[1] ?? plain;
}

const personal = wordSet(
  'mail mails email emails gmail outlook inbox imap message messages chat chats slack discord teams dm sms whatsapp telegram calendar event events contact contacts customer customers client clients crm salesforce hubspot invoice invoices bank banking balance transaction transactions payment payments account accounts iban salary payroll patient patients health medical drive dropbox onedrive notion confluence document documents vault secret secrets password passwords credential credentials token tokens key keys keychain profile personal private user users employee employees hr ticket tickets',
);

/** True for a tool whose name or whose server's name says that it holds what belongs to the user or to customers. */
export function isPersonal(tool: string, callee: string): boolean {
  return [...wordsOf(tool), ...wordsOf(callee)].some((word) => personal.has(word));
}
