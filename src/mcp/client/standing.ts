import type { Sentence } from '../../core/base/sentence';
import { toolError, type ToolError } from '../../core/vocabulary/errors';

/** Where a server stands, with what belongs to it there. */
export type Standing =
  | { readonly state: 'disabled' | 'stopped' | 'starting' | 'running' | 'asking' }
  | { readonly state: 'failed'; readonly detail: Sentence }
  | { readonly state: 'refused'; readonly why: 'signedOut' | 'notApproved' | 'withdrawn' | 'pinned' }
  | { readonly state: 'blocked'; readonly diff: readonly string[] };

/** Why a server that stands there takes no call; undefined where it takes one. */
export function refusalOf(server: string, standing: Standing): ToolError | undefined {
  const named = `the MCP server \`${server}\``;
  const refused = (why: string, more: object = {}): ToolError =>
    toolError('not_available', why, { details: { server, ...more } });
  const notApproved = `the user has not approved the tools of ${named}`;
  switch (standing.state) {
    case 'blocked': {
      const changed = `the tools of ${named} changed since the user approved them, so its calls are blocked`;
      return refused(`${changed}; ask the user to review the change`, { diff: standing.diff });
    }
    case 'refused':
      if (standing.why === 'signedOut')
        return refused(`nobody signed in to ${named}; ask the user to start it and sign in`);
      if (standing.why === 'pinned')
        return refused(`the tools of ${named} are not those that a signed bundle pins, so its calls are blocked`);
      return refused(notApproved);
    case 'asking':
      return refused(notApproved);
    case 'disabled':
      return toolError('not_available', `${named} is switched off`);
    default:
      return undefined;
  }
}
