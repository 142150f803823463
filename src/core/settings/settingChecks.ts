import { isObject } from '../base/json';
import { Findings, got, gotJson, ObjectReader, pointerTo } from '../base/jsonReader';
import { pathPatternFault, patternDoubt } from '../base/pathGlob';
import type { Problem } from '../base/problem';
import { saidBy, say, type Sentence } from '../base/sentence';
import { soleHostFault } from '../hosts/address';
import { canonicalHost } from '../hosts/canonicalHost';
import { hostGlob } from '../hosts/hostGlob';
import { readHttpUrl } from '../hosts/httpUrl';
import { readConnection } from './databaseConnection';
import { redactionModes, redactedSources } from './entrySchemas';
import { type SettingKey, settingId } from './settingTable';

/** Tells of one entry, by its place and as a person wrote it; what is only a doubt leaves it in force. */
type Tell = (pointer: string, entry: string, fault: Sentence, isDoubt?: boolean) => void;

interface EntryCheck {
  /** What counts in place of an entry that is told of; left out where the fault says it. */
  readonly instead?: Sentence;
  readonly check: (value: unknown, tell: Tell, findings: Findings, pointer?: string) => void;
}

/** Looks at each entry of a list of texts. */
const eachText =
  (fault: (entry: string) => Sentence | undefined): EntryCheck['check'] =>
  (value, tell, _findings, pointer = '') => {
    (Array.isArray(value) ? value : []).forEach((entry: unknown, at) => {
      const found = typeof entry === 'string' ? fault(entry) : say('must_be', 'string', got(entry));
      if (found) tell(`${pointer}/${at}`, typeof entry === 'string' ? entry : JSON.stringify(entry), found);
    });
  };

/**
 * Whom somebody trusts with what agents read: a host as in a rule, a mail address or a server, each also with stars.
 */
function trustFault(entry: string): Sentence | undefined {
  if (/^mcp:/i.test(entry)) return /^mcp:\S/i.test(entry) ? undefined : say('trusted_server');
  if (entry.includes('@') && !entry.includes('://'))
    return /^[^\s@/:,;]+@[^\s@/:,;]+$/.test(entry) ? undefined : say('trusted_mail');
  try {
    hostGlob(entry);
    return undefined;
  } catch (error) {
    return saidBy(error);
  }
}

/** Whether a pattern over paths can be read, as a rule reads its own. */
function globFault(pattern: string): Sentence | undefined {
  const fault = pathPatternFault(pattern);
  return fault === undefined || fault.code === 'pattern_url' ? fault : say('cannot_be_used', fault);
}

const readableGlobs = eachText(globFault);
const globs: EntryCheck['check'] = (value, tell, findings) => {
  readableGlobs(value, tell, findings);
  (Array.isArray(value) ? value : []).forEach((entry: unknown, at) => {
    const doubt = typeof entry === 'string' && !globFault(entry) ? patternDoubt(entry) : undefined;
    if (doubt) tell(`/${at}`, String(entry), doubt, true);
  });
};

const secretHost = eachText((host) => soleHostFault(host.trim().replace(/^https?:\/\/|(?<!\/)\/+$/gi, '')));

/** Looks at the hosts of each kind of secret, where `http://` and `https://` may stand before a host. */
const secretHosts: EntryCheck['check'] = (value, tell, findings) => {
  for (const [kind, hosts] of Object.entries(isObject(value) ? value : {})) {
    const pointer = pointerTo('', kind);
    if (!Array.isArray(hosts)) tell(pointer, kind, say('hosts_of_kind', gotJson(hosts)));
    secretHost(hosts, tell, findings, pointer);
  }
};

const secretSources: EntryCheck['check'] = (value, _tell, findings) => {
  const reader = new ObjectReader(isObject(value) ? value : {}, '', findings, 'theirs');
  for (const source of redactedSources) reader.oneOf(source, redactionModes);
  reader.finish('error', findings.options.code);
};

const connections: EntryCheck['check'] = (value, _tell, findings) => {
  for (const [name, raw] of Object.entries(isObject(value) ? value : {})) readConnection(name, raw, findings);
};

/**
 * Settings whose entries are looked at one by one: a valid one beside a faulty one keeps its effect. What reads hosts
 * is loaded where there are some.
 */
const entryChecks: { readonly [Key in SettingKey]?: EntryCheck } = {
  'network.allowedPrivateHosts': { check: eachText((entry) => soleHostFault(entry)), instead: say('left_out') },
  'flow.trustedHosts': { check: eachText(trustFault), instead: say('left_out') },
  'flow.privatePaths': { check: globs, instead: say('all_private') },
  'flow.publicPaths': { check: globs, instead: say('all_public') },
  'redaction.hosts': { check: secretHosts, instead: say('left_out') },
  'redaction.sources': { check: secretSources, instead: say('value_is_used', JSON.stringify(redactionModes[0])) },
  'database.connections': { check: connections },
};

const urlFault = (value: string): Sentence | undefined => {
  const read = readHttpUrl(value);
  return 'fault' in read ? say('cannot_be_used', read.fault) : undefined;
};

const isServer = (host: string): boolean => !host.includes('*') && canonicalHost(host).type !== 'invalid';

/** Settings of one text that is no word of a list: empty stands for none. Who uses one refuses it as well. */
const textFaults: { readonly [Key in SettingKey]?: (value: string) => Sentence | undefined } = {
  'audit.otlpEndpoint': urlFault,
  'research.searchEndpoint': urlFault,
  'email.host': (value) => (isServer(value) ? undefined : say('mail_server', value)),
};

/** What cannot work in a value of the right type. It stays the value: what of it can be read counts. */
export function checkSetting(key: SettingKey, value: unknown): readonly Problem[] {
  const { check, instead } = entryChecks[key] ?? {};
  const said = (entry: string, fault: Sentence): Sentence =>
    say('setting_entry', entry, settingId(key), instead ? say('instead', fault, instead) : fault);
  const findings = new Findings({
    code: 'invalid_setting',
    subject: key,
    nullIsWrong: true,
    sentence: (pointer, _key, fault) => said(pointer.slice(1), fault),
  });
  const tell: Tell = (pointer, entry, fault, isDoubt) => {
    if (isDoubt) findings.warn(pointer, say('setting_entry', entry, settingId(key), fault));
    else findings.error(pointer, said(entry, fault));
  };
  check?.(value, tell, findings);
  const fault = typeof value === 'string' && value !== '' ? textFaults[key]?.(value) : undefined;
  if (fault) findings.error('', say('property', settingId(key), fault));
  return findings.problems;
}
