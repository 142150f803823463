/** What is part of other sentences: a proposal, a fault of a value. A fault follows the name of what it is about. */
export const generalSentences = {
  did_you_mean: '; did you mean {0}',
  must_be: 'must be {0} (got {1})',
} as const;
