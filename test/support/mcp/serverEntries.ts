/** An entry of a program that does not exist. */
export const stdio = { command: 'no-such-program', args: ['a'] };

/** An entry of a server that is nowhere. */
export const http = { type: 'http', url: 'https://x.example/mcp' };
