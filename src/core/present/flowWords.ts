import type { Translate } from '../base/translate';

/** A session of an agent by its id, as people know it. */
export function sessionWords(id: string, t: Translate): string {
  if (id === 'editor-chat') return t('Chats of this window');
  if (id === 'participant') return t('Chats with @capabilities');
  return id;
}
