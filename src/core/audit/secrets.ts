import { grantOf } from './grantAnswer';
import type { Finding, SecretFinder } from '../secrets/finding';

/** What stands for a hidden secret already: names of a kind, too short for a value of their own, and drawn digits. */
const placeholder = /\{\{secret:[a-z0-9]{1,16}(?:-[a-z0-9]{1,16}){0,4}:[0-9a-f]{4,8}\}\}/y;

/**
 * Names of keys, headers and variables whose values are secrets, whatever they look like.
 * Tested against the name without its separators, so that `x-api-key`, `X_API_KEY` and `xApiKey` are one.
 */
const secretName =
  /passw(?:or)?d|passphrase|passwd|pwd$|^pass$|secret|token|apikey|accesskey|accountkey|sharedkey|sharedaccess|privatekey|signingkey|encryptionkey|masterkey|servicekey|licensekey|authorization|^auth$|authkey|authhash|basicauth|credential|cookie|session(?:id|key)|^sid$|signature|^sig$|bearer|connectionstring|^dsn$|webhook|otp$|pincode|^pin$|mnemonic|seedphrase|keypass|storepass/;
/** Names that hold a word from above and still hold nothing secret. */
const harmlessName =
  /^no|^preset|^(?:max|min|num|total|input|output|prompt|completion|count|cached|budget|estimated)?tokens?(?:count|limit|type|used|s)?$|^tokenizer$|passed$|passthrough/;
const numberLike = /^[-+]?\d{1,9}(?:\.\d+)?$/;

/** Tells whether what stands under this name is to be hidden whatever it looks like. */
export function isSecretName(name: string): boolean {
  const bare = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return secretName.test(bare) && (!harmlessName.test(bare) || bare === 'token');
}

/**
 * A token that its own prefix or form gives away: the first group of an expression, or all of it where it has none.
 * Wider on purpose than the rules of `core/secrets`, which models read by: a record loses nothing by what is hidden too
 * much, and a token in a new form is hidden before those rules know it. Every quantifier is bounded or over one class,
 * so each takes linear time.
 */
const patterns: readonly (readonly [rule: string, pattern: RegExp])[] = [
  [
    'private key',
    /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  ],
  ['private key', /PuTTY-User-Key-File-\d:[\s\S]*?(?:Private-MAC: ?[0-9a-f]+|$)/g],
  ['private key', /AGE-SECRET-KEY-1[0-9A-Z]{20,}/gi],
  ['json web token', /\bey[JI][A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*){0,3}/g],
  ['url credentials', /(?<=:\/\/)[^\s/?#@"'<>]{0,512}(?=@)/g],
  ['url credentials', /(?<=:\/\/)[^\s@"'<>:/]{1,256}:[^\s@"'<>]{1,256}(?=@[\w.-]+)/g],
  ['aws key', /(?<![A-Za-z0-9])(?:A3T[A-Z0-9]|AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA|ABIA|ACCA)[A-Z0-9]{12,}/g],
  ['aws key', /(?:aws|amazon)[\w .-]{0,30}["'`]?\s{0,5}(?:=>|[:=])\s{0,5}["'`]?([A-Za-z0-9/+=]{40,})/gi],
  [
    'aws account',
    /(?:aws|amazon)[\w .-]{0,10}account[\w .-]{0,10}["'`]?\s{0,5}(?:=>|[:=])\s{0,5}["'`]?(\d{4}-?\d{4}-?\d{4})/gi,
  ],
  ['github token', /(?:gh[a-z]_[A-Za-z0-9_-]{20,}(?:\.[A-Za-z0-9_-]+)*|github_pat_\w{20,})/g],
  ['gitlab token', /\b(?:gl[a-z]{1,6}|GR1348941)-?[A-Za-z0-9_-]{20,}(?:\.[A-Za-z0-9_.-]+)?/g],
  ['npm token', /npm_[A-Za-z0-9]{20,}/g],
  ['slack token', /xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{8,}|\bxapp-\d-[A-Za-z0-9-]{8,}|\bxwfp-[A-Za-z0-9-]{8,}/g],
  ['webhook', /(?<=hooks\.slack(?:-gov)?\.com\/)(?:services|workflows|triggers)\/[\w/-]{8,}/g],
  ['webhook', /(?<=discord(?:app)?\.com\/api\/webhooks\/)[\w/-]{8,}/g],
  ['stripe key', /(?:sk|rk|pk)_(?:live|test|prod)_[A-Za-z0-9]{8,}|\bwhsec_[A-Za-z0-9+/=]{16,}/g],
  ['sendgrid key', /SG\.[\w-]{8,}\.[\w-]{8,}/g],
  [
    'model key',
    /\b(?:sk-[A-Za-z0-9_-]{16,}|gsk_[A-Za-z0-9]{16,}|hf_[A-Za-z0-9]{16,}|api_org_[A-Za-z]{20,}|xai-[A-Za-z0-9]{20,}|pplx-[A-Za-z0-9]{20,}|r8_[A-Za-z0-9]{20,}|fw_[A-Za-z0-9]{20,})/g,
  ],
  [
    'service token',
    /\b(?:ntn_|secret_|fig[a-z]_|glc_|glu_|shp[a-z]{2}_|dp\.[a-z]{2,6}\.|do[a-z]_v1_|pscale_\w{2,8}_|sb[a-z]_|sntry[a-z]_|NRAK-|NRII-|PMAK-|ATBB|sq0[a-z]{3}-|EAAA|shippo_|dop_|pul-|rnd_|fo1_|FlyV1 |vault:v\d:|cio_|adafruit_|duffel_|EZ[AT]K|live_|test_|rpa_|nvapi-|apify_api_|tvly-|re_|phc_|phx_|dt0c01\.|frpc_|gho_|lsv2_|sgp_|cfat_|cfut_|cfk_)[A-Za-z0-9_./+=-]{16,}/g,
  ],
  [
    'service token',
    /(?:tskey-|glsa_|dckr_pat_|dckr_oat_|lin_api_|lin_oauth_|ATATT|sntrys_|rubygems_|pypi-)[A-Za-z0-9_./+=-]{16,}/g,
  ],
  ['vercel token', /\bvc[a-z]_[A-Za-z0-9_-]{16,}/g],
  ['databricks token', /dapi[0-9a-f]{30,}(?:-\d+)?/gi],
  ['vault token', /\b(?:hv[a-z]\.[\w-]{16,}|[sbr]\.[A-Za-z0-9]{24,})/g],
  ['1password token', /\bops_ey[\w+/=-]{16,}|\bA3-[A-Z0-9]{6}-(?:[A-Z0-9]{5,11}-?){3,6}/g],
  ['google key', /AIza[\w-]{30,}|\bya29\.[\w-]{10,}|\bGOCSPX-[\w-]{16,}|\b1\/\/0[\w-]{20,}/g],
  ['private key', /0x[0-9a-f]{64}(?![0-9a-f])/gi],
  ['telegram token', /\b\d{8,10}:AA[\w-]{30,}/g],
  ['azure secret', /(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{30,}/g],
  ['mail service key', /\bkey-[0-9a-f]{32}\b|\b[0-9a-f]{32}-us\d{1,2}\b/g],
  ['twilio key', /\bSK[0-9a-f]{32}\b/g],
  ['cloudflare key', /\bv1\.0-[0-9a-f]{16,}-[0-9a-f]{64,}/g],
  [
    'authorization',
    /\b(?:bearer|basic|digest|token|apikey|negotiate)\s+(?:[a-z]{2,12}=)?["']?([A-Za-z0-9._~+/=-]{12,})/gi,
  ],
  [
    'header',
    /\b(?:authorization|proxy-authorization|cookie|set-cookie|x-[a-z-]{0,30}(?:key|token|secret|auth))["'`]?\s{0,5}(?:=>|[:=,])\s{0,5}["'`]?([^\r\n"'`]{1,4096})/gi,
  ],
  ['basic credentials', /(?:^|\s)(?:-u|--user|--proxy-user)[ =]["']?([^\s"':]{1,128}:[^\s"']{1,256})/g],
  [
    'password option',
    /\b(?:(?:mysql|mariadb)[\w.-]{0,20}\s(?:[^|;&\r\n]{0,300}?\s)?-p|sshpass\s{1,5}-p\s{0,5})["']?([^\s"']{1,256})/g,
  ],
];

/** The ids of calls, which every record has, and of the grants that let them through. */
const callId = /^(?:grant-)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Tells ids, which are new in every record, from texts that may hold a secret. */
export const isCallId = (text: string): boolean =>
  text.length >= 36 && text.length <= 48 && callId.test(grantOf(text) ?? text);
/** Encoded or raw bytes may hold a key store, tell a reader nothing, and fill the log. */
const encoded = /[A-Za-z0-9+/_-]{240,}={0,2}/g;
const binary = /[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\ufffd]/g;

/**
 * `name = value`, `"name": "value"`, `?name=value`, `--name value`, `<name>value</name>`: hidden where the name is a
 * secret's.
 */
const assigned =
  /([A-Za-z_][\w.$-]{0,80})(?:\\{0,3}["'`\]]){0,2}\s{0,5}(?:=>|:=|==|[:=>])\s{0,5}(?:\\{0,3}"((?:[^"\\\r\n]|\\.){1,4096})"|'((?:[^'\\\r\n]|\\.){1,4096})'|`([^`]{1,4096})`|\\{1,3}"([^"\\]{1,4096})|(?:(?:bearer|basic|token)\s{1,5})?([^\s"'`,;&<>(){}[\]|]{1,4096}))/gi;
/** The end of a name that a sign follows. To read a name from every letter on would take ten times as long. */
const nameEnd = /(?=(?:\\{0,3}["'`\]]){0,2}\s{0,5}[:=>])(?<=([A-Za-z_][\w.$-]{0,80}))/g;

/** The first assignment whose name begins at `from` or later; `assigned.lastIndex` is behind it. */
function assignmentFrom(text: string, from: number): RegExpExecArray | null {
  nameEnd.lastIndex = from;
  const end = nameEnd.exec(text);
  if (!end) return end;
  assigned.lastIndex = Math.max(from, end.index - (end[1]?.length ?? 0));
  return assigned.exec(text);
}

const flag = /--?([A-Za-z][\w-]{0,60})\s{1,5}["']?([^\s"'-][^\s"']{0,1023})/g;

/**
 * Most texts of a log are paths and plain words. One cheap test lets them through, so that a record costs no thirty
 * searches.
 */
const worthALook =
  /[A-Za-z0-9+_=~-]{16,}|hooks|:\/\/[^\s/]{1,300}@|pass|pwd|pin|otp|sid|secret|token|key|auth|cookie|bearer|basic|credential|signature|sig|webhook|dsn|mnemonic|seed|connection|aws|amazon|mysql|mariadb|-u /i;

/**
 * Finds the classes of secrets that are known by their form, by the name they stand under, or by their place in a URL
 * or header.
 */
export const findSecrets: SecretFinder = (text) => {
  if (text.length < 6 || isCallId(text)) return [];
  const strange = text.match(binary);
  if (strange && strange.length > 3 && strange.length * 50 > text.length)
    return [{ start: 0, end: text.length, rule: 'binary data' }];
  if (!worthALook.test(text)) return [];
  const found: Finding[] = [];
  for (const match of text.matchAll(encoded))
    found.push({ start: match.index, end: match.index + match[0].length, rule: 'encoded data' });
  for (const [rule, pattern] of patterns)
    for (const { 0: whole, 1: secret = whole, index } of text.matchAll(pattern)) {
      if (secret === '') continue;
      const start = index + whole.lastIndexOf(secret);
      found.push({ start, end: start + secret.length, rule });
    }
  addAssigned(text, found);
  addFlags(text, found);
  return found;
};

function addAssigned(text: string, found: Finding[]): void {
  for (let match = assignmentFrom(text, 0); match; match = assignmentFrom(text, assigned.lastIndex)) {
    const [whole, name = ''] = match;
    const secret = match[2] ?? match[3] ?? match[4] ?? match[5] ?? match[6] ?? '';
    const start = match.index + whole.lastIndexOf(secret);
    placeholder.lastIndex = match.index - 2;
    if (match.index > 1 && placeholder.test(text)) assigned.lastIndex = placeholder.lastIndex;
    else if (isSecretName(name) && !numberLike.test(secret))
      found.push({ start, end: start + secret.length, rule: 'secret name' });
    // The value may be a name itself: `error: password=x`.
    else assigned.lastIndex = match.index + name.length + 1;
  }
}

function addFlags(text: string, found: Finding[]): void {
  for (const match of text.matchAll(flag)) {
    const [whole, name = '', secret = ''] = match;
    if (!isSecretName(name) || numberLike.test(secret)) continue;
    const start = match.index + whole.lastIndexOf(secret);
    found.push({ start, end: start + secret.length, rule: 'secret name' });
  }
}
