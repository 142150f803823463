import type { ToolSource } from './toolDefinition';

const longest = 48;

/**
 * The stable id of a tool: `cap:<capability>:<tool>`, `ext:<extension>:<tool>`, `mcp:<server>:<tool>`,
 * `chan:<channel>:<capability>`. Definitions of the user are capabilities like the built-in ones and share the prefix
 * `cap`.
 */
export function toolId(capability: { readonly id: string; readonly source: ToolSource }, name: string): string {
  const { source } = capability;
  switch (source.type) {
    case 'builtin':
    case 'definition':
      return `cap:${capability.id}:${name}`;
    case 'extension':
      return `ext:${source.extensionId}:${name}`;
    case 'mcp':
      return `mcp:${source.server}:${name}`;
    case 'channel':
      return `chan:${source.channel}:${name}`;
  }
}

/** A short, stable digest of a text for names that had to be cut; not for security (FNV-1a, 32 bits, base 36). */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash ^= text.charCodeAt(index);
    hash = Math.imul(hash, 0x01000193);
  }
  return (hash >>> 0).toString(36).padStart(7, '0');
}

/**
 * The name that a model sees: plain for built-in tools, `<source>_<tool>` for all others, at most 48 characters,
 * whatever else is installed. A name that had to be changed or cut ends in a digest of the whole, so that two long
 * names stay apart.
 */
export function modelName(capability: { readonly id: string; readonly source: ToolSource }, name: string): string {
  if (capability.source.type === 'builtin') return name;
  const whole = `${sourceName(capability, capability.source, name)}_${name}`;
  // Servers' tools keep their hyphens, which every model takes; so `get-sum` stays readable without a digest.
  const safe = whole.replace(capability.source.type === 'mcp' ? /[^a-zA-Z0-9_-]/g : /[^a-zA-Z0-9_]/g, '_');
  if (safe.length <= longest && safe === whole) return safe;
  const hash = shortHash(`${capability.source.type}:${whole}`);
  return `${safe.slice(0, longest - hash.length - 1)}_${hash}`;
}

/**
 * A definition's source is named by its capability, whose id is unique; where capability and tool share the name, by
 * the word itself.
 */
function sourceName(
  capability: { readonly id: string },
  source: Exclude<ToolSource, { type: 'builtin' }>,
  name: string,
): string {
  switch (source.type) {
    case 'definition':
      return capability.id === name ? 'definition' : capability.id;
    case 'extension':
      return source.extensionId;
    case 'mcp':
      return source.server;
    case 'channel':
      return source.channel;
  }
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
