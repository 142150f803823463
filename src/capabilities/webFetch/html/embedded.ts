import { oneLine } from './contentWriter';
import { cleanAttribute, escapeDestination, escapeText } from './escape';
import type { LeanNode } from './leanNode';
import type { LinkBase } from './links';

/** The address of a film, a sound or a page within the page, by its title where it has one. */
export function embedded(node: LeanNode, links: LinkBase): string {
  const isTiny = ['width', 'height'].some((side) => /^[01](?:px)?$/.test(node.attribute(side) ?? ''));
  const source = (node.attribute('src') ?? node.attribute('data-src') ?? sourceWithin(node) ?? '').trim();
  const target = links.absolute(source);
  if (isTiny || target === '' || links.isDead(source) || /^about:/i.test(target)) return '';
  const title = oneLine(cleanAttribute(node.attribute('title') ?? node.attribute('aria-label')));
  return addressed(target, title, node.tag.name.toLowerCase());
}

function sourceWithin(node: LeanNode): string | undefined {
  for (let child = node.first; child; child = child.next)
    if (child.tag.name === 'SOURCE' && child.attribute('src')) return child.attribute('src');
  return undefined;
}

/** An address by its title, alone where it has none and can stand so, else by a name. */
export const addressed = (target: string, title: string, name: string): string =>
  title === '' && /^https?:[^\s<>]+$/.test(target)
    ? `<${target}>`
    : `[${escapeText(title, false) || name}](${destinationOf(target)})`;

export function destinationOf(target: string): string {
  // Balanced brackets need no escape, and a model copies such a link as it stands.
  return /^[^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*$/.test(target) ? target : escapeDestination(target);
}
