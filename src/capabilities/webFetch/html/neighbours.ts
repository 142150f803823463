import { type LeanNode, TEXT } from './leanNode';
import { Rule } from './tags';

/** Spans without a marker of their own do not keep what is in them from what is around them. */
const isBare = (node: LeanNode): boolean => node.type !== TEXT && node.tag.rule === Rule.Default && !node.tag.block;

/** What stands right before or after a node, through the ends of spans without a marker. */
function neighbour(node: LeanNode, forward: boolean): LeanNode | null {
  let from = node;
  while (!(forward ? from.next : from.prev) && from.parent && isBare(from.parent)) from = from.parent;
  let found = forward ? from.next : from.prev;
  while (found && isBare(found)) found = forward ? found.first : found.last;
  return found;
}

const isRule = (node: LeanNode | null, rule: Rule): boolean =>
  node !== null && node.type !== TEXT && node.tag.rule === rule;

/** Escapes what would be read together with the marker beside it: `!` before a link, `~` beside what is struck out. */
export function escapeEnds(node: LeanNode, escaped: string): string {
  const { data } = node;
  let text = escaped;
  if (data.startsWith('~') && !text.startsWith('\\') && isRule(neighbour(node, false), Rule.Strike)) text = `\\${text}`;
  const last = data.at(-1);
  const rule = last === '!' ? Rule.Link : last === '~' && !text.endsWith('\\~') ? Rule.Strike : undefined;
  if (rule === undefined || !isRule(neighbour(node, true), rule)) return text;
  return `${text.slice(0, -1)}\\${last}`;
}

const joined: ReadonlySet<Rule> = new Set([Rule.Emphasis, Rule.Strong, Rule.Strike, Rule.Code]);

/**
 * Takes in the elements of the same kind that follow without anything between: `_a__b_` would not be two emphases, nor
 * anything else.
 */
export function joinAlike(node: LeanNode): void {
  if (!joined.has(node.tag.rule)) return;
  for (let { next } = node; next && isRule(next, node.tag.rule); { next } = node) {
    while (next.first) {
      const child = next.first;
      child.unlink();
      node.append(child);
    }
    node.hasText ||= next.hasText;
    node.hasKept ||= next.hasKept;
    next.unlink();
  }
}
