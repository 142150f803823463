import { say, type Sentence } from '../../core/base/sentence';
import { plainWords } from '../../core/base/translate';
import type { WordedLines } from '../../core/foreign/serverUser';
import { refusal, type ToolError } from '../../core/vocabulary/errors';

/** Where a server stands, with what belongs to it there. */
export type Standing =
  | { readonly state: 'disabled' | 'stopped' | 'starting' | 'running' | 'asking' }
  | { readonly state: 'failed'; readonly detail: Sentence }
  | { readonly state: 'refused'; readonly why: 'signedOut' | 'notApproved' | 'withdrawn' | 'pinned' }
  | { readonly state: 'blocked'; readonly diff: WordedLines };

type Refusal = 'mcp_tools_changed' | 'mcp_tools_not_approved' | 'mcp_not_signed_in' | 'mcp_tools_not_pinned';

const whyRefused = {
  signedOut: 'mcp_not_signed_in',
  pinned: 'mcp_tools_not_pinned',
  notApproved: 'mcp_tools_not_approved',
  withdrawn: 'mcp_tools_not_approved',
} as const;

/** Why a server that stands there takes no call; undefined where it takes one. */
export function refusalOf(server: string, standing: Standing): ToolError | undefined {
  const refused = (code: Refusal, more: object = {}): ToolError =>
    refusal('not_available', say(code, server), { details: { server, ...more } });
  switch (standing.state) {
    case 'blocked':
      return refused('mcp_tools_changed', { diff: standing.diff(plainWords) });
    case 'refused':
      return refused(whyRefused[standing.why]);
    case 'asking':
      return refused('mcp_tools_not_approved');
    case 'disabled':
      return refusal('not_available', say('mcp_switched_off', server));
    default:
      return undefined;
  }
}
