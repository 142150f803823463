import { wordSet } from '../base/wordSet';
import { byName, type OptionRoles, type Role } from './programRow';
import { rolesOf } from './arguments';

/** What a command of PowerShell does with its arguments. */
export interface Cmdlet {
  /** The parameters of arguments without a name, in their order; the last one takes all that follow. */
  readonly positions: string;
  /** Parameters that take a value, by what it is for. */
  readonly options: OptionRoles;
  readonly switches?: string;
}

const paths = 'path literalpath pspath lp';
const picks = 'filter include exclude credential';
const row = (positions: string, options: OptionRoles, switches = ''): Cmdlet => ({ positions, options, switches });

/** Commands that touch files or the network, with their shorter names and those of cmd.exe. */
export const cmdlets = byName<Cmdlet>({
  'get-content gc cat type': row(
    'path',
    { read: paths, text: `${picks} readcount totalcount first head tail last delimiter encoding stream` },
    'force wait raw asbytestream',
  ),
  'get-childitem gci ls dir': row(
    'path',
    { read: paths, text: `${picks} depth attributes` },
    'recurse s force name directory ad d file af hidden ah h readonly ar system as followsymlink la al',
  ),
  'get-item gi test-path resolve-path rvpa convert-path cvpa get-filehash format-hex fhx get-acl import-csv ipcsv': row(
    'path',
    {
      read: paths,
      text: `${picks} stream algorithm encoding count offset delimiter header pathtype newerthan olderthan`,
    },
    'force isvalid relative useculture audit raw',
  ),
  'select-string sls': row(
    'pattern path',
    { read: paths, text: `${picks} pattern inputobject context encoding culture` },
    'simplematch allmatches casesensitive quiet list notmatch raw noemphasis',
  ),
  'set-content sc add-content ac': row(
    'path value',
    { write: paths, text: `${picks} value encoding stream` },
    'force passthru nonewline asbytestream',
  ),
  'set-item si': row('path value', { write: paths, text: `${picks} value` }, 'force passthru'),
  'clear-content clc': row('path', { write: paths, text: `${picks} stream` }, 'force'),
  'out-file': row(
    'filepath encoding',
    { write: `filepath ${paths}`, text: 'encoding width inputobject' },
    'append force noclobber nooverwrite nonewline',
  ),
  'tee-object tee': row('filepath', { write: `filepath ${paths}`, text: 'variable inputobject encoding' }, 'append'),
  'export-csv epcsv': row(
    'path delimiter',
    { write: paths, text: 'delimiter encoding inputobject quotefields usequotes' },
    'append force noclobber nooverwrite notypeinformation nti includetypeinformation iti useculture noheader',
  ),
  'new-item ni mkdir md': row('path', { write: 'path', text: 'name itemtype type value target credential' }, 'force'),
  'remove-item ri rm del erase rd rmdir': row(
    'path',
    { delete: paths, text: `${picks} stream` },
    'recurse r force f rf fr',
  ),
  'copy-item cpi cp copy': row(
    'path destination',
    { read: paths, write: 'destination', text: picks },
    'recurse container force passthru',
  ),
  'move-item mi mv move': row('path destination', { move: paths, write: 'destination', text: picks }, 'force passthru'),
  'rename-item rni ren': row('path newname', { move: paths, text: 'newname credential' }, 'force passthru'),
  'set-location sl cd chdir push-location pushd': row('path', { text: `${paths} stackname` }, 'passthru'),
  'pop-location popd': row('stackname', { text: 'stackname' }, 'passthru'),
  'invoke-webrequest iwr invoke-restmethod irm curl wget': row(
    'uri',
    {
      url: 'uri proxy',
      write: 'outfile',
      read: 'infile',
      text: 'method custommethod body headers contenttype useragent timeoutsec connectiontimeoutseconds operationtimeoutseconds maximumredirection maximumretrycount retryintervalsec sessionvariable sv websession credential authentication token transferencoding httpversion sslprotocol responseheadersvariable rhv statuscodevariable maximumfollowrellink',
    },
    'usebasicparsing usedefaultcredentials disablekeepalive passthru skipcertificatecheck skipheadervalidation skiphttperrorcheck resume allowunencryptedauthentication noproxy followrellink preserveauthorizationonredirect preservehttpmethodonredirect',
  ),
  'start-bitstransfer': row(
    'source destination',
    {
      copy: 'source destination',
      text: 'displayname description priority retryinterval retrytimeout transfertype transferpolicy securityflags',
    },
    'asynchronous suspended dynamic usestoredcredential',
  ),
});

/** Commands that run what they are given, or change what a name means. */
export const isCode = wordSet(
  'invoke-expression iex start-process saps start invoke-command icm start-job sajb add-type invoke-item ii set-alias sal new-alias nal new-object import-module ipmo if elseif else foreach for while do until switch function filter try catch finally trap data param begin process end dynamicparam class enum using workflow parallel sequence inlinescript configuration return exit throw break continue in',
);

/** Commands that hand on what they get, or print their arguments. */
export const isInert = wordSet(
  'write-host write-error write-warning write-verbose write-debug get-date get-location gl pwd get-process gps ps select-object select where-object where ? measure-object measure sort-object sort format-table ft format-list fl format-wide fw out-null out-string out-host oh out-default convertto-json convertfrom-json convertto-csv convertfrom-csv get-command gcm get-help help start-sleep sleep get-member gm group-object group get-history get-variable gv get-alias gal clear-host cls clear join-path split-path',
);

/** Commands whose arguments are their output. */
export const isOutput: ReadonlySet<string> = new Set(['write-output', 'echo', 'write']);

/** Parameters that every command takes. */
const common: OptionRoles = {
  text: 'erroraction ea warningaction wa informationaction infa errorvariable ev warningvariable wv informationvariable iv outvariable ov outbuffer ob pipelinevariable pv progressaction proga',
};
const commonSwitches = 'verbose vb debug db whatif wi confirm cf usetransaction';

/** What a parameter is for, with its full names where they can be several of one kind. */
interface Parameter {
  readonly names: readonly string[];
  readonly role: Role | 'switch';
}

/** The parameter that a name means, or the beginning of one; undefined where it is none or may be several. */
export function parameterOf(cmdlet: Cmdlet, written: string): Parameter | undefined {
  const name = written.toLowerCase();
  const own = fitting(cmdlet.options, cmdlet.switches ?? '', name);
  const found = own.length > 0 ? own : fitting(common, commonSwitches, name);
  const [first] = found;
  if (!first || found.some(([, role]) => role !== first[1])) return undefined;
  return { names: found.map(([one]) => one), role: first[1] };
}

function fitting(
  options: OptionRoles,
  switches: string,
  name: string,
): readonly (readonly [string, Role | 'switch'])[] {
  const all = [...rolesOf(options), ...switches.split(' ').map((one) => [one, 'switch'] as const)];
  const exact = all.filter(([one]) => one === name);
  return exact.length > 0 ? exact : all.filter(([one]) => one.startsWith(name));
}

/** Names that are programs on other systems than Windows, with the letters of their options that take no value. */
const unixLetters = byName({
  cat: /^[AbeElnstTuv]+$/,
  cp: /^[abcdfHiLlnPpRrsTuvXxZ]+$/,
  ls: /^[@A-Za-z]+$/,
  mkdir: /^[pvZ]+$/,
  mv: /^[bcfhinTuvxZ]+$/,
  rm: /^[dfIiPRrvWx]+$/,
  rmdir: /^[pv]+$/,
  tee: /^[aip]+$/,
});

/** True where a parameter may be options of the program of that name, after which no value comes. */
export const isUnixOption = (name: string, written: string): boolean =>
  written.length <= 3 && unixLetters.get(name)?.test(written) === true;
