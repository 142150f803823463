/** What is wrong with a filter over tools. */
export const filterSentences = {
  filter_key: '`{0}:` is not known{1}; a filter is {2}',
  filter_value: '`{0}:` must be {1} (got `{2}`)',
  filter_one_of: 'one of {0}',
  filter_risk: 'one of {0}, also as <=medium or >=high',
} as const;
