import { toolError, type ToolError } from '../../core/vocabulary/errors';

/** Where a server stands, with what belongs to it there. */
export type Standing =
  | { readonly state: 'disabled' | 'stopped' | 'running' | 'asking' }
  | { readonly state: 'starting'; readonly detail?: string }
  | { readonly state: 'failed'; readonly detail: string }
  | { readonly state: 'refused'; readonly why: keyof typeof refusals }
  | { readonly state: 'blocked'; readonly diff: readonly string[] };

const refusals = {
  signedOut: 'nobody signed in',
  notApproved: 'its tools were not approved',
  withdrawn: 'its approval was taken back',
  pinned: 'its tools are not those that a signed bundle pins',
} as const;

/** Why it stands there, one line; undefined where there is nothing to say. */
export function detailOf(standing: Standing): string | undefined {
  switch (standing.state) {
    case 'starting':
    case 'failed':
      return standing.detail;
    case 'refused':
      return refusals[standing.why];
    default:
      return undefined;
  }
}

/** Why a server that stands there takes no call; undefined where it takes one. */
export function refusalOf(server: string, standing: Standing): ToolError | undefined {
  switch (standing.state) {
    case 'blocked':
      return toolError(
        'not_available',
        `the tools of the MCP server \`${server}\` changed since the user approved them, so its calls are blocked; ask the user to review the change`,
        { details: { server, diff: standing.diff } },
      );
    case 'refused':
      if (standing.why === 'signedOut')
        return toolError(
          'not_available',
          `nobody signed in to the MCP server \`${server}\`; ask the user to start it and sign in`,
          { details: { server } },
        );
      if (standing.why === 'pinned')
        return toolError(
          'not_available',
          `the tools of the MCP server \`${server}\` are not those that a signed bundle pins, so its calls are blocked`,
          { details: { server } },
        );
      return notApproved(server);
    case 'asking':
      return notApproved(server);
    case 'disabled':
      return toolError('not_available', `the MCP server \`${server}\` is switched off`);
    default:
      return undefined;
  }
}

const notApproved = (server: string): ToolError =>
  toolError('not_available', `the user has not approved the tools of the MCP server \`${server}\``, {
    details: { server },
  });
