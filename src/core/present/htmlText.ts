/** Text as HTML that shows it as it is. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Shows what a message puts in backticks as code; the text is escaped already. */
export function codeInHtml(escaped: string): string {
  return escaped.replace(/`([^`]+)`/g, '<code>$1</code>');
}
