import { forbiddenKeys } from '../base/json';
import { sourceKind, sourceName, type ToolSource } from './toolSource';

const longest = 48;

/**
 * The stable id of a tool: `cap:<capability>:<tool>`, `ext:<extension>:<tool>`, `mcp:<server>:<tool>`,
 * `chan:<channel>:<capability>`.
 */
export function toolId({ id, source }: { readonly id: string; readonly source: ToolSource }, name: string): string {
  return `${sourceKind(source).idPrefix}:${sourceName(source) ?? id}:${name}`;
}

/** The name within such an id, in a list that is empty for what is none. */
export const bareNames = (id: string): readonly string[] => /^[a-z]+:[^:]*:(.+)$/s.exec(id)?.slice(1) ?? [];

/** How capabilities and channels are named. */
export const isCapabilityId = (id: string): boolean =>
  /^[a-z][a-z0-9_]*(?:[.-][a-z0-9_]+)*$/i.test(id) && id.length <= 64 && !forbiddenKeys.has(id);

/** A short, stable digest of a text for names that had to be cut; not for security (FNV-1a, 32 bits, base 36). */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash ^= text.charCodeAt(index);
    hash = Math.imul(hash, 0x01000193);
  }
  return (hash >>> 0).toString(36).padStart(7, '0');
}

/** Small letters and digits alone; `sign` stands for all that is between them. */
export const plainName = (text: string, sign: '_' | '-'): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, sign)
    .replace(/^[_-]|[_-]$/g, '');

/** The names under which a model may see a tool. */
interface ModelNames {
  /** Readable; another tool may have it too. */
  readonly plain: string;
  /** The readable one where that is spelled as the tool is, else with a digest of the whole. */
  readonly own: string;
  /**
   * For this tool alone, with a digest of what it is and whose: where source and name are spelled together, others can
   * be spelled so too (`a` and `b_c`, `a_b` and `c`).
   */
  readonly unique: string;
}

/**
 * The names that a model may see: plain for built-in tools, `<source>_<tool>` for all others, at most 48 characters. A
 * name that had to be cut ends in a digest of the whole, so that two long names stay apart; one in which characters had
 * to be replaced has such a name for where another tool has the readable one, and so has every other tool.
 */
export function modelNames(
  { id, source }: { readonly id: string; readonly source: ToolSource },
  name: string,
): ModelNames {
  const { isOurs, keepsHyphens } = sourceKind(source);
  if (isOurs) return { plain: name, own: name, unique: name };
  // A definition is named by its capability, whose id is unique; where capability and tool share the name, by the word.
  const whole = `${sourceName(source) ?? (id === name ? source.type : id)}_${name}`;
  const safe = whole.replace(keepsHyphens ? /[^a-zA-Z0-9_-]/g : /[^a-zA-Z0-9_]/g, '_');
  const withDigest = (text: string): string => {
    const hash = shortHash(text);
    return `${safe.slice(0, longest - hash.length - 1)}_${hash}`;
  };
  const unique = withDigest(toolId({ id, source }, name));
  if (safe.length <= longest && safe === whole) return { plain: safe, own: safe, unique };
  const own = withDigest(`${source.type}:${whole}`);
  return { plain: safe.length <= longest ? safe : own, own, unique };
}

/** Splits `getHTTPResponse-v2` and `get_http_response` into lower-case words. */
export function wordsOf(text: string): readonly string[] {
  return text
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}
