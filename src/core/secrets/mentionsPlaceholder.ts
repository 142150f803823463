/** Whether any text of a value holds what looks like a placeholder. */
export function mentionsPlaceholder(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('{{secret:');
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, item]) => key.includes('{{secret:') || mentionsPlaceholder(item));
}
