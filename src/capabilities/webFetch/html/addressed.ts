import { escapeDestination, escapeText } from './escape';

/** An address by its title, alone where it has none and can stand so, else by a name. */
export const addressed = (target: string, title: string, name: string): string =>
  title === '' && /^https?:[^\s<>]+$/.test(target)
    ? `<${target}>`
    : `[${escapeText(title, false) || name}](${destinationOf(target)})`;

export function destinationOf(target: string): string {
  // Balanced brackets need no escape, and a model copies such a link as it stands.
  return /^[^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*$/.test(target) ? target : escapeDestination(target);
}
