import type { PersonEditor } from './person';
import { until } from './until';

/**
 * Calls a command of ours with arguments, as another program would, and says yes where the person is asked whether it
 * was meant. Answers the command's own promise, which may go on to ask other questions.
 */
export async function meant(
  { workbench, host }: Pick<PersonEditor, 'workbench' | 'host'>,
  command: string,
  ...args: readonly unknown[]
): Promise<{ readonly result: Promise<unknown> }> {
  let isOver = false;
  const over = (): void => void (isOver = true);
  const result = host.execute(`agentCapabilities.${command}`, ...args);
  result.then(over, over);
  const question = workbench.modal.filter({ hasText: 'Another program asks for' });
  await until(async () => {
    if (!isOver && !(await question.isVisible())) throw new Error(`${command} neither ended nor asked`);
  }, 20_000);
  if (!isOver) await workbench.pressModalButton('Do It');
  return { result };
}
