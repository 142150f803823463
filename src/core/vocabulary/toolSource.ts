/**
 * Where a tool comes from. Shared code asks `sourceKey`, `sourceName` and what the kind of source declares
 * (`sourceKind`), never the type, so that a new source needs no new branches.
 */
export type ToolSource =
  | { readonly type: 'builtin' }
  | { readonly type: 'definition'; readonly file: string }
  | { readonly type: 'extension'; readonly extensionId: string }
  | { readonly type: 'mcp'; readonly server: string }
  | { readonly type: 'channel'; readonly channel: string }
  /** The tools of another agent, such as `claude`, which asks us by its hooks before it runs one. */
  | { readonly type: 'host'; readonly agent: string };

/** What a kind of source declares about everything that comes from it; what it does not declare does not hold. */
interface SourceKind {
  /** Its place in the order that decides who has a shared name; no foreign tool takes a name from a built-in one. */
  readonly rank: number;
  /** What the ids of its tools begin with. */
  readonly idPrefix: 'cap' | 'ext' | 'mcp' | 'chan' | 'host';
  /** True where we wrote it: what a tool declares about itself is true, and its id says all about it. */
  readonly isOurs?: true;
  /** True where the user brought it, unless its provenance or its entry says otherwise. */
  readonly isUsers?: true;
  /**
   * True where its tools are others' programs: they get the arguments, and what they say and answer is a stranger's.
   */
  readonly isOthers?: true;
  /** True where the manifest names its tools, so that the editor offers them without asking at run time. */
  readonly isInManifest?: true;
  /**
   * True where tools were named elsewhere: they keep their spelling, so that an id says what their source calls them.
   */
  readonly keepsNames?: true;
  /**
   * True where names for models keep hyphens, which every model takes; so `get-sum` stays readable without a digest.
   */
  readonly keepsHyphens?: true;
  /** True where its tools may stand for resources and prompts. */
  readonly offersContents?: true;
  /** True where a prompt may name values of the configuration as `${config.…}`; other prompts are literal. */
  readonly fillsPrompts?: true;
  /** True where what it offers is fetched from an address, and can be fetched again. */
  readonly isFetched?: true;
  /**
   * True where another program runs its tools and asks us before: no profile switches them, and nothing here runs them.
   */
  readonly runsElsewhere?: true;
  /** True where our own code runs its tools, so that their accesses say where data goes. */
  readonly isRunHere?: true;
  /** The setting in which the user judges its tools; undefined where they are judged by what they declare. */
  readonly judgedIn?: 'extensionTools' | 'mcp.servers';
  /** What a record says of a call of its tools; without it, they are functions. */
  readonly recordedAs?: { readonly tool: 'extension'; readonly method?: 'tools/call' };
}

/** In the order of their rank. */
const kinds: Readonly<Record<ToolSource['type'], SourceKind>> = {
  builtin: { rank: 0, idPrefix: 'cap', isOurs: true, isUsers: true, isInManifest: true, isRunHere: true },
  // Definitions of the user are capabilities like the built-in ones and share their prefix.
  definition: { rank: 1, idPrefix: 'cap', fillsPrompts: true, isRunHere: true },
  channel: { rank: 2, idPrefix: 'chan', isFetched: true, isOthers: true },
  mcp: {
    rank: 3,
    idPrefix: 'mcp',
    isOthers: true,
    isUsers: true,
    keepsNames: true,
    keepsHyphens: true,
    offersContents: true,
    judgedIn: 'mcp.servers',
    recordedAs: { tool: 'extension', method: 'tools/call' },
  },
  extension: {
    rank: 4,
    idPrefix: 'ext',
    isOthers: true,
    isUsers: true,
    keepsNames: true,
    judgedIn: 'extensionTools',
    recordedAs: { tool: 'extension' },
  },
  host: { rank: 5, idPrefix: 'host', isUsers: true, keepsNames: true, keepsHyphens: true, runsElsewhere: true },
};

export const sourceKind = (source: ToolSource): SourceKind => kinds[source.type];

/** What the source itself is called; undefined where there are only the names of its capabilities. */
export function sourceName(source: ToolSource): string | undefined {
  switch (source.type) {
    case 'builtin':
    case 'definition':
      return undefined;
    case 'extension':
      return source.extensionId;
    case 'mcp':
      return source.server;
    case 'channel':
      return source.channel;
    case 'host':
      return source.agent;
  }
}

/** How a name or pattern begins that may mean a tool of others, which come and go. */
export const foreignName = /^(?:mcp|ext|chan|host)[:_*]|^\*/i;

/** A stable text for a source, used as a key for limits and groups: `mcp:filesystem`, `builtin`. */
export function sourceKey(source: ToolSource): string {
  switch (source.type) {
    case 'builtin':
      return 'builtin';
    case 'definition':
      return `definition:${source.file}`;
    default:
      return `${sourceKind(source).idPrefix}:${sourceName(source)}`;
  }
}

const kindsByWord: ReadonlyMap<string, SourceKind> = new Map(
  Object.entries(kinds).map(([type, kind]) => [kind.idPrefix === 'cap' ? type : kind.idPrefix, kind]),
);

/**
 * What the kind of source declares that a key names, for whoever has only the text of a record. Ids of foreign tools
 * begin as the keys of their sources; undefined for all other ids and texts.
 */
export const keyedKind = (key: string): SourceKind | undefined => kindsByWord.get(key.split(':', 1)[0] ?? '');
