import { regexText } from '../base/regexText';
import { say } from '../base/sentence';
import type { Agent } from './agents';
import { commandsOf, eventPath, foundEntries, hasOwnFile } from './entries';
import { isOurCommand } from './entryCommand';
import { entryPath, type FileChange, type InstallContext, type Plan, type Receipt, trustPath } from './plan';
import { jsonValue, withoutElements } from './jsonEntry';
import { type Insertion, withoutInsertion } from './textEdit';

/**
 * What has to change so that an agent is as it was before our entry. A file that nobody else changed since comes back
 * byte for byte; from one that somebody changed, our pieces go and the rest stays.
 */
export function uninstallPlan(agent: Agent, context: InstallContext, receipt: Receipt | undefined): Plan {
  const changes: FileChange[] = [];
  for (const path of [entryPath(agent, context.user), trustPath(agent, context.user)]) {
    if (path === undefined) continue;
    const before = context.read(path);
    if (before === undefined) continue;
    const known = receipt?.files.find((one) => one.path === path);
    const left = undone(agent, path, before, receipt);
    if (left === undefined) return { refused: say('entry_not_removable'), path };
    const isGone = hasOwnFile(agent) ? left === '' : known?.isNew === true && isEmpty(left);
    const after = isGone ? undefined : left;
    if (after !== before) changes.push({ path, before, after, insertions: [] });
  }
  return { changes };
}

/** The text of a file without our pieces; undefined where they cannot be taken out without touching the rest. */
export function undone(agent: Agent, path: string, text: string, receipt: Receipt | undefined): string | undefined {
  const known = receipt?.files.find((one) => one.path === path);
  let exact: string | undefined = text;
  for (const insertion of [...(known?.insertions ?? [])].reverse())
    exact = exact === undefined ? undefined : withoutInsertion(exact, insertion);
  if (path.endsWith('.toml')) return exact ?? withoutTables(text, known?.insertions ?? []);
  if (hasOwnFile(agent)) return foundEntries(agent, text).length > 0 ? '' : text;
  const base = exact !== undefined && !('code' in jsonValue(exact)) ? exact : text;
  return withoutEntries(agent, base);
}

function withoutEntries(agent: Agent, text: string): string | undefined {
  let left = text;
  for (const event of agent.events)
    left = withoutElements(left, eventPath(event), (element) =>
      commandsOf(element).some((command) => isOurCommand(command, agent)),
    );
  return left !== text && 'code' in jsonValue(left) ? undefined : left;
}

/**
 * Takes the tables out by which Codex trusts our hooks, one by one where its own writer has moved them. One that stays
 * does no harm: it trusts a hook that is not there.
 */
function withoutTables(text: string, written: readonly Insertion[]): string {
  const tables = written.flatMap((one) => one.text.split(/\r?\n(?=\[)/).map((table) => table.trim()));
  return tables.reduce((left, table) => {
    const [header = '', hash = ''] = table.split(/\r?\n/);
    const at =
      header === '' ? -1 : left.search(new RegExp(`^${regexText(header)}\\r?\\n${regexText(hash)}\\r?\\n?`, 'm'));
    if (at < 0) return left;
    const end = left.slice(at).indexOf(hash) + hash.length;
    return left.slice(0, at) + left.slice(at + end).replace(/^\r?\n/, '');
  }, text);
}

function isEmpty(text: string): boolean {
  if (text.trim() === '') return true;
  const read = jsonValue(text);
  if ('code' in read) return false;
  const { version, hooks, ...more } = Object(read.value) as Record<string, unknown>;
  const isVersion = version === undefined || version === 1;
  const isNoHook = hooks === undefined || Object.keys(Object(hooks)).length === 0;
  return isVersion && isNoHook && Object.keys(more).length === 0;
}

/** The commands of our entries in a text, to compare two texts by. */
export const commandsIn = (agent: Agent, text: string): string =>
  JSON.stringify(foundEntries(agent, text).map(({ event, command }) => [event, command]));
