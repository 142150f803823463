/** The first text of what a tool answered. */
export const text = (result: any): string => result.content[0]?.text;

/** What a client answers for a user who decided so. */
export const allow = (decision: string) => () => ({ action: 'accept' as const, content: { decision } });
