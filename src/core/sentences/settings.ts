/** What is wrong with settings. */
export const settingSentences = {
  unknown_setting: '`{0}` in the {1} settings is not a setting{2}',
  setting_ignored: "`{0}` counts in user settings only; the workspace's value is ignored",
  invalid_setting: '`{0}` {1}; {2}',
  value_is_used: '{0} is used',
  user_value_is_used: 'the user value is used',
  at_least: 'must be at least {0} (got {1})',
  at_most: 'must be at most {0} (got {1})',
  holds_few: 'must hold at least {0} items',
  holds_item: 'holds an item that {0}',
} as const;
