/** What is wrong with profiles. */
export const profileSentences = {
  unknown_profile: 'there is no profile `{0}`{1}; until one is chosen nothing is allowed',
} as const;
