/** What is wrong with settings and profiles. */
export const settingSentences = {
  // What is wrong with settings.
  unknown_setting: '`{0}` in the {1} settings is not a setting{2}',
  setting_ignored: "`{0}` counts in user settings only; the workspace's value is ignored",
  invalid_setting: '`{0}` {1}; {2}',
  value_is_used: '{0} is used',
  user_value_is_used: 'the user value is used',
  at_least: 'must be at least {0} (got {1})',
  at_most: 'must be at most {0} (got {1})',
  holds_few: 'must hold {0} or more items',
  holds_many: 'must hold {0} or fewer items (got {1})',
  holds_item: 'holds an item that {0}',
  setting_entry: '`{0}` in `{1}` {2}',
  left_out: 'it is left out',
  cannot_be_used: 'cannot be used: {0}',
  managed_alone: 'the managed file alone says what `{0}` holds; off for it: {1}',
  unbounded: 'until it is mended nothing is removed by it',
  all_private: 'until it is mended every file counts as private',
  all_public: 'until it is mended every folder counts as one that others see',
  trusted_mail: 'is no mail address; write one such as `*@example.com`',
  trusted_server: 'names no MCP server; write one such as `mcp:github`',
  hosts_of_kind: 'must be a list of hosts such as ["api.example.com"] (got {0})',
  postgres_url: 'must be an address such as `postgres://user@host/db`',
  mail_server: 'must be a server by its name or address alone, such as `smtp.example.com` (got `{0}`)',

  managed_file: 'the managed file `{0}`: {1}',
  managed_file_line: 'the managed file `{0}`, line {1}: {2}',
  managed_file_foreign: 'the managed file `{0}` does not count: {1}; only an administrator may be able to write it',
  managed_file_absent:
    'the managed file `{0}` is not there; put it there, or correct `agentCapabilities.policy.managedFile`',
  owner_untold_because: 'its owner cannot be told ({0})',
  owner_untold: 'the owner of `{0}` cannot be told',
  owner_not_root: '`{0}` belongs to user {1}, not to root',
  owner_no_administrator: '`{0}` belongs to {1}, not to the administrators',
  writers_not_root: 'others than root may write to `{0}` (mode {1})',
  writers_untold: 'who may write to `{0}` cannot be told',
  writer_no_administrator: '{0} may write to `{1}`',
  managed_file_unreadable: 'the managed file `{0}` cannot be read: {1}',
  managed_file_no_json: 'the managed file `{0}` is not valid JSON',
  before_stays_in_force: '{0}; what it said before stays in force',
  strictest_until_mended: '{0}; until it is mended every setting is as strict as it can be',
  settings_no_object: '`agentCapabilities` must be one object of settings (got {0})',
  setting_in_both: '`{0}` is there twice, in the object `agentCapabilities` and as `{1}`; write it once',
  no_setting: '`{0}` is no setting; settings begin with `agentCapabilities.`',
  write_instead: '{0}: write `{1}`',

  // What is wrong with profiles, their base prompts and the agents made of them.
  unknown_profile: 'there is no profile `{0}`{1}; until one is chosen nothing is allowed',
  profile_at: 'the profile `{0}`: {1} {2}',
  profile_no_object: 'the profile `{0}`: it must be an object (got {1})',
  profile_file_no_json: 'the file is not JSON: {0}; the fault is in line {1}',
  profile_file_unmarked: 'the file is not an exported profile: it has no `{0}`',
  profile_file_version: 'the file has version {0} of the format, and this extension reads version {1}',
  profile_file_id: "the file's `id` must be letters, digits, `_` and `-` (got {0})",
  profile_file_no_object: "the file's `profile` must be an object (got {0})",
  plan_is_used: 'plan is used',
  no_scope: 'no scope is granted',
  it_is_off: 'it is off',
  named_twice: 'names `{0}` a second time',
  id_or_object: "a capability's id or an object",
  must_name_capability: 'must name a capability',
  unknown_capability: 'the profile `{0}` names `{1}`, which is not a capability{2}',
  unknown_tool: 'the profile `{0}` names the tool `{1}`, which `{2}` does not have{3}',
  duplicate_capability: 'the profile `{0}` names `{1}` twice, once as `{2}`; the first one counts',
  dependency_off: '`{0}` needs `{1}`, which is off in the profile `{2}`',
  dependency_cycle: 'the dependencies {0} go round in a circle; take one of them out',
  active_profile_pending:
    'this workspace asks for the profile `{0}`, which allows more than `{1}` of your own settings; it becomes active when you accept it or switch to it',
  workspace_restricted:
    'this workspace is restricted: its definitions, MCP servers, channels and prompt files are left out until you trust it',
  folder_profiles_left_out:
    'the settings of the folder `{0}` have profiles ({1}) that are left out: in a workspace of several folders only its own settings count',
  widening_pending:
    "the workspace's profile `{0}` allows more than your own settings; until you accept it, only what both allow is on",
  configuration_held:
    "the workspace's profile `{0}` sets `{1}` of `{2}`, and it is not the workspace's to change; it counts once you accept the profile",
  configuration_stricter:
    "the workspace's profile `{0}` sets `{1}` of `{2}`, and your own value is stricter; it counts once you accept the profile",
  takes_no_configuration: 'the profile `{0}` configures `{1}`, which takes no configuration',
  invalid_configuration: 'the profile `{0}` configures `{1}` with what does not fit, and it is off: {2}',
  configuration_fault: '{0} {1} (got {2})',
  the_configuration: 'the configuration',
  name_clash:
    "`{0}` and `{1}` share the name `{2}`; the first in the profile's order keeps it and the other is left out",
  name_means: '`{0}` means `{1}`; the others are called {2}',
  name_of_several: '`{0}` could be any of {1}; only these names tell them apart',
  two_base_prompts:
    'the profile `{0}` has both `systemPrompt` and `systemPromptFile`; the file counts. take one of them out',
  prompt_file:
    'the base prompt of the profile `{0}` is missing: `{1}` {2}. until then the profile has no base prompt. make the file, or correct `systemPromptFile`',
  prompt_denied: 'the base prompt of the profile `{0}` is left out: agents may not read `{1}` (boundary `{2}`)',
  prompt_asks:
    'the base prompt of the profile `{0}` is left out: agents are asked before they read `{1}` (boundary `{2}`)',
  prompt_pending:
    'the base prompt of the profile `{0}` waits: the text of `{1}` counts once you have read and accepted it',
  prompt_own: 'the base prompt of the profile `{0}` is your own: that of a workspace that is not trusted is left out',
  prompt_untrusted:
    'the base prompt of the profile `{0}` is left out: `{1}` is not read in a workspace that is not trusted',
  prompt_missing: 'does not exist',
  prompt_not_a_path: 'is not a path inside the workspace',
  prompt_outside: 'leads out of the workspace',
  prompt_not_a_file: 'is not a file',
  prompt_not_text: 'is not text in UTF-8',
  prompt_no_folder: 'cannot be read without an open folder',
  prompt_no_folder_name: 'must begin with the name of a workspace folder',
  prompt_too_long: 'has more than {0} characters',
  prompt_unavailable: 'cannot be read here',
  prompt_failed: 'cannot be read ({0})',
  agent_file_passing:
    '`{0}` was not written into the workspace: {1}. the agent among your own holds your own parts alone; @capabilities uses all of the profile',
  agent_file:
    '`{0}` was not written into the workspace: {1}. there is no custom agent; @capabilities uses all of the profile',
  agent_file_own:
    '`{0}` was not written: {1}. what stands there may be an older profile: choose @capabilities, which uses this one',
  agent_file_link: 'a part of its path is a link',
  agent_file_taken: 'another file stands there',
  agent_file_ignore_taken: 'the `.gitignore` beside it is not ours, so git would see it',
  agent_file_failed: 'the folder cannot be written',
  agent_impostor:
    '`{0}` calls itself like our agent and was not written by this window: its tools are not those of a profile. do not choose it in the chat; rename or delete it',
} as const;
