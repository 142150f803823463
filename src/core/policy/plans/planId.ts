/** The id by which reasons and approvals name a frozen plan, where others name a rule or a grant. */
export const planId = ({ hash }: { readonly hash: string }): string => `plan:${hash}`;

/** True for the id of a frozen plan. */
export const isPlanId = (id: string): boolean => id.startsWith('plan:');
