import {
  bundlesByName,
  channelsByName,
  connectionsByName,
  hostsByKind,
  secretForms,
  sourceModes,
} from './entrySchemas';
import {
  choice,
  flag,
  inLayers,
  object,
  objects,
  ofUser,
  ofWorkspace,
  type SettingDeclaration,
  text,
  texts,
  tightened,
  type ValueOf,
  whole,
  within,
} from './settingDeclaration';

/**
 * By key without the prefix `agentCapabilities.`, in the order of the settings editor: schema, default, description.
 */
const settingTable = {
  // What a person chooses about profiles and the agents made of them.
  activeProfile: ofWorkspace(
    text('default'),
    'The profile that is active when a window opens. Editing it switches at once.',
  ),
  profiles: inLayers(
    object,
    'Agent profiles by id: name, description, base prompt, mode, scopes and the ordered list of capabilities. A workspace may tighten what your own settings allow. Anything that widens it counts only once you accept it.',
  ),
  saveTo: ofUser(
    choice(['workspace', 'user'], 'workspace'),
    'Where the Capabilities view writes changes. If nothing is chosen, a profile that is only in your own settings is changed there. Without an open folder, changes always go to user settings.',
  ),
  'customAgent.location': ofUser(
    choice(['user', 'workspace', 'off'], 'user'),
    'Where the active profile is written as a custom agent: in your own agents (`~/.copilot/agents`), in the workspace (`.github/agents`), or nowhere. Anything that a workspace adds to a profile is kept out of your own agents: such an agent is in the workspace, hidden from git, until the workspace adds nothing any more.',
    { strictest: 'off' },
  ),
  'customAgent.notice': ofUser(
    flag(true),
    'Says which agent of the chat follows the profile: once at the beginning, and again when it becomes another one. With the first call of a chat, offers once a hook that makes plain Agent ask your rules too.',
  ),

  // What may be done: rules, approvals, confirmations and limits.
  'policy.preset': ofUser(
    choice(['strict', 'balanced', 'open'], 'balanced'),
    'The built-in boundaries: what is denied and what asks before you write a rule of your own.',
    { strictest: 'strict', bundleOrder: ['open', 'balanced', 'strict'] },
  ),
  'policy.boundaries': inLayers(
    objects,
    'Policy rules over what a call touches. A workspace can only add denials and confirmations.',
  ),
  'policy.adminApproval': ofUser(
    choice(['never', 'critical', 'high'], 'never'),
    'The risk from which an approval also needs the admin token.',
    { strictest: 'high', bundleOrder: ['never', 'critical', 'high'] },
  ),
  'policy.managedFile': ofUser(
    text(''),
    'A JSON file with settings that override all others. Meant for administrators.',
    { scope: 'machine' },
  ),
  'policy.bundles': inLayers(
    bundlesByName,
    'Signed bundles of policy by name: `{ "acme": { "from": "https://…/acme.bundle", "key": "ed25519:…" } }`. `from` is an address, a path, or a path within the workspace. A bundle only tightens; `"mayWiden": true` counts only in the managed file. Bundles named by a workspace do not count.',
  ),
  'policy.requireFrozenSpec': ofUser(
    choice(['never', 'critical', 'high'], 'never'),
    'The risk from which a call must be listed in a frozen plan.',
    { strictest: 'high', bundleOrder: ['never', 'critical', 'high'] },
  ),
  'confirmation.surface': ofUser(
    choice(['modal', 'chat', 'both'], 'modal'),
    'Where you are asked to confirm a call. No auto-approval of the editor can skip `modal`. `chat` uses the inline confirmation of the editor, which the editor can be told to skip; its button *Allow in this Session* lets every further call of the tool through, whatever its arguments. Tools of MCP servers and definitions always ask in a modal.',
  ),
  'approvals.reader': ofUser(
    text(''),
    'The id or family of a language model that may say yes in your place to some questions (see `docs/second-reader.md` in the repository). Empty means none.',
  ),
  'approvals.readerPerHour': ofUser(
    within(0, 1000, 20),
    'How many questions the second reader may answer within an hour.',
    { strictest: 0 },
  ),
  'confirmation.timeoutSeconds': ofUser(
    within(0, 86400, 300),
    'A call is denied after this many seconds without an answer. 0 waits forever.',
  ),
  limits: inLayers(
    object,
    'Calls per window, budgets per session and the repetition breaker. A workspace can only lower them.',
  ),

  // What is private, and where it may go.
  'flow.privatePaths': ofUser(
    texts,
    'Files, as globs, that are private in addition to those that usually hold secrets. Once an agent has read one of them and something that a stranger wrote, you are asked before it sends data out.',
    { strictest: ['**'] },
  ),
  'flow.publicPaths': ofUser(
    texts,
    'Folders, as globs, whose files others can see at once, in addition to the usual ones (`public`, `gh-pages`, `Dropbox` and the like).',
    { strictest: ['**'] },
  ),
  'flow.trustedHosts': ofUser(
    texts,
    'Hosts (`api.example.com`, `*.example.com`), mail addresses (`*@example.com`) and MCP servers (`mcp:github`) to which agents may send what they read, without a question about it.',
  ),

  // How pages and other hosts are reached.
  'network.allowedPrivateHosts': ofUser(
    texts,
    'Hosts with private or loopback addresses that outgoing calls may reach, such as `127.0.0.1` or `intranet.example:8080`.',
  ),
  'webFetch.firstByteTimeoutMs': ofUser(
    {
      schema: { type: 'array', items: { type: 'number', minimum: 50, maximum: 120000 }, minItems: 1, maxItems: 5 },
      default: [1000, 3000, 9000],
    },
    'How long each attempt waits for the first byte, in milliseconds.',
  ),
  'webFetch.bodyTimeoutMs': ofUser(
    within(100, 600000, 30000),
    'How long a body may take, in milliseconds. After that, the part that has arrived is returned.',
  ),
  'webFetch.maxBytes': ofUser(within(1024, 104857600, 10485760), 'At most this many bytes of a decoded body are read.'),
  'webFetch.maxLength': ofUser(
    within(500, 1000000, 7000),
    'How many characters of a page one call returns if the call does not say. The editor moves results of more than 8,192 bytes to a file.',
  ),
  'webFetch.respectRobots': ofUser(flag(true), 'Agents follow robots.txt.'),
  'webFetch.reviewResponse': ofUser(flag(false), 'Shows a fetched page to you before the model gets it.', {
    strictest: true,
  }),

  // In which files tools work, and how.
  'fileSystem.root': tightened('workspace', 'session')(
    choice(['workspace', 'session'], 'workspace'),
    'Where file tools work: in the workspace folders, or in an isolated file system of the profile.',
  ),
  'fileSystem.respectIgnoreFiles': tightened(false, true)(
    flag(true),
    'Searches and listings leave out what .gitignore and `files.exclude` name.',
  ),
  'fileSystem.deleteToTrash': tightened(false, true)(flag(true), 'Deleted files go to the trash.'),

  // What is kept of changes, so that they can be taken back.
  'changes.maxMegabytes': ofUser(
    within(1, 100000, 500),
    'How many megabytes of earlier contents of files are kept for undo; the oldest go first. They are kept in the storage of the extension, never in the repository.',
    { strictest: Infinity },
  ),
  'changes.retentionDays': ofUser(within(1, 3650, 30), 'How many days a change can be taken back.', {
    strictest: Infinity,
  }),
  'changes.keepSecrets': ofUser(
    flag(false),
    'Also keeps the content of files whose names say that they hold secrets, such as `.env`. Otherwise a change of such a file cannot be taken back, and you are told before it is made.',
    { strictest: false },
  ),
  'changes.checkpoints': ofUser(
    flag(false),
    'Compares the files of the workspace before and after each call that may change them by itself: commands of definitions, tools of MCP servers and of other extensions, and what other agents run after their hook asked. What such a call changed can then be taken back too. Needs `git`, and copies the files of the workspace to the storage of the extension (without an editor: to `~/.agent-capabilities`). The first time takes a while.',
  ),
  'changes.decorations': ofUser(
    flag(true),
    'Marks in the explorer the files that an agent changed last, until you have looked at them.',
  ),
  'changes.whenNotKept': ofUser(
    choice(['ask', 'allow', 'deny'], 'ask'),
    'What happens to an agent’s change that could not be taken back: you are asked, it is made, or it is denied.',
    { strictest: 'deny', bundleOrder: ['allow', 'ask', 'deny'] },
  ),

  // What of secrets models get.
  'redaction.sources': ofUser(
    sourceModes,
    'What happens to secrets in what agents read, by source (`files`, `web`, `databases`, `others`): `hide` (the default) replaces them with `{{secret:…}}` and points out what only may be one, `mark` only points them out, `off` does nothing.',
  ),
  'redaction.patterns': inLayers(
    secretForms,
    'Secrets of your own form, hidden from agents: `{ "kind": "acme-key", "pattern": "acme_[0-9a-f]{32}" }`. A workspace can only add to them.',
  ),
  'redaction.hosts': ofUser(
    hostsByKind,
    'Hosts to which agents may send a secret that they see as a placeholder, by its kind: `{ "stripe-key": ["api.stripe.com"] }`. A host means HTTPS on any port; write `http://host:port` for requests that are not encrypted. Otherwise a value goes back only where it came from.',
  ),

  // What the record of calls keeps.
  'audit.content': ofUser(
    choice(['shape', 'redacted'], 'shape'),
    'What the audit keeps of arguments, results, and what tools say about a failure: their shape, or their content with secrets hidden. File contents are never kept.',
  ),
  'audit.retentionDays': ofUser(within(1, 3650, 90), 'How many days audit segments are kept.', { strictest: Infinity }),
  'audit.maxMegabytes': ofUser(
    within(1, 100000, 200),
    'How many megabytes audit segments may take; the oldest go first.',
    { strictest: Infinity },
  ),
  'audit.otlpEndpoint': ofUser(
    text(''),
    'An OTLP/HTTP endpoint that receives the audit, for teams. Empty sends nothing.',
  ),
  'audit.signed': ofUser(
    flag(false),
    'Chains the record with a key that the editor keeps in its secret storage, so that somebody who can write to the folder cannot rebuild the chain. Signed and unsigned records are kept in separate folders. Takes effect when the window reloads.',
  ),

  // Tools that others bring: MCP servers, other extensions, channels, definitions of the workspace.
  'mcp.servers': inLayers(
    object,
    'MCP servers whose tools pass the gate. A workspace entry acts only once you approve its content.',
  ),
  extensionTools: ofUser(
    object,
    'What you say about tools of other extensions, by extension id: their risk, what they touch, and what happens when an agent calls them. It replaces what is inferred.',
    { strictest: { '*': { tools: { '*': { risk: 'critical', permission: 'forbidden' } } } } },
  ),
  channels: inLayers(
    channelsByName,
    'Channels by name: the URL of a manifest. A workspace entry acts only once you approve its content.',
  ),
  'definitions.enabled': tightened(true, false)(
    flag(true),
    'Loads capability definitions from `.vscode/capabilities`. Off in untrusted workspaces.',
  ),

  // The databases, the mail server and the search service that tools talk to.
  'database.connections': ofUser(
    connectionsByName,
    'Databases by name: `{ "type": "sqlite", "path": "data/app.sqlite" }` (in the workspace) or `{ "type": "postgres", "url": "postgres://user@host/db", "passwordSecret": "NAME" }`. A call that names none uses the one called `default`. A PostgreSQL role that can run programs or reach files of the server is refused, unless `acceptPowerfulRole` is true for its connection.',
  ),
  'email.host': ofUser(text(''), 'The SMTP server that sends mail. Empty sends none.'),
  'email.port': ofUser(whole(1, 65535, 587), 'The port of the SMTP server.'),
  'email.secure': ofUser(flag(false), 'TLS from the first byte (port 465). Otherwise the connection is upgraded.'),
  'email.requireTls': ofUser(
    flag(true),
    'Sends nothing over a connection that cannot be encrypted. Switch it off for a server on this machine only.',
  ),
  'email.user': ofUser(text(''), 'The user name for the SMTP server. The password is the secret `smtp_password`.'),
  'email.from': ofUser(text(''), 'The sender of mail.'),
  'research.searchEndpoint': ofUser(
    text(''),
    'The address of a search service that answers with JSON, with `{query}` and `{count}` where they belong. If it needs a key, store it as the secret `search_key`.',
  ),
};

/** The key of a declared setting, without the prefix `agentCapabilities.`. */
export type SettingKey = keyof typeof settingTable;

/** The type of each setting's value, by its key. */
export type SettingValues = { readonly [Key in SettingKey]: ValueOf<(typeof settingTable)[Key]['schema']> };

/** A setting with its place in the settings editor. */
export interface SettingSpec extends SettingDeclaration {
  readonly key: SettingKey;
  readonly order: number;
}

/** Every setting `agentCapabilities.*`; the manifest's configuration is generated from this list. */
export const settingSpecs: readonly SettingSpec[] = Object.entries<SettingDeclaration>(settingTable).map(
  // Safe: the table has no keys but those that its type names.
  ([key, declared], order) => ({ key: key as SettingKey, ...declared, order }),
);

/** The full id by which the editor knows a setting. */
export function settingId<Key extends SettingKey>(key: Key): `agentCapabilities.${Key}` {
  return `agentCapabilities.${key}`;
}
