import type { Notifier } from '../../core/ports/editor';
import { showError, showInformation, showWarning } from '../notices';

/** Shows a message of a tool as a notification of the editor, and answers the button that was pressed. */
export async function showNotice({
  severity,
  text,
  buttons = [],
}: Parameters<Notifier['show']>[0]): ReturnType<Notifier['show']> {
  const show = { info: showInformation, warning: showWarning, error: showError }[severity];
  const answered = await show(text, ...buttons);
  return answered === undefined ? {} : { answered };
}
