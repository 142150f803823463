import { wordSet } from '../base/wordSet';
import { partsIn } from '../base/json';
import type { GateCall } from '../call/gateCall';
import { plainWayOut } from '../policy/rules/wayOut';
import { wordsOf } from '../vocabulary/names';

const reading = wordSet(
  'get list read search find lookup look query show count describe view open load inspect check explain summarize',
);
/** Verbs by which a service hands on what it is given, wherever they stand in a name. */
const telling = wordSet(
  'send post publish share invite reply respond answer forward tweet toot dm broadcast announce upload push fork submit transfer notify pay export sync deploy release subscribe register call dial print fetch download browse crawl navigate request resolve ping',
);
/** Words that say so too, but for names that begin by reading: `read_mail`. */
const tellingThings = wordSet('mail email message comment webhook sms fax');
const keeping = wordSet(
  'write create add update save store set put insert append remember note record log edit patch replace import copy modify new make',
);
/** What others see as soon as it is there. */
const shown = wordSet(
  'issue issues pull pulls pr prs gist gists discussion discussions review event events meeting invitation permission permissions collaborator collaborators member members repository repositories repo repos wiki site sites page pages blog article channel thread web internet domain dns',
);
/** Where a server that is asked looks for what it does not have. */
const outer = wordSet('web internet google bing domain dns whois');
/** Arguments that name somebody whom a service reaches. */
const receiver = wordSet(
  'to cc bcc recipient recipients receiver participants attendees guests invitees assignee assignees user users username email emails mail address addresses phone channel channels room chat group team owner repo repository org organization visibility public audience',
);
/** Arguments that name an address which a service asks. */
const address = wordSet(
  'url urls uri uris link links href domain host hostname site website webhook callback endpoint proxy server ip dns src',
);

/**
 * True where a server would hand on to others what it is given, as far as its tool's name, its effects and its
 * arguments tell. Only its own data comes here, so a server that lies about it gains nothing: it has that data.
 * @param words the values that are new to the server.
 * @param onlyReads whether the user confirmed that the tool only reads.
 */
export function tellsOthers(
  { tool, input, accesses }: GateCall,
  words: readonly string[],
  onlyReads: boolean,
): boolean {
  const keys = [...partsIn(input)].flatMap(([, name]) => (name === undefined ? [] : wordsOf(name)));
  if (keys.some((one) => address.has(one)) || words.some(holdsAddress)) return true;
  const name = wordsOf(tool.definition.name);
  if (asksOnly(name, onlyReads)) return name.some((one) => outer.has(one));
  if (tells(name)) return true;
  // Where the call says itself whom it reaches, that is judged as what it is.
  const isNamed = (effect: string): boolean => accesses.some((one) => one.effect === effect && one.resource !== '');
  const leaves = (effect: string): boolean => plainWayOut({ effect, resource: '' }) !== undefined && !isNamed(effect);
  if (tool.definition.sideEffects.some(leaves)) return true;
  if (name.some((one) => shown.has(one)) || keys.some((one) => receiver.has(one))) return true;
  return words.some((word) => /[^\s@]@[^\s@]+\.[^\s@]/.test(word));
}

/** True where a tool only asks its server, as the user confirmed or as its name says. */
function asksOnly(name: readonly string[], onlyReads: boolean): boolean {
  return onlyReads || (name.some((one) => reading.has(one)) && !tells(name));
}

function tells(name: readonly string[]): boolean {
  if (name.some((one) => telling.has(one))) return true;
  return !reading.has(name[0] ?? '') && name.some((one) => tellingThings.has(one));
}

/** True where a tool's name says that its server keeps what it is given. */
export function keeps({ tool }: Pick<GateCall, 'tool'>): boolean {
  const name = wordsOf(tool.definition.name);
  return name.some((one) => keeping.has(one)) || tells(name);
}

/** An address in a text, or something of which a picture or a link is made of. */
const holdsAddress = (word: string): boolean => /[a-z][a-z\d+.-]*:\/\/|(?:^|[\s("'=<])\/\/[^/\s]/i.test(word);
