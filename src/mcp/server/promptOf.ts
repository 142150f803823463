import { isObject } from '../../core/base/json';

/** A longer name is none of those that clients make. */
const longest = 200;

/**
 * The prompt that a client's agent works on, from what the client sends beside the arguments: VS Code names the request
 * of its chat, Codex the turn. Undefined where it is not told. It only says which calls belong together.
 */
export function promptOf(meta: unknown): string | undefined {
  if (!isObject(meta)) return undefined;
  const turn = meta['x-codex-turn-metadata'];
  const name = meta['vscode.requestId'] ?? (isObject(turn) ? turn['turn_id'] : undefined);
  return typeof name === 'string' && name !== '' && name.length <= longest ? name : undefined;
}
