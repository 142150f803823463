import { isHiddenFrom } from '../../core/profiles/profile';
import type { TreeRow } from '../../core/present/treeRow';
import type { RegisteredTool } from '../../core/registry/registry';
import type { CommandContext } from './context';
import { isTreeRow } from '../../core/present/treeRow';
import { isGoneRow } from '../goneRow';

/** The rows that a command is for: what the editor passed, else the view's selection. */
export async function rowsOf(
  context: Pick<CommandContext, 'view'>,
  args: readonly unknown[],
): Promise<readonly TreeRow[]> {
  const [clicked, selected] = args;
  if (clicked === undefined) return isGoneRow(args) ? [] : ((await context.view.settledSelection()) ?? []);
  return context.view.selection(
    isTreeRow(clicked) ? clicked : undefined,
    Array.isArray(selected) ? selected.filter(isTreeRow) : undefined,
  );
}

/** The ids that a command is for: an id passed by a program, else the capabilities among the rows. */
export async function capabilityIds(
  context: Pick<CommandContext, 'registry' | 'view'>,
  args: readonly unknown[],
): Promise<readonly string[]> {
  const [first] = args;
  if (typeof first === 'string') return [context.registry.capability(first)?.id ?? first];
  return (await rowsOf(context, args)).flatMap((row) => (row.kind === 'capability' ? [row.capability.id] : []));
}

/** The profile that a row of the view says it waits for; undefined for anything else. */
export function wideningOf(row: unknown): string | undefined {
  return isTreeRow(row) && row.kind === 'problem' && row.problem.code === 'widening_pending'
    ? row.problem.subject
    : undefined;
}

/** The tools that a person chooses among: those of capabilities that are shown, but for what is for agents alone. */
export const toolsToChoose = ({
  registry,
  view,
}: Pick<CommandContext, 'registry' | 'view'>): readonly RegisteredTool[] =>
  registry.tools().filter((tool) => view.isShown(tool.capability) && !isHiddenFrom('user', tool.definition));
