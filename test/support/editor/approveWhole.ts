import type { PersonEditor } from './person';
import { until } from './until';

/**
 * Answers a question that gives its yes only once all of its text was shown: shows it, takes the question up again and
 * says yes.
 */
export async function approveWhole(
  { workbench, host }: Pick<PersonEditor, 'workbench' | 'host'>,
  yes = 'Approve',
): Promise<void> {
  await workbench.pressModalButton('Show in Editor');
  const decide = workbench.page.getByRole('button', { name: 'Decide…' }).first();
  await until(async () => {
    if (await workbench.modal.isVisible()) return;
    if (await decide.isVisible()) await decide.click({ timeout: 3000 });
    else await host.execute('notifications.showList');
    throw new Error('the question is not back yet');
  }, 20_000);
  await workbench.pressModalButton(yes);
}
