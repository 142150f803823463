/** What is told of filters over tools: faults, and what each part of a filter means. */
export const filterSentences = {
  filter_key: '`{0}:` is not known{1}; a filter is {2}',
  filter_value: '`{0}:` must be {1} (got `{2}`)',
  filter_one_of: 'one of {0}',
  filter_risk: 'one of {0}, also as <=medium or >=high',
  filter_about_agent: 'what an agent meets, on or off: allowed, asks, forbidden',
  filter_about_category: 'its category',
  filter_about_effect: 'a side effect; fs stands for all of files',
  filter_about_is: 'what its row shows: on, off, asks, allowed, forbidden or a risk',
  filter_about_kind: 'what it does: data, state, action, control, status',
  filter_about_risk: 'its risk; <=medium is at most, >=high at least',
  filter_about_scope: 'a permission that it needs',
  filter_about_source: 'where it comes from',
} as const;
