import { say, type Sentence } from '../base/sentence';
import type { Agent } from './agents';
import { trustHash, trustInsertion, trustKey, type TrustedHook } from './codexTrust';
import { entryFile, entryOf, eventPath, foundEntries, hasOwnFile, hooksFile, isAsWritten } from './entries';
import { agentSeconds, type HookProgram } from './entryCommand';
import { commandsIn, undone } from './undoPlan';
import { entryPath, type FileChange, type InstallContext, type Plan, type Receipt, trustPath } from './plan';
import { arrayInsertion, jsonValue } from './jsonEntry';
import { inserted, type Insertion } from './textEdit';

/** What has to change so that an agent asks our gate. An entry that is another one by now is replaced. */
export function installPlan(
  agent: Agent,
  program: HookProgram,
  context: InstallContext,
  receipt: Receipt | undefined,
): Plan {
  const path = entryPath(agent, context.user);
  if (program.platform === 'win32' && agent.form !== 'copilot') return { refused: say('entry_windows'), path };
  const before = context.read(path);
  if (hasOwnFile(agent)) return ownFilePlan(agent, program, path, before);
  const clean = before === undefined ? undefined : undone(agent, path, before, receipt);
  if (before !== undefined && clean === undefined) return { refused: say('entry_not_removable'), path };
  const entry = withEntries(agent, program, clean);
  if ('code' in entry) return { refused: entry, path };
  const change = { path, before, after: entry.text, insertions: entry.insertions };
  const isThere =
    before !== undefined && isAsWritten(agent, before) && commandsIn(agent, before) === commandsIn(agent, entry.text);
  const trust = trustChange(agent, isThere ? before : entry.text, context, receipt);
  if (trust && 'refused' in trust) return trust;
  return { changes: [...(isThere ? [] : [change]), ...(trust ? [trust] : [])] };
}

function ownFilePlan(agent: Agent, program: HookProgram, path: string, before: string | undefined): Plan {
  const after = entryFile(agent, program);
  if (before === after) return { changes: [] };
  if (before !== undefined && foundEntries(agent, before).length === 0)
    return { refused: say('entry_file_of_others'), path };
  return { changes: [{ path, before, after, insertions: [] }] };
}

function withEntries(
  agent: Agent,
  program: HookProgram,
  before: string | undefined,
): { readonly text: string; readonly insertions: readonly Insertion[] } | Sentence {
  if (before === undefined) {
    const version = agent.form === 'cursor' ? { version: 1 } : {};
    return { text: hooksFile(agent, program, version), insertions: [] };
  }
  let text = before;
  const insertions: Insertion[] = [];
  for (const event of agent.events) {
    const insertion = arrayInsertion(text, eventPath(event), entryOf(agent, event, program));
    if ('code' in insertion) return insertion;
    text = inserted(text, insertion);
    insertions.push(insertion);
  }
  // What was written is read once more: a file that would be another one than meant is not written.
  const read = jsonValue(text);
  if ('code' in read) return read;
  return foundEntries(agent, text).length === agent.events.length ? { text, insertions } : say('entry_unwritable');
}

/** The hooks of Codex in its file, as it hashes them. */
export function trustedHooks(agent: Agent, text: string): readonly TrustedHook[] {
  return foundEntries(agent, text).map(({ event, index, command, matcher }) => ({
    event,
    group: index,
    command,
    timeoutSeconds: agentSeconds,
    ...(matcher === undefined ? {} : { matcher }),
  }));
}

function trustChange(
  agent: Agent,
  entries: string,
  context: InstallContext,
  receipt: Receipt | undefined,
): FileChange | Extract<Plan, { readonly refused: Sentence }> | undefined {
  const path = trustPath(agent, context.user);
  if (path === undefined) return undefined;
  const before = context.read(path);
  const clean = before === undefined ? '' : undone(agent, path, before, receipt);
  if (clean === undefined) return { refused: say('entry_trust_unwritable'), path };
  const trusted = trustedHooks(agent, entries).map((hook) => ({
    key: trustKey(entryPath(agent, context.user), hook),
    hash: trustHash(hook, context.sha256),
  }));
  const insertion = trustInsertion(clean, trusted);
  if ('code' in insertion) return { refused: insertion, path };
  const after = inserted(clean, insertion);
  return after === before ? undefined : { path, before, after, insertions: [insertion] };
}
