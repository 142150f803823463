/** What is part of other sentences: a proposal, a fault of a value. A fault follows the name of what it is about. */
export const generalSentences = {
  /** What others say, such as a parser or the file system, in their own words. */
  as_it_is: '{0}',
  did_you_mean: '; did you mean {0}',
  must_be: 'must be {0} (got {1})',
  an_object: 'an object',
  an_array: 'an array',
} as const;
