import { base64Text } from '../base/base64';
import type { Finding } from './finding';
import { membersInBraces, membersInLines, type Member } from './manifestMembers';
import { isExample, isPassword } from './shape';

/** A manifest is read so far from its kind, in characters: beyond the first of them to the next other kind. */
const near = 2000;
const far = 20_000;
/** Where more kinds than this stand so near, each manifest is short, and is read so far only. */
const mostKinds = 40;
const short = 300;

const kindBefore = /kind(?:\\{0,7}["'])?:\s{0,3}(?:\\{0,7}["'])?$/i;
const namedSecret = /(?:pass(?:word|phrase|wd)?|pwd|token|secret|key|credentials?|auth)$/i;
/** What signs in to a registry, as an object. */
const registries = /\.docker(?:cfg|configjson)$/;
/** So much of a value says what it is; a multiple of four, for base64. */
const toldBy = 4000;

/**
 * Finds the values of a Secret of Kubernetes, by the word that says its kind: under `data` in base64, those that nobody
 * would have written as an example, and those whose names say so. In YAML and JSON, and where these are a text in JSON.
 */
export function inManifest(text: string, at: number): readonly Finding[] {
  const end = at + 'Secret'.length;
  if (text.slice(at, end) !== 'Secret' || /[\w-]/.test(text.charAt(end))) return [];
  const before = text.slice(Math.max(0, at - 28), at);
  const lead = kindBefore.exec(before);
  if (!lead) return [];
  const key = at - before.length + lead.index;
  const least = Math.max(0, key - far);
  const most = Math.min(text.length, end + far);
  const kinds = text.slice(Math.max(0, key - near), end + near).split('kind').length - 1;
  const reach = kinds > mostKinds ? short : near;
  const other = text.slice(least, Math.max(least, key - reach)).lastIndexOf('kind');
  const next = text.slice(end + reach, most).indexOf('kind');
  const place = {
    text,
    start: other < 0 ? least : least + other,
    key,
    end,
    most: next < 0 ? most : end + reach + next,
  };
  const members = membersInBraces(place) ?? membersInLines(place);
  return members.flatMap((member) => (isSecret(member) ? member.parts : []).map(found));
}

const found = ({ start, end }: Member['parts'][number]): Finding => ({
  start,
  end,
  rule: 'kubernetes-secret',
  sure: true,
});

/** What is put in later, and the head of a text in lines. */
const isTemplate = (value: string): boolean => /^[${<%*|>&]/.test(value);

/** Certificates are none; what has no name that says so is one word. */
function isSecret({ name, value, isEncoded }: Member): boolean {
  if (value.length < 6 || isTemplate(value)) return false;
  const begin = value.slice(0, toldBy);
  const held = !isEncoded ? begin : isBase64.test(value) ? base64Text(begin) : '';
  const isRegistry = registries.test(name);
  if (held.length < 6 || (!isRegistry && isExample(held)) || held.startsWith('-----BEGIN CERTIFICATE')) return false;
  return isRegistry || namedSecret.test(name) || (/^[\x21-\x7e]+$/.test(held) && isPassword(held));
}

/** With its padding, as it has to be there. */
const isBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
