/** Names the question about what cannot be taken back, where rules are named. */
export const notKeptRule = 'changes.not-kept';
