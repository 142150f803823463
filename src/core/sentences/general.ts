/** What is part of other sentences: proposals, and faults of a value, which follow the name of what they are about. */
export const generalSentences = {
  /** What others say, such as a parser or the file system, in their own words. */
  as_it_is: '{0}',
  did_you_mean: '; did you mean {0}',
  instead: '{0}; {1}',
  property: '`{0}` {1}',
  is_unknown: 'is not a known property here{0}',
  is_required: 'is required',
  is_required_one_of: 'is required: one of {0}',
  is_empty: 'must not be empty',
  must_be: 'must be {0} (got {1})',
  must_be_one_of: 'must be one of {0} (got {1}){2}',
  a_whole_number: 'a whole number',
  must_be_from_to: 'must be from {0} to {1} (got {2})',
  holds_no_string: 'must hold strings only (got {0})',
  part_must_be: '{0} must be {1} (got {2})',
  nothing: 'nothing',
  an_object: 'an object',
  an_array: 'an array',
  a_time: 'a time such as 2026-11-22T10:00:00Z',
  strings: 'an array of strings',
  array_or_object: 'an array or an object',
} as const;
