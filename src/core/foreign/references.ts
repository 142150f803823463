import type { McpTransportSpec } from './transportSpec';

/** What stands in `${…}` in a text of a server's entry. */
interface Reference {
  /** `secret` and `env` name something that only the person knows; `unknown` is filled in by nobody. */
  readonly type: 'secret' | 'env' | 'workspaceFolder' | 'userHome' | 'unknown';
  /** The secret's or the variable's name. */
  readonly name: string;
  /** As it is written. */
  readonly whole: string;
  readonly at: number;
}

/**
 * Every `${…}` of a text, in order: the only reader of them, for what is shown, what is refused and what is filled in.
 */
export function referencesOf(text: string): readonly Reference[] {
  if (!text.includes('${')) return [];
  return [...text.matchAll(/\$\{(?:(secret|env):([^}]*)|(workspaceFolder|userHome)|[^}]*)\}/g)].map((match) => {
    const [whole, named, name = '', plain] = match;
    const at = match.index;
    if (named === 'secret' || named === 'env') return { type: named, name, whole, at };
    if (plain === 'workspaceFolder' || plain === 'userHome') return { type: plain, name: '', whole, at };
    return { type: 'unknown', name: '', whole, at };
  });
}

/** True where a text holds something that is never shown, hashed or logged. */
export function holdsSecret(text: string): boolean {
  return referencesOf(text).some(({ type }) => type === 'secret' || type === 'env');
}

/** Every text of an entry in which something is filled in, or that reaches a program or a server. */
export function transportTexts(transport: McpTransportSpec): readonly string[] {
  if (transport.type === 'stdio')
    return [transport.command, ...transport.args, transport.cwd ?? '', ...Object.values(transport.env)];
  return [
    transport.url,
    ...Object.values(transport.headers),
    ...(transport.oauth ? Object.values<string>({ ...transport.oauth }) : []),
  ];
}

/** The names of the secrets that an entry asks for. */
export function secretNames(transport: McpTransportSpec): readonly string[] {
  const named = transportTexts(transport).flatMap((text) => referencesOf(text).filter(({ type }) => type === 'secret'));
  return [...new Set(named.map(({ name }) => name))];
}
