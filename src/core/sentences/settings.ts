/** What is wrong with settings. */
export const settingSentences = {
  unknown_setting: '`{0}` in the {1} settings is not a setting{2}',
  setting_ignored: "`{0}` counts in user settings only; the workspace's value is ignored",
  invalid_setting: '`{0}` {1}; {2}',
  value_is_used: '{0} is used',
  user_value_is_used: 'the user value is used',
  at_least: 'must be at least {0} (got {1})',
  at_most: 'must be at most {0} (got {1})',
  holds_few: 'must hold {0} or more items',
  holds_item: 'holds an item that {0}',

  managed_file: 'the managed file `{0}`: {1}',
  managed_file_line: 'the managed file `{0}`, line {1}: {2}',
  managed_file_foreign: 'the managed file `{0}` does not count: {1}; only an administrator may be able to write it',
  managed_file_unreadable: 'the managed file `{0}` cannot be read: {1}',
  managed_file_no_json: 'the managed file `{0}` is not valid JSON',
  before_stays_in_force: '{0}; what it said before stays in force',
  strictest_until_mended: '{0}; until it is mended every setting is as strict as it can be',
  settings_no_object: '`agentCapabilities` must be one object of settings (got {0})',
  setting_in_both: '`{0}` is there twice, in the object `agentCapabilities` and as `{1}`; write it once',
  no_setting: '`{0}` is no setting; settings begin with `agentCapabilities.`',
  write_instead: '{0}: write `{1}`',
} as const;
