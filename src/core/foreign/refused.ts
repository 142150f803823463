import { toolError, type ToolError } from '../vocabulary/errors';

/** Why an argument of a foreign tool cannot be judged. */
type RefusedArgument = 'invalid_url' | 'ambiguous_host' | 'unreadable_path' | 'too_many_places' | 'too_deep';

const why: Readonly<Record<RefusedArgument, string>> = {
  invalid_url: 'it looks like a URL and is none; give a URL such as `https://example.com/page`',
  ambiguous_host:
    'programs read different hosts in it; give a URL such as `https://example.com/page`, without `\\`, control characters or a user name',
  unreadable_path: 'where it leads cannot be told; give a path such as `src/app.ts`',
  too_many_places: 'it names more places than can be judged; split the call',
  too_deep: 'it is nested too deep; flatten it',
};

/** What looks like a place and cannot be read is refused, because its receiver may read it. */
export const argumentRefused = (pointer: string, reason: RefusedArgument): ToolError =>
  toolError(
    reason === 'too_many_places' || reason === 'too_deep'
      ? 'too_large'
      : reason === 'unreadable_path'
        ? 'path_invalid'
        : 'invalid_url',
    `the argument \`${pointer === '' ? '/' : pointer.slice(0, 200)}\` cannot be judged: ${why[reason]}`,
    { details: { argument: pointer.slice(0, 200), reason } },
  );
